package schedule

import (
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// Sync applies changes and updates the orders until there are no more changes. A policy that fails during the update causes another change.
func (s *Walk) Sync() {
	for {
		s.Follow()
		s.sync(s.state.Queues().Root())
		if !s.state.Behind(&s.cursor) {
			return
		}
	}
}

// sync updates the orders of changed queues, from the leaves up.
func (s *Walk) sync(q queues.ID) {
	if s.order.IsLeaf(q) {
		l := s.state.Leaf(q)
		s.syncLeaf(l)
		waits, changed := l.Row(s.order.PendingRow(q), s.state.Now())
		s.order.SetPending(q, waits, changed)
		return
	}
	for _, child := range s.order.Changed(q) {
		s.sync(child)
	}
	s.order.Sync(q, &s.wide)
}

// SortAll updates every order for the current total of the cluster; the walk updates only the orders that it visits. With policy modules,
// orders stay as the last cycle left them: only the cycle may call modules, since calls are counted and answers may have to be recorded.
func (s *Walk) SortAll() {
	if !s.state.AnyModule() {
		s.Sync()
		s.sortBelow(s.state.Queues().Root())
	}
}

// Sorted reports whether all changes have been applied to the orders, so that the priorities stored in queues and applications are those of
// their pending asks.
func (s *Walk) Sorted() bool {
	return !s.state.Behind(&s.cursor) && len(s.order.Changed(s.state.Queues().Root())) == 0
}

func (s *Walk) sortBelow(q queues.ID) {
	if s.state.Queues().IsLeaf(q) {
		s.refresh(s.state.Leaf(q))
		return
	}
	s.order.Sync(q, &s.wide)
	s.order.Each(q, func(child queues.ID) bool {
		s.sortBelow(child)
		return true
	})
}

// Freshen updates the order of a parent's children.
func (s *Walk) Freshen(q queues.ID) {
	if s.order.Stale(q, &s.wide) {
		s.sync(q)
	}
}

// EachChild calls yield with the children of a queue that have pending asks, in order.
func (s *Walk) EachChild(q queues.ID, yield func(queues.ID) bool) { s.order.Each(q, yield) }

// Highest returns the highest priority of the pending asks in a queue, as its parent sees it. There must be such asks.
func (s *Walk) Highest(q queues.ID) int32 { return s.order.Highest(q) }

// FreshenLeaf updates the order of a leaf.
func (s *Walk) FreshenLeaf(l app.Leaf) { s.refresh(l) }

// refresh updates a leaf's order if the cluster's total has changed since the last update.
func (s *Walk) refresh(l app.Leaf) {
	if s.measured[l.ID()] != s.wide.Epoch {
		s.remeasure(l)
	}
}

func (s *Walk) remeasure(l app.Leaf) {
	s.measured[l.ID()] = s.wide.Epoch
	l.Measure(func(t int) int64 { return s.state.Queues().Denominator(queueOf(l), t, s.wide.Total) })
	s.syncLeaf(l)
}

// syncLeaf applies the changes of a leaf to its order. If the set of applications that may be allocated to changes, asks of the new ones
// search for victims at once, and reservations of the others end.
func (s *Walk) syncLeaf(l app.Leaf) {
	turns := l.EligibilityChanges()
	l.Sync(s.state.ShrinkEpoch())
	if l.EligibilityChanges() != turns {
		s.eligible++
		s.state.EligibleChanged(queueOf(l))
		if s.state.HasReservations(queueOf(l)) {
			s.recheckReservations()
		}
	}
}

// queueOf returns the queue of a leaf.
func queueOf(l app.Leaf) queues.ID { return queues.ID(l.ID()) }
