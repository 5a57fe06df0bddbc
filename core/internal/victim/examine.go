package victim

import (
	"cmp"
	"math"
)

// examination is the result of checking the victims of one node one by one.
type examination struct {
	eligible []int32 // indices of the permitted victims below end
	best     int     // the best victim that alone is enough, or negative
	end      int     // victims from here on are not needed, and do more harm than those before
	types    int32   // every eligible victim uses at least so many types
	varied   bool    // the eligible victims are of several classes
}

// examine lists the victims of a node and bounds its candidate by them.
func (f *Finder) examine(p *problem, slot int32, c *candidate) {
	s := f.summary(slot)
	if f.checkNode(p, s, c) {
		return
	}
	f.victimsOf(slot, s)
	c.call = f.call
	if f.boundLoosely(p, s, c) {
		c.guardBinds = len(p.guards) > 0
		return
	}
	f.bound(p, s, c)
}

// bound bounds a candidate by the node's victims. They are sorted from the least harm, so the priority at which the sum becomes
// enough is a bound. If the best set is obvious, the candidate becomes exact.
func (f *Finder) bound(p *problem, s *nodeView, c *candidate) {
	x := &f.examination
	for i := range c.prios {
		c.prios[i] = math.MinInt64 // the search may need more victims than the bound says
	}
	f.sift(p, s, x, c)
	f.steps += 2 * x.end
	switch {
	case c.state != bounded:
		c.state = infeasible
	case x.end > int(s.free): // protected victims are needed; how many, and their priorities, is not known here
		protect := s.victims[x.end-1].protect
		c.originators, c.optedOuts, c.top, c.count = int32(protect/originator), int32(protect%originator), math.MinInt64, 1
	default:
		c.count = f.needs.leastCount()
		if f.resolveObvious(p, s, c, x); c.state == bounded {
			f.boundAges(p, s, c, x)
		}
	}
}

// sift collects the victims that the laws permit one by one, up to the priority at which they are enough together.
func (f *Finder) sift(p *problem, s *nodeView, x *examination, c *candidate) {
	f.needs.start()
	*x = examination{eligible: x.eligible[:0], best: -1, end: len(s.victims), types: math.MaxInt32}
	for i := 0; i < x.end; i++ {
		v := &s.victims[i]
		if !p.preemptable(v) {
			continue
		}
		if p.guardBinds(v.leaf, v.class) {
			c.guardBinds = true
			continue
		}
		if len(x.eligible) > 0 && v.class != s.victims[x.eligible[0]].class {
			x.varied = true
		}
		x.eligible, x.types = append(x.eligible, int32(i)), min(x.types, int32(v.class.Needs().Len()))
		alone, all := f.needs.count(p, v)
		if all && c.state != bounded {
			c.state, c.top, x.end = bounded, v.prio, s.levelEnd(i)
		}
		if alone && i < int(s.free) && f.Ranks == nil && (x.best < 0 || f.better(p, s, i, x.best)) {
			x.best = i
		}
	}
}

// levelEnd returns the index after the last victim with the same protection and priority as the given one.
func (s *nodeView) levelEnd(at int) int {
	end := len(s.victims)
	free := int(s.free)
	if at < free {
		end = free
	}
	i := at + 1
	for i < end && s.victims[i].prio == s.victims[at].prio && s.victims[i].protect == s.victims[at].protect {
		i++
	}
	return i
}

// boundAges bounds a set of count victims by the lowest priorities and the youngest ages on the node.
func (f *Finder) boundAges(p *problem, s *nodeView, c *candidate, x *examination) {
	if c.count > maxFew || f.Ranks != nil {
		return
	}
	n := int(c.count)
	var ages [maxFew]uint64
	youngest := ages[:n] // ascending
	for i := range s.victims[:x.end] {
		v := &s.victims[i]
		placed := v.placed
		if placed <= youngest[0] || v.ownPriority() > p.leaves[v.leaf].limit {
			continue
		}
		for k := n - 1; k >= 0; k-- {
			if placed > youngest[k] {
				youngest[k], placed = placed, youngest[k]
			}
		}
	}
	for i := range n {
		c.prios[n-1-i] = s.victims[x.at(i)].prio
	}
	c.types, c.oldest = x.types, youngest[0]
}

// at returns the index of the i-th eligible victim, or 0 if there are fewer.
func (x *examination) at(i int) int32 {
	if i < len(x.eligible) {
		return x.eligible[i]
	}
	return 0
}

// resolveObvious makes a candidate exact if one victim is enough, or if all victims are of one class, so that the first ones are
// the best.
func (f *Finder) resolveObvious(p *problem, s *nodeView, c *candidate, x *examination) {
	switch {
	case f.Ranks != nil || p.AgedShare != nil:
	case x.best >= 0:
		f.resolveFew(p, s, c, []int32{int32(x.best)})
	case !x.varied && c.count <= maxFew && !f.needs.partial():
		f.resolveFew(p, s, c, x.eligible[:c.count])
	}
}

// resolveFew makes a candidate exact with a set of at most maxFew victims. It reports false if guards forbid the set.
func (f *Finder) resolveFew(p *problem, s *nodeView, c *candidate, set []int32) bool {
	victims := f.few[:0]
	for _, i := range set {
		victims = append(victims, s.victims[i])
	}
	f.few = victims
	if len(s.victims) > math.MaxUint16 || len(set) > 1 && len(p.guards) > 0 && !p.guardsAllow(victims) {
		return false
	}
	n := len(set)
	c.state, c.count = exactFew, int32(n)
	c.shares, c.more = p.topShares(s, victims)
	c.oldest = victims[0].placed
	for i := range victims {
		v := &victims[i]
		c.victims[i], c.prios[n-1-i], c.oldest = uint16(set[i]), v.prio, min(c.oldest, v.placed)
	}
	return true
}

// better reports whether victim i is better than j. Both have the same priority, and each alone is enough.
func (f *Finder) better(p *problem, s *nodeView, i, j int) bool {
	a, b := &s.victims[i], &s.victims[j]
	if a.class == b.class { // the younger comes first in the list
		return false
	}
	order := p.compareExcess(&f.shares, s, s.victims[i:i+1], s, s.victims[j:j+1])
	return cmp.Or(order, cmp.Compare(b.placed, a.placed)) < 0
}
