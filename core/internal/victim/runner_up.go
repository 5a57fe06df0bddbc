package victim

import (
	"slices"

	"github.com/quern-project/quern/core/internal/resumable"
)

// Criterion is what distinguishes two sets, in the order in which sets are compared.
type Criterion uint8

// The criteria.
const (
	Originators Criterion = iota
	OptedOuts
	TopPriority
	Rank // of a victim.rank policy
	Number
	Priorities
	Excess
	Age
)

// DecidedBy is the criterion by which a set does less harm than another.
func (a *Set) DecidedBy(b *Set) Criterion {
	x, y := &a.harm, &b.harm
	differ := []bool{
		x.originators != y.originators, x.optedOuts != y.optedOuts, x.top != y.top,
		slices.CompareFunc(x.ranks, y.ranks, slices.Compare[[]int64]) != 0, len(a.victims) != len(b.victims),
		!slices.Equal(x.prios, y.prios), !slices.Equal(x.excess, y.excess),
	}
	if i := slices.Index(differ, true); i >= 0 {
		return Criterion(i)
	}
	return Age
}

// RunnerUp finds the best lawful set on any other node than that of the best set, or nil. It bounds every node, whatever is remembered,
// and remembers nothing.
func (f *Finder) RunnerUp(q *Question, first *Set) *Set {
	if q.byNode() {
		return nil
	}
	p, s := &problem{}, &search{}
	f.begin(p, q, resumable.Unlimited())
	s.reset(len(f.views))
	for slot := range s.candidates {
		var c candidate
		if int32(slot) == first.Node.Slot {
			c.state = infeasible
		} else {
			f.lowerBound(p, int32(slot), &c)
		}
		s.put(int32(slot), &c)
	}
	set, _ := f.choose(p, s)
	return set
}
