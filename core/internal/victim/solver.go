package victim

import (
	"cmp"
	"math"
)

// exactSteps bounds the steps of the search within one node. If they run out, a greedy algorithm chooses the set and the decision is
// marked approximate. A node with a hundred allocations of different sizes, half a dozen of which have to go, stays below the bound
// (TestTheExactSearchReachesFar).
const exactSteps = 200_000

// solver finds the best set of one node by branch and bound.
//
// Victims that differ only by age form a group, from which the youngest are chosen first. A gang that leaves as a whole is a group of
// one choice. A set has to meet all needs, and must not exceed any cap: of a guard, or of what a gang can spare. The solver minimizes one
// criterion after the other: it finds the fewest originators for which a set exists, then the fewest opted-out victims, the fewest that are
// not elastic surplus, the lowest top
// priority, the fewest gangs that end, and the fewest victims. Among the sets within these bounds, it finds the best one by the other
// criteria.
type solver struct {
	p        *problem
	view     *nodeView
	ranked   bool
	needs    []shortfall
	eligible []victim // the victims that the laws permit one by one
	groups   []group
	caps     []int64 // slack of each guard that may bind on this node
	capped   []int32 // by index in caps, after those of units: the guard
	units    []cappedUnit
	ofUnits  int     // number of caps of units
	partOf   []*unit // by eligible victim: its innermost unit, or nil
	whole    bool    // a group is a gang that leaves as a whole

	order          []int // groups in the order of the current search
	rest           []sum // by position in order, then by need: bounds of what the groups from there on can free
	bounds         bounds
	left           []int64 // amounts still to be freed, by need
	slack          []int64
	saved          []int64 // left and slack of each savepoint
	chosen         []int   // number of chosen victims, by group
	limit          int     // step limit
	steps          int
	found          bool
	fromIncumbent  bool // best is the incumbent's set
	beatsIncumbent bool // every set within the current bounds does less harm than the incumbent
	best, try      Set  // try is scratch for the set that is compared
	picked         []victim
}

// group is a list of choices that differ only by age: single victims or, if whole is set, all members of a gang together.
type group struct {
	victims []victim // youngest first
	whole   bool
	frees   []int64 // what one choice frees of each need
	takes   []int64 // by index in caps: the part of the slack that one choice uses
	ranks   []int64 // keys of the victim.rank policy; the largest of a gang
	protect uint8   // of all its victims together
	prio    int64   // the highest of a gang

	originators, optedOuts, lasting, ended int // of one choice
}

// choices returns the number of choices.
func (k *group) choices() int {
	if k.whole {
		return 1
	}
	return len(k.victims)
}

// size returns the number of victims of one choice.
func (k *group) size() int {
	if k.whole {
		return len(k.victims)
	}
	return 1
}

// solve solves a bounded candidate: it makes it exact unless no set of the node is better than the incumbent. The node must be the
// one examined last.
func (f *Finder) solve(p *problem, slot int32, c *candidate, best *incumbent) {
	if f.views[slot].units || p.Elastic || !f.combine(p, slot, c, best) {
		f.searchNode(p, slot, c, best)
	}
}

// searchNode runs the solver on a node: first without guards, since they rarely forbid the best set, and again with them if they do.
// A candidate without a better set than the incumbent's stays bounded, with a closer bound.
func (f *Finder) searchNode(p *problem, slot int32, c *candidate, best *incumbent) {
	v := &f.solver
	v.limit, v.steps, v.ranked = f.exact, 0, f.Ranks != nil
	v.prepare(p, &f.views[slot], f.needs.list)
	v.group()
	f.setIncumbent(p, best)
	v.search(c)
	if v.found && !v.fromIncumbent && len(p.guards) > 0 && !p.guardsAllow(v.best.victims) {
		v.findCaps()
		v.group()
		f.setIncumbent(p, best)
		v.search(c)
		c.guardBinds = true
	}
	f.steps += 10*len(v.eligible) + 5*v.steps
	if c.provenFloor = nil; v.steps >= v.limit {
		proven := c.harmFloor
		c.provenFloor = &proven
	}
	switch {
	case v.fromIncumbent:
		c.state, c.notBelow = bounded, f.setOf(p, best.slot, &best.candidate)
	case !v.found:
		c.state = infeasible
	default:
		f.recordBest(p, c)
	}
}

