package wazero_test

import (
	"fmt"
	"os"
	goruntime "runtime"
	"runtime/debug"
	"testing"
)

// usage is memory of this process, in bytes.
type usage struct {
	heap     int64 // in use by objects
	resident int64
	reserved int64 // address space
}

// within reports whether it is no more than a bound in each respect. The race detector keeps books of all memory, so that
// with it only the heap counts.
func (u usage) within(bound usage) bool {
	return u.heap <= bound.heap && (raceEnabled || u.resident <= bound.resident && u.reserved <= bound.reserved)
}

func (u usage) String() string {
	return fmt.Sprintf("heap %+d KiB, resident %+d KiB, address space %+d KiB", u.heap>>10, u.resident>>10, u.reserved>>10)
}

// leaves is what doing something leaves in use, and fails the test where that is more than a bound each time: a leak
// comes back whenever it is done again, while the runtime's own growth (stacks, tables, pages not given back yet) does not.
func leaves(t *testing.T, bound usage, do func()) usage {
	t.Helper()
	var left usage
	for range 5 {
		before := used()
		do()
		after := used()
		left = usage{after.heap - before.heap, after.resident - before.resident, after.reserved - before.reserved}
		if left.within(bound) {
			return left
		}
	}
	t.Errorf("expected to be left with at most %v, found %v", bound, left)
	return left
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
