package main

import "github.com/quern-project/quern/wasm/browser/reactor"

func main() {}

func init() { reactor.ServeWhole((&tester{}).answer) }
