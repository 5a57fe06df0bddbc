package victim

import (
	"math"
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// saturatingMul multiplies an amount by a count. The result is at most math.MaxInt64.
func saturatingMul(amount int64, n int) int64 {
	if amount > 0 && int64(n) > math.MaxInt64/amount {
		return math.MaxInt64
	}
	return amount * int64(n)
}

// prepare loads a node: its shortfalls, and the victims that the laws permit one by one.
func (v *solver) prepare(p *problem, s *nodeView, needs []shortfall) {
	v.p, v.view, v.needs = p, s, needs
	v.eligible, v.caps, v.capped = v.eligible[:0], v.caps[:0], v.capped[:0]
	for i := range s.victims {
		if r := &s.victims[i]; p.preemptable(r) && !p.guardBinds(r.leaf, r.class) {
			v.eligible = append(v.eligible, *r)
		}
	}
}

// group sorts the eligible victims into groups.
func (v *solver) group() {
	v.groups = v.groups[:0]
	for i := range v.eligible {
		v.assign(&v.eligible[i])
	}
}

// findCaps lists the guards whose slack would be exceeded if all victims of the node left. Other guards cannot bind on this node,
// so victims that differ only by them form one group.
func (v *solver) findCaps() {
	var sums []int64
	victims := v.eligible
	for i := range victims {
		for _, g := range v.p.refsOf(victims[i].leaf) {
			takes := victims[i].class.Demand().At(v.p.guards[g].lane)
			if takes == 0 {
				continue
			}
			j := slices.Index(v.capped, g)
			if j < 0 {
				j = len(v.capped)
				v.capped, sums = append(v.capped, g), append(sums, 0)
			}
			sums[j] = resource.Add(sums[j], takes)
		}
	}
	kept := v.capped[:0]
	for j, g := range v.capped {
		if slack := v.p.guards[g].slack; sums[j] > slack {
			kept, v.caps = append(kept, g), append(v.caps, slack)
		}
	}
	v.capped = kept
}

// assign puts a victim into its group.
func (v *solver) assign(r *victim) {
	k := v.newGroup(r)
	for i := range v.groups {
		if x := &v.groups[i]; x.like(k) && x.victims[0].class == r.class && slices.Equal(x.ranks, k.ranks) {
			x.victims = append(x.victims, *r)
			return
		}
	}
	k.victims = append(k.victims, *r)
	v.groups = v.groups[:len(v.groups)+1]
}

// newGroup makes a group for a victim in the memory behind the current groups, reusing that of earlier nodes.
func (v *solver) newGroup(r *victim) *group {
	n := len(v.groups)
	if n == cap(v.groups) {
		v.groups = slices.Grow(v.groups, 1)
	}
	k := &v.groups[:n+1][n]
	*k = group{victims: k.victims[:0], frees: k.frees[:0], takes: k.takes[:0], protect: r.protect, prio: r.prio}
	if v.ranked {
		k.ranks = v.p.ranks(r.ask)
	}
	for i := range v.needs {
		k.frees = append(k.frees, v.p.frees(r.leaf, r.class, &v.needs[i]))
	}
	refs := v.p.refsOf(r.leaf)
	for _, g := range v.capped {
		takes := int64(0)
		if slices.Contains(refs, g) {
			takes = r.class.Demand().At(v.p.guards[g].lane)
		}
		k.takes = append(k.takes, takes)
	}
	return k
}

// like reports whether the victims of two groups are equivalent for the search: only their classes and ranks may differ.
func (k *group) like(x *group) bool {
	return k.protect == x.protect && k.prio == x.prio && slices.Equal(k.frees, x.frees) && slices.Equal(k.takes, x.takes)
}