// setIncumbent makes the solver find only sets that are better than the incumbent, if there is one.
func (f *Finder) setIncumbent(p *problem, best *incumbent) {
	v := &f.solver
	v.found = best.slot >= 0
	v.fromIncumbent = v.found
	if v.found {
		p.fill(&v.best, &f.views[best.slot], f.setOf(p, best.slot, &best.candidate).victims)
	}
}

// recordBest makes a candidate exact with the best set of the solver.
func (f *Finder) recordBest(p *problem, c *candidate) {
	v := &f.solver
	c.setExact(p.newSet(v.view, v.best.victims))
}

// setExact makes a candidate exact with a set.
func (c *candidate) setExact(set *Set) {
	c.set = set
	h := &set.harm
	c.state = exactSet
	c.harmFloor = harmFloor{int32(h.originators), int32(h.optedOuts), int32(h.lasting), int32(h.ended), int32(len(c.set.victims)), h.top}
	c.oldest, c.shares = c.set.victims[0].placed, [2]int64{-1, -1}
	copy(c.shares[:], h.excess)
	c.more = len(h.excess) > len(c.shares)
	copy(c.prios[:], h.prios)
}

// search finds the best set. If unprotected victims are known to be enough, the candidate's bounds are used from the start.
func (v *solver) search(c *candidate) {
	b := unbounded()
	from := 1 // the candidate's count bounds only sets of its top priority: victims of higher priorities may be larger
	if len(v.caps) == 0 && !v.view.units && !v.p.Elastic && c.originators+c.optedOuts == 0 {
		b.originators, b.optedOuts, b.lasting, b.ended, b.top = 0, 0, 0, 0, c.top
		from = int(c.count)
	} else {
		if !v.feasible(b) {
			v.found, v.fromIncumbent = false, false
			v.fallBack()
			return
		}
		b.originators = v.minimize(b, 0, func(b *bounds, n int) { b.originators = n })
		b.optedOuts = v.minimize(b, 0, func(b *bounds, n int) { b.optedOuts = n })
		if b.lasting = 0; v.p.Elastic {
			b.lasting = v.minimize(b, int(c.lasting), func(b *bounds, n int) { b.lasting = n })
		}
		b.top = v.lowestTop(b)
		b.ended = v.minimize(b, 0, func(b *bounds, n int) { b.ended = n })
	}
	if !v.ranked {
		b.victims = v.minimize(b, from, func(b *bounds, n int) { b.victims = n })
	}
	if v.steps < v.limit {
		c.originators, c.optedOuts, c.lasting, c.top, c.ended = int32(b.originators), int32(b.optedOuts), int32(b.lasting), b.top, int32(b.ended)
		if !v.ranked {
			c.count = int32(b.victims)
		}
		order := v.compareToIncumbent(b)
		if v.beatsIncumbent = order < 0; order <= 0 {
			v.optimize(b)
		}
	}
	v.fallBack()
}

// compareToIncumbent compares the bounds with the incumbent. It is positive if every set within them does more harm, and negative
// if every set does less.
func (v *solver) compareToIncumbent(b bounds) int {
	if !v.fromIncumbent {
		return 0
	}
	h := &v.best.harm
	c := cmp.Or(cmp.Compare(b.originators, h.originators), cmp.Compare(b.optedOuts, h.optedOuts), cmp.Compare(b.lasting, h.lasting), cmp.Compare(b.top, h.top), cmp.Compare(b.ended, h.ended))
	if c == 0 && !v.ranked {
		c = cmp.Compare(b.victims, len(h.prios))
	}
	return c
}

// fallBack chooses a set greedily if the steps ran out.
func (v *solver) fallBack() {
	if v.steps >= v.limit {
		v.greedy()
	}
}

// minimize returns the smallest bound, from a first value on, for which a set exists.
func (v *solver) minimize(b bounds, from int, bound func(*bounds, int)) int {
	for n := from; ; n++ {
		bound(&b, n)
		if v.steps >= v.limit || v.feasible(b) {
			return n
		}
	}
}

// lowestTop returns the lowest top priority for which a set exists.
func (v *solver) lowestTop(b bounds) int64 {
	for higher := int64(math.MinInt64); ; higher = b.top {
		next := int64(math.MaxInt64)
		for i := range v.groups {
			if prio := v.groups[i].prio; prio > higher {
				next = min(next, prio)
			}
		}
		if next == math.MaxInt64 {
			return b.top
		}
		b.top = next
		if v.steps >= v.limit || v.feasible(b) {
			return b.top
		}
	}
}
