//go:build !wasip1

package main

import "fmt"

func main() {
	fmt.Println("this is a WebAssembly module: build it with GOOS=wasip1 GOARCH=wasm and -buildmode=c-shared")
}
