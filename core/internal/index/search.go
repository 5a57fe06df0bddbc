package index

import "math"

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
func (x *Index) FirstReaching(needs []Need) int32 {
	if !reaches(x.root.sum, needs) {
		return None
	}
	return x.firstReaching(x.root, needs)
}

func (x *Index) firstReaching(b *block, needs []Need) int32 {
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

func reaches(lanes []int64, needs []Need) bool {
	for _, n := range needs {
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
	if x.n == 0 || !pass(x.root.sum) {
		return None
	}
	return x.first(x.root, pass, accept)
}

// FirstPassing is First without accept for callers that expect the summary to pass, which it tests only if there is a single entry.
func (x *Index) FirstPassing(pass Pass) int32 {
	if x.n <= 1 {
		return x.First(pass, nil)
	}
	return x.first(x.root, pass, nil)
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
