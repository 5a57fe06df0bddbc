package wazero_test

import (
	"fmt"
	"os"
	goruntime "runtime"
	"runtime/debug"
)

// usage is memory of this process, in bytes.
type usage struct {
	heap     int64 // in use by objects
	resident int64
	reserved int64 // address space
}

// used is what is used after garbage was collected and given back. Where the system does not tell, only the heap.
func used() usage {
	goruntime.GC()
	debug.FreeOSMemory()
	var s goruntime.MemStats
	goruntime.ReadMemStats(&s)
	u := taken()
	u.heap = int64(s.HeapInuse)
	return u
}

// taken is what the system gave, garbage included; zero where it does not tell.
func taken() (u usage) {
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		if _, err := fmt.Sscan(string(text), &u.reserved, &u.resident); err != nil {
			panic(err)
		}
	}
	page := int64(os.Getpagesize())
	u.resident *= page
	u.reserved *= page
	return u
}
