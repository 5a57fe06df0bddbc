package index

import (
	"math"

	"github.com/quern-project/quern/core/internal/readonly"
)

const minLane int64 = math.MinInt64

// None is the result of a search if no entry passes.
const None int32 = -1

// Head returns the first entry with its lanes and words, which belong to the index, or None if the index is empty.
func (x *Index) Head() (slot int32, data []int64) {
	if x.n == 0 {
		return None, nil
	}
	b := x.root
	for len(b.kids) > 0 {
		b = b.kids[0]
	}
	return b.ids[0], x.data(b, 0)
}

// Need is a lower bound of a lane.
type Need struct {
	Lane int
	Min  int64
}

// FirstReaching returns the first entry whose lanes reach every need, or None.
func (x *Index) FirstReaching(needs readonly.List[Need]) int32 {
	if !reaches(x.Summary(), needs) {
		return None
	}
	return x.firstReaching(x.root, needs)
}

func (x *Index) firstReaching(b *block, needs readonly.List[Need]) int32 {
	for i := range b.len() {
		if !reaches(x.data(b, i), needs) {
			continue
		}
		if len(b.kids) == 0 {
			return b.ids[i]
		}
		if id := x.firstReaching(b.kids[i], needs); id != None {
			return id
		}
	}
	return None
}

func reaches(lanes []int64, needs readonly.List[Need]) bool {
	for i := range needs.Len() {
		n := needs.At(i)
		if lanes[n.Lane] < n.Min {
			return false
		}
	}
	return true
}

// Pass reports whether an entry passes, given its lanes and words, or whether a subtree may contain an entry that passes, given the
// maxima of its lanes and the unions of its words.
type Pass func(data []int64) bool

// First returns the first entry that passes and is accepted, or None. A nil accept accepts every entry.
func (x *Index) First(pass Pass, accept func(slot int32) bool) int32 {
	if x.n == 0 || !pass(x.Summary()) {
		return None
	}
	return x.first(x.root, pass, accept)
}

// Passer has a method Pass, which is called without the indirection that a method as a func value costs.
type Passer interface{ Pass(data []int64) bool }

// FirstPassing is First without accept for callers that expect the summary to pass, which it tests only if there is a single entry.
func (x *Index) FirstPassing(s Passer) int32 {
	if x.n == 0 || x.n == 1 && !s.Pass(x.root.sum) {
		return None
	}
	if x.n == 1 {
		slot, _ := x.Head()
		return slot
	}
	x.raiseAbove()
	return x.firstPassing(x.root, s)
}

func (x *Index) firstPassing(b *block, s Passer) int32 { return x.firstPassingAt(b, 0, s) }

// firstPassingAt searches a block from a row on.
func (x *Index) firstPassingAt(b *block, i int, s Passer) int32 {
	for at := i*x.width + x.keyLen; at < len(b.rows); at, i = at+x.width, i+1 {
		if !s.Pass(b.rows[at : at+x.width-x.keyLen]) {
			continue
		}
		if len(b.kids) == 0 {
			return b.ids[i]
		}
		if id := x.firstPassing(b.kids[i], s); id != None {
			return id
		}
	}
	return None
}

// FirstPassingFrom returns the first entry that passes and whose key is at least the given one, or None.
func (x *Index) FirstPassingFrom(key []int64, s Passer) int32 {
	if x.n == 0 {
		return None
	}
	x.raiseAbove()
	return x.firstPassingFrom(x.root, key, s)
}

// PassesAt reports whether a slot is in the index under a key, and passes.
func (x *Index) PassesAt(slot int32, key []int64, s Passer) bool {
	if !x.Has(slot) {
		return false
	}
	b := x.where[slot]
	i := b.find(slot)
	return compare(key, x.key(b, i)) == 0 && s.Pass(x.data(b, i))
}

func (x *Index) firstPassingFrom(b *block, key []int64, s Passer) int32 {
	i := x.search(b, key) // the row before may have the key, or contain entries from it on
	if i > 0 && len(b.kids) > 0 {
		if id := x.firstPassingFrom(b.kids[i-1], key, s); id != None {
			return id
		}
	} else if i > 0 && compare(x.key(b, i-1), key) == 0 {
		i--
	}
	return x.firstPassingAt(b, i, s)
}

func (x *Index) first(b *block, pass Pass, accept func(int32) bool) int32 {
	for i := range b.len() {
		if x.n > 1 && !pass(x.data(b, i)) {
			continue
		}
		if len(b.kids) > 0 {
			if id := x.first(b.kids[i], pass, accept); id != None {
				return id
			}
			continue
		}
		if accept == nil || accept(b.ids[i]) {
			return b.ids[i]
		}
	}
	return None
}

// Each calls yield with every slot, in order, until it returns false.
func (x *Index) Each(yield func(slot int32) bool) { each(x.root, yield) }

func each(b *block, yield func(int32) bool) bool {
	for _, id := range b.ids {
		if !yield(id) {
			return false
		}
	}
	for _, k := range b.kids {
		if !each(k, yield) {
			return false
		}
	}
	return true
}
