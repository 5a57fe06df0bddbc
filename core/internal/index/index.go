// Package index keeps entries in a total order, and finds the first entry that passes a bound, skipping whole subtrees.
//
// It is a B+-tree. Each entry has a key and a row of lanes and words. Each subtree has the maximum of each lane and the union of the
// bits of each word. A search returns the first entry, in key order, that passes, and does not enter subtrees that do not pass.
// Applications and groups of asks are entries with their negated demand as lanes. Nodes, with their free room, and children of queues
// are entries of indexes that are used when a tournament does not find the first one that passes. So all use the same test for fitting.
//
// An entry is identified by a slot, a small number that its owner assigns and may reuse after removal. The package does not lock. It
// does not allocate memory once the tree has reached its size.
package index

import (
	"math"
	"slices"
)

// fanout is the maximum number of entries of a block. It is small enough that summing a block is cheap, and large enough that 10,000
// entries need at most four levels (BenchmarkMove).
const fanout = 24

// Index is an ordered set of slots. Create one with New.
type Index struct {
	keyLen int
	lanes  int
	words  int
	width  int // of a row: key, lanes, words
	n      int
	root   *block
	where  []*block // by slot: its leaf block, or nil
	spare  []*block
	moved  []int64 // scratch for moving a row
	raised *block  // its sum has grown since those of its ancestors were written, or nil
}

// block is a leaf or an inner node of the tree. Row i belongs to ids[i] or kids[i]. It has the key (of a kid, a lower bound of the keys
// in it), the lanes and the words. One slice holds all rows, so that moving a row is one copy.
type block struct {
	parent *block
	ids    []int32  // slots, in a leaf; they are in own
	kids   []*block // children, in an inner block
	rows   []int64
	sum    []int64 // lanes and words over all rows; equal to the parent's row of this block
	own    [fanout + 1]int32
}

// New makes an empty index. Keys have keyLen numbers, at least two, which are compared in turn. Entries have the given numbers of lanes
// and words. No two entries may have equal keys.
func New(keyLen, lanes, words int) *Index {
	x := &Index{keyLen: keyLen, lanes: lanes, words: words, width: keyLen + lanes + words}
	x.root = x.newBlock()
	x.moved = make([]int64, x.width)
	return x
}

// Len returns the number of entries.
func (x *Index) Len() int { return x.n }

// Has reports whether the slot is in the index.
func (x *Index) Has(slot int32) bool { return int(slot) < len(x.where) && x.where[slot] != nil }

// Summary returns the maximum of each lane over all entries, or math.MinInt64 if there are none, and then the union of each word. The
// slice belongs to the index and must not be modified.
func (x *Index) Summary() []int64 {
	x.raiseAbove()
	return x.root.sum
}

// Key returns the key of a slot, which must be in the index. The slice belongs to the index and must not be modified.
func (x *Index) Key(slot int32) []int64 {
	b := x.where[slot]
	return x.key(b, b.find(slot))
}

// Put inserts a slot, or replaces its key, lanes and words. data holds the lanes, then the words. Put copies its arguments.
func (x *Index) Put(slot int32, key, data []int64) {
	if x.Has(slot) {
		x.raiseAbove()
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

// setOnly is Put for the only entry, whose row is also the sum. Applications with asks of one class, and leaves with one application that
// has pending asks, are common.
func (x *Index) setOnly(b *block, key, data []int64) {
	copy(b.rows, key)
	for ; b != nil; b = b.parent {
		copy(b.rows[x.keyLen:x.width], data)
		copy(b.sum, data)
	}
}

// Remove removes a slot, which must be in the index.
func (x *Index) Remove(slot int32) {
	x.raiseAbove()
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

// moveWithin changes the key of entry i of a leaf and moves the entry, if its new place is certain to be in the same block. It
// reports false, and changes nothing, if the place may be in a neighbouring block.
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
	if last := len(b.kids) - 1; last >= 0 && b.kids[last] == kid { // as when entries are added in order
		return last
	}
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
	b.ids = b.own[:0]
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
