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
	required int          // reservations of its asks that require their nodes
	dynamic  *dynamicLeaf // nil: configured
}

// HasReservations reports whether an ask of the leaf has a node reserved.
func (l *Leaf) HasReservations() bool { return l.Reserved != app.NoSlot || l.required > 0 }

// leafIDs are the IDs that leaves have left free, below the number of all. Some may be in use again, or beyond it.
type leafIDs []int

// fileLeaf gives a leaf an ID, and with it a place in Leaves.
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

// unfileLeaf takes a leaf out of Leaves. IDs at the end are given up, so that followers need not keep room for them.
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

// forgetTimers lets the timers of a leaf that is gone hold no longer.
func (l *Leaf) forgetTimers() { l.dynamic, l.BannedUntil = nil, 0 }

// GrowToLeaf makes what a follower of the log keeps by leaf ID long enough for a leaf that came.
func GrowToLeaf[T any](list []T, l *Leaf) []T {
	for len(list) <= l.ID {
		var none T
		list = append(list, none)
	}
	return list
}

// ShrinkToLeaves gives up what a follower keeps beyond the last ID, once it has read the whole log and that is worth it.
func ShrinkToLeaves[T any](s *State, list []T) []T {
	if n := len(s.Leaves); len(list) > 64+2*n {
		return append(make([]T, 0, n), list[:n]...)
	}
	return list
}

// enforceLeaf puts the policies in force in a leaf that its configuration names.
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

// changesByReload reports whether a column of an ask or an allocation may be another one after a reload.
func changesByReload(k policy.ColumnKind) bool { return k == policy.GroupCode }
