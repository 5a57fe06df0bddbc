package quota

import (
	"cmp"
	"math"

	"github.com/quern-project/quern/core/internal/app"
)

// Ways in which an allocation is protected: those of a higher one go later.
const (
	placeholder = iota
	ordinary
	optedOut
	originator
)

func protection(v *app.Ask) uint64 {
	switch {
	case v.Originator:
		return originator
	case v.NotPreemptable:
		return optedOut
	case v.IsPlaceholder():
		return placeholder
	}
	return ordinary
}

// candidate is an allocation with what orders it, so that the heap need not look at the allocation.
type candidate struct {
	rank   uint64 // protection, then priority: the lower goes first
	placed uint64 // the later goes first
	ask    *app.Ask
}

func candidateOf(v *app.Ask) candidate {
	return candidate{rank: protection(v)<<32 | uint64(int64(v.Priority)-math.MinInt32), placed: v.Placed, ask: v}
}

// compare puts first what is given first.
func compare(a, b candidate) int {
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.placed, a.placed))
}

func (c candidate) before(other candidate) bool {
	return c.rank < other.rank || c.rank == other.rank && c.placed > other.placed
}
