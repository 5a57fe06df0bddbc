package index

// set replaces the lanes of row i and carries the change upwards as far as it matters.
func (x *Index) set(b *block, i int, lanes []int64, words []uint64) {
	for {
		stale, grown := x.setRow(b, i, lanes, words)
		if stale {
			grown = x.sum(b) || grown
		}
		if !grown || b.parent == nil {
			return
		}
		i = b.parent.findKid(b)
		b, lanes, words = b.parent, b.sumMax, b.sumOr
	}
}

// setRow writes row i. Sums that grow are mended at once; stale means that one may have shrunk.
func (x *Index) setRow(b *block, i int, lanes []int64, words []uint64) (stale, grown bool) {
	row := b.max[i*x.lanes : (i+1)*x.lanes]
	for j, v := range lanes {
		old := row[j]
		if v == old {
			continue
		}
		row[j] = v
		if v > b.sumMax[j] {
			b.sumMax[j], grown = v, true
		} else if old == b.sumMax[j] {
			stale = true
		}
	}
	bits := b.union[i*x.words : (i+1)*x.words]
	for j, v := range words {
		old := bits[j]
		bits[j] = v
		if v&^b.sumOr[j] != 0 {
			b.sumOr[j] |= v
			grown = true
		}
		if old&^v != 0 {
			stale = true
		}
	}
	return stale, grown
}

// raise merges a new row into the sums of a block and of those above it.
func (x *Index) raise(b *block, lanes []int64, words []uint64) {
	for {
		grown := false
		for j, v := range lanes {
			if v > b.sumMax[j] {
				b.sumMax[j], grown = v, true
			}
		}
		for j, v := range words {
			if v&^b.sumOr[j] != 0 {
				b.sumOr[j] |= v
				grown = true
			}
		}
		if !grown || b.parent == nil {
			return
		}
		p := b.parent
		i := p.findKid(b)
		copy(p.max[i*x.lanes:(i+1)*x.lanes], b.sumMax)
		copy(p.union[i*x.words:(i+1)*x.words], b.sumOr)
		b = p
	}
}

// carries reports whether a block's sums may shrink without row i.
func (x *Index) carries(b *block, i int) bool {
	for j, v := range b.max[i*x.lanes : (i+1)*x.lanes] {
		if v == b.sumMax[j] {
			return true
		}
	}
	for _, bits := range b.union[i*x.words : (i+1)*x.words] {
		if bits != 0 {
			return true
		}
	}
	return false
}

// resum sums a block anew and carries a change upwards.
func (x *Index) resum(b *block) {
	if x.sum(b) && b.parent != nil {
		x.set(b.parent, b.parent.findKid(b), b.sumMax, b.sumOr)
	}
}

// sum computes a block's sums from its rows and reports whether they changed. Where the old sum is an upper bound, as
// it is unless the block is new, the first row that reaches it ends the search.
func (x *Index) sum(b *block) (changed bool) {
	n := b.rows()
	for j := range x.lanes {
		top, old := minLane, b.sumMax[j]
		for i := j; i < n*x.lanes; i += x.lanes {
			if v := b.max[i]; v > top {
				top = v
				if v == old {
					break
				}
			}
		}
		if top != old {
			b.sumMax[j], changed = top, true
		}
	}
	for j := range x.words {
		bits, old := uint64(0), b.sumOr[j]
		for i := j; i < n*x.words && (bits != old || old == 0); i += x.words {
			bits |= b.union[i]
		}
		if bits != old {
			b.sumOr[j], changed = bits, true
		}
	}
	return changed
}
