package server

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/quern-project/quern/core/scheduler"
)

// mostHeld is how long a reader may hold a version: the memory that the scheduler has changed since is kept for it.
const mostHeld = 10 * time.Second

// ErrHeld ends a reader that has held a version for too long.
var ErrHeld = fmt.Errorf("the reader has held one state for more than %s", mostHeld)

// held is a version that a reader holds until it releases it.
type held struct {
	*scheduler.Frozen
	since time.Time
	by    *holds
}

// late returns ErrHeld once a reader has to end.
func (h *held) late() error {
	if time.Since(h.since) > mostHeld {
		return ErrHeld
	}
	return nil
}

// release says that neither the version nor a fork of it is used any more.
func (h *held) release() {
	h.by.mu.Lock()
	defer h.by.mu.Unlock()
	h.by.list = slices.DeleteFunc(h.by.list, func(other *held) bool { return other == h })
}

// holds lists the versions that are held, the oldest first.
type holds struct {
	mu   sync.Mutex
	list []*held
}

func (h *holds) add(frozen *scheduler.Frozen) *held {
	h.mu.Lock()
	defer h.mu.Unlock()
	one := &held{frozen, time.Now(), h}
	h.list = append(h.list, one)
	return one
}

// count returns how many versions are held, and for how long the oldest has been.
func (h *holds) count() (n int, oldest time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.list) > 0 {
		oldest = time.Since(h.list[0].since)
	}
	return len(h.list), oldest
}

// freeze returns a version of the view's scheduler, which a reader forks in its own goroutine and releases. It holds the view for a moment, in
// which also reads from the follower what belongs to the same state.
func (v *View) freeze(also func(f *follower)) (*held, error) {
	var frozen *scheduler.Frozen
	var err error
	bug := v.show(func(s *scheduler.Scheduler) {
		if frozen, err = s.Freeze(); err == nil {
			also(v.replica.follower)
		}
	})
	if err := errors.Join(bug, err); err != nil {
		return nil, err
	}
	return v.holds.add(frozen), nil
}
