//go:build !wasip1

package main

import "fmt"

func main() {
	fmt.Println("this is a WebAssembly module: build it with go run ./internal/cmd/wasmbuild features FILE")
}
