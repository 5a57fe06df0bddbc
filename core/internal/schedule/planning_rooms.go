package schedule

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/hold"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/internal/plan"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/state/claims"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// nodeSignature is what the room of a node depends on, apart from its allocations and plans.
type nodeSignature struct {
	free        []int64 // of the node if it were empty
	schedulable bool
	hold        hold.State // without the mark of planned asks
	membership  uint32
}

func (x *nodeSignature) equals(y *nodeSignature) bool {
	return x.schedulable == y.schedulable && x.hold == y.hold && x.membership == y.membership && slices.Equal(x.free, y.free)
}

// signatureOf returns the signature of a node.
func (s *Walk) signatureOf(n int32) nodeSignature {
	nodes := s.state.Nodes()
	x := nodeSignature{schedulable: nodes.Schedulable(n), hold: nodes.Hold(n).Accumulate(false), membership: nodes.Membership(n)}
	for t := range s.wide.Total {
		x.free = append(x.free, nodes.Empty(n, t))
	}
	return x
}

// nodePlanned applies a change of a node: of its room, its attributes or how it is held, or of when its allocations will leave.
func (s *Walk) nodePlanned(n int32) {
	p := &s.planning
	if !s.state.Nodes().Has(n) {
		return
	}
	s.noteOver(n)
	later := false
	for ask := s.state.Asks().FirstOn(n); !ask.IsNone(); ask = ask.NextOnNode() {
		later = s.expectAnew(ask) || later
	}
	if int(n) >= len(p.nodes) || p.nodes[n].signature.free == nil {
		p.opened++
		p.grew++
		p.shrank = true
		return
	}
	r := &p.nodes[n]
	if was, is := &r.signature, s.signatureOf(n); later || !was.equals(&is) || is.hold != hold.None {
		if was.membership != is.membership || was.schedulable != is.schedulable || !slices.Equal(was.free, is.free) {
			p.opened++
		}
		*r = nodeRoom{signature: is}
		p.touch(n)
		s.landingsChanged(n)
		p.grew++
		p.shrank = true
	}
}

// expectAnew works out again when an allocation will leave. It reports whether that has changed.
func (s *Walk) expectAnew(ask app.Ask) bool {
	p := &s.planning
	until, loaded := p.ends.unload(ask.Slot())
	if !loaded {
		return false // it is in the log
	}
	p.ends.load(ask, s.state.Now())
	again := p.ends.of(ask.Slot())
	if ask.Leaving() {
		s.dropShared()
	}
	if again == until {
		return false
	}
	if again > until {
		s.state.Slipped(state.SlipOverrun)
	}
	c, q := ask.Class(), s.state.QueueOf(ask)
	s.countAllocation(ask.App(), c, ask.Node(), until, q, false)
	s.countAllocation(ask.App(), c, ask.Node(), again, q, true)
	s.landingsChanged(ask.Node())
	p.grew++
	p.shrank = true
	return true
}

// room returns the room of a node over time.
func (s *Walk) room(n int32) *nodeRoom {
	p := &s.planning
	for int(n) >= len(p.nodes) {
		p.nodes = append(p.nodes, nodeRoom{})
	}
	r := &p.nodes[n]
	if r.Profile == nil {
		s.makeRoom(n, r)
	}
	return r
}

// makeRoom makes the profile of a node.
func (s *Walk) makeRoom(n int32, r *nodeRoom) {
	p := &s.planning
	*r = nodeRoom{Profile: s.roomWithoutPlans(n), usable: s.state.Nodes().Schedulable(n), signature: s.signatureOf(n), closed: instant.Beginning}
	s.keepFor(n, r)
	for _, l := range p.loads {
		for i := range l.parts {
			if x := &l.parts[i]; x.node == n {
				r.Use(x.class.Needs(), l.start, x.until)
			}
		}
	}
	p.touch(n)
}

