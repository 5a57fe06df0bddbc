package victim

import (
	"cmp"
	"math"
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// sum bounds what some groups can free of a need: all victims together, and any single victim (of a gang, on average).
type sum struct{ all, most int64 }

// bounds are upper bounds of a set's harm.
type bounds struct {
	originators, optedOuts, lasting, ended, victims int
	top                                             int64
}

func unbounded() bounds {
	return bounds{originators: math.MaxInt32, optedOuts: math.MaxInt32, lasting: math.MaxInt32, ended: math.MaxInt32, victims: math.MaxInt32, top: math.MaxInt64}
}

// feasible reports whether a set within bounds exists. It tries the groups that free most first, with as many victims as permitted.
func (v *solver) feasible(b bounds) bool {
	v.begin(b, func(x, y *group) int {
		for i := range x.frees {
			if c := cmp.Compare(y.frees[i], x.frees[i]); c != 0 {
				return c
			}
		}
		return 0
	})
	return v.complete(0)
}

// begin prepares a search: it sorts the groups within bounds, and resets the choice and the amounts to be freed.
func (v *solver) begin(b bounds, compare func(x, y *group) int) {
	v.bounds = b
	v.order = v.order[:0]
	for i := range v.groups {
		k := &v.groups[i]
		if k.prio <= b.top && (b.originators > 0 || k.protect&originator == 0) && (b.optedOuts > 0 || k.protect&optedOut == 0) && k.lasting <= b.lasting {
			v.order = append(v.order, i)
		}
	}
	slices.SortStableFunc(v.order, func(x, y int) int { return compare(&v.groups[x], &v.groups[y]) })
	v.left = v.left[:0]
	for _, n := range v.needs {
		v.left = append(v.left, n.amount)
	}
	v.slack, v.saved = append(v.slack[:0], v.caps...), v.saved[:0]
	v.chosen = append(v.chosen[:0], make([]int, len(v.groups))...)
	v.sumUp()
}

// sumUp computes for each position how much the groups from there on can free.
func (v *solver) sumUp() {
	n := len(v.needs)
	v.rest = append(v.rest[:0], make([]sum, (len(v.order)+1)*n)...)
	for i := len(v.order) - 1; i >= 0; i-- {
		k := &v.groups[v.order[i]]
		for j := range n {
			after := v.rest[(i+1)*n+j]
			each := k.frees[j]
			if size := int64(k.size()); size > 1 {
				each = each/size + 1
			}
			v.rest[i*n+j] = sum{resource.Add(after.all, saturatingMul(k.frees[j], k.choices())), max(after.most, each)}
		}
	}
}

// outOfReach reports whether the groups from a position on cannot free the amounts that are left.
func (v *solver) outOfReach(i int) bool {
	n := len(v.needs)
	for j, left := range v.left {
		if r := &v.rest[i*n+j]; left > 0 && (left > r.all || left > saturatingMul(r.most, v.bounds.victims)) {
			return true
		}
	}
	return false
}

func (v *solver) met() bool {
	for _, left := range v.left {
		if left > 0 {
			return false
		}
	}
	return true
}

// complete searches the groups from a position on for any set that meets all needs.
func (v *solver) complete(i int) bool {
	v.steps++
	if v.met() {
		return true
	}
	if i == len(v.order) || v.steps >= v.limit || v.outOfReach(i) {
		return false
	}
	k, before := v.order[i], v.save()
	for n := v.most(k); n >= 0; n-- {
		v.choose(k, n)
		found := v.complete(i + 1)
		v.restore(before, k)
		if found {
			return true
		}
	}
	v.saved = v.saved[:before.at]
	return false
}

// most returns how many choices of a group the bounds and caps permit.
func (v *solver) most(i int) int {
	k := &v.groups[i]
	n := min(k.choices(), v.bounds.victims/k.size())
	if k.originators > 0 {
		n = min(n, v.bounds.originators/k.originators)
	}
	if k.optedOuts > 0 {
		n = min(n, v.bounds.optedOuts/k.optedOuts)
	}
	if k.ended > 0 {
		n = min(n, v.bounds.ended/k.ended)
	}
	if k.lasting > 0 {
		n = min(n, v.bounds.lasting/k.lasting)
	}
	for j, takes := range k.takes {
		if takes > 0 {
			n = min(n, int(min(max(v.slack[j], 0)/takes, math.MaxInt32)))
		}
	}
	return n
}

// savepoint is a state of the search that restore returns to.
type savepoint struct {
	at     int // in saved
	bounds bounds
}

func (v *solver) save() savepoint {
	at := len(v.saved)
	v.saved = append(append(v.saved, v.left...), v.slack...)
	return savepoint{at, v.bounds}
}

// restore undoes the choices of one group since a savepoint.
func (v *solver) restore(to savepoint, group int) {
	v.bounds, v.chosen[group] = to.bounds, 0
	n := copy(v.left, v.saved[to.at:])
	copy(v.slack, v.saved[to.at+n:])
}

// choose adds n choices of a group to the set.
func (v *solver) choose(i, n int) {
	k := &v.groups[i]
	v.chosen[i] += n
	for j := range v.left {
		v.left[j] = resource.Sub(v.left[j], saturatingMul(k.frees[j], n))
	}
	for j := range v.slack {
		v.slack[j] = resource.Sub(v.slack[j], saturatingMul(k.takes[j], n))
	}
	v.bounds.victims -= n * k.size()
	v.bounds.originators -= n * k.originators
	v.bounds.optedOuts -= n * k.optedOuts
	v.bounds.lasting -= n * k.lasting
	v.bounds.ended -= n * k.ended
}
