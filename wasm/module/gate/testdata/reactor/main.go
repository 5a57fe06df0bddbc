// A policy-shaped reactor for tests: built with GOOS=wasip1 GOARCH=wasm -buildmode=c-shared.
package main

import (
	"encoding/json"
	"fmt"
	"sort"
	"unsafe"
)

var (
	manifest []byte
	arena    [1 << 16]byte
	keys     []int
	nodes    [4096][4]float64
	answers  [4096]float64
)

//go:wasmexport quern_abi
func abi() int32 { return 1 << 16 }

//go:wasmexport quern_manifest
func describe() int32 {
	manifest, _ = json.Marshal(map[string]any{"name": "test", "keys": []int{1, 2, 3}})
	manifest = append(manifest, 0)
	return address(&manifest[0])
}

//go:wasmexport quern_reserve
func reserve(n int32) int32 {
	if int(n) > len(arena) {
		return 0
	}
	return address(&arena[0])
}

//go:wasmexport quern_configure
func configure(ptr, length int32) int32 { return ptr ^ length }

// score is a loop over floats, as a policy has it.
//
//go:wasmexport node_score
func score(n int32) int32 {
	for i := range int(n) {
		k := i & 4095
		worst := 0.0
		for t := range 4 {
			share := (nodes[k][t] + float64(i)) / float64(t+7)
			worst = max(worst, share)
		}
		answers[k] = 1 - worst
		nodes[k][i&3] += 0.5
	}
	return int32(answers[(n-1)&4095])
}

// order sorts through an interface.
//
//go:wasmexport app_order
func order(n int32) int32 {
	keys = keys[:0]
	for i := range int(n) {
		keys = append(keys, i*7919%10007)
	}
	sort.Ints(keys)
	return int32(keys[0])
}

// text allocates and formats.
//
//go:wasmexport queue_order
func text(n int32) int32 {
	total := 0
	for i := range int(n) {
		total += len(fmt.Sprintf("root.queue-%d", i))
	}
	return int32(total)
}

// fault writes through a bad index.
//
//go:wasmexport victim_rank
func fault(n int32) int32 { return int32(keys[n]) }

func address(b *byte) int32 { return int32(uintptr(unsafe.Pointer(b))) }

func main() {}
