package preempt

import (
	"cmp"
	"math"
	"slices"
)

// state is what is known of a node's offer.
type state uint8

const (
	unknown state = iota
	none          // nothing there is enough
	enough        // nobody has to leave there
	bounded       // a set may be there, and none that does less harm than the bound
	single        // the best set is one allocation
	solved        // the best set is known
)

// offer is what a node has for a problem, as far as it has been looked at.
type offer struct {
	state   state
	guarded bool // guards stood in the way: with more slack there may be a better one
	pressed bool // a max asked for more than the node's room did: with less of that there may be a better one
	// Harm is at least this: originators, opted-outs, highest priority, victims.
	originators, optedOuts int32
	top, count             int32
	row                    int32 // single: in the stand's rows
	placed                 uint64
	shares                 [2]int64 // single: the largest shares in excess
	set                    *Set     // solved
}

// scan looks a node over. Steps are counted for what it reads.
func (f *Finder) scan(p *problem, slot int32) offer {
	s := &f.stands[slot]
	if s.node == nil || s.node.Schedulable && p.Admits != nil && !p.Admits(s.node) {
		return offer{state: none}
	}
	c := &f.cover
	f.steps += 2
	pressed := c.measure(p, s)
	switch {
	case s.keeper != nil:
		return offer{state: c.afterKeeper(s, p), pressed: len(p.lacks) > 0}
	case !s.open || s.held && !p.MayTake(s.node):
		return offer{state: none}
	case len(c.need) == 0:
		return offer{state: enough}
	case s.mask&p.mask == 0:
		return offer{state: none, pressed: pressed}
	}
	o := f.weigh(p, s)
	o.pressed = pressed
	return o
}

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

// measure finds out what is needed, and whether a max needs more than the node's room does.
func (c *cover) measure(p *problem, s *stand) (pressed bool) {
	c.need = c.need[:0]
	for _, n := range p.Ask.Class.Needs {
		if short := p.missing(s, n.Lane, n.Min); short > 0 {
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
	return pressed
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

// count adds an allocation and reports whether it alone is enough, and whether all so far are.
func (c *cover) count(p *problem, r *row) (alone, all bool) {
	alone, all = true, true
	for i := range c.need {
		n := &c.need[i]
		v := p.frees(r, n)
		c.most[i] = max(c.most[i], v)
		if c.freed[i] += v; c.freed[i] < 0 {
			c.freed[i] = math.MaxInt64
		}
		alone = alone && v >= n.value
		all = all && c.freed[i] >= n.value
	}
	return alone, all
}

// frees is what an allocation frees of a need.
func (p *problem) frees(r *row, n *amount) int64 {
	if p.leaves[r.leaf].meets > n.meets {
		return 0
	}
	return r.class.Demand[n.lane]
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

// weigh bounds what a node offers. Rows come least harm first, so the first priority at which enough becomes free is a
// bound; where one allocation of that priority is enough, the best such is the node's offer, and nothing is left open.
func (f *Finder) weigh(p *problem, s *stand) (o offer) {
	c := &f.cover
	c.start()
	loose := false
	best, protect := -1, uint8(0)
	for i := range s.rows {
		r := &s.rows[i]
		if o.state == bounded && (r.protect != protect || r.prio > o.top) {
			break
		}
		f.steps++
		if !p.falls(r) {
			continue
		}
		if p.guarded(r) {
			loose = true
			continue
		}
		alone, all := c.count(p, r)
		if all && o.state != bounded {
			o.state, protect, o.top = bounded, r.protect, r.prio
		}
		if alone && r.protect == 0 && f.Ranks == nil && (best < 0 || f.better(p, s, i, best)) {
			best = i
		}
	}
	o.guarded = loose
	switch {
	case o.state != bounded:
		o.state = none
	case protect != 0: // how many, and of what priority, is not known
		o.originators, o.optedOuts = int32(protect/originator), int32(protect%originator)
		o.top, o.count = math.MinInt32, 1
	default:
		o.count = c.fewest()
		if best >= 0 {
			o.state, o.count, o.row, o.placed, o.shares = single, 1, int32(best), s.rows[best].placed, f.topShares(p, s, best)
		}
	}
	return o
}

// better compares two allocations of a node, of one priority, each of which is enough.
func (f *Finder) better(p *problem, s *stand, i, j int) bool {
	a, b := &s.rows[i], &s.rows[j]
	if a.class == b.class { // the younger comes first
		return false
	}
	return p.compareSingles(&f.shares, s, a, s, b) < 0
}

// compareSingles compares two allocations that are each enough for the ask by excess, then age.
func (p *problem) compareSingles(scratch *[]int64, s *stand, a *row, t *stand, b *row) int {
	list := p.excess((*scratch)[:0], s, []row{*a})
	n := len(list)
	list = p.excess(list, t, []row{*b})
	*scratch = list
	return cmp.Or(slices.Compare(list[:n], list[n:]), cmp.Compare(b.placed, a.placed))
}

// topShares are the largest shares that an allocation leaves in excess; -1 stands for none.
func (f *Finder) topShares(p *problem, s *stand, i int) [2]int64 {
	top := [2]int64{-1, -1}
	for t, d := range s.rows[i].class.Demand {
		if d > 0 {
			v := p.beyond(t, s.room[t], d)
			if v > top[0] {
				v, top[0] = top[0], v
			}
			top[1] = max(top[1], v)
		}
	}
	return top
}
