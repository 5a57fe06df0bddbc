package schedule

import (
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/internal/state"
)

// Sync takes in what changed and sorts it in, until nothing is left: a policy that fails while it is asked is a change.
func (s *Walk) Sync() {
	for {
		s.Follow()
		s.sync(s.state.Root)
		if !s.state.Behind(&s.cursor) {
			return
		}
	}
}

// sync sorts in what changed, from the leaves up.
func (s *Walk) sync(q *queue.Queue) {
	if q.Leaf() {
		l := s.state.Leaves[q.ID]
		s.syncLeaf(l)
		q.Describe(l.Row(q.Inside(), s.state.Now))
		return
	}
	for _, child := range q.Changed() {
		s.sync(child)
	}
	q.Sync(&s.wide)
}

// SortAll sorts everything that waits by the cluster's total as it is now; the walk does so only where it comes by. With
// policy modules in force orders stay as the last cycle left them: asking a module is the cycle's to do, since answers are
// counted and may have to be recorded.
func (s *Walk) SortAll() {
	if !s.state.Modules.Any() {
		s.Sync()
		s.sortBelow(s.state.Root)
	}
}

// Sorted reports whether everything that waits is sorted in, so that the priorities which queues and applications know are those
// of what waits in them.
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

// Freshen brings the order of a parent's children up to date.
func (s *Walk) Freshen(q *queue.Queue) {
	if q.Stale(&s.wide) {
		s.sync(q)
	}
}

// FreshenLeaf brings a leaf's order up to date.
func (s *Walk) FreshenLeaf(l *state.Leaf) { s.refresh(l) }

// refresh looks at a leaf's order again when the cluster's total changed since.
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

// syncLeaf sorts in what changed in a leaf. Where other applications than before may be allocated to, their asks look for
// victims at once, and reservations of those that may not any more end.
func (s *Walk) syncLeaf(l *state.Leaf) {
	turns := l.EligibilityChanges
	l.Sync(s.state.World)
	if l.EligibilityChanges != turns {
		s.eligible++
		s.state.EligibleChanged(l)
		if l.HasReservations() {
			s.doubt()
		}
	}
}
