package schedule

import (
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state"
)

// plan plans the start of an ask that could start if others left, or of the gang of which it is the first member. The start may be now.
func (s *Walk) plan(x *pass, ask app.Ask) {
	p := &s.planning
	asks := s.together(ask)
	l := p.loaded(ask.Slot())
	if l != nil && l.checked == p.grew && l.start >= s.state.Now() && l.isFor(asks) && s.state.MayStart(ask.App()) && s.withinLimits(l) {
		x.keep(l, l.start > s.state.Now())
		return
	}
	want := s.newLoad(ask, ask.App().GangOf(ask), s.state.Now())
	for _, k := range asks {
		want.add(k, app.NoNode)
	}
	if len(asks) == 0 || ask.Class().Node() != "" && ask.Hold().IsReserved() || !s.mayBePlanned(want) {
		if l != nil {
			s.unload(l)
			s.losePlan(x, l.ask)
		}
		return
	}
	if l != nil && (l.start < s.state.Now() || !l.isFor(asks)) {
		s.unload(l)
		if l.isFor(asks) {
			s.loseForOthers(l.ask)
		} else {
			s.losePlan(x, l.ask)
		}
		p.grew++
		x.moved, l = true, nil
	}
	lifted := s.liftToPlan(x, ask, l)
	next := s.betterPlan(want, l)
	counts := next != nil && next.start == s.state.Now() || !s.isHeldFor(ask) && s.countsAsBlocked(want)
	if !counts {
		next = nil
	}
	x.moved = s.lower(lifted, next) || x.moved
	switch {
	case next != nil:
		s.setPlan(x, l, next)
	default:
		if l != nil {
			s.losePlan(x, l.ask)
		}
		if counts {
			s.outOfReach(ask)
		}
	}
}

// isHeldFor reports whether a node is held for an ask while it waits, so that it gets no plan for later. No node is held for members of gangs.
func (s *Walk) isHeldFor(ask app.Ask) bool {
	return ask.Class().Node() != "" && ask.App().GangOf(ask).IsNone()
}

// together lists the asks that start together with an ask: the ask itself or, if it is the first pending member of a gang, as many as the gang
// needs. It is empty if the gang has too few, or waits for others of its set.
func (s *Walk) together(ask app.Ask) (asks []app.Ask) {
	g := ask.App().GangOf(ask)
	if g.IsNone() {
		return []app.Ask{ask}
	}
	if _, _, known := s.state.LevelOf(g); !known || !g.Complete() || g.WaitsForSet() {
		return nil
	}
	ask.App().EachMember(ask, func(m app.Ask) bool {
		asks = append(asks, m)
		return len(asks) < g.Need()
	})
	return asks
}

// liftToPlan takes the plan of an ask from the profiles, and those that it may take the room of: none if it has a plan, which may only
// move earlier; otherwise those behind that it outranks, and all behind that do not outrank it if it has lost its plan.
func (s *Walk) liftToPlan(x *pass, ask app.Ask, own *planLoad) []*planLoad {
	if own != nil {
		s.unload(own)
	}
	remade := s.planning.lost[ask.Slot()]
	return s.lift(func(other *planLoad) bool {
		return !x.kept[other.ask.Slot()] && (s.state.Outranks(ask, other.ask) || remade && !s.state.Outranks(other.ask, ask))
	}, own == nil && (remade || s.mayOutrank(ask)))
}

// betterPlan returns the plan of asks that start together: the one that they have, unless there is an earlier one. It is nil if there is no
// instant at which they can start.
func (s *Walk) betterPlan(want, own *planLoad) *planLoad {
	keeps := own != nil && own.start >= s.state.Now() && s.inTheirDomains(own) && s.tryLoad(own)
	if keeps {
		s.unload(own)
	}
	before := instant.Never
	if keeps {
		before = own.start
	}
	next := s.earliest(want, before)
	if keeps && (next == nil || own.start <= next.start) {
		return own
	}
	return next
}

