package oracle

import (
	"slices"

	"github.com/quern-project/quern/core/instant"
)

// With backfill, each walk begins with planning. Planning sweeps over the asks in walk order until a sweep changes nothing. Then the walk
// places asks only where no plan loses its start.

// sweep is one look at all asks.
type sweep struct {
	*partition
	profile    *profile
	eligible   map[*app]bool
	seen       map[*ask]bool
	done       []*plan // of this sweep, in walk order
	rest       []*plan // of the last sweep, of asks that this one has not reached
	later      int     // number of plans that do not start now
	outOfReach []*ask  // blocked, and there is no instant at which they could start
}

func (p *partition) plans() bool { return p.settings.Backfill.Plans() }

// planAndWalk is walk with plans.
func (p *partition) planAndWalk() progress {
	for {
		s := p.sweep()
		changed := !slices.EqualFunc(s.done, p.planned, samePlan)
		p.planned, p.outOfReach = s.done, s.outOfReach
		if !changed {
			break
		}
	}
	if p.endNeedlessReservations() {
		return displaced
	}
	reserved := len(p.reservations)
	if step := p.walk(p.root); step != nothing || len(p.reservations) == reserved {
		return step
	}
	return displaced // plans count what is held or reserved now
}

func samePlan(a, b *plan) bool {
	return a.subject == b.subject && a.start == b.start && slices.Equal(a.asks, b.asks) &&
		!slices.ContainsFunc(a.asks, func(k *ask) bool { return a.nodes[k] != b.nodes[k] })
}

// sweep plans the asks in walk order, until as many starts are planned as the depth says.
func (p *partition) sweep() *sweep {
	s := &sweep{partition: p, profile: p.profileFor(nil), eligible: map[*app]bool{}, seen: map[*ask]bool{}, rest: p.planned}
	for _, a := range p.liveApps(p.root) {
		s.eligible[a] = p.eligible(a)
	}
	for k := s.next(); k != nil && p.settings.Backfill.Admits(s.later); k = s.next() {
		s.seen[k] = true
		if p.claimOf(k) == nil && p.isOrdinary(k) && !p.hasHold(k) {
			s.turn(k)
		}
	}
	return s
}

// next returns the first ask in walk order that the sweep has not reached. Those planned so far count as usage, but their priorities and what is
// pending count as before.
func (s *sweep) next() *ask {
	s.sweeping = s
	defer func() { s.sweeping = nil }()
	for _, k := range s.walkOrder(s.root) {
		if !s.seen[k] {
			return k
		}
	}
	return nil
}

// plannedAsks lists the asks that a sweep has planned while it looks for its next one.
func (p *partition) plannedAsks() (asks []*ask) {
	if p.sweeping != nil {
		for _, pl := range p.sweeping.done {
			asks = append(asks, pl.asks...)
		}
	}
	return asks
}

// turn plans an ask if it waits for nothing but room.
func (s *sweep) turn(k *ask) {
	before := s.planOf(subjectOf(k))
	s.rest = slices.DeleteFunc(slices.Clone(s.rest), func(pl *plan) bool { return pl == before })
	asks := s.plannedMembers(k)
	if len(asks) == 0 || asks[0] != k || !s.mayEverFit(asks) || !s.withinLimitsTogether(asks) {
		return
	}
	pl := s.planFor(k, asks, before)
	switch {
	case pl == nil && !isHeldFor(k):
		if !s.lacksHeadroomAlone(asks) {
			s.outOfReach = append(s.outOfReach, k)
		}
	case pl == nil:
	case pl.start == s.now:
		s.done = append(s.done, pl)
	case !isHeldFor(k) && !s.lacksHeadroomAlone(asks):
		s.later++
		s.done = append(s.done, pl)
	}
}

// isHeldFor reports whether a node is held for the ask while it waits. None is for members of gangs.
func isHeldFor(k *ask) bool { return k.details.Node != "" && k.waitingGang() == nil }

// planOf returns the plan that the last sweep made.
func (s *sweep) planOf(of subject) *plan {
	for _, pl := range s.rest {
		if pl.subject == of {
			return pl
		}
	}
	return nil
}

