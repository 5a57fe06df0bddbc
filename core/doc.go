// Package core holds the types on both sides of a scheduler: what goes in (inputs with their events, options), what comes out
// (decisions with their reasons, dumps, lists, totals), and the interface Machine, on which journals are replayed.
//
// Package scheduler is the state machine. Its documentation numbers the obligations of a host.
package core