// earliest returns the plan with the first start within the horizon, or nil. It may return nil as well if there is none before an instant.
func (s *Walk) earliest(want *planLoad, before time.Duration) *planLoad {
	if !want.gang.IsNone() {
		return s.earliestTogether(want, before)
	}
	start, n := s.earliestAlone(want.ask)
	if n == app.NoNode {
		return nil
	}
	next := s.newLoad(want.ask, want.gang, start)
	next.add(want.ask, n)
	return next
}

// setPlan records the plan of asks that start together. l is the one that they had.
func (s *Walk) setPlan(x *pass, l, next *planLoad) {
	p := &s.planning
	if l == nil || !l.equals(next) {
		s.recordPlan(next)
		p.epoch++
		x.moved = true
		if l != nil {
			p.grew++
		}
		if next.ask.Hold().IsReserved() {
			s.state.Unreserve(next.ask, "")
		}
	}
	for i := range next.parts {
		delete(p.lost, next.parts[i].ask.Slot())
	}
	s.load(next)
	next.checked = p.grew
	x.keep(next, next.start > s.state.Now())
}

// recordPlan has the state hold a plan.
func (s *Walk) recordPlan(l *planLoad) {
	on := make([]state.Placement, 0, len(l.parts))
	for i := range l.parts {
		on = append(on, state.Placement{Ask: l.parts[i].ask, Node: l.parts[i].node})
		s.state.HoldPlanned(l.parts[i].node, true)
	}
	if l.gang.IsNone() {
		s.state.PlanStart(on[0].Ask, on[0].Node, l.start)
	} else {
		s.state.PlanGang(on, l.start)
	}
}

// mayBePlanned reports whether asks that start together could start in an empty cluster, within what limits leave them now.
func (s *Walk) mayBePlanned(l *planLoad) bool {
	for i := range l.parts {
		if l.parts[i].ask.Hold().IsClaimed() {
			return false
		}
	}
	return s.mayStartAlone(l)
}

// mayStartAlone is mayBePlanned without regard to whether room is being made for the asks.
func (s *Walk) mayStartAlone(l *planLoad) bool {
	if !s.state.MayStart(l.of) {
		return false
	}
	room := s.configuredRoom(l.of)
	for i := range l.parts {
		ask, c := l.parts[i].ask, l.parts[i].ask.Class()
		if !ask.Turn().Eligible() || ask.WaitsForGang() || ask.IsReplacing() || !c.Fits(room) || !s.fitsSomeEmpty(ask) {
			return false
		}
		if i < len(l.parts)-1 {
			room.Sub(c.Demand())
		}
	}
	return s.withinLimits(l)
}

// withinLimits reports whether the limits of users and groups let asks in together now.
func (s *Walk) withinLimits(l *planLoad) bool {
	if len(l.parts) == 1 || l.of.Limits().IsNone() {
		return l.of.WithinLimits(l.parts[0].ask.Class())
	}
	sum := make([]int64, len(s.wide.Total))
	for i := range l.parts {
		for need := range l.parts[i].ask.Class().Needs().All {
			sum[need.Lane] += need.Min
		}
	}
	return l.of.WithinSum(sum)
}

// countsAsBlocked reports whether blocked asks may have one of a limited number of plans: they do not lack the headroom of queues alone.
func (s *Walk) countsAsBlocked(want *planLoad) bool {
	if s.state.Conf().Backfill.All {
		return true
	}
	ask, now := want.ask, s.state.Now()
	if !want.gang.IsNone() {
		return s.placedAt(want, now, totalAlone) == nil
	}
	if s.canPlace(ask) && s.fitsShared(ask, now) {
		return true
	}
	s.trying = ask
	n, _ := s.state.Nodes().Best(ask.Class(), s.grants)
	return n == app.NoNode || s.lacksTotal(ask)
}

// lacksTotal reports whether over-committed nodes leave the total too little room for an ask that starts now.
func (s *Walk) lacksTotal(ask app.Ask) bool {
	if len(s.planning.overNodes) == 0 {
		return false
	}
	r, now := s.queueRoom(s.state.Queues().Root()), s.state.Now()
	return r != nil && !r.Fits(ask.Class().Needs(), now, planEnd(ask, now))
}
