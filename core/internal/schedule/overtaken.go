package schedule

import (
	"math"
	"time"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/pending"
	"github.com/quern-project/quern/core/internal/state"
)

// No ask starves below a lower priority: an ask that is due for a reservation, and has seen one of lower priority
// allocated since, may reserve a node although the cluster's total is used up. Among equals the total bars it, since
// there the order of the walk decides which ask gets the room.

// noneBarred is no priority that an allocation can be below.
const noneBarred = math.MinInt32

// allocate places an ask on a node, and has asks looked at again that it may have overtaken.
func (s *Walk) allocate(ask *app.Ask, n *node.Node) {
	s.allocated(s.state.Allocate(ask, n), 1)
}

// allocated has asks looked at again that allocations may have overtaken, so many made at once; priority is the lowest among
// them as root sees it.
func (s *Walk) allocated(priority int32, made int) {
	s.made = made
	if priority < s.search.barred {
		s.search.barred = noneBarred
		s.state.Retry()
	}
}

// overtaken reports whether a lower priority than the one given, as root sees it, has been allocated since an ask that
// came at a time was due. Where none has, the next that is brings the walk back.
func (s *Walk) overtaken(came time.Duration, priority int32) bool {
	if s.state.Precedence.Lowest(s.state.Conf.ReservationDelay.After(came)) < priority {
		return true
	}
	s.search.barred = max(s.search.barred, priority)
	return false
}

// mayBeOvertaken asks that of the best that a row below the queue that is searched can hold.
func (s *Walk) mayBeOvertaken(came time.Duration, priority int32) bool {
	return came == pending.Always || s.overtaken(came, s.search.at.SeenBy(s.state.Root, priority))
}

// mayReserveBeyond reports whether any ask might reserve a node although the cluster's total is used up.
func (s *Walk) mayReserveBeyond() bool {
	return s.state.Classes.Bound() != 0 || s.state.Conf.ReservationDelay > 0
}

// mayReserve reports whether a leaf may make a reservation now, other than holding a required node.
func (s *Walk) mayReserve(l *state.Leaf) bool {
	return s.state.Conf.ReservationDelay > 0 && l.MayReserve(s.state.Now)
}
