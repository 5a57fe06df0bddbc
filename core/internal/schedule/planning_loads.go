package schedule

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/plan"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// planLoad is the room that the plan of an ask, or of a gang, takes, as the profiles count it.
type planLoad struct {
	ask     app.Ask // of a gang: its first pending member when it was planned
	gang    app.AtomicGang
	of      app.App
	start   time.Duration
	rank    rank
	parts   []planPart // of an ask alone: one; of a gang: its members that start together, in the order of asks
	one     [1]planPart
	checked uint64 // planning.grew when the plan was last known to be the earliest
}

// planPart is the room of one ask of a plan.
type planPart struct {
	ask   app.Ask
	class class.Class
	node  int32
	until time.Duration
}

// rank is what decides which asks may take a planned ask's room.
type rank struct {
	queue    queues.ID
	priority int32
}

// planEnd returns when an ask would leave if it started at an instant.
func planEnd(ask app.Ask, start time.Duration) time.Duration {
	if limit := ask.Walltime().Limit; limit > 0 {
		return instant.Add(start, limit)
	}
	return instant.Never
}

// newLoad makes the plan of an ask, or that of a gang without its members.
func (s *Walk) newLoad(ask app.Ask, gang app.AtomicGang, start time.Duration) *planLoad {
	l := &planLoad{ask: ask, gang: gang, of: ask.App(), start: start, rank: rank{s.state.QueueOf(ask), ask.Priority()}}
	l.parts = l.one[:0]
	return l
}

// add adds an ask to a plan.
func (l *planLoad) add(ask app.Ask, n int32) *planPart {
	l.parts = append(l.parts, planPart{ask, ask.Class(), n, planEnd(ask, l.start)})
	return &l.parts[len(l.parts)-1]
}

// equals reports whether two plans have the same start, asks and nodes.
func (l *planLoad) equals(other *planLoad) bool {
	return l.start == other.start && slices.EqualFunc(l.parts, other.parts, func(a, b planPart) bool { return a.ask == b.ask && a.node == b.node })
}

// isFor reports whether a plan has exactly some asks, in their order.
func (l *planLoad) isFor(asks []app.Ask) bool {
	return slices.EqualFunc(l.parts, asks, func(a planPart, ask app.Ask) bool { return a.ask == ask })
}

// plannedInOrder lists the asks with plans, and the first members of gangs with plans, in the order of the last pass.
func (s *Walk) plannedInOrder() (list []app.Ask) {
	for p := range s.state.Plans().All {
		if ask := s.state.AskAt(p.Ask); !p.Lost && p.Head == p.Ask && ask.Pending() {
			list = append(list, ask)
		}
	}
	s.state.SortPlanned(list)
	return list
}

// loadOf makes the plan that the state holds for an ask, or for the gang of which the ask was the first member. It returns nil if there is none, or
// if not all asks wait as they did.
func (s *Walk) loadOf(ask app.Ask) *planLoad {
	p, has := s.state.Plans().Of(ask.Slot())
	if !has || !ask.Pending() {
		return nil
	}
	gang := ask.WaitingGang()
	l := s.newLoad(ask, gang, p.Start)
	if p.Gang == 0 {
		l.add(ask, p.Node)
		return l
	}
	if gang.IsNone() || gang.Row().Seq != p.Gang {
		return nil
	}
	for _, m := range s.state.PlanOfGang(p.Gang) {
		l.add(s.state.AskAt(m.Ask), m.Node)
	}
	return l
}

// load counts a plan in the profiles.
func (s *Walk) load(l *planLoad) {
	for i := range l.parts {
		s.countPart(l.of, &l.parts[i], l.start, true)
	}
	s.listLoad(l)
}

// tryLoad is load for a plan that may not fit any more. It reports whether it does.
func (s *Walk) tryLoad(l *planLoad) bool {
	for i := range l.parts {
		x := &l.parts[i]
		if !s.fitsNode(x.ask, x.node, l.start) || !s.fitsShared(x.ask, l.start) {
			s.countParts(l, i, false)
			return false
		}
		s.countPart(l.of, x, l.start, true)
	}
	s.listLoad(l)
	return true
}

// listLoad lists a plan that the profiles count.
func (s *Walk) listLoad(l *planLoad) {
	p := &s.planning
	p.loads[l.ask.Slot()] = l
	p.ranks[l.rank]++
	if !l.gang.IsNone() {
		for i := range l.parts {
			p.members[l.parts[i].ask.Slot()] = l
		}
	}
}

