// Package index keeps entries in a total order and finds the first one that passes a bound, skipping whole subtrees.
//
// It is a B+-tree in which every entry carries a row of lanes beside its key: int64s of which each subtree knows the
// largest, and words of which each subtree knows the union of bits. A search asks for the first entry, in key order,
// whose lanes reach what is needed; subtrees whose maxima do not are never entered. Applications and groups of
// asks stand in it with their negated demand as lanes; nodes, with their free room, and children of queues do so where their
// tournaments do not find the first that passes. So "fits" is the same test for all.
//
// An entry is named by a slot that its owner hands out: a small number, re-used by the owner when the entry is gone.
// Nothing here locks, and nothing is allocated once the tree has reached its size.
package index

import (
	"math"
	"slices"
)

// fanout bounds the entries of a block: few enough that summing a block stays cheap, many enough that 10,000 entries
// are four levels deep at most (BenchmarkMove).
const fanout = 16

// Index is an ordered set of slots; make one with New.
type Index struct {
	keyLen int
	lanes  int
	words  int
	width  int // of a row: key, lanes, words
	n      int
	root   *block
	where  []*block // leaf block of each slot; nil when absent
	spare  []*block
	moved  []int64 // scratch for moving a row
}

// block is a leaf or an inner node of the tree. Row i belongs to ids[i] or kids[i]: the key (of a kid: a lower bound of
// the keys below it), the lanes, the words. One slice holds all rows, so that moving one is one copy.
type block struct {
	parent *block
	ids    []int32  // slots, in a leaf
	kids   []*block // in an inner block, which has no ids
	rows   []int64
	sum    []int64 // lanes and words over all rows: what the parent's row says of this block
}

// New makes an empty index whose keys have keyLen int64s, at least two, compared in turn, and whose entries have so many lanes and
// words. No two entries may have equal keys.
func New(keyLen, lanes, words int) *Index {
	x := &Index{keyLen: keyLen, lanes: lanes, words: words, width: keyLen + lanes + words}
	x.root = x.newBlock()
	x.moved = make([]int64, x.width)
	return x
}

// Len is the number of entries.
func (x *Index) Len() int { return x.n }

// Has reports whether the slot is in the index.
func (x *Index) Has(slot int32) bool { return int(slot) < len(x.where) && x.where[slot] != nil }

// Summary returns the largest value of each lane over all entries, the smallest int64 when there are none, and then the
// bits that any entry has, word by word. The slice is the index's own.
func (x *Index) Summary() []int64 { return x.root.sum }

// Key returns the key of a slot that is in the index. The slice is the index's own.
func (x *Index) Key(slot int32) []int64 {
	b := x.where[slot]
	return x.key(b, b.find(slot))
}

// Put inserts the slot, or gives it a new key and new lanes and words; data holds the lanes, then the words. The
// arguments are copied.
func (x *Index) Put(slot int32, key, data []int64) {
	if x.Has(slot) {
		b := x.where[slot]
		if x.n == 1 {
			x.setOnly(b, key, data)
			return
		}
		i := b.find(slot)
		if j, ok := x.moveWithin(b, i, key); ok {
			x.set(b, j, data)
			return
		}
		x.remove(b, i, slot)
	}
	x.insert(slot, key, data)
}

// setOnly is Put for the only entry: it is the sum, too. Applications of one class, and leaves with one application
// that waits, are common.
func (x *Index) setOnly(b *block, key, data []int64) {
	copy(b.rows, key)
	for ; b != nil; b = b.parent {
		copy(b.rows[x.keyLen:x.width], data)
		copy(b.sum, data)
	}
}

// Remove takes the slot out; it must be in the index.
func (x *Index) Remove(slot int32) {
	b := x.where[slot]
	x.remove(b, b.find(slot), slot)
}

func (x *Index) remove(b *block, i int, slot int32) {
	x.where[slot] = nil
	x.n--
	copy(b.ids[i:], b.ids[i+1:])
	b.ids = b.ids[:len(b.ids)-1]
	x.dropRow(b, i)
}

// moveWithin gives entry i of a leaf another key and moves it to its place, if that is in the same block: between
// others of the block, or beyond them but no farther from the neighbouring blocks than the entry was.
func (x *Index) moveWithin(b *block, i int, key []int64) (j int, ok bool) {
	way := compare(key, x.key(b, i))
	if way == 0 {
		return i, true
	}
	j = x.search(b, key)
	if way > 0 {
		j--
	}
	if b != x.root && (way > 0 && j == len(b.ids)-1 || way < 0 && j == 0) {
		return 0, false
	}
	if j != i {
		id, w := b.ids[i], x.width
		copy(x.moved, b.rows[i*w:(i+1)*w])
		if i < j {
			copy(b.ids[i:j], b.ids[i+1:])
			copy(b.rows[i*w:j*w], b.rows[(i+1)*w:])
		} else {
			copy(b.ids[j+1:i+1], b.ids[j:])
			copy(b.rows[(j+1)*w:(i+1)*w], b.rows[j*w:])
		}
		b.ids[j] = id
		copy(b.rows[j*w:], x.moved)
	}
	copy(b.rows[j*x.width:], key)
	return j, true
}

func (b *block) find(slot int32) int {
	if i := slices.Index(b.ids, slot); i >= 0 {
		return i
	}
	panic("index: a slot is not in the block it is filed under")
}

func (b *block) findKid(kid *block) int {
	if i := slices.Index(b.kids, kid); i >= 0 {
		return i
	}
	panic("index: a block is not among its parent's")
}

func (b *block) len() int { return max(len(b.ids), len(b.kids)) }

func (x *Index) key(b *block, i int) []int64 { return b.rows[i*x.width : i*x.width+x.keyLen] }

func (x *Index) data(b *block, i int) []int64 { return b.rows[i*x.width+x.keyLen : (i+1)*x.width] }

func compare(a, b []int64) int {
	for i, v := range a {
		if w := b[i]; v != w {
			if v < w {
				return -1
			}
			return 1
		}
	}
	return 0
}

func (x *Index) newBlock() *block {
	if n := len(x.spare); n > 0 {
		b := x.spare[n-1]
		x.spare = x.spare[:n-1]
		x.clearSum(b)
		return b
	}
	b := &block{sum: make([]int64, x.lanes+x.words)}
	x.clearSum(b)
	return b
}

func (x *Index) recycle(b *block) {
	b.parent = nil
	b.ids, b.rows = b.ids[:0], b.rows[:0]
	clear(b.kids)
	b.kids = b.kids[:0]
	x.spare = append(x.spare, b)
}

func (x *Index) clearSum(b *block) {
	for j := range x.lanes {
		b.sum[j] = math.MinInt64
	}
	clear(b.sum[x.lanes:])
}
