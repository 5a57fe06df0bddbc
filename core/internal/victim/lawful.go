package victim

import (
	"slices"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// preemptable reports whether an allocation may be a victim by its leaf, its priority (law 6), its application (law 3) and its least run time, and, by the right
// surplus, its gang.
// Guards are not checked here, since they apply to whole sets.
func (p *problem) preemptable(v *victim) bool {
	return p.permitted(v) && (!p.Surplus || p.mayBeSurplus(v))
}

// permitted is preemptable regardless of the gang.
func (p *problem) permitted(v *victim) bool {
	return v.ownPriority() <= p.leaves[v.leaf].limit && (queues.ID(v.leaf) != p.Leaf || v.ask.App() != p.Ask.App()) && (p.Spared == nil || !p.Spared(v.ask))
}

// guardBinds reports whether a guard forbids even a single victim of a leaf and a class.
func (p *problem) guardBinds(leaf int32, c class.Class) bool {
	if !p.leaves[leaf].tight {
		return false
	}
	for _, i := range p.refsOf(leaf) {
		if g := &p.guards[i]; g.takes(c) > max(g.slack, 0) {
			return true
		}
	}
	return false
}

// refsOf lists the guards that apply to the allocations of a leaf.
func (p *problem) refsOf(leaf int32) []int32 {
	t := &p.leaves[leaf]
	return p.refs[t.from:t.to]
}

// lawful reports whether the problem permits a set of victims and the set is enough.
func (p *problem) lawful(s *nodeView, victims []victim) bool {
	for i := range victims {
		if !p.preemptable(&victims[i]) {
			return false
		}
	}
	return p.guardsAllow(victims) && p.enough(s, victims)
}

// guardsAllow reports whether a set of victims stays within the slack of every guard (laws 2, 5 and 12).
func (p *problem) guardsAllow(victims []victim) bool {
	if len(victims) > 16 {
		return p.guardsAllowMany(victims)
	}
	for i := range victims {
		for _, g := range p.refsOf(victims[i].leaf) {
			if freed := p.takenFromGuard(g, victims); freed > 0 && freed > p.guards[g].slack {
				return false
			}
		}
	}
	return true
}

// guardsAllowMany is guardsAllow for many victims: it takes time linear in their number.
func (p *problem) guardsAllowMany(victims []victim) bool {
	sums := make([]int64, len(p.guards))
	for i := range victims {
		for _, g := range p.refsOf(victims[i].leaf) {
			sums[g] = resource.Add(sums[g], p.guards[g].takes(victims[i].class))
		}
	}
	for g, freed := range sums {
		if freed > 0 && freed > p.guards[g].slack {
			return false
		}
	}
	return true
}

// takenFromGuard sums how much of a guard's slack a set of victims uses.
func (p *problem) takenFromGuard(g int32, victims []victim) int64 {
	sum := int64(0)
	for i := range victims {
		if slices.Contains(p.refsOf(victims[i].leaf), g) {
			sum = resource.Add(sum, p.guards[g].takes(victims[i].class))
		}
	}
	return sum
}

// enough reports whether the ask fits a node and every max on its path once a set of victims has left.
func (p *problem) enough(s *nodeView, victims []victim) bool {
	for need := range p.Ask.Class().PlainNeeds().All {
		room := s.room[need.Lane]
		for i := range victims {
			if s.has(&victims[i]) {
				room = resource.Add(room, victims[i].class.Demand().At(need.Lane))
			}
		}
		if room < need.Min {
			return false
		}
	}
	for _, l := range p.overMax {
		freed := int64(0)
		for i := range victims {
			if p.leaves[victims[i].leaf].meets <= l.meets {
				freed = resource.Add(freed, victims[i].class.Demand().At(l.lane))
			}
		}
		if freed < l.amount {
			return false
		}
	}
	return true
}
