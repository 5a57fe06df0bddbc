package server

import (
	"sync"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/forecast"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/scheduler"
)

// runTimes are how long allocations ran that have ended. Snapshots carry them, so that forecasts know them after a restart.
type runTimes struct {
	mu   sync.Mutex
	list *ledger.RunTimes
}

// begin makes the applications known that are there.
func (r *runTimes) begin(s *scheduler.Scheduler) {
	r.mu.Lock()
	defer r.mu.Unlock()
	page := core.Page{Limit: appsAtOnce, Work: 100 * appsAtOnce}
	for {
		part := s.Apps(&page)
		for i := range part.Items {
			a := &part.Items[i]
			r.list.Resume(a.ID, a.User, a.Partition)
		}
		if !part.More {
			return
		}
		page.After = part.Next
	}
}

// appsAtOnce is how many applications are read at a time.
const appsAtOnce = 1000

// memory copies them for a snapshot, or returns nil if nothing has ended.
func (r *runTimes) memory() *ledger.RunMemory {
	r.mu.Lock()
	defer r.mu.Unlock()
	if m := r.list.Memory(); m.Ended > 0 {
		return m
	}
	return nil
}

// recall takes over those of a snapshot.
func (r *runTimes) recall(m *ledger.RunMemory) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.list.Recall(m)
}

func (r *runTimes) step(in *core.Input, refused core.Reason, decisions []core.Decision) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list.Step(in, refused, decisions)
}

// prepare makes a forecast of an ask; nil: it is not pending. Two of one state with one seed are equal.
func (r *runTimes) prepare(s *scheduler.Scheduler, ask string, seed uint64) *forecast.Forecast {
	r.mu.Lock()
	defer r.mu.Unlock()
	f, _ := forecast.New(s, r.list, forecast.Options{Ask: ask, Grace: forecastGrace, Seed: seed})
	return f
}
