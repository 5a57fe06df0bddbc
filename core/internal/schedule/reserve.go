package schedule

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/state/claims"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// recheckReservations has all reservations checked before the next allocation.
func (s *Walk) recheckReservations() { s.recheckAll = s.state.Reservations().Len() > 0 }

// recheckHolds is doubt if some required node is held.
func (s *Walk) recheckHolds() { s.recheckAll = s.recheckAll || s.state.Reservations().Required() > 0 }

// recheckHeadroom is doubt if some required node is held. Ordinary reservations are only checked for headroom.
func (s *Walk) recheckHeadroom() {
	s.recheckHolds()
	s.recheckLimited = s.state.Reservations().Ordinary() > 0
}

// checkReservation rechecks the reservation on a node, if any, after the node's room has changed.
func (s *Walk) checkReservation(n int32) {
	r, reserved := s.state.Reservations().On(n)
	if !reserved {
		return
	}
	i, in := slices.BinarySearchFunc(s.filled, r.Seq, func(r claims.Reservation, seq uint64) int { return cmp.Compare(r.Seq, seq) })
	fits := s.state.Nodes().Available(n) && s.state.Nodes().Fits(n, s.state.AskAt(r.Ask).Class())
	if fits && !in {
		s.filled = slices.Insert(s.filled, i, r)
	}
	if !fits && in {
		s.filled = slices.Delete(s.filled, i, i+1)
	}
}

// tryReserve makes a reservation for a due ask if a node is suitable.
func (s *Walk) tryReserve(l app.Leaf, ask app.Ask) {
	c := ask.Class()
	if c.Notes().Unreservable >= s.search.openAt && c.Notes().Unreservable != 0 || ask.Hold().IsReserved() || !s.MayUseHeld(ask) && !s.fitsMaximaBeside(ask, s.accumulating.all) {
		return
	}
	n, held := s.bestEmpty(l, ask)
	if n == app.NoNode {
		if l.ExpiredAt() == 0 && !held {
			s.unreservable(c)
		}
		return
	}
	s.reserve(l, ask, n)
}

// unreservable records that no node can be reserved for a class. Searches skip the class until one can.
func (s *Walk) unreservable(c class.Class) {
	x := &s.search
	c.Notes().Unreservable = s.state.ShrinkEpoch()
	if !s.state.Classes().Exclusive(c) {
		return
	}
	x.reserve &^= c.Bit()
	for i := range x.levels {
		x.levels[i].Reserve &^= c.Bit()
	}
}

// bestEmpty returns the node without a reservation on which an ask would leave the least if nothing were allocated there, or app.NoNode. After
// a reservation of the leaf has expired, only nodes whose room has grown since are considered. held reports whether room on a node is held for
// a gang that comes before the ask, or planned: another ask of its class may reserve that node.
func (s *Walk) bestEmpty(l app.Leaf, ask app.Ask) (best int32, held bool) {
	left, c := int64(0), ask.Class()
	best = app.NoNode
	for n := range s.state.Nodes().Sorted().All {
		if !s.state.Nodes().Available(n) || s.state.Nodes().Hold(n).IsReserved() || !s.state.Nodes().FitsEmpty(n, c) || s.state.Nodes().GrownAt(n) <= l.ExpiredAt() && l.ExpiredAt() != 0 || !s.state.Nodes().Admits(c, n) {
			continue
		}
		if !s.MayEmpty(ask, n) || s.planning.on && s.isPlannedOn(ask, n) {
			held = true
			continue
		}
		if share := s.leftOver(n, c); best == app.NoNode || share < left {
			best, left = n, share
		}
	}
	return best, held
}

// leftOver returns the dominant share, relative to the cluster's total, of what the class would leave of an empty node.
func (s *Walk) leftOver(n int32, c class.Class) int64 {
	share := int64(0)
	for t, demand := range c.Demand().All {
		if capacity := s.state.Nodes().CapacityOf(n, t); capacity > 0 {
			rest := resource.Sub(resource.Sub(capacity, s.state.Nodes().OccupiedOf(n, t)), demand)
			share = max(share, resource.Share(rest, s.wide.Total[t]))
		}
	}
	return share
}

