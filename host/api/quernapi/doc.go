// Package quernapi serves quern.v1.Scheduler: inputs, decisions, explanations and states of a live scheduler over gRPC.
//
// What was submitted goes through the loop; everything that is read comes from the view. An answer to a request that changed something is
// given when the view has it, so that who reads next finds it.
package quernapi
