package schedule

import (
	"slices"

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
		if l := s.loadOf(ask); l == nil || !s.mayKeep(l) || !s.tryLoad(l) {
			s.loseForOthers(ask)
		}
	}
	p.grew++
}

// mayKeep reports whether a plan can be kept if there is room: its start is not over, and its asks may be placed on its nodes.
func (s *Walk) mayKeep(l *planLoad) bool {
	return l.start >= s.state.Now() && s.mayBePlanned(l) && s.inTheirDomains(l) &&
		!slices.ContainsFunc(l.parts, func(x planPart) bool {
			return !s.state.Nodes().Has(x.node) || !s.state.Nodes().Admits(x.ask.Class(), x.node)
		})
}

// keep notes that an ask has its plan.
func (x *pass) keep(l *planLoad, later bool) {
	ask := l.ask
	if later {
		x.later++
	}
	x.planned = append(x.planned, ask)
	x.kept[ask.Slot()] = true
	x.order.use(l)
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

// lower puts the lifted plans back, after an ask was placed or is planned (beside). Those that do not fit beside it are lost: any reports
// whether there are such.
func (s *Walk) lower(lifted []*planLoad, beside *planLoad) (any bool) {
	p := &s.planning
	p.lifted = nil
	if len(lifted) == 0 {
		return false
	}
	if beside != nil {
		s.load(beside)
		defer func() { s.unload(beside) }()
	}
	s.Follow()
	for _, l := range lifted {
		if !s.tryLoad(l) {
			s.loseForOthers(l.ask)
			p.grew++
			any = true
		}
	}
	return any
}

// loseForOthers ends the plan of an ask that no longer fits. Unless the ask itself has changed, it will be planned beside those before it alone.
func (s *Walk) loseForOthers(ask app.Ask) {
	if _, has := s.state.Plans().Any(ask.Slot()); has && !s.state.PlanChanged(ask) {
		s.planning.lost[ask.Slot()] = true
	}
	s.state.LosePlan(ask)
	s.planning.epoch++
}

// losePlan ends the plan of an ask.
func (s *Walk) losePlan(x *pass, ask app.Ask) {
	s.state.LosePlan(ask)
	s.planning.epoch++
	s.planning.grew++
	x.moved = true
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
		case !s.mayStartNow(ask):
			return core.ReasonBarred
		case s.planning.unreachable[ask.Slot()]:
			return core.ReasonOutOfReach
		}
		return core.ReasonUnplanned
	})
}

// mayStartNow is mayStartAlone for an ask, or for the gang of which it is a member.
func (s *Walk) mayStartNow(ask app.Ask) bool {
	l := s.newLoad(ask, ask.WaitingGang(), s.state.Now())
	if l.gang.IsNone() {
		l.add(ask, app.NoNode)
		return s.mayStartAlone(l)
	}
	for _, m := range s.state.FirstMembers(ask) {
		l.add(m, app.NoNode)
	}
	return s.mayStartAlone(l)
}
