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
func (v *solver) prepare(p *problem, s *stand, need []amount) {
	v.p, v.stand, v.need = p, s, need
	v.free, v.caps, v.ids = v.free[:0], v.caps[:0], v.ids[:0]
	for i := range s.rows {
		if r := &s.rows[i]; p.falls(r) && !p.guarded(r.leaf, r.class) {
			v.free = append(v.free, *r)
		}
	}
}

// group sorts them by kind.
func (v *solver) group() {
	v.kinds = v.kinds[:0]
	for i := range v.free {
		v.sort(&v.free[i])
	}
}

// findCaps lists the guards that would be taken more from than they let go if all victims of the node went. The others
// cannot matter here, and victims that differ in nothing else are of one kind.
func (v *solver) findCaps() {
	var sums []int64
	rows := v.free
	for i := range rows {
		for _, g := range v.p.refsOf(rows[i].leaf) {
			takes := rows[i].class.Demand[v.p.guards[g].lane]
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
func (v *solver) sort(r *row) {
	k := v.newKind(r)
	for i := range v.kinds {
		if x := &v.kinds[i]; x.like(k) && x.rows[0].class == r.class && slices.Equal(x.rows[0].ranks, r.ranks) {
			x.rows = append(x.rows, *r)
			return
		}
	}
	k.rows = append(k.rows, *r)
	v.kinds = v.kinds[:len(v.kinds)+1]
}

// newKind makes the kind of a victim, just behind those that there are. What kinds of former nodes held is used again.
func (v *solver) newKind(r *row) *kind {
	n := len(v.kinds)
	if n == cap(v.kinds) {
		v.kinds = slices.Grow(v.kinds, 1)
	}
	k := &v.kinds[:n+1][n]
	*k = kind{rows: k.rows[:0], frees: k.frees[:0], takes: k.takes[:0], protect: r.protect, prio: r.prio}
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
func (k *kind) like(x *kind) bool {
	return k.protect == x.protect && k.prio == x.prio && slices.Equal(k.frees, x.frees) && slices.Equal(k.takes, x.takes)
}
