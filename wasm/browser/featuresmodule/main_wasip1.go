package main

import (
	_ "github.com/quern-project/quern/wasm/browser/featuresmodule/argv0"
	"github.com/quern-project/quern/wasm/browser/reactor"
)

func main() {}

func init() { reactor.ServeWhole(answer) }
