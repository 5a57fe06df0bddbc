package schedule

import (
	"time"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
)

// triedShape is the last ask without a plan that could not be placed. Asks like it cannot either.
type triedShape struct {
	app      app.App
	class    class.Class
	walltime time.Duration
	priority int32
}

// placeBesidePlans places the next ask, once all plans are as they should be.
func (s *Walk) placeBesidePlans() Progress {
	p := &s.planning
	made, held := s.placeNext()
	p.doneAt, p.doneTime = s.state.LogEnd(), s.state.Now()
	switch {
	case made != Nothing || s.progress.Unfinished():
		return made
	case held:
		return s.Step() // plans look at what is held
	}
	s.markExhausted()
	clear(p.lost)
	p.done, p.doneAt = true, s.state.LogEnd()
	return Nothing
}

// resumePlacing goes on with the gang at which the last cycle stopped. Planning again first would use up the steps of this cycle, too.
func (s *Walk) resumePlacing() Progress {
	s.planning.stoppedGang = false
	switch {
	case s.placeGang(s.gangs.stoppedAt):
		return Allocated
	case s.search.ending == atGang:
		s.stopPlacing()
		return Nothing
	}
	return s.placeBesidePlans()
}

// stopPlacing ends the cycle at a gang. The next one resumes there, unless something has changed.
func (s *Walk) stopPlacing() {
	s.search.ending = nothingEnds
	s.planning.stoppedGang = true
}

// placeNext places the first ask in the order of the walk that can be placed now without the room of plans. It holds nodes for asks
// before it that require these or can be given no start: held tells whether it has.
func (s *Walk) placeNext() (made Progress, held bool) {
	order, failed := s.newPlanOrder(), triedShape{}
	for ask := order.next(s.state.Queues().Root()); !ask.IsNone(); ask = order.next(s.state.Queues().Root()) {
		s.progress.Spend(visitSteps)
		if !ask.App().GangOf(ask).IsNone() {
			switch placed := s.placeGang(ask); {
			case placed:
				return Allocated, held
			case s.search.ending == atGang:
				s.stopPlacing()
				return Nothing, held
			}
			continue
		}
		l := s.planning.loads[ask.Slot()]
		if l != nil && l.start > s.state.Now() {
			continue
		}
		unreachable := s.planning.unreachable[ask.Slot()]
		if l == nil && !unreachable && s.failed(ask.Class()) && ask.Class().Node() == "" {
			order.skipLike(ask)
			continue
		}
		t := triedShape{ask.App(), ask.Class(), ask.Walltime().Limit, ask.Priority()}
		if l == nil && !unreachable && t == failed {
			continue
		}
		if s.place(ask, l) {
			return Allocated, held
		}
		failed = t
		switch {
		case ask.Class().Node() != "":
			held = s.holdRequired(ask) || held
		case unreachable:
			held = s.reserveInstead(ask) || held
		}
	}
	return Nothing, held
}

// place places an ask now, if that takes no room of others' plans that it must leave.
func (s *Walk) place(ask app.Ask, l *planLoad) bool {
	p := &s.planning
	if l != nil {
		s.unload(l)
	}
	lifted := s.lift(func(other *planLoad) bool { return s.state.Outranks(ask, other.ask) }, s.mayOutrank(ask))
	placed := s.placeNow(ask)
	if !placed && l != nil {
		s.load(l)
	}
	if s.lower(lifted, nil); placed && l != nil && (l.start != s.state.Now() || l.parts[0].node != ask.Node()) {
		p.grew++ // it leaves the room of its plan
	}
	return placed
}

// placeNow allocates an ask if some node has room for it now, and it takes no room of plans.
func (s *Walk) placeNow(ask app.Ask) bool {
	if !s.canPlace(ask) || !s.fitsShared(ask, s.state.Now()) {
		return false
	}
	s.planning.placing[ask.Slot()] = true
	if s.tryAllocate(ask) {
		return true
	}
	delete(s.planning.placing, ask.Slot())
	return false
}

// leavesPlans reports whether an ask that is allocated on a node now takes no room of plans.
func (s *Walk) leavesPlans(ask app.Ask, n int32) bool {
	return s.room(n).Fits(ask.Class().Needs(), s.state.Now(), planEnd(ask, s.state.Now()))
}

// holdRequired holds the node that an ask requires, if the ask waits for that node alone. It reports whether it does.
func (s *Walk) holdRequired(ask app.Ask) bool {
	if !ask.Hold().IsReserved() && s.fitsBelowRoot(ask) && s.state.MayStart(ask.App()) {
		s.tryHold(ask.App().Leaf(), ask)
		s.search.ending = nothingEnds
		return ask.Hold().IsReserved()
	}
	return false
}

// reserveInstead lets a blocked ask to which no instant can be given reserve a node, once that is due. It reports whether it does.
func (s *Walk) reserveInstead(ask app.Ask) bool {
	delay := s.state.ReservationDelay()
	if ask.Hold().IsReserved() || delay <= 0 || delay.After(ask.Created()) > s.state.Now() {
		return false
	}
	lets := s.canPlace(ask) || s.fitsBelowRoot(ask) && s.overtaken(ask.Created(), s.state.SeenByRoot(ask))
	if l := ask.App().Leaf(); lets && s.mayReserve(l) {
		s.tryReserve(l, ask)
	}
	return ask.Hold().IsReserved()
}

// isPlannedOn reports whether an ask that this one does not outrank is planned to start on a node.
func (s *Walk) isPlannedOn(ask app.Ask, n int32) bool {
	for _, l := range s.planning.loads {
		if l.isOn(n) && l.ask != ask && !s.state.Outranks(ask, l.ask) {
			return true
		}
	}
	return false
}
