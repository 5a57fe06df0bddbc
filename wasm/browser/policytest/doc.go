// Command policytest holds policy modules to the contract, as a WebAssembly module: the gate, the trial and the checks of
// `quern policy test`, for the page in which a policy is written.
//
//	go run ./internal/cmd/wasmbuild policytest policytest.wasm
//
// Package reactor has its calling convention. A request is one line of JSON, its head, and after it the bytes of a module if
// the operation takes one; the answer is one line of JSON. What a head may say is at the operations, what an answer holds
// at their types. Like the core, it imports quern_host, which runs the modules beside it (package hostmodules).
package main
