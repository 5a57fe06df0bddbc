package inspect

import (
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// tally counts allocations by the properties on which the laws of preemption depend. It follows the state's log from its first use, so
// that a scheduler without explanations does not pay for it.
type tally struct {
	counts map[kin]int // nil before the first use
	cursor state.Cursor
}

// kin identifies allocations that the laws treat alike.
type kin struct {
	leaf     queues.ID
	class    class.Class
	priority int32
}

// PrepareExplanations builds the tally of allocations, so that the first explanation is not slower than the others.
func (s *View) PrepareExplanations() { s.tally() }

// tally returns the up-to-date number of allocations of each kind.
func (s *View) tally() map[kin]int {
	t := &s.allocations
	if t.counts == nil {
		t.counts = map[kin]int{}
		s.Asks().All(func(ask app.Ask) bool {
			if !ask.Pending() {
				t.add(s.QueueOf(ask), ask, 1)
			}
			return true
		})
		s.SkipLog(&t.cursor)
	}
	s.followTally()
	return t.counts
}

func (t *tally) add(leaf queues.ID, ask app.Ask, n int) {
	k := kin{leaf, ask.Class(), ask.Priority()}
	if n += t.counts[k]; n == 0 {
		delete(t.counts, k)
	} else {
		t.counts[k] = n
	}
}

// followTally brings the tally up to date.
func (s *View) followTally() {
	t := &s.allocations
	if t.counts == nil {
		return
	}
	for c := range s.State.Follow(&t.cursor).All {
		switch c.Kind() {
		case state.AskAllocated, state.AllocationMade:
			t.add(c.Queue(), c.Ask(), 1)
		case state.AllocationEnded:
			t.add(c.Queue(), c.Ask(), -1)
		case state.AppTransferred:
			t.follow(c.App(), c.Queue())
		}
	}
}

// follow moves an application's allocations out of a leaf that it has left, or into its new leaf.
func (t *tally) follow(a app.App, leaf queues.ID) {
	sign := 1
	if state.QueueOfApp(a) != leaf {
		sign = -1
	}
	for v := a.FirstPlaced(); !v.IsNone(); v = v.NextOfApp() {
		t.add(leaf, v, sign)
	}
}
