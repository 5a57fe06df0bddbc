package schedule

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/resumable"
)

// pass is one visit of all pending asks in order. Planned asks count as usage for the order of those that are visited later.
type pass struct {
	order   *planOrder
	planned []app.Ask         // asks and first members of gangs that have plans, in order
	kept    map[app.Slot]bool // likewise
	later   int               // number of plans that do not start now
	moved   bool              // a plan was made, moved or lost
}

// planStep places the next ask, or plans the starts of the blocked ones until all plans are as they should be.
func (s *Walk) planStep() Progress {
	p := &s.planning
	s.lookAtClock()
	s.markNodes()
	s.Sync()
	if p.done && p.doneAt == s.state.LogEnd() && p.doneTime == s.state.Now() {
		return Nothing
	}
	p.done = false
	if p.stoppedGang && p.doneAt == s.state.LogEnd() && p.doneTime == s.state.Now() {
		return s.resumePlacing()
	}
	p.stoppedGang = false
	for _, ask := range s.search.elsewhere {
		if s.tryElsewhere(ask) {
			return Allocated
		}
	}
	if !s.planAll() {
		return Nothing
	}
	return s.placeBesidePlans()
}

// planAll makes passes until one changes nothing. whole is false if the steps of the cycle were not enough: the next cycle resumes the pass.
func (s *Walk) planAll() (whole bool) {
	p := &s.planning
	for x := p.stopped; ; x = nil {
		if p.stopped = nil; x == nil {
			x = s.newPass()
		}
		if !s.planPass(x) {
			p.stopped = x
			s.progress.Stop(resumable.Placement)
			return false
		}
		s.endUnplanned(x)
		s.markNodes()
		s.Sync()
		if !x.moved {
			return true
		}
	}
}

// planPass plans one ask after the other, until as many have plans as may. whole is false if it must stop before that.
func (s *Walk) planPass(x *pass) (whole bool) {
	for !s.progress.MustStop(resumable.Placement) {
		ask := x.order.next(s.state.Queues().Root())
		if ask.IsNone() {
			return true
		}
		s.progress.Spend(visitSteps)
		if s.plan(x, ask); !s.state.Conf().Backfill.Admits(x.later) {
			return true
		}
	}
	return false
}

// visitSteps is the number of steps charged for each ask that is visited.
const visitSteps = 4

// newPass starts a pass. It first ends the plans that no longer fit.
func (s *Walk) newPass() *pass {
	p := &s.planning
	if p.shrank {
		s.validatePlans()
	}
	p.dueAt = instant.Never
	clear(p.unreachable)
	return &pass{order: s.newPlanOrder(), kept: map[app.Slot]bool{}}
}

// lookAtClock moves the expected ends that have passed, and forgets the past.
func (s *Walk) lookAtClock() {
	p, now := &s.planning, s.state.Now()
	for e, ok := p.ends.next(); ok && e.at <= now; e, ok = p.ends.next() {
		ask := s.state.AskAt(e.ask)
		s.expectAnew(ask)
	}
	if p.doneTime != now {
		for i := range p.nodes {
			if r := &p.nodes[i]; r.Profile != nil {
				r.Advance(now)
			}
		}
		for _, r := range p.queues {
			r.Advance(now)
		}
		for _, r := range p.limits {
			r.Advance(now)
		}
	}
}

// validatePlans ends the plans that no longer fit beside those before them in the last order.
func (s *Walk) validatePlans() {
	p := &s.planning
	p.shrank = false
	list := s.plannedInOrder()
	for _, ask := range list {
		if l := p.loads[ask.Slot()]; l != nil {
			s.unload(l)
		}
	}
	for _, ask := range list {
		pl, has := s.state.Plans().Of(ask.Slot())
		if !has {
			continue
		}
		if s.fitsPlan(ask, pl.Node, pl.Start) {
			s.load(ask, pl.Node, pl.Start)
		} else {
			s.loseForOthers(ask)
		}
	}
	p.grew++
}

// fitsPlan reports whether a plan can be kept: its start is not over, and node, queues and limits have room for its whole walltime.
func (s *Walk) fitsPlan(ask app.Ask, n int32, start time.Duration) bool {
	return start >= s.state.Now() && s.state.Nodes().Has(n) && s.mayBePlanned(ask) && s.state.Nodes().Admits(ask.Class(), n) && s.fitsNode(ask, n, start) && s.fitsShared(ask, start)
}

