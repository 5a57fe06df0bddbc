package preempt

import (
	"math"
	"slices"

	"github.com/quern-project/quern/core/internal/class"
)

// glimpse bounds a node's offer without looking at its rows one by one.
func (f *Finder) glimpse(p *problem, slot int32) offer {
	s := f.at(slot)
	o, done := f.first(p, s)
	if done {
		return o
	}
	o.state, o.count, o.types = bounded, 1, s.types
	for i := range f.cover.need {
		n := &f.cover.need[i]
		most := s.most[n.lane]
		if most == 0 {
			o.state = none
			return o
		}
		o.count = max(o.count, int32(min((n.value-1)/most+1, math.MaxInt32)))
	}
	first := &s.seen[0]
	if s.free == 0 { // how many protected ones, and of what priority, is not known
		protect := s.rows[0].protect
		o.floor = floor{int32(protect / originator), int32(protect % originator), math.MinInt32, 1}
		return o
	}
	o.top, o.oldest = first.prio, first.placed
	for i := range min(int(o.count), few) {
		o.prios[i] = first.prio
	}
	if o.exact = s.class != nil && o.count <= few && !f.cover.partial(); o.exact {
		o.shares, o.more = f.sharesOf(p, s, int(o.count))
	}
	return o
}

// sharesOf is what so many allocations leave in excess on a node whose allocations are all of one class. Nodes of a
// cluster are much alike, so the last answer is often the next.
func (f *Finder) sharesOf(p *problem, s *stand, count int) (top [2]int64, more bool) {
	l := &f.last
	if l.problem != f.call || l.class != s.class || l.count != count || !slices.Equal(l.room, s.room) {
		l.problem, l.class, l.count, l.room = f.call, s.class, count, append(l.room[:0], s.room...)
		l.rows = l.rows[:0]
		for range count {
			l.rows = append(l.rows, row{class: s.class})
		}
		l.top, l.more = p.topShares(s, l.rows)
	}
	return l.top, l.more
}

// likeness is what sharesOf answered last, and to what.
type likeness struct {
	problem uint32 // the call of Find
	class   *class.Class
	count   int
	room    []int64
	rows    []row
	top     [2]int64
	more    bool
}

// scan looks a node over. Steps are counted for what it reads.
func (f *Finder) scan(p *problem, slot int32) offer {
	s := f.at(slot)
	o, done := f.first(p, s)
	if done {
		return o
	}
	pressed := o.pressed
	o = f.weigh(p, s)
	o.pressed, o.call = pressed, f.call
	return o
}

// first looks at all of a node but its rows, and measures what has to become free there; done reports that nothing else
// matters.
func (f *Finder) first(p *problem, s *stand) (o offer, done bool) {
	if s.node == nil || p.Admits != nil && s.node.Schedulable && !p.Admits(s.node) {
		return offer{state: none}, true
	}
	c := &f.cover
	f.steps += 10
	pressed, holds := c.measure(p, s)
	switch {
	case p.never:
		return offer{state: none, pressed: true}, true
	case !holds:
		return offer{state: none}, true
	case s.keeper != nil:
		return offer{state: c.afterKeeper(s, p), pressed: len(p.lacks) > 0}, true
	case !s.open || s.held && !p.MayTake(s.node):
		return offer{state: none}, true
	case len(c.need) == 0:
		return offer{state: enough}, true
	case s.mask&p.mask == 0, int64(s.lowest) > p.top:
		return offer{state: none, pressed: pressed}, true
	}
	return offer{pressed: pressed}, false
}
