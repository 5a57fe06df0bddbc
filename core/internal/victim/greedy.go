package victim

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/quern-project/quern/core/resource"
)

// greedy chooses a set on a node that is too large to be searched through. From the least protected victims and the lowest
// priorities it takes as few levels as can be enough, and among these, need by need, the largest first; then it drops those
// that are not needed, worst first.
//
// Where no guard binds, the set has no protected victim if the others are enough together, its top priority is as low as
// possible, and it has at most the least number of victims times the number of needs.
func (v *solver) greedy() {
	levels := slices.Clone(v.groups)
	sort.SliceStable(levels, func(i, j int) bool {
		a, b := &levels[i], &levels[j]
		return cmp.Or(cmp.Compare(a.protect, b.protect), cmp.Compare(a.prio, b.prio)) < 0
	})
	v.groups = levels
	for n := 1; n <= len(levels); n++ {
		if n < len(levels) && levels[n].protect == levels[n-1].protect && levels[n].prio == levels[n-1].prio {
			continue // the level is not whole yet
		}
		if v.takeGreedily(n) {
			v.dropNeedless()
			v.consider()
			return
		}
	}
}

// takeGreedily takes victims of the first n groups until all needs are met.
func (v *solver) takeGreedily(n int) bool {
	v.begin(bounds{1 << 30, 1 << 30, 1 << 30, math.MaxInt64}, func(*group, *group) int { return 0 })
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	for j := range v.left {
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(v.groups[b].frees[j], v.groups[a].frees[j])
		})
		for _, k := range order {
			for v.left[j] > 0 && v.groups[k].frees[j] > 0 && v.chosen[k] < len(v.groups[k].victims) && v.lets(k) {
				v.take(k, 1)
			}
		}
	}
	return v.met()
}

// lets reports whether the caps let one more of a group go.
func (v *solver) lets(k int) bool {
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
			freed = resource.Add(freed, times(v.groups[k].frees[j], count))
		}
		if freed < n.amount {
			return false
		}
	}
	return true
}

// dropNeedless drops victims that are not needed, the most protected and highest priorities first.
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