// unload takes back load.
func (s *Walk) unload(l *planLoad) {
	p := &s.planning
	delete(p.loads, l.ask.Slot())
	if p.ranks[l.rank]--; p.ranks[l.rank] == 0 {
		delete(p.ranks, l.rank)
	}
	for i := range l.parts {
		p.unmarked = append(p.unmarked, l.parts[i].node)
		if !l.gang.IsNone() {
			delete(p.members, l.parts[i].ask.Slot())
		}
	}
	s.countParts(l, len(l.parts), false)
}

// loaded returns the plan of an ask, or of the gang with which it is to start, that the profiles count, or nil.
func (p *planning) loaded(slot app.Slot) *planLoad {
	if l := p.members[slot]; l != nil {
		return l
	}
	return p.loads[slot]
}

// dropLoad takes the plan of an ask that is no longer pending, or has lost its plan, from the profiles.
func (s *Walk) dropLoad(slot app.Slot) {
	if l := s.planning.loaded(slot); l != nil {
		s.unload(l)
		s.planning.grew++
	}
}

// reload counts a plan with what its asks say now.
func (s *Walk) reload(l *planLoad) {
	s.unload(l)
	for i := range l.parts {
		x := &l.parts[i]
		x.class, x.until = x.ask.Class(), planEnd(x.ask, l.start)
	}
	l.rank = rank{s.state.QueueOf(l.ask), l.ask.Priority()}
	s.load(l)
	l.checked = 0
}

// countParts counts the first few asks of a plan in the profiles, or takes them back.
func (s *Walk) countParts(l *planLoad, first int, more bool) {
	for i := range l.parts[:first] {
		s.countPart(l.of, &l.parts[i], l.start, more)
	}
}

// countPart adds the room of an ask to what the profiles that exist say is used, or takes it back.
func (s *Walk) countPart(of app.App, x *planPart, start time.Duration, more bool) {
	p := &s.planning
	if int(x.node) < len(p.nodes) && p.nodes[x.node].Profile != nil {
		use(p.nodes[x.node].Profile, x.class, start, x.until, more)
		p.touch(x.node)
	}
	s.countShared(of, x, start, more)
}

// countShared is countPart for queues and limits alone.
func (s *Walk) countShared(of app.App, x *planPart, start time.Duration, more bool) {
	p := &s.planning
	for q := queueOf(of.Leaf()); q != queues.None; q = s.state.Queues().Parent(q) {
		if r := p.queues[q]; r != nil {
			use(r, x.class, start, x.until, more)
		}
	}
	if len(p.limits) == 0 || of.Limits().IsNone() {
		return
	}
	for t := range of.Limits().Trackers().All {
		if r := p.limits[t]; r != nil {
			use(r, x.class, start, x.until, more)
		}
	}
}

// assumeOn assumes a member of a gang on a node, from now on.
func (s *Walk) assumeOn(p state.Placement) {
	s.state.Assume(p)
	if s.planning.on {
		s.countNow(p.Ask, p.Node, true)
	}
}

// takeBack undoes assumeOn.
func (s *Walk) takeBack(list []state.Placement) {
	s.state.TakeBack(list)
	s.countTogether(list, false)
}

// landGang allocates members that are assumed on their nodes.
func (s *Walk) landGang(placed []state.Placement) {
	s.passing(placed...)
	if s.planning.on {
		s.countTogether(placed, false)
		for i := range placed {
			s.planning.placing[placed[i].Ask.Slot()] = true
		}
	}
	s.allocateGang(placed)
}

// leavesTogether reports whether an ask that is allocated on a node now, with the members of its gang that are assumed, takes no room of plans.
func (s *Walk) leavesTogether(ask app.Ask, n int32) bool {
	return !s.planning.on || s.leavesPlans(ask, n) && s.fitsShared(ask, s.state.Now())
}

// countTogether counts members that are assumed on nodes from now on in the profiles, or takes them back.
func (s *Walk) countTogether(placed []state.Placement, more bool) {
	if !s.planning.on {
		return
	}
	for i := range placed {
		s.countNow(placed[i].Ask, placed[i].Node, more)
	}
}

// countNow is countTogether for one ask.
func (s *Walk) countNow(ask app.Ask, n int32, more bool) {
	x := planPart{ask, ask.Class(), n, planEnd(ask, s.state.Now())}
	if more {
		s.room(n) // counted in profiles that exist alone, which must not be made meanwhile
		s.sharedRooms(ask, func(*plan.Profile) bool { return true })
	}
	s.countPart(ask.App(), &x, s.state.Now(), more)
}

// isOn reports whether a plan uses a node.
func (l *planLoad) isOn(n int32) bool {
	return slices.ContainsFunc(l.parts, func(x planPart) bool { return x.node == n })
}