// fillReservation allocates the first reservation that fits its node, unless an ask of higher priority could take the node, or a gang
// accumulates that comes before the ask. In these cases the walk decides.
func (s *Walk) fillReservation() bool {
	for _, r := range s.filled {
		ask, n := s.state.AskAt(r.Ask), r.Node
		if s.canPlace(ask) && s.MayUseHeld(ask) && s.state.Nodes().Admits(ask.Class(), n) && !s.outbid(ask, n) {
			s.allocate(ask, n)
			return true
		}
	}
	return false
}

// canPlace reports whether an ask's application may be allocated to and has enough headroom for it.
func (s *Walk) canPlace(ask app.Ask) bool {
	if !ask.App().Eligible() || !ask.App().LacksPlace().IsNone() || !ask.App().WithinLimits(ask.Class()) {
		return false
	}
	tree := s.state.Queues()
	for q := s.state.QueueOf(ask); q != queues.None; q = tree.Parent(q) {
		if !ask.App().HasPlace() && tree.Full(q) {
			return false
		}
		for need := range ask.Class().Needs().All {
			if tree.Room(q, need.Lane) < need.Min {
				return false
			}
		}
	}
	return true
}

// outbid reports whether a pending ask of higher priority than the holder of a node could take the node. Predicates are called last, in the
// order of submission: applications may not be sorted yet, and the calls must not depend on that.
func (s *Walk) outbid(holder app.Ask, n int32) bool {
	found := false
	var judged []app.Ask
	s.EachClass(s.state.Queues().Root(), func(ask app.Ask) bool {
		switch {
		case ask == holder || !ask.App().GangOf(ask).IsNone() || ask.Hold().IsClaimed() || ask.WaitsForGang() || !s.state.Nodes().Fits(n, ask.Class()) || !s.MayUse(ask, n) || !s.canPlace(ask) || !s.fitsBesideHeld(ask, n):
		case s.Predicated(ask.Class()):
			judged = append(judged, ask)
		default:
			found = s.state.Nodes().Admits(ask.Class(), n)
		}
		return !found
	})
	if found || s.outbidElsewhere(holder, n, &judged) {
		return true
	}
	slices.SortFunc(judged, func(a, b app.Ask) int { return cmp.Compare(a.Seq(), b.Seq()) })
	return slices.ContainsFunc(judged, func(ask app.Ask) bool { return s.state.Nodes().Admits(ask.Class(), n) })
}

// outbidElsewhere is outbid for the asks that may be allocated away from
// their claim. It appends the asks that are subject to predicates to judged.
func (s *Walk) outbidElsewhere(holder app.Ask, n int32, judged *[]app.Ask) bool {
	for c := range s.state.Claims().AllImpatient() {
		ask := s.state.AskAt(c.Ask)
		switch {
		case ask == holder || !s.state.Nodes().Fits(n, ask.Class()) || !s.MayUse(ask, n) || !s.mayLandElsewhere(ask):
		case s.Predicated(ask.Class()):
			*judged = append(*judged, ask)
		case s.state.Nodes().Admits(ask.Class(), n):
			return true
		}
	}
	return false
}

// EachClass calls yield with the first pending ask of each class in each application that is not excluded, in order.
func (s *Walk) EachClass(q queues.ID, yield func(app.Ask) bool) bool {
	more := true
	if s.state.Queues().IsLeaf(q) {
		s.state.Leaf(q).Each(func(t app.Turn) bool {
			t.Heads(func(ask app.Ask) bool { more = yield(ask); return more })
			return more
		})
		return more
	}
	s.order.Each(q, func(child queues.ID) bool {
		more = s.EachClass(child, yield)
		return more
	})
	return more
}

// reserve reserves a node for an ask. It records the ask as failed in this shrink epoch, so that the walk does not visit it again.
func (s *Walk) reserve(l app.Leaf, ask app.Ask, n int32) {
	s.state.Reserve(ask, n)
	s.Follow()
	s.syncLeaf(l)
	ask.App().FailAsk(ask, s.state.ShrinkEpoch())
	s.order.MarkChanged(queueOf(l))
}
