package index

import "slices"

// insert adds a slot that is not in the index.
func (x *Index) insert(slot int32, key, data []int64) {
	for int(slot) >= len(x.where) {
		x.where = append(x.where, nil)
	}
	b := x.root
	for len(b.kids) > 0 {
		i := max(x.search(b, key)-1, 0)
		if i == 0 && compare(key, x.key(b, 0)) < 0 {
			copy(x.key(b, 0), key)
		}
		b = b.kids[i]
	}
	i := x.search(b, key)
	b.ids = append(b.ids, slot)
	copy(b.ids[i+1:], b.ids[i:])
	b.ids[i] = slot
	x.where[slot] = b
	x.n++
	x.addRow(b, i, key, data)
}

// search returns the index of the first row of a block whose key is larger than the given one.
func (x *Index) search(b *block, key []int64) int {
	rows, w, first, second := b.rows, x.width, key[0], key[1]
	lo, hi := 0, b.len()
	if last := len(rows) - w; last >= 0 && (rows[last] < first || rows[last] == first && rows[last+1] < second) {
		return hi // entries are often added in order
	}
	for lo < hi {
		m := int(uint(lo+hi) / 2)
		lead := rows[m*w]
		above := lead > first
		if lead == first { // most comparisons are decided by the first two numbers
			next := rows[m*w+1]
			above = next > second || next == second && compare(x.key(b, m)[2:], key[2:]) > 0
		}
		if above {
			hi = m
		} else {
			lo = m + 1
		}
	}
	return lo
}

// fewRows is the number of rows for which a block first gets memory. Many indexes, such as those of the asks of an application, have few.
const fewRows = 4

// addRow inserts row i of a block, whose id or kid is in place already, and updates everything above.
func (x *Index) addRow(b *block, i int, key, data []int64) {
	n, w := len(b.rows), x.width
	if n+w > cap(b.rows) {
		b.rows = slices.Grow(b.rows, min(max(fewRows*w, n), (fanout+1)*w-n))
	}
	b.rows = b.rows[:n+w]
	row := b.rows[i*w:]
	if i*w < n {
		copy(row[w:], row)
	}
	copy(row, key)
	copy(row[x.keyLen:], data)
	if b.len() > fanout {
		x.split(b, i)
		return
	}
	x.raise(b, data)
}

// dropRow removes row i of a block, whose id or kid is removed already, and updates everything above.
func (x *Index) dropRow(b *block, i int) {
	stale := x.carried(b, i)
	copy(b.rows[i*x.width:], b.rows[(i+1)*x.width:])
	b.rows = b.rows[:len(b.rows)-x.width]
	switch {
	case b == x.root && len(b.kids) == 1:
		x.shrinkRoot()
	case b.len() == 0 && b != x.root:
		p := b.parent
		j := p.findKid(b)
		p.kids = slices.Delete(p.kids, j, j+1)
		x.recycle(b)
		x.dropRow(p, j)
	case b != x.root && b.len() < fanout/4 && x.mergeRight(b):
	case stale != 0:
		x.resum(b, stale)
	}
}

// shrinkRoot replaces a root with a single kid by that kid.
func (x *Index) shrinkRoot() {
	for len(x.root.kids) == 1 {
		old := x.root
		x.root = old.kids[0]
		x.root.parent = nil
		x.recycle(old)
	}
	x.resum(x.root, allLanes)
}

// mergeRight moves a small block's rows to the front of its right neighbour under the same parent, if they fit.
func (x *Index) mergeRight(b *block) bool {
	p := b.parent
	i := p.findKid(b)
	if i+1 == len(p.kids) || b.len()+p.kids[i+1].len() > fanout*3/4 {
		return false
	}
	r := p.kids[i+1]
	r.ids = slices.Insert(r.ids, 0, b.ids...)
	r.kids = slices.Insert(r.kids, 0, b.kids...)
	r.rows = slices.Insert(r.rows, 0, b.rows...)
	x.adopt(r)
	x.clearSum(r) // the old sum is no upper bound for the added rows
	x.resum(r, allLanes)
	copy(x.key(p, i+1), x.key(p, i))
	p.kids = slices.Delete(p.kids, i, i+1)
	x.recycle(b)
	x.dropRow(p, i)
	return true
}

// split moves the upper half of a full block, to which row i was added, to a new one beside it. It moves only the added row if that is the
// last of the whole level, as when entries are added in order: so full blocks stay full, and their sums need not be computed again.
func (x *Index) split(b *block, i int) {
	x.raiseAbove()
	r := x.newBlock()
	appends := i == b.len()-1 && b.isLast()
	from := b.len() / 2
	if appends {
		from = i
	}
	if len(b.kids) > 0 {
		r.kids = append(r.kids, b.kids[from:]...)
		clear(b.kids[from:])
		b.kids = b.kids[:from]
	} else {
		r.ids = append(r.ids, b.ids[from:]...)
		b.ids = b.ids[:from]
	}
	r.rows = append(r.rows, b.rows[from*x.width:]...)
	b.rows = b.rows[:from*x.width]
	x.adopt(r)
	x.sumUp(r, allLanes)
	if !appends {
		x.clearSum(b) // the old sum is no upper bound for the added row
	}
	if b == x.root {
		x.growRoot(b)
	}
	p := b.parent
	r.parent = p
	at := p.findKid(b)
	if !appends {
		x.resum(b, allLanes)
	}
	p.kids = slices.Insert(p.kids, at+1, r)
	x.addRow(p, at+1, x.key(r, 0), r.sum)
}

// isLast reports whether a block is the last of its level.
func (b *block) isLast() bool {
	for p := b.parent; p != nil; b, p = p, p.parent {
		if p.kids[len(p.kids)-1] != b {
			return false
		}
	}
	return true
}

// growRoot puts a new root above the old one.
func (x *Index) growRoot(b *block) {
	x.sumUp(b, allLanes)
	x.root = x.newBlock()
	b.parent = x.root
	x.root.kids = append(x.root.kids, b)
	x.root.rows = append(append(x.root.rows, x.key(b, 0)...), b.sum...)
	x.sumUp(x.root, allLanes)
}

// adopt records a block as the leaf of its slots, or as the parent of its kids.
func (x *Index) adopt(b *block) {
	for _, id := range b.ids {
		x.where[id] = b
	}
	for _, k := range b.kids {
		k.parent = b
	}
}
