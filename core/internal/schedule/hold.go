package schedule

import (
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// A required node is held for its ask. A hold is a reservation without delay or expiry, in addition to the one of the leaf. Only an ask of
// higher priority that requires the same node can take it over.

// suspendedClass is a class of an application's asks whose required node is not held for any of them.
type suspendedClass struct {
	app   app.App
	class class.Class
}

// tryHold holds the required node for an ask that does not fit its free room. If the node cannot be held, it suspends the ask's class.
func (s *Walk) tryHold(l app.Leaf, ask app.Ask) {
	if ask.Hold().IsReserved() {
		return // the node is held for this ask; others of its class must not be suspended
	}
	n := s.state.Nodes().Find(ask.Class().Node())
	if n == app.NoNode || s.state.Nodes().Fits(n, ask.Class()) && !s.planning.on || !s.fitsEmpty(ask, n) {
		s.suspend(ask)
		return
	}
	if r, reserved := s.state.Reservations().On(n); reserved {
		holder := s.state.AskAt(r.Ask)
		if r.Required && !s.state.Outranks(ask, holder) {
			s.suspend(ask)
			return
		}
		s.state.Unreserve(holder, core.ReasonRequiredNode)
		s.search.ending = mustRepeat
	}
	s.reserve(l, ask, n)
}

// fitsEmpty reports whether an ask could be placed on a node without allocations.
func (s *Walk) fitsEmpty(ask app.Ask, n int32) bool {
	return s.state.Nodes().Schedulable(n) && s.state.Nodes().FitsEmpty(n, ask.Class()) && s.state.MayBeOn(ask, n) && s.state.Nodes().Admits(ask.Class(), n)
}

// suspend has the walk skip an ask, and asks like it in its application, until its node changes.
func (s *Walk) suspend(ask app.Ask) {
	ask.App().Suspend(ask)
	r := suspendedClass{ask.App(), ask.Class()}
	if list := s.suspended[ask.Class().Node()]; !slices.Contains(list, r) {
		s.suspended[ask.Class().Node()] = append(list, r)
	}
}

// forgetSuspended undoes suspend after one of the asks is gone. The others are visited again, and suspended again if necessary.
func (s *Walk) forgetSuspended(a app.App, c class.Class) {
	id, r := c.Node(), suspendedClass{a, c}
	i := slices.Index(s.suspended[id], r)
	if i < 0 {
		return
	}
	r.app.Resume(r.class)
	if s.suspended[id] = slices.Delete(s.suspended[id], i, i+1); len(s.suspended[id]) == 0 {
		delete(s.suspended, id)
	}
}

// resumeSuspended resumes the asks whose required nodes have changed. It runs only before a walk: a walk in progress would record a failure
// that was found before the change. Within a walk, a node becomes available to a hold only through the condition that makes the walk start
// again (mustRepeat).
func (s *Walk) resumeSuspended() {
	for _, id := range s.requiredChanged {
		for _, r := range s.suspended[id] {
			if r.app.Resume(r.class) {
				s.order.MarkChanged(queueOf(r.app.Leaf()))
			}
		}
		delete(s.suspended, id)
	}
	s.requiredChanged = s.requiredChanged[:0]
	s.Sync()
}

// endInvalidReservations ends reservations that would block a node for an ask that cannot be allocated: those whose application may not be
// allocated to now, those whose ask exceeds a max or a limit, and those whose ask has to wait for its gang or the place of a placeholder.
// It also ends holds that could not be made now.
func (s *Walk) endInvalidReservations() {
	if !s.recheckAll && !s.recheckLimited {
		return
	}
	all := s.recheckAll
	s.recheckAll, s.recheckLimited = false, false
	for _, r := range slices.Collect(s.state.Reservations().All()) {
		ask := s.state.AskAt(r.Ask)
		switch {
		case all && !s.state.MayStart(ask.App()):
			s.state.Unreserve(ask, core.ReasonNotStartable)
		case all && (ask.WaitsForGang() || !ask.WaitingGang().IsNone() || ask.Class().Node() != "" && !s.mayHold(ask, ask.HoldOn())):
			s.state.Unreserve(ask, "")
		case all && !ask.Class().Topology().IsNone() && !s.state.Nodes().Allows(ask.HoldOn(), ask.Class().Constraints()):
			s.state.Unreserve(ask, "") // its domain is another one now
		case ask.Class().Node() == "" && !(s.fitsBelowRoot(ask) && (s.MayUseHeld(ask) || s.fitsMaximaBeside(ask, s.accumulating.all))):
			s.state.Unreserve(ask, core.ReasonNoHeadroom)
		}
	}
	s.Sync()
}

// mayHold reports whether a node may remain held for an ask.
func (s *Walk) mayHold(ask app.Ask, n int32) bool {
	return s.fitsEmpty(ask, n) && s.fitsBelowRoot(ask)
}

// fitsBelowRoot reports whether an ask fits every max and limit other than the cluster's total.
func (s *Walk) fitsBelowRoot(ask app.Ask) bool {
	tree := s.state.Queues()
	for q := s.state.QueueOf(ask); tree.Parent(q) != queues.None; q = tree.Parent(q) { // the cluster's total only delays the allocation
		for need := range ask.Class().Needs().All {
			if tree.Room(q, need.Lane) < need.Min {
				return false
			}
		}
	}
	return ask.App().WithinLimits(ask.Class())
}
