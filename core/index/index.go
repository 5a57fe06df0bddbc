// Package index keeps entries in a total order and finds the first one that reaches a bound, skipping whole subtrees.
//
// It is a B+-tree in which every entry carries a row of lanes beside its key: int64s of which each subtree knows the
// largest, and words of which each subtree knows the union of bits. A search asks for the first entry, in key order,
// whose lanes reach what is needed; subtrees whose maxima do not are never entered. Nodes use it with their free
// room as lanes; queues, applications and asks use it with their negated demand, so that "fits" is the same test.
//
// An entry is named by a slot that its owner hands out: a small number, re-used by the owner when the entry is gone.
// Nothing here locks, and nothing is allocated once the tree has reached its size.
package index

import "math"

// fanout bounds the entries of a block: few enough that re-summing a block stays cheap, many enough that 10,000
// entries are three levels deep (BenchmarkMove).
const fanout = 16

// Index is an ordered set of slots; make one with New.
type Index struct {
	keyLen int
	lanes  int
	words  int
	n      int
	root   *block
	where  []*block // leaf block of each slot; nil when absent
	spare  []*block

	// Scratch for moving rows.
	spareID  [1]int32
	spareKey []int64
	spareMax []int64
	spareOr  []uint64
}

// block is a leaf or an inner node of the tree. Row i of keys, max and union belongs to ids[i] or kids[i].
type block struct {
	parent *block
	ids    []int32  // slots, in a leaf
	kids   []*block // in an inner block, which has no ids
	keys   []int64  // a leaf: the entries' keys; an inner block: a lower bound of the keys below each kid
	max    []int64
	union  []uint64
	sumMax []int64  // over the rows of max; what the parent's row says of this block
	sumOr  []uint64 // over the rows of union
}

// New makes an empty index whose keys have keyLen int64s, compared in turn, and whose entries have so many lanes and
// words. No two entries may have equal keys.
func New(keyLen, lanes, words int) *Index {
	x := &Index{keyLen: keyLen, lanes: lanes, words: words}
	x.spareKey, x.spareMax, x.spareOr = make([]int64, keyLen), make([]int64, lanes), make([]uint64, words)
	x.root = x.newBlock()
	return x
}

// Len is the number of entries.
func (x *Index) Len() int { return x.n }

// Has reports whether the slot is in the index.
func (x *Index) Has(slot int32) bool { return int(slot) < len(x.where) && x.where[slot] != nil }

// Max returns the largest value of each lane over all entries, the smallest int64 when there are none. The slice is
// the index's own.
func (x *Index) Max() []int64 { return x.root.sumMax }

// Union returns the bits that any entry has. The slice is the index's own.
func (x *Index) Union() []uint64 { return x.root.sumOr }

// Key returns the key of a slot that is in the index. The slice is the index's own.
func (x *Index) Key(slot int32) []int64 {
	b := x.where[slot]
	i := b.find(slot)
	return b.keys[i*x.keyLen : (i+1)*x.keyLen]
}

// Put inserts the slot, or gives it a new key and new lanes. The arguments are copied.
func (x *Index) Put(slot int32, key, lanes []int64, words []uint64) {
	if x.Has(slot) {
		b := x.where[slot]
		if x.n == 1 {
			x.setOnly(b, key, lanes, words)
			return
		}
		i := b.find(slot)
		if j, ok := x.moveWithin(b, i, key); ok {
			x.set(b, j, lanes, words)
			return
		}
		x.remove(b, i, slot)
	}
	x.insert(slot, key, lanes, words)
}

// setOnly is Put for the only entry: it is the sum, too. Applications of one class, and leaves with one application
// that waits, are common.
func (x *Index) setOnly(b *block, key, lanes []int64, words []uint64) {
	copy(b.keys, key)
	for ; b != nil; b = b.parent {
		copy(b.max, lanes)
		copy(b.union, words)
		copy(b.sumMax, lanes)
		copy(b.sumOr, words)
	}
}

// Update changes the lanes of a slot that is in the index; its key stays.
func (x *Index) Update(slot int32, lanes []int64, words []uint64) {
	b := x.where[slot]
	x.set(b, b.find(slot), lanes, words)
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
	k := x.keyLen
	n := len(b.ids)
	way := compare(key, b.keys[i*k:i*k+k])
	if way == 0 {
		return i, true
	}
	j = x.search(b, key)
	if way > 0 {
		j--
	}
	if b != x.root && (way > 0 && j == n-1 || way < 0 && j == 0) {
		return 0, false
	}
	if j != i {
		moveRow(b.ids, i, j, x.spareID[:])
		moveRow(b.keys, i, j, x.spareKey)
		moveRow(b.max, i, j, x.spareMax)
		moveRow(b.union, i, j, x.spareOr)
	}
	copy(b.keys[j*k:(j+1)*k], key)
	return j, true
}

func (b *block) find(slot int32) int {
	for i, id := range b.ids {
		if id == slot {
			return i
		}
	}
	panic("index: a slot is not in the block it is filed under")
}

func (b *block) findKid(kid *block) int {
	for i, k := range b.kids {
		if k == kid {
			return i
		}
	}
	panic("index: a block is not among its parent's")
}

func (b *block) rows() int { return max(len(b.ids), len(b.kids)) }

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

// Compare orders two slots that are in the index: below 0 when a comes first.
func (x *Index) Compare(a, b int32) int { return compare(x.Key(a), x.Key(b)) }

func (x *Index) newBlock() *block {
	if n := len(x.spare); n > 0 {
		b := x.spare[n-1]
		x.spare = x.spare[:n-1]
		x.clearSum(b)
		return b
	}
	b := &block{}
	sums := make([]int64, x.lanes)
	b.sumMax = sums
	if x.words > 0 {
		b.sumOr = make([]uint64, x.words)
	}
	x.clearSum(b)
	return b
}

func (x *Index) recycle(b *block) {
	b.parent = nil
	b.ids, b.keys, b.max, b.union = b.ids[:0], b.keys[:0], b.max[:0], b.union[:0]
	clear(b.kids)
	b.kids = b.kids[:0]
	x.spare = append(x.spare, b)
}

func (x *Index) clearSum(b *block) {
	for j := range b.sumMax {
		b.sumMax[j] = math.MinInt64
	}
	clear(b.sumOr)
}
