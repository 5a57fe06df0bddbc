//go:build wasip1

package main

import (
	"github.com/quern-project/quern/wasm/boundary"
	"github.com/quern-project/quern/wasm/exchange"
	"github.com/quern-project/quern/wasm/siblings"
)

func main() {}

func init() { exchange.Serve(boundary.New(&siblings.Modules{}).Call) }
