package victim

import (
	"slices"

	"github.com/quern-project/quern/core/internal/resumable"
)

// Criterion is a criterion of the comparison of sets. Smaller ones are compared first.
type Criterion uint8

// The criteria.
const (
	Originators Criterion = iota
	OptedOuts
	Lasting // not elastic surplus
	TopPriority
	Ended  // gangs
	Rank   // keys of a victim.rank policy
	Number // of victims
	Priorities
	Excess
	Shares // of the aged usage of leaves
	Age
)

// DecidedBy returns the first criterion by which two sets differ.
func (a *Set) DecidedBy(b *Set) Criterion {
	x, y := &a.harm, &b.harm
	differ := []bool{
		x.originators != y.originators, x.optedOuts != y.optedOuts, x.lasting != y.lasting, x.top != y.top, x.ended != y.ended,
		slices.CompareFunc(x.ranks, y.ranks, slices.Compare[[]int64]) != 0, len(a.victims) != len(b.victims),
		!slices.Equal(x.prios, y.prios), !slices.Equal(x.excess, y.excess), !slices.Equal(x.aged, y.aged),
	}
	if i := slices.Index(differ, true); i >= 0 {
		return Criterion(i)
	}
	return Age
}

// RunnerUp finds the best lawful set on the nodes other than that of the first set. It returns nil if there is none. It examines all
// nodes, and neither uses nor changes remembered searches.
func (f *Finder) RunnerUp(q *Question, first *Set) *Set {
	if q.byNode() {
		return nil
	}
	p, s := &problem{}, &search{}
	f.begin(p, q, resumable.Unlimited())
	s.reset(len(f.views))
	for slot := range s.candidates {
		var c candidate
		if int32(slot) == first.Node {
			c.state = infeasible
		} else {
			f.lowerBound(p, int32(slot), &c)
		}
		s.put(int32(slot), &c)
	}
	set, _ := f.choose(p, s)
	return set
}
