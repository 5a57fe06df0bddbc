package schedule

import (
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/state"
)

// A required node is held for its ask: a reservation without delay and expiry, beside the one of its leaf, that only an
// ask of higher priority that requires the node as well may take over.

// suspendedClass is a class of asks of an application whose required node is held for none of them.
type suspendedClass struct {
	app   *app.App
	class *class.Class
}

// tryHold holds the required node for an ask that does not fit its free room, or notes that it cannot be held for it.
func (s *Walk) tryHold(l *state.Leaf, ask *app.Ask) {
	if ask.Hold.IsReserved() {
		return // it is held for this one: others alike must not be suspended with it
	}
	n := s.state.Nodes.Find(ask.Class.Node)
	if n == nil || n.Takes(ask.Class) || !s.fitsEmpty(ask, n) {
		s.suspend(ask)
		return
	}
	if r, reserved := s.state.Reservations().On(n.Slot); reserved {
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

// fitsEmpty reports whether a node would take an ask if nothing were allocated on it.
func (s *Walk) fitsEmpty(ask *app.Ask, n *node.Node) bool {
	return n.Schedulable && n.Holds(ask.Class) && s.state.Nodes.Admits(ask.Class, n)
}

// suspend has an ask, and those like it in its application, looked at again only when something about its node changes.
func (s *Walk) suspend(ask *app.Ask) {
	ask.App.Suspend(ask)
	r := suspendedClass{ask.App, ask.Class}
	if list := s.suspended[ask.Class.Node]; !slices.Contains(list, r) {
		s.suspended[ask.Class.Node] = append(list, r)
	}
}

// forgetSuspended forgets what suspend noted, since one of the asks is gone: those alike are looked at again, and suspended again.
func (s *Walk) forgetSuspended(a *app.App, c *class.Class) {
	id, r := c.Node, suspendedClass{a, c}
	i := slices.Index(s.suspended[id], r)
	if i < 0 {
		return
	}
	r.app.Resume(r.class)
	if s.suspended[id] = slices.Delete(s.suspended[id], i, i+1); len(s.suspended[id]) == 0 {
		delete(s.suspended, id)
	}
}

// resumeSuspended has the asks looked at again whose required nodes have changed. It waits for the walk to begin: one that is under
// way would note of them that they failed, as they were before. Nothing that a walk does lets a node be held that could not
// be, except the condition that makes it begin again.
func (s *Walk) resumeSuspended() {
	for _, id := range s.requiredChanged {
		for _, r := range s.suspended[id] {
			if r.app.Resume(r.class) {
				s.state.Leaves[r.app.Leaf.ID].Queue.MarkChanged()
			}
		}
		delete(s.suspended, id)
	}
	s.requiredChanged = s.requiredChanged[:0]
	s.Sync()
}

// judgeReservations ends those whose application may not be allocated to at the moment, and those whose ask a max or a limit
// bars: they would bar a node for an ask that could not land. Those end as well whose ask waits for its gang or the place of a
// placeholder by now, and holds that could not be made now.
func (s *Walk) judgeReservations() {
	if !s.doubtful && !s.crowded {
		return
	}
	all := s.doubtful
	s.doubtful, s.crowded = false, false
	for _, r := range slices.Collect(s.state.Reservations().All()) {
		ask := s.state.AskAt(r.Ask)
		switch {
		case all && !s.state.MayStart(ask.App):
			s.state.Unreserve(ask, core.ReasonNotStartable)
		case all && (ask.Rests() || ask.Class.Node != "" && !s.mayHold(ask, s.state.Nodes.At(ask.HoldOn))):
			s.state.Unreserve(ask, "")
		case ask.Class.Node == "" && !s.fitsBelowRoot(ask):
			s.state.Unreserve(ask, core.ReasonNoHeadroom)
		}
	}
	s.Sync()
}

// mayHold reports whether the node may go on being held for an ask.
func (s *Walk) mayHold(ask *app.Ask, n *node.Node) bool {
	return s.fitsEmpty(ask, n) && s.fitsBelowRoot(ask)
}

// fitsBelowRoot reports whether every max and every limit lets an ask in, the cluster's total apart.
func (s *Walk) fitsBelowRoot(ask *app.Ask) bool {
	for q := s.state.QueueOf(ask); q.Parent != nil; q = q.Parent { // the cluster's total bars landing alone
		for _, need := range ask.Class.Needs {
			if q.Room(need.Lane) < need.Min {
				return false
			}
		}
	}
	return ask.App.WithinLimits(ask.Class)
}
