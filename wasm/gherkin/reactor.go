//go:build wasip1

package main

import (
	"github.com/quern-project/quern/wasm/exchange"
	_ "github.com/quern-project/quern/wasm/gherkin/named"
)

func main() {}

func init() { exchange.Serve(answer) }
