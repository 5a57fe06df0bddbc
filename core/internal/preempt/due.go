package preempt

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/victim"
)

// leafSearch holds which asks of a leaf may look for victims, and the result of the last walk over them.
type leafSearch struct {
	delay       instant.Delay // how long asks wait before they may preempt; 0 if only asks with a required node may
	due         bool          // an ask may be due; then counted in LeavesDue of the leaf and its ancestors
	tried       []app.Ask     // the first ask of each kind in the last walk, in order; none of them found victims
	walked      uint64        // state.World in the last walk; 0 if the leaf has to be walked
	eligibility uint64        // the leaf's EligibilityChanges in the last walk
	limited     bool          // a limit excluded an ask in the last walk
	bound       int           // pending asks with a required node
}

// waiting lists the asks that wait for one delay, in order of creation.
type waiting struct {
	delay  instant.Delay
	newest time.Duration // Created of the last ask; an ask that was created before it goes to Preemption.late
	state.Arrivals
}

// await handles an ask that became pending: it may look for victims now, after a delay, or never.
func (s *Preemption) await(ask app.Ask, of *class.Class, l *state.Leaf) {
	r, delay := ask.Row(), s.leaf(l).delay
	switch {
	case r.NoPreemptOthers:
	case of.Node != "" && ask.WaitingGang() == nil, delay > 0 && delay.After(r.Created) <= s.state.Now:
		s.mayBeDue(l)
	case delay > 0:
		w := s.listFor(delay)
		if r.Created < w.newest {
			s.late.push(ask, delay.After(r.Created))
			return
		}
		w.newest = r.Created
		w.Push(s.state.Asks, ask.Slot(), r.Seq)
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

// mayBeDue records that an ask of a leaf may be due.
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

// Advance marks the leaves of asks whose delay has run out.
func (s *Preemption) Advance() {
	for i := range s.waits {
		w := &s.waits[i]
		w.Pass(w.delay.Before(s.state.Now), func(ask app.Ask) { s.mayBeDue(s.state.LeafOf(ask)) })
	}
	s.late.pass(s.state.Now, func(ask app.Ask) { s.mayBeDue(s.state.LeafOf(ask)) })
	s.leaves = state.ShrinkToLeaves(s.state, s.leaves)
}

// Deadline returns the time when the next delay runs out. ok is false if no ask waits for one.
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

// relist rebuilds the lists of pending asks and the records of leaves, after the queue tree was rebuilt.
func (s *Preemption) relist() {
	s.waits, s.late = nil, late{}
	s.leaves = make([]leafSearch, len(s.state.Leaves))
	for i, l := range s.state.Leaves {
		if l != nil {
			s.leaves[i].delay = s.delayOf(l)
		}
	}
	for _, ask := range s.state.PendingBySubmission() {
		s.pending(ask, ask.Class(), s.state.LeafOf(ask), ask.App())
	}
	s.Advance()
	s.mayFindVictims()
}

// delayOf returns how long the asks of a leaf wait before they may look for victims, or 0 if they never may. Asks of a dynamic leaf
// always may, since tags can give it a guarantee at any time.
func (s *Preemption) delayOf(l *state.Leaf) instant.Delay {
	if l.Queue.Dynamic || victim.MayPreempt(l.Queue, s.guaranteesPreempt()) {
		return l.Queue.Conf.PreemptionDelay
	}
	return 0
}

// noneDue records that no ask of a leaf is due.
func (s *Preemption) noneDue(l *state.Leaf) {
	s.leaf(l).due = false
	for q := l.Queue; q != nil; q = q.Parent {
		q.LeavesDue--
	}
}

// dueOf lists the asks of an application that may preempt, in order: the first ask of each kind, and the first member of each gang.
func (s *Preemption) dueOf(l *state.Leaf, a *app.App) []app.Ask {
	var list []app.Ask
	a.Pending(func(ask app.Ask) bool {
		if ask.WaitingGang() != nil || !s.due(l, ask) {
			return true
		}
		for i, x := range list {
			if x.Class() == ask.Class() && x.Priority() == ask.Priority() && x.ReservedNode() == ask.ReservedNode() {
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
	slices.SortFunc(list, func(x, y app.Ask) int {
		if a.Before(x, y) {
			return -1
		}
		return 1
	})
	return list
}

// due reports whether the ask itself may look for victims now, regardless of limits and of its application.
func (s *Preemption) due(l *state.Leaf, ask app.Ask) bool {
	switch {
	case ask.NoPreemptOthers(), ask.Hold().IsClaimed(), ask.WaitsForGang(), ask.Observed() && s.state.Conf.PreemptionObserve:
		return false
	case ask.Class().Node != "":
		return true
	}
	delay := s.leaf(l).delay
	return delay > 0 && delay.After(ask.Created()) <= s.state.Now
}
