package wazero

import (
	"fmt"
	"sync"
)

// DefaultMemory bounds the memory of the instances of all modules of a runtime together, where nothing else is said.
const DefaultMemory = 1 << 30

// MemoryError says that a module's instances do not fit into what all modules may have together.
type MemoryError struct {
	Most, Taken, Wanted int64 // bytes
}

// Error says which of the three is how much.
func (e *MemoryError) Error() string {
	const mib = 1 << 20
	return fmt.Sprintf("memory: expected at most %.6g MiB for the instances of all modules, found %.6g MiB taken and %.6g MiB more needed (a smaller limits.memory, or a larger --policy-memory)",
		float64(e.Most)/mib, float64(e.Taken)/mib, float64(e.Wanted)/mib)
}

// budget is the memory that modules have together. Limits count, not what is touched: a module may use all of its own at
// any time.
type budget struct {
	mu          sync.Mutex
	most, taken int64
}

func (b *budget) take(bytes int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.taken+bytes > b.most {
		return &MemoryError{b.most, b.taken, bytes}
	}
	b.taken += bytes
	return nil
}

func (b *budget) give(bytes int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.taken -= bytes
}

// Fits says whether a module with these limits can ever be asked.
func (r *Runtime) Fits(l Limits) error {
	if wanted := Needs(l); wanted > r.memory.most {
		return &MemoryError{Most: r.memory.most, Wanted: wanted}
	}
	return nil
}

// Needs are the bytes that the instances of a module with these limits may use for one scheduler.
func Needs(l Limits) int64 { return (&Module{limits: l}).bytes() }

// bytes are what the acting and the spare instance of a module may use.
func (m *Module) bytes() int64 { return 2 * int64(m.limits.WithDefaults().Pages) << 16 }