// plan plans the start of an ask that could start if others left. The start may be now.
func (s *Walk) plan(x *pass, ask app.Ask) {
	p := &s.planning
	if !ask.App().GangOf(ask).IsNone() {
		return
	}
	l := p.loads[ask.Slot()]
	if l != nil && l.checked == p.grew && l.start >= s.state.Now() && s.state.MayStart(ask.App()) && ask.App().WithinLimits(ask.Class()) {
		x.keep(ask, l.start > s.state.Now())
		return
	}
	if !s.mayBePlanned(ask) {
		if l != nil {
			s.unload(l)
			s.losePlan(x, ask)
		}
		return
	}
	if l != nil && l.start < s.state.Now() {
		s.unload(l)
		s.loseForOthers(ask)
		p.grew++
		x.moved, l = true, nil
	}
	lifted := s.liftToPlan(x, ask, l)
	start, n := s.betterPlan(ask, l)
	counts := start == s.state.Now() || s.countsAsBlocked(ask)
	if !counts {
		start, n = instant.Never, app.NoNode
	}
	x.moved = s.lower(lifted, ask, n, start) || x.moved
	switch {
	case n != app.NoNode:
		s.setPlan(x, ask, l, n, start)
	default:
		if l != nil {
			s.losePlan(x, ask)
		}
		if counts {
			s.outOfReach(ask)
		}
	}
}

// keep notes that an ask has its plan.
func (x *pass) keep(ask app.Ask, later bool) {
	if later {
		x.later++
	}
	x.planned = append(x.planned, ask)
	x.kept[ask.Slot()] = true
	x.order.use(ask)
}

// liftToPlan takes the plan of an ask from the profiles, and those that it may take the room of: none if it has a plan, which may only
// move earlier; all behind if it has lost its plan, which is made again beside those before it alone; otherwise those behind that it outranks.
func (s *Walk) liftToPlan(x *pass, ask app.Ask, own *planLoad) []*planLoad {
	if own != nil {
		s.unload(own)
	}
	remade := s.planning.lost[ask.Slot()]
	return s.lift(func(other *planLoad) bool {
		return !x.kept[other.ask.Slot()] && (remade || s.state.Outranks(ask, other.ask))
	}, own == nil && (remade || s.mayOutrank(ask)))
}

// lift takes some plans from the profiles, if there may be any of them.
func (s *Walk) lift(of func(*planLoad) bool, any bool) []*planLoad {
	p := &s.planning
	var lifted []*planLoad
	if any {
		for _, other := range s.plannedInOrder() {
			if l := p.loads[other.Slot()]; l != nil && of(l) {
				lifted = append(lifted, l)
			}
		}
		for _, l := range lifted {
			s.unload(l)
		}
	}
	p.lifted = lifted
	return lifted
}

// mayOutrank reports whether an ask may take the room of some planned ask.
func (s *Walk) mayOutrank(ask app.Ask) bool {
	p, own := &s.planning, rank{s.state.QueueOf(ask), ask.Priority()}
	tree := s.state.Queues()
	for other := range p.ranks {
		meet := tree.CommonAncestor(own.queue, other.queue)
		if tree.SeenBy(own.queue, meet, own.priority) > tree.SeenBy(other.queue, meet, other.priority) {
			return true
		}
	}
	return false
}

// lower puts the lifted plans back, after an ask was placed or is planned to start on a node. Those that do not fit beside it are lost: any
// reports whether there are such.
func (s *Walk) lower(lifted []*planLoad, ask app.Ask, n int32, start time.Duration) (any bool) {
	p := &s.planning
	p.lifted = nil
	if len(lifted) == 0 {
		return false
	}
	if n != app.NoNode {
		s.load(ask, n, start)
		defer func() { s.unload(p.loads[ask.Slot()]) }()
	}
	s.Follow()
	for _, l := range lifted {
		if s.fitsNode(l.ask, l.node, l.start) && s.fitsShared(l.ask, l.start) {
			s.load(l.ask, l.node, l.start)
			p.loads[l.ask.Slot()].checked = l.checked
		} else {
			s.loseForOthers(l.ask)
			p.grew++
			any = true
		}
	}
	return any
}

// loseForOthers ends the plan of an ask that no longer fits. Unless the ask itself has changed, it will be planned beside those before it alone.
func (s *Walk) loseForOthers(ask app.Ask) {
	if pl, has := s.state.Plans().Any(ask.Slot()); has && !pl.Changed {
		s.planning.lost[ask.Slot()] = true
	}
	s.state.LosePlan(ask)
}

