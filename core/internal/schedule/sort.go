package schedule

import (
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/internal/state"
)

// Sync applies changes and updates the orders until there are no more changes. A policy that fails during the update causes another change.
func (s *Walk) Sync() {
	for {
		s.Follow()
		s.sync(s.state.Root)
		if !s.state.Behind(&s.cursor) {
			return
		}
	}
}

// sync updates the orders of changed queues, from the leaves up.
func (s *Walk) sync(q *queue.Queue) {
	if q.Leaf() {
		l := s.state.Leaves[q.ID]
		s.syncLeaf(l)
		q.SetPending(l.Row(q.PendingRow(), s.state.Now))
		return
	}
	for _, child := range q.Changed() {
		s.sync(child)
	}
	q.Sync(&s.wide)
}

// SortAll updates every order for the current total of the cluster; the walk updates only the orders that it visits. With policy modules,
// orders stay as the last cycle left them: only the cycle may call modules, since calls are counted and answers may have to be recorded.
func (s *Walk) SortAll() {
	if !s.state.Modules.Any() {
		s.Sync()
		s.sortBelow(s.state.Root)
	}
}

// Sorted reports whether all changes have been applied to the orders, so that the priorities stored in queues and applications are those of
// their pending asks.
func (s *Walk) Sorted() bool {
	return !s.state.Behind(&s.cursor) && len(s.state.Root.Changed()) == 0
}

func (s *Walk) sortBelow(q *queue.Queue) {
	if q.Leaf() {
		s.refresh(s.state.Leaves[q.ID])
		return
	}
	q.Sync(&s.wide)
	q.Each(func(child *queue.Queue) bool {
		s.sortBelow(child)
		return true
	})
}

// Freshen updates the order of a parent's children.
func (s *Walk) Freshen(q *queue.Queue) {
	if q.Stale(&s.wide) {
		s.sync(q)
	}
}

// FreshenLeaf updates the order of a leaf.
func (s *Walk) FreshenLeaf(l *state.Leaf) { s.refresh(l) }

// refresh updates a leaf's order if the cluster's total has changed since the last update.
func (s *Walk) refresh(l *state.Leaf) {
	if s.measured[l.ID] != s.wide.Epoch {
		s.remeasure(l)
	}
}

func (s *Walk) remeasure(l *state.Leaf) {
	s.measured[l.ID] = s.wide.Epoch
	for t := range l.Denominators {
		l.Denominators[t] = l.Queue.Denominator(t, s.wide.Total)
	}
	l.ReorderAll()
	s.syncLeaf(l)
}

// syncLeaf applies the changes of a leaf to its order. If the set of applications that may be allocated to changes, asks of the new ones
// search for victims at once, and reservations of the others end.
func (s *Walk) syncLeaf(l *state.Leaf) {
	turns := l.EligibilityChanges
	l.Sync(s.state.World)
	if l.EligibilityChanges != turns {
		s.eligible++
		s.state.EligibleChanged(l)
		if l.HasReservations() {
			s.recheckReservations()
		}
	}
}
