package preempt

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/internal/victim"
)

// leafSearch holds which asks of a leaf may look for victims, and the result of the last walk over them.
type leafSearch struct {
	delay       instant.Delay // how long asks wait before they may preempt; 0 if only asks with a required node may
	due         bool          // an ask may be due; then counted in leavesDue of the leaf and its ancestors
	tried       []app.Ask     // the first ask of each kind in the last walk, in order; none of them found victims
	walked      uint64        // state.ShrinkEpoch in the last walk; 0 if the leaf has to be walked
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
func (s *Preemption) await(ask app.Ask, of class.Class, leaf queues.ID) {
	r, delay := ask.Row(), s.leaf(leaf).delay
	switch {
	case r.NoPreemptOthers:
	case of.Node() != "" && ask.WaitingGang().IsNone(), delay > 0 && delay.After(r.Created) <= s.state.Now():
		s.mayBeDue(leaf)
	case delay > 0:
		w := s.listFor(delay)
		if r.Created < w.newest {
			s.late.push(ask, delay.After(r.Created))
			return
		}
		w.newest = r.Created
		w.Push(s.state.Asks(), ask.Slot(), r.Seq)
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
func (s *Preemption) mayBeDue(leaf queues.ID) {
	k := s.leaf(leaf)
	k.walked = 0
	s.calls++
	tree := s.state.Queues()
	if k.due || tree.IsRemoved(leaf) {
		return
	}
	k.due = true
	for q := leaf; q != queues.None; q = tree.Parent(q) {
		s.leavesDue[q]++
	}
}

// Advance marks the leaves of asks whose delay has run out.
func (s *Preemption) Advance() {
	for i := range s.waits {
		w := &s.waits[i]
		w.Pass(w.delay.Before(s.state.Now()), func(ask app.Ask) { s.mayBeDue(s.state.QueueOf(ask)) })
	}
	s.late.pass(s.state.Now(), func(ask app.Ask) { s.mayBeDue(s.state.QueueOf(ask)) })
	s.passSpared()
}

// Deadline returns the time when the next delay runs out. ok is false if no ask waits for one.
func (s *Preemption) Deadline() (at time.Duration, ok bool) {
	for i := range s.waits {
		w := &s.waits[i]
		if tree := s.state.Queues(); tree.Asks(tree.Root()) == 0 {
			w.Clear()
		}
		if came, waits := w.Next(w.delay.Before(s.state.Now())); waits {
			at, ok = instant.Sooner(at, ok, w.delay.After(came))
		}
	}
	if due, waits := s.late.next(); waits {
		at, ok = instant.Sooner(at, ok, due)
	}
	if due, waits := s.nextChance(); waits {
		at, ok = instant.Sooner(at, ok, due)
	}
	return at, ok
}

// relist rebuilds the lists of pending asks and the records of leaves, after the queue tree was rebuilt.
func (s *Preemption) relist() {
	s.waits, s.late = nil, newLate()
	n := s.state.Queues().Len()
	s.leaves, s.leavesDue = make([]leafSearch, n), make([]int32, n)
	for q := range s.state.Leaves {
		s.leaves[q].delay = s.delayOf(q)
	}
	for _, ask := range s.state.PendingBySubmission() {
		s.pending(ask, ask.Class(), s.state.QueueOf(ask), ask.App())
	}
	s.renewSparing()
	s.Advance()
	s.mayFindVictims()
}

// delayOf returns how long the asks of a leaf wait before they may look for victims, or 0 if they never may. Asks of a dynamic leaf
// always may, since tags can give it a guarantee at any time, and so may all if there are elastic gangs.
func (s *Preemption) delayOf(leaf queues.ID) instant.Delay {
	tree := s.state.Queues()
	if s.elastic.any || tree.IsDynamic(leaf) || victim.MayPreempt(tree, leaf, s.guaranteesPreempt()) {
		return tree.Conf(leaf).PreemptionDelay
	}
	return 0
}

// noneDue records that no ask of a leaf is due.
func (s *Preemption) noneDue(leaf queues.ID) {
	s.leaf(leaf).due = false
	s.subtractDue(leaf, 1)
}

// subtractDue subtracts from the number of leaves that may be due in a queue and those above it.
func (s *Preemption) subtractDue(q queues.ID, n int32) {
	for ; q != queues.None; q = s.state.Queues().Parent(q) {
		s.leavesDue[q] -= n
	}
}

// dueOf lists the asks of an application that may preempt, in order: the first ask of each kind, and the first member of each gang.
func (s *Preemption) dueOf(leaf queues.ID, a app.App) []app.Ask {
	var list []app.Ask
	a.Pending(func(ask app.Ask) bool {
		if !ask.WaitingGang().IsNone() || !s.due(leaf, ask) {
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
	list = append(list, s.dueGangs(leaf, a)...)
	slices.SortFunc(list, a.Compare)
	return list
}

// due reports whether the ask itself may look for victims now, regardless of limits and of its application.
func (s *Preemption) due(leaf queues.ID, ask app.Ask) bool {
	switch {
	case ask.NoPreemptOthers(), ask.IsSurplus(), ask.Hold().IsClaimed(), ask.WaitsForGang(), ask.Observed() && s.state.Conf().PreemptionObserve:
		return false
	case ask.Class().Node() != "":
		return true
	}
	delay := s.leaf(leaf).delay
	return delay > 0 && delay.After(ask.Created()) <= s.state.Now()
}
