package program

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// While the heap is small the collector would run every few megabytes, and a short run would spend a fifth of its time there.
const (
	relaxedPercent = 400
	relaxedHeap    = 32 << 20 // bytes that are alive; beyond, memory counts for more
)

// relaxCollector has garbage collected less often while the heap is small. GOGC, where it is set, decides alone.
func relaxCollector() {
	if _, set := os.LookupEnv("GOGC"); !set {
		before := debug.SetGCPercent(relaxedPercent)
		afterCollection(func() bool {
			sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
			metrics.Read(sample)
			if sample[0].Value.Uint64() < relaxedHeap {
				return true
			}
			debug.SetGCPercent(before)
			return false
		})
	}
}

// afterCollection calls f after each collection for as long as it returns true.
func afterCollection(f func() bool) {
	runtime.SetFinalizer(&sentinel{}, func(*sentinel) {
		if f() {
			afterCollection(f)
		}
	})
}

// sentinel is garbage at once. It holds a pointer since small values without one may share memory with others.
type sentinel struct{ _ *byte }
