package quota

import (
	"cmp"
	"math"

	"github.com/quern-project/quern/core/internal/app"
)

// Levels of protection. Allocations with a higher level become victims later.
const (
	placeholder = iota
	ordinary
	optedOut
	originator
)

func protection(v app.Ask) uint64 {
	switch {
	case v.Originator():
		return originator
	case v.NotPreemptable():
		return optedOut
	case v.IsPlaceholder():
		return placeholder
	}
	return ordinary
}

// candidate is an allocation with its sort keys, so that the heap does not read the allocation.
type candidate struct {
	rank   uint64 // protection, then priority; lower ones become victims first
	placed uint64 // order of allocation; later ones become victims first
	ask    app.Ask
}

func candidateOf(v app.Ask) candidate {
	return candidate{rank: protection(v)<<32 | uint64(int64(v.Priority())-math.MinInt32), placed: v.Placed(), ask: v}
}

// compare orders candidates as they become victims.
func compare(a, b candidate) int {
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.placed, a.placed))
}

func (c candidate) before(other candidate) bool {
	return c.rank < other.rank || c.rank == other.rank && c.placed > other.placed
}
