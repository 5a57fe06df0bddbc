package preempt

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// combinations goes through all sets of a few eligible victims of one node, for the best that is enough.
type combinations struct {
	p        *problem
	s        *nodeView
	needs    *needs
	eligible []int32
	size     int
	picked   [few]int32
	freed    []int64 // by depth and shortfall
	best     [few]int32
	found    bool
	shares   []int64 // of best, then scratch
	n        int     // of the shares that are best's
}

// combine finds the best set of the least number of victims without regard to guards, and returns that number; 0 where
// there are too many combinations.
//
// The solver finds the same set by the same criteria. Its steps are bounded here too, so that it is never more exact
// than the solver.
func (f *Finder) combine(p *problem, s *nodeView, least int, x *examination, set *[few]int32) int {
	c := &f.combinations
	c.p, c.s, c.needs, c.eligible, c.found = p, s, &f.needs, x.eligible, false
	total := 0
	for n := least; n <= few; n++ {
		tries := subsets(len(x.eligible), n)
		if total += (len(x.eligible) + 1) * tries; 2*total > f.exact {
			return 0
		}
		f.steps += tries
		c.size = n
		c.freed = append(c.freed[:0], make([]int64, (n+1)*len(c.needs.list))...)
		if c.extend(0, 0); c.found {
			*set = c.best
			return n
		}
	}
	return 0
}

// subsets is how many sets of at most k of n things there are.
func subsets(n, k int) int {
	sum, these := 1, 1
	for i := range min(k, n) {
		these = these * (n - i) / (i + 1)
		sum += these
	}
	return sum
}

// extend adds each eligible victim from a position on to the victims picked so far.
func (c *combinations) extend(from, depth int) {
	left := c.size - depth
	for i := from; i+left <= len(c.eligible); i++ {
		at := c.eligible[i]
		if !c.add(&c.s.victims[at], depth) {
			continue
		}
		c.picked[depth] = at
		if left > 1 {
			c.extend(i+1, depth+1)
		} else {
			c.consider()
		}
	}
}

// add counts a victim at a depth, and reports whether the others can free what is left.
func (c *combinations) add(v *victim, depth int) bool {
	width := len(c.needs.list)
	before, after := c.freed[depth*width:(depth+1)*width], c.freed[(depth+1)*width:(depth+2)*width]
	others := c.size - depth - 1
	for i := range c.needs.list {
		l := &c.needs.list[i]
		after[i] = resource.Add(before[i], c.p.frees(v.leaf, v.class, l))
		if left := l.amount - after[i]; left > 0 && (others == 0 || left > times(c.needs.largest[i], others)) {
			return false
		}
	}
	return true
}

// consider compares the picked victims, which are enough, with the best set so far: by priorities from the highest, by excess,
// by age from the oldest.
func (c *combinations) consider() {
	if c.found {
		if order := c.comparePriorities(); order != 0 {
			if order < 0 {
				c.keep(false)
			}
			return
		}
	}
	c.keep(c.found)
}

func (c *combinations) comparePriorities() int {
	for i := c.size - 1; i >= 0; i-- { // victims come lowest priority first
		if order := cmp.Compare(c.s.victims[c.picked[i]].prio, c.s.victims[c.best[i]].prio); order != 0 {
			return order
		}
	}
	return 0
}

// keep makes the picked victims the best set, where wanted only if they leave less in excess or as much and are younger.
func (c *combinations) keep(compare bool) {
	if !compare {
		c.shares, c.n = c.shares[:0], 0
	}
	c.shares = c.excess(c.shares[:c.n])
	if compare {
		best, picked := c.shares[:c.n], c.shares[c.n:]
		if order := slices.Compare(picked, best); order > 0 || order == 0 && !c.younger() {
			return
		}
		c.shares = append(c.shares[:0], picked...)
	}
	c.best, c.n, c.found = c.picked, len(c.shares), true
}

// excess appends what the picked victims leave in excess.
func (c *combinations) excess(list []int64) []int64 {
	from := len(list)
	for t, room := range c.s.room {
		freed := int64(0)
		for _, at := range c.picked[:c.size] {
			freed = resource.Add(freed, c.s.victims[at].class.Demand[t])
		}
		if freed > 0 {
			list = append(list, c.p.beyond(t, room, freed))
		}
	}
	sortDescending(list[from:])
	return list
}

// younger reports whether the picked victims are younger than the best: the oldest that they do not share decides.
func (c *combinations) younger() bool {
	a, b := c.ages(&c.picked), c.ages(&c.best)
	return slices.Compare(a[:c.size], b[:c.size]) > 0
}

func (c *combinations) ages(set *[few]int32) (ages [few]uint64) {
	for i, at := range set[:c.size] {
		ages[i] = c.s.victims[at].placed
	}
	slices.Sort(ages[:c.size])
	return ages
}

// sortDescending sorts a list of a few shares.
func sortDescending(list []int64) {
	for i := 1; i < len(list); i++ {
		for j := i; j > 0 && list[j] > list[j-1]; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
}
