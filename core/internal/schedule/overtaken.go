package schedule

import (
	"math"
	"time"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/demandrow"
	"github.com/quern-project/quern/core/internal/state"
)

// No ask starves because of a lower priority: a due ask that has seen an ask of lower priority allocated since it became due may reserve a
// node although the cluster's total is used up. For asks of equal priority the total still blocks reservations, since the order of the walk
// decides which of them gets the room.

// noneBarred is a priority that no allocation is below.
const noneBarred = math.MinInt32

// allocate allocates an ask on a node, and retries due asks that it may have overtaken.
func (s *Walk) allocate(ask app.Ask, n int32) {
	if !ask.Hold().IsClaimed() || ask.HoldOn() != n { // its place was decided when it preempted
		s.passing(state.Placement{Ask: ask, Node: n})
	}
	s.allocated(s.state.Allocate(ask, n), 1)
}

// allocated sets the number of allocations made in this step, and retries due asks that they may have overtaken. priority is the lowest
// priority among the allocations, in the view of root.
func (s *Walk) allocated(priority int32, made int) {
	s.made = made
	if priority < s.search.barred {
		s.search.barred = noneBarred
		s.state.BeginRetryEpoch()
	}
}

// overtaken reports whether an ask of lower priority has been allocated since an ask with a submission time became due; priority is in the
// view of root. If none has, the next such allocation makes the walk retry.
func (s *Walk) overtaken(came time.Duration, priority int32) bool {
	if s.state.LowestAllocated(s.state.ReservationDelay().After(came)) < priority {
		return true
	}
	s.search.barred = max(s.search.barred, priority)
	return false
}

// mayBeOvertaken is overtaken for the highest priority in a row below the queue that is being searched.
func (s *Walk) mayBeOvertaken(came time.Duration, priority int32) bool {
	return came == demandrow.Always || s.overtaken(came, s.state.Queues().SeenBy(s.search.at, s.state.Queues().Root(), priority))
}

// mayReserveBeyond reports whether some ask might reserve a node although the cluster's total is used up.
func (s *Walk) mayReserveBeyond() bool {
	return s.state.Classes().Bound() != 0 || s.state.ReservationDelay() > 0
}

// mayReserve reports whether a leaf may make an ordinary reservation now. Holds of required nodes do not count.
func (s *Walk) mayReserve(l app.Leaf) bool {
	return s.state.ReservationDelay() > 0 && l.MayReserve(s.state.Now())
}
