package preempt

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/victim"
)

// leafSearch is what a leaf knows of its asks that may look for victims.
type leafSearch struct {
	delay       instant.Delay // how long an ask waits before it may; 0: none ever may, except those with a required node
	due         bool          // an ask may be due; counted up the tree
	tried       []*app.Ask    // when the leaf was last walked: the first of each kind, in order; none of them found victims
	walked      uint64        // the world of that walk; 0: it has to be walked
	eligibility uint64        // the leaf's EligibilityChanges, of that walk
	limited     bool          // in that walk a limit barred an ask
	bound       int           // pending asks with a required node
}

// waiting lists asks by arrival that wait for a delay.
type waiting struct {
	delay  instant.Delay
	newest time.Duration // when the last of them came; one that came before goes among the late
	state.Arrivals
}

// await notes an ask that came: it is due at once, or after a delay, or never.
func (s *Preemption) await(ask *app.Ask) {
	delay := s.leaf(s.state.LeafOf(ask)).delay
	switch {
	case ask.NoPreemptOthers:
	case ask.Class.Node != "" && ask.WaitingGang() == nil, delay > 0 && delay.After(ask.Created) <= s.state.Now:
		s.mayBeDue(s.state.LeafOf(ask))
	case delay > 0:
		w := s.listFor(delay)
		if ask.Created < w.newest {
			s.late.push(ask, delay.After(ask.Created))
			return
		}
		w.newest = ask.Created
		w.Push(ask)
	}
}

func (s *Preemption) listFor(delay instant.Delay) *waiting {
	for i := range s.waits {
		if s.waits[i].delay == delay {
			return &s.waits[i]
		}
	}
	s.waits = append(s.waits, waiting{delay: delay})
	return &s.waits[len(s.waits)-1]
}

// mayBeDue notes that an ask of a leaf may be due.
func (s *Preemption) mayBeDue(l *state.Leaf) {
	k := s.leaf(l)
	k.walked = 0
	s.calls++
	if k.due {
		return
	}
	k.due = true
	for q := l.Queue; q != nil; q = q.Parent {
		q.LeavesDue++
	}
}

// Advance lets those look for victims whose delay has run out.
func (s *Preemption) Advance() {
	for i := range s.waits {
		w := &s.waits[i]
		w.Pass(w.delay.Before(s.state.Now), func(ask *app.Ask) { s.mayBeDue(s.state.LeafOf(ask)) })
	}
	s.late.pass(s.state.Now, func(ask *app.Ask) { s.mayBeDue(s.state.LeafOf(ask)) })
	s.leaves = state.ShrinkToLeaves(s.state, s.leaves)
}

// Deadline is when the next delay runs out.
func (s *Preemption) Deadline() (at time.Duration, ok bool) {
	for i := range s.waits {
		w := &s.waits[i]
		if s.state.Root.Asks == 0 {
			w.Clear()
		}
		if came, waits := w.Next(w.delay.Before(s.state.Now)); waits {
			at, ok = instant.Sooner(at, ok, w.delay.After(came))
		}
	}
	if due, waits := s.late.next(); waits {
		at, ok = instant.Sooner(at, ok, due)
	}
	return at, ok
}

// relist lists pending asks by what they wait for, in a tree that was rebuilt.
func (s *Preemption) relist() {
	s.waits, s.late = nil, late{}
	s.leaves = make([]leafSearch, len(s.state.Leaves))
	for i, l := range s.state.Leaves {
		if l != nil {
			s.leaves[i].delay = s.delayOf(l)
		}
	}
	for _, ask := range s.state.PendingBySubmission() {
		s.pending(ask, ask.Class, s.state.LeafOf(ask))
	}
	s.Advance()
	s.mayFindVictims()
}

// delayOf is how long the asks of a leaf wait before they may look for victims; 0: none ever may. Tags may give a dynamic leaf
// a guaranteed at any time.
func (s *Preemption) delayOf(l *state.Leaf) instant.Delay {
	if l.Queue.Dynamic || victim.MayPreempt(l.Queue, s.guaranteesPreempt()) {
		return l.Queue.Conf.PreemptionDelay
	}
	return 0
}

// noneDue notes that no ask of a leaf is due.
func (s *Preemption) noneDue(l *state.Leaf) {
	s.leaf(l).due = false
	for q := l.Queue; q != nil; q = q.Parent {
		q.LeavesDue--
	}
}

// dueOf lists an application's asks that may preempt, the first of each kind, in order.
func (s *Preemption) dueOf(l *state.Leaf, a *app.App) []*app.Ask {
	var list []*app.Ask
	a.Pending(func(ask *app.Ask) bool {
		if ask.WaitingGang() != nil || !s.due(l, ask) {
			return true
		}
		for i, x := range list {
			if x.Class == ask.Class && x.Priority == ask.Priority && x.ReservedNode() == ask.ReservedNode() {
				if a.Before(ask, x) {
					list[i] = ask
				}
				return true
			}
		}
		list = append(list, ask)
		return true
	})
	list = append(list, s.dueGangs(l, a)...)
	slices.SortFunc(list, func(x, y *app.Ask) int {
		if a.Before(x, y) {
			return -1
		}
		return 1
	})
	return list
}

// due reports whether an ask may look for victims at this time, as far as it alone is concerned.
func (s *Preemption) due(l *state.Leaf, ask *app.Ask) bool {
	switch {
	case ask.NoPreemptOthers, ask.Hold.IsClaimed(), ask.Rests(), ask.Observed && s.state.Conf.PreemptionObserve:
		return false
	case ask.Class.Node != "":
		return true
	}
	delay := s.leaf(l).delay
	return delay > 0 && delay.After(ask.Created) <= s.state.Now
}
