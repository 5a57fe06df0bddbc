// Command features runs features as a WebAssembly module: scenarios are played against a scheduler inside of it.
//
//	go run ./internal/cmd/wasmbuild features features.wasm
//
// Package reactor has its calling convention. A request is one line of JSON, its head, and after it a body if the operation takes
// one; the answer is one line of JSON. What a head may say is at the operations, what an answer holds at their types.
package main
