package preempt

import (
	"math"
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// times is an amount n times, at most the largest there is.
func times(amount int64, n int) int64 {
	if amount > 0 && int64(n) > math.MaxInt64/amount {
		return math.MaxInt64
	}
	return amount * int64(n)
}

// prepare takes in a node: what has to become free, and who may go as far as each alone is concerned.
func (v *solver) prepare(p *problem, s *nodeView, need []shortfall) {
	v.p, v.nodeView, v.need = p, s, need
	v.free, v.caps, v.ids = v.free[:0], v.caps[:0], v.ids[:0]
	for i := range s.victims {
		if r := &s.victims[i]; p.preemptable(r) && !p.guardBinds(r.leaf, r.class) {
			v.free = append(v.free, *r)
		}
	}
}

// group sorts them by kind.
func (v *solver) group() {
	v.groups = v.groups[:0]
	for i := range v.free {
		v.sort(&v.free[i])
	}
}

// findCaps lists the guards that would be taken more from than they let go if all victims of the node went. The others
// cannot matter here, and victims that differ in nothing else are of one kind.
func (v *solver) findCaps() {
	var sums []int64
	victims := v.free
	for i := range victims {
		for _, g := range v.p.refsOf(victims[i].leaf) {
			takes := victims[i].class.Demand[v.p.guards[g].lane]
			if takes == 0 {
				continue
			}
			j := slices.Index(v.ids, g)
			if j < 0 {
				j = len(v.ids)
				v.ids, sums = append(v.ids, g), append(sums, 0)
			}
			sums[j] = resource.Add(sums[j], takes)
		}
	}
	ids := v.ids[:0]
	for j, g := range v.ids {
		if slack := v.p.guards[g].slack; sums[j] > slack {
			ids, v.caps = append(ids, g), append(v.caps, slack)
		}
	}
	v.ids = ids
}

// sort puts a victim with its kind.
func (v *solver) sort(r *victim) {
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

// newKind makes the kind of a victim, just behind those that there are. What kinds of former nodes held is used again.
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
	for i := range v.need {
		k.frees = append(k.frees, v.p.frees(r.leaf, r.class, &v.need[i]))
	}
	refs := v.p.refsOf(r.leaf)
	for _, g := range v.ids {
		takes := int64(0)
		if slices.Contains(refs, g) {
			takes = r.class.Demand[v.p.guards[g].lane]
		}
		k.takes = append(k.takes, takes)
	}
	return k
}

// like reports whether two kinds count alike.
func (k *group) like(x *group) bool {
	return k.protect == x.protect && k.prio == x.prio && slices.Equal(k.frees, x.frees) && slices.Equal(k.takes, x.takes)
}