// losePlan ends the plan of an ask.
func (s *Walk) losePlan(x *pass, ask app.Ask) {
	s.state.LosePlan(ask)
	s.planning.grew++
	x.moved = true
}

// mayBePlanned reports whether an ask would be placed if nobody else ran, apart from limits, which count present usage.
func (s *Walk) mayBePlanned(ask app.Ask) bool {
	return !ask.Hold().IsClaimed() && s.mayStartAlone(ask)
}

// mayStartAlone is mayBePlanned without regard to whether room is being made for the ask.
func (s *Walk) mayStartAlone(ask app.Ask) bool {
	a, c := ask.App(), ask.Class()
	return c.Node() == "" && ask.Turn().Eligible() && s.state.MayStart(a) && !ask.WaitsForGang() && !ask.IsReplacing() &&
		c.Fits(s.configuredRoom(a)) && a.WithinLimits(c) && s.fitsSomeEmpty(ask)
}

// countsAsBlocked reports whether a blocked ask may have one of a limited number of plans: it does not lack the headroom of queues alone.
func (s *Walk) countsAsBlocked(ask app.Ask) bool {
	if s.state.Conf().Backfill.All || s.canPlace(ask) && s.fitsShared(ask, s.state.Now()) {
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

// betterPlan returns the plan of an ask: the one that it has, unless there is an earlier one.
func (s *Walk) betterPlan(ask app.Ask, l *planLoad) (start time.Duration, n int32) {
	start, n = s.earliest(ask)
	if l != nil && l.start >= s.state.Now() && (n == app.NoNode || l.start <= start) && s.fitsNode(ask, l.node, l.start) && s.fitsShared(ask, l.start) {
		return l.start, l.node
	}
	return start, n
}

// setPlan records the plan of an ask.
func (s *Walk) setPlan(x *pass, ask app.Ask, l *planLoad, n int32, start time.Duration) {
	p := &s.planning
	if l == nil || l.start != start || l.node != n {
		s.state.PlanStart(ask, ask, n, start)
		x.moved = true
		s.state.HoldPlanned(n, true)
		if l != nil {
			p.grew++
		}
		if ask.Hold().IsReserved() {
			s.state.Unreserve(ask, "")
		}
	}
	delete(p.lost, ask.Slot())
	s.load(ask, n, start)
	p.loads[ask.Slot()].checked = p.grew
	x.keep(ask, start > s.state.Now())
}

// outOfReach notes a blocked ask to which no instant can be given. It may reserve a node once that is due.
func (s *Walk) outOfReach(ask app.Ask) {
	p := &s.planning
	p.unreachable[ask.Slot()] = true
	if delay := s.state.ReservationDelay(); delay > 0 && delay.After(ask.Created()) > s.state.Now() {
		p.dueAt = min(p.dueAt, delay.After(ask.Created()))
	}
}

// endUnplanned ends the plans of asks that the pass has not planned, and reservations of asks that no longer need them.
func (s *Walk) endUnplanned(x *pass) {
	p := &s.planning
	if s.search.ending == nothingEnds && !x.moved {
		for _, r := range slices.Collect(s.state.Reservations().All()) {
			if !r.Required && !p.unreachable[r.Ask] {
				s.state.Unreserve(s.state.AskAt(r.Ask), "")
				x.moved = true
			}
		}
		for _, ask := range s.plannedInOrder() {
			if l := p.loads[ask.Slot()]; l != nil && !x.kept[ask.Slot()] {
				s.unload(l)
				s.losePlan(x, ask)
			}
		}
	}
	if !x.moved {
		p.order = x.planned
		s.state.RankPlans(x.planned)
	}
}

// TellPlans emits the decisions about plans at the end of a cycle.
func (s *Walk) TellPlans() {
	if !s.planning.on && s.state.Plans().Len() == 0 || s.planning.on && !s.planning.done {
		return
	}
	s.state.TellPlans(s.planning.order, func(ask app.Ask) core.Reason {
		switch {
		case !s.planning.on:
			return core.ReasonUnplanned
		case !s.mayStartAlone(ask):
			return core.ReasonBarred
		case s.planning.unreachable[ask.Slot()]:
			return core.ReasonOutOfReach
		}
		return core.ReasonUnplanned
	})
}
