package replay

import (
	"slices"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/scheduler"
)

// whole places gangs of seven and remembers the limits of its cycles.
type whole struct {
	Scheduler
	limits []int
}

func (w *whole) Cycle(limit int) int {
	w.limits = append(w.limits, limit)
	return 7
}

func TestWatched_GangBeyondTheLimitEndsTheCycle(t *testing.T) {
	s := &whole{Scheduler: scheduler.New(core.Options{})}
	w := &watched{Scheduler: s, books: ledger.New(), began: time.Now(), story: &Story{restate: true, last: 1, ahead: 3}}
	if made := w.Cycle(5); made != 7 || !slices.Equal(s.limits, []int{3}) {
		t.Errorf("expected one cycle of 3 allocations that makes 7, found %d made with the limits %v", made, s.limits)
	}
}
