package preempt

import (
	"math"
	"slices"

	"github.com/quern-project/quern/core/internal/class"
)

// lowerBound bounds a node's candidate by the summary of its victims, without listing them.
func (f *Finder) lowerBound(p *problem, slot int32) candidate {
	s := f.summary(slot)
	c, done := f.checkNode(p, s)
	if done {
		return c
	}
	c.state, c.count, c.types = bounded, 1, s.types
	for i := range f.needs.list {
		n := &f.needs.list[i]
		switch most := s.largest[n.lane]; {
		case most == 0:
			c.state = infeasible
			return c
		case n.amount > most:
			c.count = max(c.count, int32(min((n.amount-1)/most+1, math.MaxInt32)))
		}
	}
	if s.protect != 0 { // how many protected ones, and of what priority, is not known
		c.harmFloor = harmFloor{int32(s.protect / originator), int32(s.protect % originator), math.MinInt32, 1}
		return c
	}
	c.top, c.oldest = s.prio, s.placed
	for i := range min(int(c.count), few) {
		c.prios[i] = s.prio
	}
	if c.exact = s.class != nil && c.count <= few && !f.needs.partial(); c.exact {
		c.shares, c.more = f.sharesOf(p, s, int(c.count))
	}
	return c
}

// checkNode looks at all of a node but its victims, and measures what they have to free; done reports that nothing else
// matters.
func (f *Finder) checkNode(p *problem, s *nodeView) (c candidate, done bool) {
	if s.node == nil || p.Admits != nil && s.node.Schedulable && !p.Admits(s.node) {
		return candidate{state: infeasible}, true
	}
	n := &f.needs
	f.steps += 10
	maxBinds, holds := n.measure(p, s)
	switch {
	case p.never:
		return candidate{state: infeasible, maxBinds: true}, true
	case !holds:
		return candidate{state: infeasible}, true
	case s.nominee != nil:
		return candidate{state: n.besideNominee(p, s), maxBinds: len(p.overMax) > 0}, true
	case !s.open || s.held && !p.MayTake(s.node):
		return candidate{state: infeasible}, true
	case len(n.list) == 0:
		return candidate{state: fits}, true
	case s.leaves&p.mask == 0, int64(s.lowest) > p.top:
		return candidate{state: infeasible, maxBinds: maxBinds}, true
	}
	return candidate{maxBinds: maxBinds}, false
}

// sharesOf is what count victims leave in excess on a node whose victims are all of one class. The nodes of a cluster are
// much alike, so the last result is often the next.
func (f *Finder) sharesOf(p *problem, s *nodeView, count int) (top [2]int64, more bool) {
	l := &f.lastShares
	if l.call != f.call || l.class != s.class || l.count != count || !slices.Equal(l.room, s.room) {
		l.call, l.class, l.count, l.room = f.call, s.class, count, append(l.room[:0], s.room...)
		l.victims = l.victims[:0]
		for range count {
			l.victims = append(l.victims, victim{class: s.class})
		}
		l.top, l.more = p.topShares(s, l.victims)
	}
	return l.top, l.more
}

// lastShares is the last result of sharesOf, with its arguments.
type lastShares struct {
	call    uint32
	class   *class.Class
	count   int
	room    []int64
	victims []victim
	top     [2]int64
	more    bool
}
