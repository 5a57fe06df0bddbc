package victim

import (
	"cmp"
	"math"
)

// exactSteps is how many steps the search through one node may take. Beyond it greed chooses the set, and the decision is
// marked approximate. A node with a hundred allocations of as many sizes, of which half a dozen have to go, stays below
// it (TestTheExactSearchReachesFar).
const exactSteps = 200_000

// solver searches through one node by branch and bound.
//
// Victims that differ in nothing but age are one group, of which the youngest go first. A set has to free all needs, and may
// take no more from a guard than its cap. The best set is found criterion by criterion: the fewest originators for which there
// is a set, with these the fewest opted-outs, with these the lowest top priority, with these the fewest victims, and among the
// sets that are left the best by the other criteria.
type solver struct {
	p        *problem
	view     *nodeView
	ranked   bool
	needs    []shortfall
	eligible []victim // as far as each alone is concerned
	groups   []group
	caps     []int64 // slack of each guard that may matter here
	capped   []int32 // the guards of caps

	order          []int // groups in the order of the search that runs
	rest           []sum // by position in order, need by need: what the groups from there on can free
	bounds         bounds
	left           []int64 // needs not met yet
	slack          []int64
	saved          []int64 // left and slack at each step on the way
	chosen         []int   // by group
	limit          int     // of steps
	steps          int
	found          bool
	fromIncumbent  bool // best is the incumbent's
	beatsIncumbent bool // and does more harm than every set of the search
	best, try      Set  // try is where sets are made to be compared
	picked         []victim
}

// group is victims that differ in nothing but age.
type group struct {
	victims []victim // youngest first
	frees   []int64
	takes   []int64 // of each cap
	ranks   []int64 // by a victim.rank policy
	protect uint8
	prio    int64
}

// solve makes a bounded candidate exact, as far as it may be better than the incumbent. Its node was examined last.
func (f *Finder) solve(p *problem, slot int32, c *candidate, best *incumbent) {
	if !f.combine(p, slot, c, best) {
		f.searchNode(p, slot, c, best)
	}
}

// searchNode searches through a node: first as if there were no guards, since they rarely forbid the set that is best without
// them. A candidate that has nothing better than the incumbent stays bounded, more closely.
func (f *Finder) searchNode(p *problem, slot int32, c *candidate, best *incumbent) {
	v := &f.solver
	v.limit, v.steps, v.ranked = f.exact, 0, f.Ranks != nil
	v.prepare(p, &f.views[slot], f.needs.list)
	v.group()
	f.startFrom(p, best)
	v.search(c)
	if v.found && !v.fromIncumbent && len(p.guards) > 0 && !p.spared(v.best.victims) {
		v.findCaps()
		v.group()
		f.startFrom(p, best)
		v.search(c)
		c.guardBinds = true
	}
	f.steps += 10*len(v.eligible) + 5*v.steps
	if c.cut = nil; v.steps >= v.limit {
		proven := c.harmFloor
		c.cut = &proven
	}
	switch {
	case v.fromIncumbent:
		c.state, c.notBelow = bounded, f.setOf(p, best.slot, &best.candidate)
	case !v.found:
		c.state = infeasible
	default:
		f.takeBest(p, c)
	}
}

// startFrom has the solver look only for sets that are better than the incumbent, if there is one.
func (f *Finder) startFrom(p *problem, best *incumbent) {
	v := &f.solver
	v.found = best.slot >= 0
	v.fromIncumbent = v.found
	if v.found {
		p.fill(&v.best, &f.views[best.slot], f.setOf(p, best.slot, &best.candidate).victims)
	}
}

// takeBest makes a candidate of the set that was found.
func (f *Finder) takeBest(p *problem, c *candidate) {
	v := &f.solver
	c.takeSet(p.newSet(v.view, v.best.victims))
}

// takeSet makes a candidate that of a set.
func (c *candidate) takeSet(set *Set) {
	c.set = set
	h := &set.harm
	c.state = exactSet
	c.harmFloor = harmFloor{int32(h.originators), int32(h.optedOuts), int32(len(c.set.victims)), h.top}
	c.oldest, c.shares = c.set.victims[0].placed, [2]int64{-1, -1}
	copy(c.shares[:], h.excess)
	c.more = len(h.excess) > len(c.shares)
	copy(c.prios[:], h.prios)
}

// search finds the best set. A candidate for which unprotected victims are known to be enough bounds it from the start.
func (v *solver) search(c *candidate) {
	b := bounds{math.MaxInt32, math.MaxInt32, math.MaxInt32, math.MaxInt64}
	from := 1 // fewer victims may do than the candidate's bound says: those of higher priorities may be larger
	if len(v.caps) == 0 && c.originators+c.optedOuts == 0 {
		b.originators, b.optedOuts, b.top = 0, 0, c.top
		from = int(c.count)
	} else {
		if !v.feasible(b) {
			v.found, v.fromIncumbent = false, false
			v.fallBack()
			return
		}
		b.originators = v.minimize(b, 0, func(b *bounds, n int) { b.originators = n })
		b.optedOuts = v.minimize(b, 0, func(b *bounds, n int) { b.optedOuts = n })
		b.top = v.lowestTop(b)
	}
	if !v.ranked {
		b.victims = v.minimize(b, from, func(b *bounds, n int) { b.victims = n })
	}
	if v.steps < v.limit {
		c.originators, c.optedOuts, c.top = int32(b.originators), int32(b.optedOuts), b.top
		if !v.ranked {
			c.count = int32(b.victims)
		}
		order := v.against(b)
		if v.beatsIncumbent = order < 0; order <= 0 {
			v.optimize(b)
		}
	}
	v.fallBack()
}

// against compares the sets within bounds with the incumbent, as far as bounds tell: above 0 all of them do more harm.
func (v *solver) against(b bounds) int {
	if !v.fromIncumbent {
		return 0
	}
	h := &v.best.harm
	c := cmp.Or(cmp.Compare(b.originators, h.originators), cmp.Compare(b.optedOuts, h.optedOuts), cmp.Compare(b.top, h.top))
	if c == 0 && !v.ranked {
		c = cmp.Compare(b.victims, len(h.prios))
	}
	return c
}

// fallBack lets greed find a set where the search was cut short.
func (v *solver) fallBack() {
	if v.steps >= v.limit {
		v.greedy()
	}
}

// minimize is the smallest number, from a first one on, for which there is a set.
func (v *solver) minimize(b bounds, from int, bound func(*bounds, int)) int {
	for n := from; ; n++ {
		bound(&b, n)
		if v.steps >= v.limit || v.feasible(b) {
			return n
		}
	}
}

// lowestTop is the lowest top priority for which there is a set.
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
