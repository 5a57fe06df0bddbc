package state

import (
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/policy"
)

// Leaf is a leaf queue with its applications.
type Leaf struct {
	*app.Leaf
	Queue    *queue.Queue
	required int          // number of its asks' reservations of required nodes
	dynamic  *dynamicLeaf // nil if the leaf is configured
}

// HasReservations reports whether an ask of the leaf has a reservation.
func (l *Leaf) HasReservations() bool { return l.Reserved != app.NoSlot || l.required > 0 }

// leafIDs lists freed IDs of leaves. Some may have been reused, or lie beyond the end of Leaves.
type leafIDs []int

// fileLeaf gives a leaf an ID, and stores it in Leaves.
func (s *State) fileLeaf(l *Leaf, q *queue.Queue) {
	id := len(s.Leaves)
	for n := len(s.freeLeaves); n > 0 && id == len(s.Leaves); n-- {
		if free := s.freeLeaves[n-1]; free < len(s.Leaves) && s.Leaves[free] == nil {
			id = free
		}
		s.freeLeaves = s.freeLeaves[:n-1]
	}
	if id == len(s.Leaves) {
		s.Leaves = append(s.Leaves, nil)
	}
	q.ID, l.ID, l.Queue = id, id, q
	s.Leaves[id] = l
}

// unfileLeaf removes a leaf from Leaves. It shortens Leaves by free IDs at the end, so that followers can release memory.
func (s *State) unfileLeaf(l *Leaf) {
	s.Leaves[l.ID] = nil
	l.forgetTimers()
	if l.ID != len(s.Leaves)-1 {
		s.freeLeaves = append(s.freeLeaves, l.ID)
		return
	}
	n := l.ID
	for n > 0 && s.Leaves[n-1] == nil {
		n--
	}
	s.Leaves = s.Leaves[:n]
}

// forgetTimers makes the timers of a removed leaf void.
func (l *Leaf) forgetTimers() { l.dynamic, l.BannedUntil = nil, 0 }

// GrowToLeaf extends a follower's slice, which is indexed by leaf ID, to include a new leaf.
func GrowToLeaf[T any](list []T, l *Leaf) []T {
	for len(list) <= l.ID {
		var none T
		list = append(list, none)
	}
	return list
}

// ShrinkToLeaves shortens a follower's slice to the number of leaves, if that is worthwhile. The follower must have read the whole log.
func ShrinkToLeaves[T any](s *State, list []T) []T {
	if n := len(s.Leaves); len(list) > 64+2*n {
		return append(make([]T, 0, n), list[:n]...)
	}
	return list
}

// enforceLeaf installs the policies that a leaf's configuration names.
func (s *State) enforceLeaf(l *Leaf, conf *config.Queue) {
	order, asks := s.order(policy.AppOrder, conf.AppSort), s.order(policy.AskOrder, conf.AskSort)
	l.PrioritySort = conf.PrioritySort
	if l.AskOrder != asks || asks.Module.Points[policy.AskOrder].Reads(changesByReload) {
		l.SetAskOrder(asks)
	}
	l.SetOrder(order, conf.AppSort == config.StateAware)
	if l.ReadsLimits() {
		s.indexLimits()
	}
	if policy.Builtin(policy.AppOrder, conf.AppSort, nil) == nil {
		s.Policies.JudgeApps = true
	}
}

// changesByReload reports whether a column of asks or allocations may change with a reload.
func changesByReload(k policy.ColumnKind) bool { return k == policy.GroupCode }
