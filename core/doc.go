// Package core has the types on both sides of a scheduler: what goes into it (inputs with their events, options), what comes out (decisions
// with their reasons, dumps, lists, totals), and Machine, which is what a replay runs.
//
// Package scheduler is the state machine itself. Its documentation numbers what a host has to do.
package core