// roomWithoutPlans returns the room of a node beside its allocations.
func (s *Walk) roomWithoutPlans(n int32) *plan.Profile {
	free := make(resource.Vec, len(s.wide.Total))
	for t := range free {
		free[t] = s.state.Nodes().FreeWithout(n, t, 0)
	}
	r := plan.New(s.state.Now(), free)
	for ask := s.state.Asks().FirstOn(n); !ask.IsNone(); ask = ask.NextOnNode() {
		r.Return(ask.Class().Needs(), s.planning.ends.of(ask.Slot()), instant.Never)
	}
	return r
}

// keepFor closes a node that is held for asks until they can land, and counts them from then on.
func (s *Walk) keepFor(n int32, r *nodeRoom) {
	keep := func(ask app.Ask, lands time.Duration) {
		r.closed = max(r.closed, lands)
		if lands != instant.Never {
			r.Use(ask.Class().Needs(), lands, planEnd(ask, lands))
		}
	}
	if s.state.Nodes().Hold(n).IsClaimed() {
		r.claimed = true
		for c := range s.state.Claims().On(n) {
			keep(s.state.AskAt(c.Ask), s.landsAt(c))
		}
	}
	switch on, reserved := s.state.Reservations().On(n); {
	case !reserved:
	case on.Required:
		ask := s.state.AskAt(on.Ask)
		keep(ask, r.Next(ask.Class().Needs(), s.state.Now(), 0))
	default:
		r.closed = instant.Never // no instant can be given to its ask
	}
}

// landsAt returns when the ask of a claim is expected to land: once its node has room. The members of a gang land together, once all victims have
// left.
func (s *Walk) landsAt(c claims.Claim) time.Duration {
	if c.Gang == 0 {
		return s.roomWithoutPlans(c.Node).Next(s.state.AskAt(c.Ask).Class().Needs(), s.state.Now(), 0)
	}
	at, used := s.victimsGoneAt(c.Gang), map[int32]*plan.Profile{}
	for member := range s.state.Claims().OfGang(c.Gang) {
		r := used[member.Node]
		if r == nil {
			r = s.roomWithoutPlans(member.Node)
			used[member.Node] = r
		}
		needs := s.state.AskAt(member.Ask).Class().Needs()
		at = max(at, r.Next(needs, s.state.Now(), 0))
		r.Use(needs, s.state.Now(), instant.Never)
	}
	return at
}

// victimsGoneAt returns when the last victim of a gang is expected to have left, or the present.
func (s *Walk) victimsGoneAt(g claims.GangID) time.Duration {
	at, own := s.state.Now(), map[uint64]bool{}
	for c := range s.state.Claims().OfGang(g) {
		own[c.Seq] = true
	}
	for v := range s.state.Departures().All {
		if own[s.state.Departures().ClaimOf(v)] {
			at = max(at, s.planning.ends.of(v))
		}
	}
	return at
}

// queueRoom returns the headroom of a queue's own max over time, or nil if it has none.
func (s *Walk) queueRoom(q queues.ID) *plan.Profile {
	p, tree := &s.planning, s.state.Queues()
	if r := p.queues[q]; r != nil || !tree.IsBounded(q) {
		return r
	}
	most := make(resource.Vec, len(s.wide.Total))
	for t := range most {
		if most[t] = tree.Max(q, t); most[t] == resource.Unlimited {
			most[t] = resource.Most
		}
	}
	r := s.sharedRoom(most, func(a app.App) bool { return tree.Within(queueOf(a.Leaf()), q) })
	p.queues[q] = r
	return r
}

// roomAtLimit returns what a limit leaves over time.
func (s *Walk) roomAtLimit(t limit.Tracker) *plan.Profile {
	p := &s.planning
	if r := p.limits[t]; r != nil {
		return r
	}
	most := make(resource.Vec, len(s.wide.Total))
	for i := range most {
		most[i] = resource.Most
		if of, bounded := t.Of(i); bounded {
			most[i] = of.Limit
		}
	}
	r := s.sharedRoom(most, func(a app.App) bool {
		if a.Limits().IsNone() {
			return false
		}
		for own := range a.Limits().Trackers().All {
			if own == t {
				return true
			}
		}
		return false
	})
	p.limits[t] = r
	return r
}

