package victim

import (
	"cmp"
	"math"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
)

// Set is a set of victims: allocations on one node that make room for the ask, and the other members of gangs that leave as a whole.
type Set struct {
	Node        int32
	Victims     []app.Ask // in order of allocation
	Approximate bool      // a search within a node ran out of steps, so a better set may exist

	victims []victim // in order of allocation
	harm    harm
	id      string // of the node; sets of a gang have none
}

// harm holds the criteria by which sets are compared, in this order. Less harm is better.
type harm struct {
	originators int
	optedOuts   int
	lasting     int // victims that are not elastic surplus, while there is some
	top         int64
	ended       int       // gangs that leave as a whole, or that are broken
	ranks       [][]int64 // of a victim.rank policy, from the largest
	prios       []int64   // from the highest; as many as there are victims
	excess      []int64   // shares of the cluster that would be free beyond need, from the largest
	aged        []int64   // shares of the victims' leaves, from the largest; empty if no usage ages
}

// newSet makes a set of victims and computes its harm.
func (p *problem) newSet(s *nodeView, victims []victim) *Set {
	set := &Set{Node: s.node}
	p.fill(set, s, victims)
	for i := range set.victims {
		set.Victims = append(set.Victims, set.victims[i].ask)
	}
	return set
}

// fill makes a set of victims in the memory of another set, and computes its harm.
func (p *problem) fill(set *Set, s *nodeView, victims []victim) {
	p.fillHarm(set, victims)
	set.id = s.id
	if s.units {
		set.harm.ended = p.ended(set.victims)
	}
	set.harm.excess = p.excess(set.harm.excess, s, set.victims)
}

// fillHarm is fill without the excess.
func (p *problem) fillHarm(set *Set, victims []victim) {
	set.victims = append(set.victims[:0], victims...)
	sortVictims(set.victims, older)
	h := &set.harm
	*h = harm{lasting: p.lasting(set.victims), top: math.MinInt64, ranks: h.ranks[:0], prios: h.prios[:0], excess: h.excess[:0], aged: h.aged[:0]}
	for i := range set.victims {
		v := &set.victims[i]
		h.originators += int(v.protect / originator)
		h.optedOuts += int(v.protect % originator)
		h.top = max(h.top, v.prio)
		h.addPriority(v.prio)
		if p.AgedShare != nil {
			h.addShare(p.agedShare(v.leaf))
		}
		if p.ranks == nil {
			continue
		}
		if keys := p.ranks(v.ask); keys != nil {
			h.addRank(keys)
		}
	}
}

// addPriority inserts a priority in descending order. Sets are small.
func (h *harm) addPriority(prio int64) {
	h.prios = append(h.prios, prio)
	for i := len(h.prios) - 1; i > 0 && h.prios[i-1] < prio; i-- {
		h.prios[i-1], h.prios[i] = prio, h.prios[i-1]
	}
}

func (h *harm) addRank(keys []int64) {
	h.ranks = append(h.ranks, keys)
	for i := len(h.ranks) - 1; i > 0 && slices.Compare(h.ranks[i-1], keys) < 0; i-- {
		h.ranks[i-1], h.ranks[i] = keys, h.ranks[i-1]
	}
}

// compare orders two sets by harm, and then by node. It is negative if the first does less.
func (a *Set) compare(b *Set) int {
	x, y := &a.harm, &b.harm
	if c := cmp.Or(cmp.Compare(x.originators, y.originators), cmp.Compare(x.optedOuts, y.optedOuts), cmp.Compare(x.lasting, y.lasting), cmp.Compare(x.top, y.top), cmp.Compare(x.ended, y.ended)); c != 0 {
		return c
	}
	if c := slices.CompareFunc(x.ranks, y.ranks, slices.Compare[[]int64]); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(len(a.victims), len(b.victims)), slices.Compare(x.prios, y.prios), slices.Compare(x.excess, y.excess), slices.Compare(y.aged, x.aged), a.younger(b), cmp.Compare(a.id, b.id))
}

// younger compares ages from the oldest victim on. It is negative if the first set is younger.
func (a *Set) younger(b *Set) int {
	return slices.CompareFunc(b.victims, a.victims, func(x, y victim) int { return cmp.Compare(x.placed, y.placed) })
}
