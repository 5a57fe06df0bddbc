package preempt

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// pick finds the best set within bounds that no set can be within more of. Kinds come in the order of what sets compare by
// next, worst first, so that a set that has begun worse than the best so far is given up.
func (v *solver) optimize(b bounds) {
	v.begin(b, func(x, y *group) int {
		return cmp.Or(slices.Compare(y.ranks, x.ranks), cmp.Compare(y.prio, x.prio))
	})
	v.branch(0)
}

// extend looks for better sets among the kinds from a position on.
func (v *solver) branch(i int) {
	v.steps++
	if v.met() {
		v.offer()
		return
	}
	if i == len(v.order) || v.steps >= v.limit || v.outOfReach(i) || v.prunable(i) {
		return
	}
	k, before := v.order[i], v.save()
	for n := range v.most(k) + 1 {
		v.take(k, n)
		v.branch(i + 1)
		v.restore(before, k)
	}
	v.saved = v.saved[:before.at]
}

// offer compares the chosen set with the best so far.
func (v *solver) offer() {
	v.picked = v.picked[:0]
	for i, n := range v.chosen {
		v.picked = append(v.picked, v.groups[i].victims[:n]...)
	}
	v.p.fill(&v.try, v.nodeView, v.picked)
	if !v.found || v.try.compare(&v.best) < 0 {
		v.found, v.fromIncumbent, v.best, v.try = true, false, v.try, v.best
	}
}

// worse reports whether every set that begins as the chosen one is worse than the best: by ranks or priorities, which
// are listed from the largest and come in that order here, or by the share that is left in excess at most.
func (v *solver) prunable(i int) bool {
	if !v.found || v.fromIncumbent && v.beatsIncumbent {
		return false
	}
	at := 0
	for _, k := range v.order[:i] {
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
	return !v.ranked && v.samePrios(i, at) && v.excessBeyondBest()
}

// samePrios reports whether what is still to be chosen cannot but have the priorities that the best has.
func (v *solver) samePrios(i, at int) bool {
	rest := v.best.harm.prios[at:]
	return len(rest) == 0 || rest[0] == rest[len(rest)-1] && v.groups[v.order[len(v.order)-1]].prio == rest[0] && v.groups[v.order[i]].prio == rest[0]
}

// exceeds reports whether what has been chosen already leaves more in excess, of some type, than the best does of any.
func (v *solver) excessBeyondBest() bool {
	if len(v.best.harm.excess) == 0 {
		return false
	}
	for t, room := range v.nodeView.room {
		freed := int64(0)
		for i, n := range v.chosen {
			if n > 0 {
				freed = resource.Add(freed, times(v.groups[i].victims[0].class.Demand[t], n))
			}
		}
		if freed > 0 && v.p.beyond(t, room, freed) > v.best.harm.excess[0] {
			return true
		}
	}
	return false
}
