package app

import (
	"math"
	"slices"

	"github.com/quern-project/quern/core/internal/demandrow"
)

// passedRows is where the next search of a leaf's order can begin. While only asks are allocated, an application that did not pass a search
// passes no later one unless it is filed again. In a long cycle the first applications often have only asks that fit nowhere (workload fill-mixed).
type passedRows struct {
	known  bool
	extent demandrow.Extent // of the search that found key
	key    []int64          // no application with a smaller key passes a search within the extent
	slot   int32            // of the application that the last search has found, which often passes again
}

// filed accounts for a new or changed entry.
func (p *passedRows) filed(key []int64) {
	if p.known && slices.Compare(key, p.key) < 0 {
		copy(p.key, key)
	}
}

// end records that no application passes.
func (p *passedRows) end() {
	for i := range p.key {
		p.key[i] = math.MaxInt64
	}
}

// VisitAll makes the next search of the leaf begin at its first application.
func (l *leaf) VisitAll() { l.passed.known = false }
