package schedule

import (
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/plan"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// Readers of plans, for explanations. They remember no starts and give back the steps that they take, so that the next cycle stops where it would
// have stopped without them.

// ExpectedEnd returns when an allocation leaves at the latest, as plans expect, or instant.Never.
func (s *Walk) ExpectedEnd(ask app.Ask) time.Duration { return expectedEndOf(ask, s.state.Now()) }

// PlannedEnd returns when an ask leaves at the latest if it starts at an instant, or instant.Never.
func (s *Walk) PlannedEnd(ask app.Ask, start time.Duration) time.Duration {
	return planEnd(ask, start)
}

// TakesPlan reports whether room on a node that an ask could otherwise use now is that of planned starts of other asks.
func (s *Walk) TakesPlan(ask app.Ask, n int32) bool {
	return s.planning.on && s.mayTake(ask, n) && !s.leavesPlans(ask, n)
}

// MayTake reports whether windows and the reservation of a node, if there is one, let an ask be allocated there.
func (s *Walk) MayTake(ask app.Ask, n int32) bool { return s.mayTake(ask, n) }

// RoomUntil returns until when an ask that starts now could stay on a node beside planned asks, or instant.Never. It is the present if the node
// has no room.
func (s *Walk) RoomUntil(ask app.Ask, n int32) time.Duration {
	return s.room(n).Until(ask.Class().Needs(), s.state.Now())
}

// PlansFrom yields the asks that are planned on a node and are there at an instant: first those that start then.
func (s *Walk) PlansFrom(n int32, at time.Duration) (list []app.Ask) {
	var earlier []app.Ask
	for _, ask := range s.plannedInOrder() {
		l := s.planning.loads[ask.Slot()]
		if l == nil || l.start > at {
			continue
		}
		for i := range l.parts {
			switch x := &l.parts[i]; {
			case x.node != n || x.until <= at:
			case l.start == at:
				list = append(list, x.ask)
			default:
				earlier = append(earlier, x.ask)
			}
		}
	}
	return append(list, earlier...)
}

// SharedUntil returns until when the queues and limits of an ask have room for it beside planned asks, if it starts now, or instant.Never. The
// queue is the first that has not; it is queues.None if that is a limit.
func (s *Walk) SharedUntil(ask app.Ask) (until time.Duration, of queues.ID) {
	until, of = instant.Never, queues.None
	tree, now, needs := s.state.Queues(), s.state.Now(), ask.Class().Needs()
	for q := s.state.QueueOf(ask); q != queues.None; q = tree.Parent(q) {
		if tree.Parent(q) == queues.None && len(s.planning.overNodes) == 0 {
			break // as in sharedRooms
		}
		if r := s.queueRoom(q); r != nil {
			if at := r.Until(needs, now); at < until {
				until, of = at, q
			}
		}
	}
	s.sharedRooms(ask, func(r *plan.Profile) bool {
		if at := r.Until(needs, now); at < until {
			until, of = at, queues.None
		}
		return true
	})
	return until, of
}

// FitsMaxima reports whether an ask would fit the maxima of its queues if nothing were allocated.
func (s *Walk) FitsMaxima(ask app.Ask) bool {
	return ask.Class().Fits(s.configuredRoom(ask.App()))
}

// NextShared returns the first instant at which the queues and limits of an ask have room for it for its whole walltime, or instant.Never.
func (s *Walk) NextShared(ask app.Ask) time.Duration { return s.nextShared(ask, s.state.Now()) }

// NextStart returns the first instant, from an instant on, at which an ask can start on a node, or instant.Never. It may be beyond the horizon.
func (s *Walk) NextStart(ask app.Ask, n int32, from time.Duration) time.Duration {
	budget := s.progress.Budget
	defer func() { s.progress.Budget = budget }()
	return s.nextOnNode(ask, n, from)
}
