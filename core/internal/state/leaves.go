package state

import (
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/aged"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/policy"
)

// leaf is a leaf queue with its applications.
type leaf struct {
	*app.OwnedLeaf

	queue    queues.ID
	required int          // number of its asks' reservations of required nodes
	dynamic  *dynamicLeaf // nil if the leaf is configured
}

// Leaf returns the applications of a leaf queue, in their order.
func (s *State) Leaf(q queues.ID) app.Leaf { return s.leaves[q].Leaf() }

// HasReservations reports whether an ask of a leaf has a reservation.
func (s *State) HasReservations(q queues.ID) bool {
	l := s.leaves[q]
	return l.Reserved() != app.NoSlot || l.required > 0
}

// Leaves calls yield with the leaf queues, in an order without meaning.
func (s *State) Leaves(yield func(queues.ID, app.Leaf) bool) {
	for q, l := range s.leaves {
		if l != nil && !s.Queues().IsRemoved(queues.ID(q)) && !yield(queues.ID(q), l.Leaf()) {
			return
		}
	}
}

// leafOf returns the leaf of an application.
func (s *State) leafOf(a app.App) *leaf { return s.leaves[a.Leaf().ID()] }

// fileLeaf stores a leaf under its queue.
func (s *State) fileLeaf(l *leaf, q queues.ID) {
	s.leaves = GrowToQueue(s.leaves, q)
	l.SetID(int(q))
	l.queue = q
	s.leaves[q] = l
}

// unfileLeaf forgets the leaf of a removed queue. Followers of the log may still ask for it.
func (s *State) unfileLeaf(q queues.ID) {
	s.leaves[q].forgetTimers()
	s.log.leaves = append(s.log.leaves, q)
}

// forgetTimers makes the timers of a removed leaf void.
func (l *leaf) forgetTimers() {
	l.dynamic = nil
	l.EndBan()
}

// GrowToQueue extends a slice that is indexed by queue to include a new one.
func GrowToQueue[T any](list []T, q queues.ID) []T {
	for len(list) <= int(q) {
		var none T
		list = append(list, none)
	}
	return list
}

// enforceLeaf installs the policies that a leaf's configuration names.
func (s *State) enforceLeaf(l *leaf, conf *config.Queue) {
	order, asks := s.order(policy.AppOrder, conf.AppSort), s.order(policy.AskOrder, conf.AskSort)
	l.SortByPriority(conf.PrioritySort)
	if l.AskOrder() != asks || asks.Module.Points[policy.AskOrder].Reads(changesByReload) {
		l.SetAskOrder(asks)
	}
	q := l.queue
	l.SetOrder(order, conf.AppSort == config.StateAware, app.UserUsage{
		Of:       func(user string) (aged.Reader, bool) { return s.UserUsage(q, user) },
		HalfLife: conf.HalfLife,
	})
	if l.ReadsLimits() {
		s.indexLimits()
	}
	if policy.Builtin(policy.AppOrder, conf.AppSort, nil) == nil {
		s.policies.JudgeApps = true
	}
}

// changesByReload reports whether a column of asks or allocations may change with a reload.
func changesByReload(k policy.ColumnKind) bool { return k == policy.GroupCode }
