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
	v.eligible, v.caps, v.capped, v.units, v.partOf, v.ofUnits = v.eligible[:0], v.caps[:0], v.capped[:0], v.units[:0], v.partOf[:0], 0
	for i := range s.victims {
		r := &s.victims[i]
		if !p.preemptable(r) || p.guardBinds(r.leaf, r.class) {
			continue
		}
		var part *unit
		if s.units {
			if part = p.unitOf(r); part != nil {
				v.indexOf(part)
				if !part.spares() {
					continue
				}
			}
		}
		v.eligible, v.partOf = append(v.eligible, *r), append(v.partOf, part)
	}
}

// group sorts the eligible victims, and the gangs that may leave as a whole, into groups.
func (v *solver) group() {
	v.groups = v.groups[:0]
	for i := range v.eligible {
		v.assign(&v.eligible[i], v.partOf[i])
	}
	for i := range v.groups {
		v.groups[i].sortByShares(v.p)
	}
	v.groupWhole()
}

// findCaps lists the guards whose slack would be exceeded if all victims of the node left. Other guards cannot bind on this node,
// so victims that differ only by them form one group.
func (v *solver) findCaps() {
	var sums []int64
	victims := v.eligible
	for _, u := range v.units {
		if u.whole {
			victims = slices.Concat(victims, u.members) // those of a surplus count twice: a cap more does no harm
		}
	}
	for i := range victims {
		for _, g := range v.p.refsOf(victims[i].leaf) {
			takes := v.p.guards[g].takes(victims[i].class)
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
	v.caps = v.caps[:v.ofUnits]
	for j, g := range v.capped {
		if slack := v.p.guards[g].slack; sums[j] > slack {
			kept, v.caps = append(kept, g), append(v.caps, slack)
		}
	}
	v.capped = kept
}

// assign puts a victim into its group. part is its innermost unit, or nil.
func (v *solver) assign(r *victim, part *unit) {
	k := v.emptyGroup()
	v.include(k, r)
	v.takeSpare(k, r, part)
	if v.p.Elastic && (part == nil || part.elastic == 0) {
		k.lasting = 1
	}
	for i := range v.groups {
		if x := &v.groups[i]; x.like(k) && x.victims[0].class == r.class && slices.Equal(x.ranks, k.ranks) {
			x.victims = append(x.victims, *r)
			return
		}
	}
	k.victims = append(k.victims, *r)
	v.groups = v.groups[:len(v.groups)+1]
}

// emptyGroup makes a group without victims in the memory behind the current groups, reusing that of earlier nodes.
func (v *solver) emptyGroup() *group {
	n := len(v.groups)
	if n == cap(v.groups) {
		v.groups = slices.Grow(v.groups, 1)
	}
	k := &v.groups[:n+1][n]
	*k = group{victims: k.victims[:0], frees: zeros(k.frees, len(v.needs)), takes: zeros(k.takes, v.ofUnits+len(v.capped)), prio: math.MinInt64}
	return k
}

// zeros makes a list of n zeros in the memory of another one.
func zeros(list []int64, n int) []int64 {
	list = slices.Grow(list[:0], n)[:n]
	clear(list)
	return list
}

// like reports whether the victims of two groups are equivalent for the search: only their classes and ranks may differ.
func (k *group) like(x *group) bool {
	return k.protect == x.protect && k.prio == x.prio && k.lasting == x.lasting && slices.Equal(k.frees, x.frees) && slices.Equal(k.takes, x.takes)
}
