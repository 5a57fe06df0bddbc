package schedule

import (
	"github.com/quern-project/quern/core/internal/demandrow"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// level is the search below a queue whose limits are tighter than those of its parent.
type level struct {
	demandrow.Search
	headroom, beyond resource.Vec // memory of Search.Headroom and Search.Beyond
}

// levelAt returns the level of the queues at a depth of the tree.
func (x *search) levelAt(depth int) *level {
	for len(x.levels) <= depth {
		width := len(x.unlimited)
		x.levels = append(x.levels, &level{headroom: make(resource.Vec, width), beyond: make(resource.Vec, width)})
	}
	return x.levels[depth]
}

// begin prepares the search of the whole tree.
func (s *Walk) begin() *demandrow.Search {
	x := &s.search
	s.accumulating.reached = false
	l := x.levelAt(0)
	if l.Overtaken == nil {
		l.Overtaken = s.mayBeOvertaken
	}
	l.ShrinkEpoch, l.Exhausted, l.Any, l.Grown, l.Reserve = s.state.ShrinkEpoch(), x.exhausted, x.anyNode, x.grownNode, x.reserve
	l.Changes = x.changes
	l.DueBy = int64(s.state.ReservationDelay().Before(s.state.Now()))
	l.Open, l.NoNew = false, false
	l.Headroom, l.Beyond = x.unlimited, x.unlimited
	return &l.Search
}

// enter returns the search below a queue, given the search of its parent. It is the parent's unless the queue narrows or opens something,
// which takes one comparison to find out. reservable is the set of classes that may reserve below the queue.
func (s *Walk) enter(q queues.ID, up *demandrow.Search, reservable uint64) *demandrow.Search {
	tree, bounded := s.state.Queues(), s.order.IsBounded(q)
	open := !up.Open && tree.OpenedAt(q) > s.search.exhausted
	if !bounded && !open && up.Reserve&^reservable == 0 {
		return up
	}
	limits, full := false, false
	if bounded {
		limits, full = tree.Bars(q, s.wide.Largest)
	}
	if !limits && (up.Open || !open) && (up.NoNew || !full) && up.Reserve&^reservable == 0 {
		return up
	}
	l := s.search.levelAt(tree.Depth(q))
	if &l.Search != up {
		l.Search = *up
	}
	l.Open = l.Open || open
	l.NoNew = l.NoNew || full
	l.Reserve &= reservable
	if limits {
		s.limitRoom(q, l, up)
	}
	return &l.Search
}

// limitRoom narrows a search to the headroom under a queue's max.
func (s *Walk) limitRoom(q queues.ID, l *level, up *demandrow.Search) {
	root := s.state.Queues().Root()
	bounded, beyond := up.Bounded() && (q != root || !s.mayReserveBeyond()), up.Beyond
	fit := s.fitting(q, l.headroom, up.Headroom, l.Any.Bits|l.Grown.Bits|l.Reserve)
	l.Headroom = l.headroom
	l.Any.Bits &= fit
	l.Grown.Bits &= fit
	switch {
	case bounded:
		l.Beyond = l.headroom
		l.Reserve &= fit
	case q != root:
		l.Beyond = l.beyond
		l.Reserve = s.fitting(q, l.beyond, beyond, l.Reserve)
	default: // the cluster's total does not limit reservations
		l.Beyond = beyond
	}
}

// fitting computes the headroom below a queue and returns the classes of bits that fit it.
func (s *Walk) fitting(q queues.ID, headroom, above resource.Vec, bits uint64) uint64 {
	tree := s.state.Queues()
	for t, room := range above {
		headroom[t] = min(room, tree.Room(q, t))
	}
	return s.state.Classes().Within(bits, headroom)
}
