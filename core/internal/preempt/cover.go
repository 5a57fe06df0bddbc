package preempt

import (
	"math"
	"slices"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/resource"
)

// cover is what has to become free on a node: for its room, and below each max that is lacking.
type cover struct {
	need  []amount
	most  []int64 // of each need: the largest that one allocation frees
	freed []int64 // of each need: by all that were counted
}

// amount is one need: of a type, by allocations that meet the ask at an index of its way or below.
type amount struct {
	lane  int
	meets int32
	value int64
}

// measure finds out what is needed, and whether a max needs more than the node's room does. It reports false where the
// node has no room for the ask whoever leaves: what is needed is then more than can be counted.
func (c *cover) measure(p *problem, s *stand) (pressed, holds bool) {
	c.need = c.need[:0]
	for _, n := range p.Ask.Class.Needs {
		if short := p.missing(s, n.Lane, n.Min); short > 0 {
			if short == resource.Most && !s.node.Holds(p.Ask.Class) {
				return false, false
			}
			c.need = append(c.need, amount{n.Lane, math.MaxInt32, short})
		}
	}
	room := len(c.need)
	for _, l := range p.lacks {
		if l.meets < len(p.way)-1 || !c.needs(room, l.lane, l.amount) { // a victim of any node is below root
			c.need = append(c.need, amount{l.lane, int32(l.meets), l.amount})
			pressed = true
		}
	}
	return pressed, true
}

// needs reports whether the node's room asks for so much of a type anyway.
func (c *cover) needs(room, lane int, value int64) bool {
	for _, n := range c.need[:room] {
		if n.lane == lane {
			return n.value >= value
		}
	}
	return false
}

// afterKeeper tells whether a node that is kept for another ask takes this one too once that one has landed.
func (c *cover) afterKeeper(s *stand, p *problem) state {
	if len(p.lacks) > 0 || !s.node.Schedulable || s.held && !p.MayTake(s.node) {
		return none
	}
	for _, n := range p.Ask.Class.Needs {
		if p.missing(s, n.Lane, n.Min) > -s.keeper.Class.Demand[n.Lane] {
			return none
		}
	}
	return enough
}

// start begins to count what allocations free.
func (c *cover) start() {
	c.most, c.freed = c.most[:0], c.freed[:0]
	for range c.need {
		c.most, c.freed = append(c.most, 0), append(c.freed, 0)
	}
}

// count adds an allocation of a class and a leaf, and reports whether it alone is enough, and whether all so far are.
func (c *cover) count(p *problem, g *glance) (alone, all bool) {
	alone, all = true, true
	for i := range c.need {
		n := &c.need[i]
		v := p.frees(g.leaf, g.class, n)
		c.most[i] = max(c.most[i], v)
		c.freed[i] = resource.Add(c.freed[i], v)
		alone = alone && v >= n.value
		all = all && c.freed[i] >= n.value
	}
	return alone, all
}

// frees is what an allocation of a class and a leaf frees of a need.
func (p *problem) frees(leaf int32, k *class.Class, n *amount) int64 {
	if p.leaves[leaf].meets > n.meets {
		return 0
	}
	return k.Demand[n.lane]
}

// fewest is a number of victims that no set has less than.
func (c *cover) fewest() int32 {
	n := int64(1)
	for i := range c.need {
		if c.most[i] > 0 {
			n = max(n, (c.need[i].value-1)/c.most[i]+1)
		}
	}
	return int32(min(n, math.MaxInt32))
}

// partial reports whether some need is met by the allocations of some leaves alone.
func (c *cover) partial() bool {
	return slices.ContainsFunc(c.need, func(n amount) bool { return n.meets != math.MaxInt32 })
}
