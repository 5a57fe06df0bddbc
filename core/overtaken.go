package core

import (
	"math"
	"slices"
	"time"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/pending"
)

// Nobody starves below a lower priority: an ask that is due for a reservation, and has seen one of lower priority
// allocated since, may reserve a node although the cluster's total is used up. Among equals the total bars it, since
// there the order of the walk decides who gets the room.

// precedence knows the lowest priority allocated since any time: later entries have higher priorities, since what was
// allocated before something lower does not matter any more. It has at most one entry for each priority.
type precedence []allocatedAt

type allocatedAt struct {
	At       time.Duration
	Priority int32 // as root saw it then
}

func (p *precedence) add(at time.Duration, priority int32) {
	list := *p
	for len(list) > 0 && list[len(list)-1].Priority >= priority {
		list = list[:len(list)-1]
	}
	*p = append(list, allocatedAt{at, priority})
}

// lowest is the lowest priority allocated at a time or later; math.MaxInt32: none has been allocated.
func (p precedence) lowest(since time.Duration) int32 {
	i, _ := slices.BinarySearchFunc(p, since, func(a allocatedAt, t time.Duration) int {
		if a.At < t {
			return -1
		}
		return 1
	})
	if i == len(p) {
		return math.MaxInt32
	}
	return p[i].Priority
}

// valid reports whether the entries are as add leaves them.
func (p precedence) valid(now time.Duration) bool {
	for i, a := range p {
		if a.At > now || i > 0 && (a.At < p[i-1].At || a.Priority <= p[i-1].Priority) {
			return false
		}
	}
	return true
}

// noteAllocation remembers an allocation, and has asks looked at again that it may have overtaken.
func (s *Scheduler) noteAllocation(ask *app.Ask) {
	priority := s.seenByRoot(ask)
	s.search.placed.add(s.now, priority)
	if priority < s.search.barred {
		s.search.barred = math.MinInt32
		s.search.world++
		s.search.retries++
	}
}

func (s *Scheduler) seenByRoot(ask *app.Ask) int32 {
	return s.queueOf(ask).SeenBy(s.root, ask.Priority)
}

// overtaken reports whether a lower priority than the one given, as root sees it, has been allocated since an ask that
// came at a time was due. Where none has, the next that is brings the walk back.
func (s *Scheduler) overtaken(came time.Duration, priority int32) bool {
	if s.search.placed.lowest(came+s.conf.ReservationDelay) < priority {
		return true
	}
	s.search.barred = max(s.search.barred, priority)
	return false
}

// mayBeOvertaken asks that of the best that a row of the search at a depth of the tree can hold.
func (s *Scheduler) mayBeOvertaken(depth int, came time.Duration, priority int32) bool {
	return came == pending.Always || s.overtaken(came, s.search.queues[depth].SeenBy(s.root, priority))
}

// mayReserveBeyond reports whether any ask might reserve a node although the cluster's total is used up.
func (s *Scheduler) mayReserveBeyond() bool {
	return s.classes.Bound() != 0 || s.conf.ReservationDelay > 0
}

// mayReserve reports whether a leaf may make a reservation now, other than holding a required node.
func (s *Scheduler) mayReserve(l *leaf) bool {
	return s.conf.ReservationDelay > 0 && l.MayReserve(s.now)
}
