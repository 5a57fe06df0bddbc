package main

import (
	"github.com/quern-project/quern/wasm/browser/hostmodules"
	"github.com/quern-project/quern/wasm/browser/reactor"
	"github.com/quern-project/quern/wasm/browser/rpc"
)

func main() {}

func init() { reactor.Serve(rpc.New(&hostmodules.Modules{}).Append) }
