package node

import (
	"math"

	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/readonly"
)

// scoreTree holds the open entries of a tournament by score, then position, for searches that would visit too many blocks because the
// nodes with the best scores are too full. It is built once long searches have cost more than building it. From then on, each search
// of the tree first follows the changes.
type scoreTree struct {
	index   *index.Index // nil until built
	read    reader
	spent   int // sum of the blocks that searches without the tree visited beyond shortSearch
	skip    int // number of next searches that use the tree at once, since branch and bound has failed lately
	skipped int // the last value that skip was set to
	key     [2]int64
}

const (
	// shortSearch is the number of blocks whose visits cost about as much as a search of the tree.
	shortSearch = 24
	// filing is the number of blocks whose visits cost as much as filing one entry in the tree.
	filing = 2
	// longestSkip bounds skip.
	longestSkip = 1024
)

// budget returns the number of blocks that a search may visit before the tree is used: those whose visits cost as much as updating and
// searching the tree.
func (x *scoreTree) budget(t *tournament) int {
	switch {
	case x.index != nil:
		return shortSearch + filing*t.changes.unread(&x.read, t.count)
	case x.spent < filing*t.count:
		return math.MaxInt
	default:
		return shortSearch
	}
}

// adapt adjusts to the cost of a search that visited some blocks. If searches exceed their budget, the next ones use the tree at
// once, twice as many each time.
func (x *scoreTree) adapt(visited int, done bool) {
	x.spent += max(0, visited-shortSearch)
	if done {
		x.skipped /= 2
		return
	}
	x.skip = min(2*x.skipped+4, longestSkip)
	x.skipped = x.skip
}

// first searches the tree for the first entry with enough room.
func (x *scoreTree) first(t *tournament, needs readonly.List[index.Need], accept func(slot int32) bool) int32 {
	x.skip--
	x.sync(t)
	if accept == nil {
		return x.index.FirstReaching(needs)
	}
	fits := func(room []int64) bool {
		for need := range needs.All {
			if room[need.Lane] < need.Min {
				return false
			}
		}
		return true
	}
	return x.index.First(fits, func(position int32) bool { return accept(t.nodes[position]) })
}

// sync brings the tree up to date.
func (x *scoreTree) sync(t *tournament) {
	positions, all := t.changes.since(&x.read)
	if all {
		x.index = index.New(2, t.free.width, 0)
		for position := range t.nodes {
			x.file(t, int32(position))
		}
	}
	for _, position := range positions {
		x.file(t, position)
	}
}

// file updates one entry.
func (x *scoreTree) file(t *tournament, position int32) {
	score := t.scores.at(position)
	if score == closed {
		if x.index.Has(position) {
			x.index.Remove(position)
		}
		return
	}
	x.key = [2]int64{-score, int64(position)}
	x.index.Put(position, x.key[:], t.free.of(t.nodes[position]))
}
