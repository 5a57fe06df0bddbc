package view

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/quern-project/quern/core/scheduler"
)

// MostHeld is how long a reader may hold a version: the memory that the scheduler has changed since is kept for it.
const MostHeld = 10 * time.Second

// ErrHeld ends a reader that has held a version for too long.
var ErrHeld = fmt.Errorf("the reader has held one state for more than %s", MostHeld)

// Held is a version that a reader holds until it releases it.
type Held struct {
	*scheduler.Frozen
	since time.Time
	by    *Versions
}

// Late returns ErrHeld once a reader has to end.
func (h *Held) Late() error {
	if time.Since(h.since) > MostHeld {
		return ErrHeld
	}
	return nil
}

// Release says that neither the version nor a fork of it is used any more.
func (h *Held) Release() {
	h.by.mu.Lock()
	defer h.by.mu.Unlock()
	h.by.list = slices.DeleteFunc(h.by.list, func(other *Held) bool { return other == h })
}

// Versions lists the versions that are held. The zero value has none.
type Versions struct {
	mu   sync.Mutex
	list []*Held // the oldest first
}

// Hold adds a version.
func (v *Versions) Hold(frozen *scheduler.Frozen) *Held {
	v.mu.Lock()
	defer v.mu.Unlock()
	one := &Held{frozen, time.Now(), v}
	v.list = append(v.list, one)
	return one
}

// Count returns how many versions are held, and for how long the oldest has been. They keep at most so many bytes: the sum of their sizes, as if they
// shared no memory with the scheduler and each other.
func (v *Versions) Count() (n, bytes int, oldest time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.list) > 0 {
		oldest = time.Since(v.list[0].since)
	}
	for _, held := range v.list {
		bytes += held.Size()
	}
	return len(v.list), bytes, oldest
}
