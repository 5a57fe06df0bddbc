package inspect

import (
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/state"
)

// tally counts allocations by what decides who may preempt them. It follows the state's log from the first time that it is asked for: a
// scheduler that explains nothing has none.
type tally struct {
	counts map[kin]int // nil: not counted yet
	cursor state.Cursor
}

// kin is what allocations of a kind have in common.
type kin struct {
	leaf     *state.Leaf
	class    *class.Class
	priority int32
}

// PrepareExplanations begins to count allocations.
func (s *View) PrepareExplanations() { s.tally() }

// tally counts the allocations of each kind.
func (s *View) tally() map[kin]int {
	t := &s.allocations
	if t.counts == nil {
		t.counts = map[kin]int{}
		s.Asks.All(func(ask *app.Ask) bool {
			if !ask.Pending() {
				t.add(s.LeafOf(ask), ask, 1)
			}
			return true
		})
		s.SkipLog(&t.cursor)
	}
	s.followTally()
	return t.counts
}

func (t *tally) add(l *state.Leaf, ask *app.Ask, n int) {
	k := kin{l, ask.Class, ask.Priority}
	if n += t.counts[k]; n == 0 {
		delete(t.counts, k)
	} else {
		t.counts[k] = n
	}
}

// followTally takes in which allocations came and went.
func (s *View) followTally() {
	t := &s.allocations
	if t.counts == nil {
		return
	}
	for _, c := range s.State.Follow(&t.cursor) {
		switch c.Kind {
		case state.AskAllocated, state.AllocationMade:
			t.add(c.Leaf, c.Ask, 1)
		case state.AllocationEnded:
			t.add(c.Leaf, c.Ask, -1)
		case state.AppMoved:
			if c.Queue != nil {
				t.follow(c.App, c.Leaf)
			}
		}
	}
}

// follow takes in that an application has left a leaf, or come to it.
func (t *tally) follow(a *app.App, l *state.Leaf) {
	sign := 1
	if a.Leaf != l.Leaf {
		sign = -1
	}
	for v := a.Placed.First; v != nil; v = v.Next(app.OfApp) {
		t.add(l, v, sign)
	}
}
