// Package rest serves a live scheduler over HTTP: inputs, decisions, states and explanations below /v1.
//
// What was submitted goes through the loop; everything that is read comes from the view, which is a moment behind. An answer to a
// request that changed something is given when the view has it, so that who reads next finds it.
package rest
