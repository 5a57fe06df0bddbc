package victim

import (
	"cmp"
	"slices"
	"sort"

	"github.com/quern-project/quern/core/resource"
)

// greedy chooses a set on a node that is too large for an exact search. It adds levels of equal protection, elasticity and priority, from the
// least harm, until the victims are enough. Among these it takes, need by need, the victims that free most. Then it drops
// unnecessary victims, from the most harmful.
//
// If no guard binds, three things are guaranteed: the set has a protected victim only if all others together are not enough; its top
// priority is as low as possible; and it has at most the least number of victims times the number of needs.
func (v *solver) greedy() {
	levels := slices.Clone(v.groups)
	sort.SliceStable(levels, func(i, j int) bool {
		a, b := &levels[i], &levels[j]
		return cmp.Or(cmp.Compare(a.protect, b.protect), cmp.Compare(a.lasting, b.lasting), cmp.Compare(a.prio, b.prio)) < 0
	})
	v.groups = levels
	for n := 1; n <= len(levels); n++ {
		if n < len(levels) && levels[n].protect == levels[n-1].protect && levels[n].lasting == levels[n-1].lasting && levels[n].prio == levels[n-1].prio {
			continue // the level has more groups
		}
		if v.chooseGreedily(n) {
			v.dropNeedless()
			v.consider()
			return
		}
	}
}

// chooseGreedily chooses victims of the first n groups until all needs are met, and reports whether they are.
func (v *solver) chooseGreedily(n int) bool {
	v.begin(unbounded(), func(*group, *group) int { return 0 })
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	for j := range v.left {
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(v.groups[b].frees[j], v.groups[a].frees[j])
		})
		for _, k := range order {
			for v.left[j] > 0 && v.groups[k].frees[j] > 0 && v.chosen[k] < v.groups[k].choices() && v.capsAllow(k) {
				v.choose(k, 1)
			}
		}
	}
	return v.met()
}

// capsAllow reports whether the caps permit one more victim of a group.
func (v *solver) capsAllow(k int) bool {
	for j, takes := range v.groups[k].takes {
		if takes > v.slack[j] {
			return false
		}
	}
	return true
}

// enough reports whether the chosen victims meet all needs.
func (v *solver) enough() bool {
	for j, n := range v.needs {
		freed := int64(0)
		for k, count := range v.chosen {
			freed = resource.Add(freed, saturatingMul(v.groups[k].frees[j], count))
		}
		if freed < n.amount {
			return false
		}
	}
	return true
}

// dropNeedless drops unnecessary victims, the most protected and highest priorities first.
func (v *solver) dropNeedless() {
	for k := len(v.groups) - 1; k >= 0; k-- {
		for v.chosen[k] > 0 {
			v.chosen[k]--
			if !v.enough() {
				v.chosen[k]++
				break
			}
		}
	}
}