// others lists the plans of this sweep, and those of asks behind that fit beside them.
func (s *sweep) others() []*plan { return s.beside(func(*plan) bool { return true }) }

// beside is others for some of the asks behind.
func (s *sweep) beside(of func(*plan) bool) []*plan {
	counted := slices.Clone(s.done)
	for _, pl := range s.rest {
		if of(pl) && s.stillWait(pl) && s.planFits(s.profile, pl, counted) {
			counted = append(counted, pl)
		}
	}
	return counted
}

// stillWait reports whether the asks of the plan wait as they did when it was made.
func (p *partition) stillWait(pl *plan) bool {
	return !slices.ContainsFunc(pl.asks, func(k *ask) bool {
		return k.node != nil || !slices.Contains(k.app.asks, k) || subjectOf(k) != pl.subject || !p.isOrdinary(k) || p.claimOf(k) != nil
	})
}

// planFor keeps the plan of asks that start together and moves it earlier if it can, or makes one. It returns nil if there is no instant.
func (s *sweep) planFor(k *ask, asks []*ask, before *plan) *plan {
	others := s.others()
	if before != nil && s.stillWait(before) && slices.Equal(before.asks, asks) && s.planFits(s.profile, before, s.done) {
		if moved := s.earliest(s.profile, before.asks, others, before.start); moved != nil {
			return moved
		}
		return before
	}
	if before != nil && before.facts == factsOf(asks) { // lost, and with it those behind that do not outrank it
		return s.earliest(s.profile, asks, s.beside(func(pl *plan) bool { return outranks(pl.asks[0], k) }), instant.Never)
	}
	beside := slices.DeleteFunc(others, func(pl *plan) bool { return !slices.Contains(s.done, pl) && outranks(k, pl.asks[0]) })
	return s.earliest(s.profile, asks, beside, instant.Never)
}

// mayEverFit reports whether the maxima would let the asks in if nobody else ran, and each fits an empty node.
func (p *partition) mayEverFit(asks []*ask) bool {
	sum := amounts{}
	for _, k := range asks {
		sum.add(k.resources)
		if !slices.ContainsFunc(p.nodes, func(n *node) bool { return p.matches(n, k) && p.fitsEmpty(n, k) }) {
			return false
		}
	}
	return !slices.ContainsFunc(belowRoot(asks[0].app.queue.chain()), func(q *queue) bool { return sum.exceed(q.settings.Max) })
}

// withinLimitsTogether reports whether the limits of users and groups let all asks in now.
func (p *partition) withinLimitsTogether(asks []*ask) bool {
	nodes := map[*ask]*node{}
	for _, k := range asks {
		if !assumed(nodes, func() bool { return p.withinLimits(k, p.claims) }) {
			return false
		}
		nodes[k] = p.nodes[0] // whichever
	}
	return true
}

// lacksHeadroomAlone reports whether the asks have no plan because nothing but a bound of a queue or limit keeps them from starting now.
func (s *sweep) lacksHeadroomAlone(asks []*ask) bool {
	beside := notOutranked(asks[0], s.others())
	return !s.settings.Backfill.All &&
		seenBy(s.partition, view{totalAlone: true}, func() bool { return s.placedFrom(s.profile, asks, s.now, beside) != nil })
}

// endNeedlessReservations ends the ordinary reservations of asks that are planned, or behind those that are. It reports whether there were any.
func (p *partition) endNeedlessReservations() (ended bool) {
	for _, r := range slices.Clone(p.reservations) {
		if !r.isHold() && !slices.Contains(p.outOfReach, r.ask) {
			p.unreserve(r.ask, "")
			ended = true
		}
	}
	return ended
}

// plansBeside lists the plans that the ask must leave their starts: those of others that it does not outrank.
func (p *partition) plansBeside(k *ask) []*plan {
	return slices.DeleteFunc(notOutranked(k, p.planned), func(pl *plan) bool { return pl.subject == subjectOf(k) || !p.stillWait(pl) })
}

// hasHold reports whether the node that the ask requires is held for it.
func (p *partition) hasHold(k *ask) bool {
	return slices.ContainsFunc(p.reservations, func(r *reservation) bool { return r.ask == k && r.isHold() })
}
