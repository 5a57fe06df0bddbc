// Package wasm makes a WebAssembly module of a policy that is written in Go, with the stock toolchain:
//
//	package main
//
//	import wasm "github.com/quern-project/quern/sdk/go"
//
//	func init() { wasm.Serve(&policy.Policy{…}) }
//	func main() {}
//
//	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -trimpath -ldflags=-s -o biggest.wasm .
//
// Serve must be called from init: main never runs in a module. All functions of the contract are exported, whatever the
// manifest has; a point that it does not have answers abi.CannotServe. Elsewhere Serve only checks the policy, so
// that a test of the author's package finds mistakes in the manifest.
//
// Points should not allocate: a frame and its columns do not, and what never allocates never collects garbage.
package wasm

import "github.com/quern-project/quern/sdk/policy"

var server *policy.Server

// Serve takes the policy that the module is. It panics, with a text that says what was expected, if the policy cannot
// be served or there is one already.
func Serve(p *policy.Policy) {
	if server != nil {
		panic("wasm: expected one call of Serve, found a second")
	}
	s, err := policy.New(p)
	if err != nil {
		panic("wasm: " + err.Error())
	}
	server = s
}
