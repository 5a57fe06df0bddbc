// Command go is the policy fair as a WebAssembly module.
package main

import (
	"github.com/quern-project/quern/plugins/fair"
	wasm "github.com/quern-project/quern/sdk/go"
)

func init() { wasm.Serve(fair.Policy("fair-go")) }

func main() {}
