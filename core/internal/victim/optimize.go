package victim

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// optimize finds the best set within the tightest feasible bounds. Groups are sorted by the next criterion of the comparison, worst
// first, so that a partial set that is already worse than the best one can be pruned.
func (v *solver) optimize(b bounds) {
	v.begin(b, func(x, y *group) int {
		return cmp.Or(slices.Compare(y.ranks, x.ranks), cmp.Compare(y.prio, x.prio))
	})
	v.branch(0)
}

// branch searches the groups from a position on for better sets.
func (v *solver) branch(i int) {
	v.steps++
	if v.met() {
		v.consider()
		return
	}
	if i == len(v.order) || v.steps >= v.limit || v.outOfReach(i) || v.prunable(i) {
		return
	}
	k, before := v.order[i], v.save()
	for n := range v.most(k) + 1 {
		v.choose(k, n)
		v.branch(i + 1)
		v.restore(before, k)
	}
	v.saved = v.saved[:before.at]
}

// consider makes the chosen set the best one if it does less harm.
func (v *solver) consider() {
	v.picked = v.picked[:0]
	for i, n := range v.chosen {
		v.picked = append(v.picked, v.groups[i].victims[:n*v.groups[i].size()]...)
	}
	v.p.fill(&v.try, v.view, v.picked)
	if !v.found || v.try.compare(&v.best) < 0 {
		v.found, v.fromIncumbent, v.best, v.try = true, false, v.try, v.best
	}
}

// prunable reports whether every completion of the chosen set is worse than the best set: by ranks or priorities, which are compared
// from the largest, in the order of the groups, or by the largest excess share.
func (v *solver) prunable(i int) bool {
	if !v.found || v.fromIncumbent && v.beatsIncumbent {
		return false
	}
	at := 0
	for _, k := range v.order[:i] {
		if v.groups[k].whole && v.chosen[k] > 0 {
			return false // its other members may have lower ranks or priorities than victims that follow
		}
		for range v.chosen[k] {
			c := 0
			switch x := &v.groups[k]; {
			case v.ranked && at >= len(v.best.harm.ranks):
				c = 1
			case v.ranked:
				c = slices.Compare(x.ranks, v.best.harm.ranks[at])
			case at < len(v.best.harm.prios):
				c = cmp.Compare(x.prio, v.best.harm.prios[at])
			}
			if c != 0 {
				return c > 0
			}
			at++
		}
	}
	return !v.ranked && !v.whole && v.samePrios(i, at) && v.excessBeyondBest()
}

// samePrios reports whether every completion of the chosen set has the same priorities as the best set.
func (v *solver) samePrios(i, at int) bool {
	rest := v.best.harm.prios[at:]
	return len(rest) == 0 || rest[0] == rest[len(rest)-1] && v.groups[v.order[len(v.order)-1]].prio == rest[0] && v.groups[v.order[i]].prio == rest[0]
}

// excessBeyondBest reports whether the chosen victims leave a larger excess share of some type than the best set does of any.
func (v *solver) excessBeyondBest() bool {
	if len(v.best.harm.excess) == 0 {
		return false
	}
	for t, room := range v.view.room {
		freed := int64(0)
		for i, n := range v.chosen {
			if n > 0 {
				freed = resource.Add(freed, saturatingMul(v.groups[i].victims[0].class.Demand().At(t), n))
			}
		}
		if freed > 0 && v.p.beyond(t, room, freed) > v.best.harm.excess[0] {
			return true
		}
	}
	return false
}
