package victim

import (
	"math"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
)

// lowerBound computes a candidate's bound from the summary of the node's victims, without listing them.
func (f *Finder) lowerBound(p *problem, slot int32, c *candidate) {
	s := f.summary(slot)
	if f.checkNode(p, s, c) {
		return
	}
	count := int64(1)
	if f.boundLoosely(p, s, c) {
		return
	}
	for i := range f.needs.list {
		n := &f.needs.list[i]
		largest := s.largest[n.lane]
		if largest == 0 {
			c.state = infeasible
			return
		}
		if n.amount > largest {
			count = max(count, (n.amount-1)/largest+1)
		}
	}
	c.state, c.count, c.types = bounded, int32(min(count, math.MaxInt32)), s.types
	if s.protect != 0 { // all are protected; how many are needed, and their priorities, is not known here
		c.harmFloor = floorOfProtected(s.protect)
		return
	}
	c.top, c.oldest = s.prio, s.placed
	for i := range min(int(c.count), maxFew) {
		c.prios[i] = s.prio
	}
	if c.exact = !s.class.IsNone() && c.count <= maxFew && !f.needs.partial(); c.exact {
		f.sharesOf(p, s, int(c.count))
		c.shares, c.more = f.lastShares.top, f.lastShares.more
	}
}

// floorOfProtected is the lower bound of a node on which the victim that does the least harm is protected.
func floorOfProtected(protect uint8) harmFloor {
	return harmFloor{originators: int32(protect / originator), optedOuts: int32(protect % originator), count: 1, top: math.MinInt64}
}

// checkNode checks everything about a node except its victims, and computes its shortfalls. It reports true if that alone decides
// the candidate's state.
func (f *Finder) checkNode(p *problem, s *nodeView, c *candidate) (done bool) {
	*c = candidate{state: infeasible}
	if s.node == app.NoNode || p.Admits != nil && s.takes && !p.Admits(s.node) {
		return true
	}
	n := &f.needs
	f.steps += 10
	maxBinds, holds := n.measure(p, s, f.nodes.View(), f.call)
	switch {
	case p.askExceedsMax:
		c.maxBinds = true
	case !holds:
	case s.claimed:
		c.state, c.maxBinds = fitsBesideClaims(p, s, f.claimedDemand(s.node)), len(p.overMax) > 0
	case !s.open || s.reserved && !p.MayTake(s.node):
	case len(n.list) == 0:
		c.state = fits
	case s.count == 0, s.leaves&p.openMask == 0, int64(s.lowest) > p.topLimit, p.Surplus && !s.elastic: // no victims, or none that the problem permits
		c.maxBinds = maxBinds
	default:
		c.state, c.maxBinds = unexamined, maxBinds
		return false
	}
	return true
}

// sharesOf computes the excess that count victims leave on a node whose victims are all of one class. Nodes of a cluster are often
// alike, so the last result is cached in lastShares.
func (f *Finder) sharesOf(p *problem, s *nodeView, count int) {
	l := &f.lastShares
	if l.call != f.call || l.class != s.class || l.count != count || !slices.Equal(l.room, s.room) {
		l.call, l.class, l.count, l.room = f.call, s.class, count, append(l.room[:0], s.room...)
		l.victims = l.victims[:0]
		for range count {
			l.victims = append(l.victims, victim{class: s.class})
		}
		l.top, l.more = p.topShares(s, l.victims)
	}
}

// lastShares caches the last result of sharesOf together with its arguments.
type lastShares struct {
	call    uint32
	class   class.Class
	count   int
	room    []int64
	victims []victim
	top     [2]int64
	more    bool
}
