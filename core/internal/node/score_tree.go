package node

import (
	"math"

	"github.com/quern-project/quern/core/internal/index"
)

// scoreTree files the open entries of a tournament by score, then position, for the searches that would have to look at
// too many blocks: where all the nodes that score best are too full. It is built once searches have looked at so many
// blocks that it would have paid. From then on it follows what changed when it is searched.
type scoreTree struct {
	index   *index.Index // nil: not built
	read    reader
	spent   int // blocks that searches without the tree have looked at beyond shortSearch each
	skip    int // searches that ask the tree at once, since others have failed lately
	skipped int // as many as skip was last
	key     [2]int64
}

const (
	// shortSearch is how many blocks a search may look at, at about the cost of a search of the tree.
	shortSearch = 24
	// filing is how many blocks can be looked at in the time that it takes to file one entry in the tree.
	filing = 2
	// longestSkip bounds for how many searches the tree is asked at once.
	longestSkip = 1024
)

// budget is how many blocks a search may look at before the tree is asked, as many as could be looked at while
// the tree is brought up to date.
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

// judge learns from a search that has looked at some blocks. Where searches fail, the next ones ask the tree at once, twice
// as many each time.
func (x *scoreTree) judge(looked int, done bool) {
	x.spent += max(0, looked-shortSearch)
	if done {
		x.skipped /= 2
		return
	}
	x.skip = min(2*x.skipped+4, longestSkip)
	x.skipped = x.skip
}

// first searches a tournament by the tree.
func (x *scoreTree) first(t *tournament, needs []index.Need, accept func(slot int32) bool) int32 {
	x.skip--
	x.sync(t)
	if accept == nil {
		return x.index.FirstReaching(needs)
	}
	fits := func(room []int64) bool {
		for _, need := range needs {
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

// file brings one entry up to date.
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
