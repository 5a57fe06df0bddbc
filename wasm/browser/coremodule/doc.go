// Command core is the scheduler as a WebAssembly module without a start of its own: a page, or a test, calls it.
//
//	go run ./internal/cmd/wasmbuild core core.wasm
//
// Package reactor has its calling convention, package rpc its requests and answers.
//
// It imports from wasi_snapshot_preview1, where it needs a clock that is not at 0 and may stand still, random numbers that
// may always be the same, and no files; and from quern_host, which runs policy modules beside it (package hostmodules).
package main