// sharedRoom returns how much room some applications share from now on. As for headroom, two states are compared: the one of now, and the one
// in which victims have left and the asks that they leave for have landed. The one with less room counts.
func (s *Walk) sharedRoom(most resource.Vec, shares func(app.App) bool) *plan.Profile {
	p, now := &s.planning, s.state.Now()
	used, later, differ := plan.New(now, most), plan.New(now, most), false
	for a := range s.state.Asks().Apps {
		if !shares(a) {
			continue
		}
		for ask := a.FirstPlaced(); !ask.IsNone(); ask = ask.NextOfApp() {
			used.Use(ask.Class().Needs(), now, p.ends.of(ask.Slot()))
			if differ = differ || ask.Leaving(); !ask.Leaving() {
				later.Use(ask.Class().Needs(), now, p.ends.of(ask.Slot()))
			}
		}
	}
	land := func(ask app.Ask, at, from time.Duration) {
		if differ = true; shares(ask.App()) {
			used.Use(ask.Class().Needs(), at, planEnd(ask, at))
			later.Use(ask.Class().Needs(), from, planEnd(ask, at))
		}
	}
	for c := range s.state.Claims().All() {
		land(s.state.AskAt(c.Ask), s.landsAt(c), now)
	}
	for r := range s.state.Reservations().All() {
		if ask := s.state.AskAt(r.Ask); r.Required && !ask.Hold().IsClaimed() {
			at := s.roomBesideClaims(r.Node).Next(ask.Class().Needs(), now, 0)
			land(ask, at, at)
		}
	}
	if p.mixed = p.mixed || differ; differ {
		used = used.Least(later)
	}
	for _, l := range p.loads {
		if !shares(l.of) {
			continue
		}
		for i := range l.parts {
			used.Use(l.parts[i].class.Needs(), l.start, l.parts[i].until)
		}
	}
	return used
}

// roomBesideClaims returns the room of a node beside its allocations, and asks with claims once they have landed.
func (s *Walk) roomBesideClaims(n int32) *plan.Profile {
	r := s.roomWithoutPlans(n)
	for c := range s.state.Claims().On(n) {
		if ask, at := s.state.AskAt(c.Ask), s.landsAt(c); at != instant.Never {
			r.Use(ask.Class().Needs(), at, planEnd(ask, at))
		}
	}
	return r
}

// dropShared has the rooms of queues and limits made again.
func (s *Walk) dropShared() {
	p := &s.planning
	clear(p.queues)
	clear(p.limits)
	p.mixed = false
	p.grew++
	p.shrank = true
}

// noteOver notes whether a node is over-committed.
func (s *Walk) noteOver(n int32) {
	over := false
	if s.state.Nodes().Has(n) {
		for t := range s.wide.Total {
			over = over || s.state.Nodes().FreeWithout(n, t, 0) < 0
		}
	}
	if over {
		s.planning.overNodes[n] = true
	} else if len(s.planning.overNodes) > 0 {
		delete(s.planning.overNodes, n)
	}
}

// landingsChanged has the rooms of claimed nodes made again after a change of allocations on a node, since their asks may land earlier or later.
func (s *Walk) landingsChanged(n int32) {
	if s.planning.mixed {
		s.dropShared()
	}
	if s.state.Claims().Len() == 0 {
		return
	}
	p := &s.planning
	for c := range s.state.Claims().All() {
		if int(c.Node) >= len(p.nodes) || c.Node != n && c.Gang == 0 || p.nodes[c.Node].Profile == nil {
			continue
		}
		p.nodes[c.Node] = nodeRoom{signature: p.nodes[c.Node].signature}
		p.touch(c.Node)
		p.grew++
		p.shrank = true
	}
}
