// Command deeds is a policy module of stock Go, without an SDK, that does what its configuration says, for tests of its host.
package main

import (
	"math"
	"syscall"
	"time"
	"unsafe"
)

var (
	manifest = []byte(`{"name":"deeds","version":"1","abi":"1.0","points":{"node.score":{"columns":["free:vcore"],"keys":1,"depends":"row"}}}` + "\x00")
	arena    [1 << 18]byte // it need not move, and so does not
	deed     string
	kept     [][]byte
)

//go:wasmexport quern_abi
func version() int32 { return 1 << 16 }

//go:wasmexport quern_manifest
func declared() int32 { return address(unsafe.Pointer(&manifest[0])) }

//go:wasmexport quern_reserve
func reserve(size int32) int32 {
	if size > int32(len(arena)-64) {
		return 0
	}
	return (address(unsafe.Pointer(&arena)) + 63) &^ 63
}

//go:wasmexport quern_configure
func configure(at, size int32) int32 {
	deed = string(memory(at, size))
	return 0
}

//go:wasmexport node_score
func score(frame int32) int32 {
	do()
	header := memory(frame, 64)
	asked, index, out, column := word(header, 12), word(header, 32), word(header, 36), word(header, 56)
	for i := range asked {
		row := word(memory(frame+index+4*i, 4), 0)
		from := (*float64)(unsafe.Pointer(&memory(frame+column+8*row, 8)[0]))
		*(*float64)(unsafe.Pointer(&memory(frame+out+8*row, 8)[0])) = 2 * math.Abs(*from)
	}
	return 0
}

func address(p unsafe.Pointer) int32 { return int32(uintptr(p)) }

func memory(at, size int32) []byte {
	first := uintptr(unsafe.Pointer(&arena))
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(&arena), int(at)-int(first))), size)
}

func word(b []byte, at int) int32 { return *(*int32)(unsafe.Pointer(&b[at])) }

func do() {
	switch deed {
	case `"flood"`:
		for {
			println("help")
		}
	case `"panic"`:
		panic("on purpose")
	case `"exit"`:
		syscall.Exit(0)
	case `"sleep"`:
		time.Sleep(time.Hour)
	case `"allocate"`:
		for {
			kept = append(kept, make([]byte, 1<<20))
		}
	case `"garbage"`:
		for {
			kept = [][]byte{make([]byte, 1<<10)}
		}
	case `"recursion"`:
		deed = string(rune('a' + down(1)))
	case `"deadlock"`:
		select {}
	case `"goroutines"`:
		for {
			go func() { select {} }()
		}
	case `"look"`:
		if len(syscall.Environ()) > 0 {
			panic("there is a world")
		}
	}
}

//go:noinline
func down(n int) int { return down(n+1) + n }

func main() {}
