package index

import "slices"

// insert adds a slot that is not in the index.
func (x *Index) insert(slot int32, key, lanes []int64, words []uint64) {
	for int(slot) >= len(x.where) {
		x.where = append(x.where, nil)
	}
	b := x.root
	for len(b.kids) > 0 {
		i := max(x.search(b, key)-1, 0)
		if low := b.keys[i*x.keyLen : (i+1)*x.keyLen]; i == 0 && compare(key, low) < 0 {
			copy(low, key)
		}
		b = b.kids[i]
	}
	i := x.search(b, key)
	b.ids = append(b.ids, slot)
	copy(b.ids[i+1:], b.ids[i:])
	b.ids[i] = slot
	x.where[slot] = b
	x.n++
	x.addRow(b, i, key, lanes, words)
}

// search returns the first row of a block whose key is above the given one.
func (x *Index) search(b *block, key []int64) int {
	k, first := x.keyLen, key[0]
	lo, hi := 0, b.rows()
	for lo < hi {
		m := int(uint(lo+hi) / 2)
		v := b.keys[m*k] // most comparisons end here
		if v > first || v == first && compare(b.keys[m*k+1:m*k+k], key[1:]) > 0 {
			hi = m
		} else {
			lo = m + 1
		}
	}
	return lo
}

// addRow writes row i of a block, whose id or kid is in place already, and mends everything above.
func (x *Index) addRow(b *block, i int, key, lanes []int64, words []uint64) {
	b.keys = insertRow(b.keys, i, key)
	b.max = insertRow(b.max, i, lanes)
	b.union = insertRow(b.union, i, words)
	if b.rows() > fanout {
		x.split(b)
		return
	}
	x.raise(b, lanes, words)
}

// dropRow removes row i of a block, whose id or kid is gone already, and mends everything above.
func (x *Index) dropRow(b *block, i int) {
	stale := x.carries(b, i)
	b.keys = deleteRow(b.keys, i, x.keyLen)
	b.max = deleteRow(b.max, i, x.lanes)
	b.union = deleteRow(b.union, i, x.words)
	switch {
	case b == x.root && len(b.kids) == 1:
		x.shrinkRoot()
	case b.rows() == 0 && b != x.root:
		p := b.parent
		j := p.findKid(b)
		p.kids = slices.Delete(p.kids, j, j+1)
		x.recycle(b)
		x.dropRow(p, j)
	case b != x.root && b.rows() < fanout/4 && x.mergeRight(b):
	case stale:
		x.resum(b)
	}
}

// shrinkRoot lets a root with one kid give way to it.
func (x *Index) shrinkRoot() {
	for len(x.root.kids) == 1 {
		old := x.root
		x.root = old.kids[0]
		x.root.parent = nil
		x.recycle(old)
	}
	x.resum(x.root)
}

// mergeRight moves a small block's rows to the front of its right neighbour under the same parent, if they fit.
func (x *Index) mergeRight(b *block) bool {
	p := b.parent
	i := p.findKid(b)
	if i+1 == len(p.kids) || b.rows()+p.kids[i+1].rows() > fanout*3/4 {
		return false
	}
	r := p.kids[i+1]
	r.ids = slices.Insert(r.ids, 0, b.ids...)
	r.kids = slices.Insert(r.kids, 0, b.kids...)
	r.keys = slices.Insert(r.keys, 0, b.keys...)
	r.max = slices.Insert(r.max, 0, b.max...)
	r.union = slices.Insert(r.union, 0, b.union...)
	x.adopt(r)
	x.clearSum(r) // it is no bound for the rows that came
	x.resum(r)
	copy(p.keys[(i+1)*x.keyLen:(i+2)*x.keyLen], p.keys[i*x.keyLen:(i+1)*x.keyLen])
	p.kids = slices.Delete(p.kids, i, i+1)
	x.recycle(b)
	x.dropRow(p, i)
	return true
}

// split moves the upper half of a full block to a new one beside it.
func (x *Index) split(b *block) {
	r := x.newBlock()
	half := b.rows() / 2
	if len(b.kids) > 0 {
		r.kids = append(r.kids, b.kids[half:]...)
		clear(b.kids[half:])
		b.kids = b.kids[:half]
	} else {
		r.ids = append(r.ids, b.ids[half:]...)
		b.ids = b.ids[:half]
	}
	r.keys = append(r.keys, b.keys[half*x.keyLen:]...)
	r.max = append(r.max, b.max[half*x.lanes:]...)
	r.union = append(r.union, b.union[half*x.words:]...)
	b.keys, b.max, b.union = b.keys[:half*x.keyLen], b.max[:half*x.lanes], b.union[:half*x.words]
	x.adopt(r)
	x.sum(r)
	x.clearSum(b) // it is no bound for the row that came
	if b == x.root {
		x.growRoot(b)
	}
	p := b.parent
	r.parent = p
	i := p.findKid(b)
	x.resum(b)
	p.kids = slices.Insert(p.kids, i+1, r)
	x.addRow(p, i+1, r.keys[:x.keyLen], r.sumMax, r.sumOr)
}

// growRoot puts a new root above the old one.
func (x *Index) growRoot(b *block) {
	x.sum(b)
	x.root = x.newBlock()
	b.parent = x.root
	x.root.kids = append(x.root.kids, b)
	x.root.keys = append(x.root.keys, b.keys[:x.keyLen]...)
	x.root.max = append(x.root.max, b.sumMax...)
	x.root.union = append(x.root.union, b.sumOr...)
	x.sum(x.root)
}

// adopt makes a block the home of its slots, or the parent of its kids.
func (x *Index) adopt(b *block) {
	for _, id := range b.ids {
		x.where[id] = b
	}
	for _, k := range b.kids {
		k.parent = b
	}
}

// moveRow lets row i take place j; those between move up or down by one. spare is scratch of a row's width.
func moveRow[T any](rows []T, i, j int, spare []T) {
	w := len(spare)
	copy(spare, rows[i*w:(i+1)*w])
	if i < j {
		copy(rows[i*w:j*w], rows[(i+1)*w:(j+1)*w])
	} else {
		copy(rows[(j+1)*w:(i+1)*w], rows[j*w:i*w])
	}
	copy(rows[j*w:], spare)
}

// insertRow and deleteRow are slices.Insert and slices.Delete for rows, without what those spend on the general case.
func insertRow[T any](rows []T, i int, row []T) []T {
	n, w := len(rows), len(row)
	rows = append(rows, row...)
	if i*w < n {
		copy(rows[(i+1)*w:], rows[i*w:n])
		copy(rows[i*w:], row)
	}
	return rows
}

func deleteRow[T any](rows []T, i, width int) []T {
	copy(rows[i*width:], rows[(i+1)*width:])
	return rows[:len(rows)-width]
}
