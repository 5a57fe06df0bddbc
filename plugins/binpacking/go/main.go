// Command go is the policy binpacking as a WebAssembly module.
package main

import (
	"github.com/quern-project/quern/plugins/binpacking"
	wasm "github.com/quern-project/quern/sdk/go"
)

func init() { wasm.Serve(binpacking.Policy("binpacking-go")) }

func main() {}
