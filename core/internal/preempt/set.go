package preempt

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/resource"
)

// Set is a set of victims: allocations on one node that make room for the ask.
type Set struct {
	Node        *node.Node
	Victims     []*app.Ask // in order of allocation
	Approximate bool       // a search was cut short: there may be a better set

	victims []victim // in order of allocation
	harm    harm
}

// harm is what sets compare by, in this order: less harm is better.
type harm struct {
	originators int
	optedOuts   int
	top         int32
	ranks       [][]int64 // of a victim.rank policy, from the largest
	prios       []int32   // from the highest; as many as there are victims
	excess      []int64   // shares of the cluster that would be free beyond need, from the largest
}

// newSet makes a set of some victims.
func (p *problem) newSet(s *nodeView, victims []victim) *Set {
	set := &Set{Node: s.node}
	p.fill(set, s, victims)
	for i := range set.victims {
		set.Victims = append(set.Victims, set.victims[i].ask)
	}
	return set
}

// fill works out a set's harm; what the set held before is used again.
func (p *problem) fill(set *Set, s *nodeView, victims []victim) {
	set.victims = append(set.victims[:0], victims...)
	slices.SortFunc(set.victims, func(a, b victim) int { return cmp.Compare(a.placed, b.placed) })
	h := &set.harm
	*h = harm{top: victims[0].prio, ranks: h.ranks[:0], prios: h.prios[:0], excess: h.excess[:0]}
	for i := range set.victims {
		v := &set.victims[i]
		h.originators += int(v.protect / originator)
		h.optedOuts += int(v.protect % originator)
		h.top = max(h.top, v.prio)
		h.prios = append(h.prios, v.prio)
		if p.ranks == nil {
			continue
		}
		if keys := p.ranks(v.ask); keys != nil {
			h.ranks = append(h.ranks, keys)
		}
	}
	slices.Sort(h.prios)
	slices.Reverse(h.prios)
	slices.SortFunc(h.ranks, func(a, b []int64) int { return slices.Compare(b, a) })
	h.excess = p.excess(h.excess, s, set.victims)
}

// excess appends what would be free beyond the ask's need, over the types that some victims use, as shares of the cluster
// from the largest.
func (p *problem) excess(list []int64, s *nodeView, victims []victim) []int64 {
	from := len(list)
	for t, room := range s.room {
		freed := int64(0)
		for i := range victims {
			freed = resource.Add(freed, victims[i].class.Demand[t])
		}
		if freed > 0 {
			list = append(list, p.beyond(t, room, freed))
		}
	}
	slices.Sort(list[from:])
	slices.Reverse(list[from:])
	return list
}

// beyond is the share of the cluster that would be free of a type beyond what the ask needs.
func (p *problem) beyond(t int, room, freed int64) int64 {
	return resource.Share(resource.Sub(resource.Add(max(0, room), freed), p.Ask.Class.Demand[t]), p.Total[t])
}

// compare orders two sets by harm; it is below 0 when the first does less.
func (a *Set) compare(b *Set) int {
	x, y := &a.harm, &b.harm
	if c := cmp.Or(cmp.Compare(x.originators, y.originators), cmp.Compare(x.optedOuts, y.optedOuts), cmp.Compare(x.top, y.top)); c != 0 {
		return c
	}
	if c := slices.CompareFunc(x.ranks, y.ranks, slices.Compare[[]int64]); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(len(a.victims), len(b.victims)), slices.Compare(x.prios, y.prios), slices.Compare(x.excess, y.excess), a.younger(b))
}

// younger prefers the set whose oldest victim is younger, then the next.
func (a *Set) younger(b *Set) int {
	return slices.CompareFunc(b.victims, a.victims, func(x, y victim) int { return cmp.Compare(x.placed, y.placed) })
}

// lawful reports whether some victims are what the problem allows and enough for it.
func (p *problem) lawful(s *nodeView, victims []victim) bool {
	for i := range victims {
		if !p.preemptable(&victims[i]) {
			return false
		}
	}
	return p.spared(victims) && p.enough(s, victims)
}

// spared reports whether every guard lets some victims go together: laws 2 and 5, and the exchange as a whole.
func (p *problem) spared(victims []victim) bool {
	for i := range victims {
		for _, g := range p.refsOf(victims[i].leaf) {
			if freed := p.against(g, victims); freed > 0 && freed > p.guards[g].slack {
				return false
			}
		}
	}
	return true
}

// against sums what some victims take from a guard.
func (p *problem) against(g int32, victims []victim) int64 {
	sum := int64(0)
	for i := range victims {
		if slices.Contains(p.refsOf(victims[i].leaf), g) {
			sum = resource.Add(sum, victims[i].class.Demand[p.guards[g].lane])
		}
	}
	return sum
}

// enough reports whether the ask fits a node, and every max on its path, once some victims have left.
func (p *problem) enough(s *nodeView, victims []victim) bool {
	for _, need := range p.Ask.Class.Needs {
		room := s.room[need.Lane]
		for i := range victims {
			room = resource.Add(room, victims[i].class.Demand[need.Lane])
		}
		if room < need.Min {
			return false
		}
	}
	for _, l := range p.overMax {
		freed := int64(0)
		for i := range victims {
			if p.leaves[victims[i].leaf].meets <= l.meets {
				freed = resource.Add(freed, victims[i].class.Demand[l.lane])
			}
		}
		if freed < l.amount {
			return false
		}
	}
	return true
}
