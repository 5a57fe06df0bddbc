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
	if again == until {
		return false
	}
	if again > until {
		s.state.Slipped(state.SlipOverrun)
	}
	c, q := ask.Class(), s.state.QueueOf(ask)
	s.countAllocation(ask.App(), c, ask.Node(), until, q, false)
	s.countAllocation(ask.App(), c, ask.Node(), again, q, true)
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
	p, nodes, now := &s.planning, s.state.Nodes(), s.state.Now()
	free := make(resource.Vec, len(s.wide.Total))
	for t := range free {
		free[t] = nodes.FreeWithout(n, t, 0)
	}
	*r = nodeRoom{Profile: plan.New(now, free), usable: nodes.Schedulable(n), signature: s.signatureOf(n), closed: instant.Beginning}
	for ask := s.state.Asks().FirstOn(n); !ask.IsNone(); ask = ask.NextOnNode() {
		r.Return(ask.Class().Needs(), p.ends.of(ask.Slot()), instant.Never)
	}
	s.keepFor(n, r)
	for _, l := range p.loads {
		if l.node == n {
			r.Use(l.class.Needs(), l.start, l.until)
		}
	}
	p.touch(n)
}

// keepFor closes a node that is held for asks until they can land, and counts them from then on.
func (s *Walk) keepFor(n int32, r *nodeRoom) {
	now := s.state.Now()
	keep := func(ask app.Ask, from time.Duration) {
		lands := r.Next(ask.Class().Needs(), from, 0)
		r.closed = max(r.closed, lands)
		if lands != instant.Never {
			r.Use(ask.Class().Needs(), lands, planEnd(ask, lands))
		}
	}
	h := s.state.Nodes().Hold(n)
	if h.IsClaimed() {
		r.claimed = true
		for c := range s.state.Claims().On(n) {
			gone := now
			for v := s.state.Asks().FirstOn(n); !v.IsNone(); v = v.NextOnNode() {
				if s.state.Departures().ClaimOf(v.Slot()) == c.Seq {
					gone = max(gone, s.planning.ends.of(v.Slot()))
				}
			}
			keep(s.state.AskAt(c.Ask), gone)
		}
	}
	switch on, reserved := s.state.Reservations().On(n); {
	case !reserved:
	case on.Required:
		keep(s.state.AskAt(on.Ask), now)
	default:
		r.closed = instant.Never // no instant can be given to its ask
	}
}

// queueRoom returns the headroom of a queue's own max over time, or nil if it has none.
func (s *Walk) queueRoom(q queues.ID) *plan.Profile {
	p, tree := &s.planning, s.state.Queues()
	if r := p.queues[q]; r != nil || !tree.IsBounded(q) {
		return r
	}
	free := make(resource.Vec, len(s.wide.Total))
	for t := range free {
		free[t] = tree.RoomWithout(q, t, 0)
	}
	r := s.sharedRoom(free, func(a app.App) bool { return tree.Within(queueOf(a.Leaf()), q) })
	p.queues[q] = r
	return r
}

// roomAtLimit returns what a limit leaves over time.
func (s *Walk) roomAtLimit(t limit.Tracker) *plan.Profile {
	p := &s.planning
	if r := p.limits[t]; r != nil {
		return r
	}
	free := make(resource.Vec, len(s.wide.Total))
	for i := range free {
		free[i] = resource.Most
		if of, bounded := t.Of(i); bounded {
			free[i] = of.Room
		}
	}
	r := s.sharedRoom(free, func(a app.App) bool {
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

// sharedRoom makes the profile of what some applications share.
func (s *Walk) sharedRoom(free resource.Vec, shares func(app.App) bool) *plan.Profile {
	p := &s.planning
	r := plan.New(s.state.Now(), free)
	for a := range s.state.Asks().Apps {
		if !shares(a) {
			continue
		}
		for ask := a.FirstPlaced(); !ask.IsNone(); ask = ask.NextOfApp() {
			r.Return(ask.Class().Needs(), p.ends.of(ask.Slot()), instant.Never)
		}
	}
	for _, l := range p.loads {
		if shares(l.of) {
			r.Use(l.class.Needs(), l.start, l.until)
		}
	}
	return r
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
