package node

// insert files a slot that is not in the tournament yet. Its entry is closed. It takes O(log N) and moves a few entries; occasionally
// it spreads more of them to make gaps.
func (t *tournament) insert(slot int32) {
	*t.positions = extend(*t.positions, slot, none)
	if len(t.nodes) == 0 {
		t.appendBlock()
	}
	b, i := t.place(slot)
	for t.nodes[b*fanout+fanout-1] != none {
		if i == fanout && b == t.blocks()-1 {
			t.appendBlock()
			b, i = b+1, 0
			break
		}
		t.makeRoom(b)
		b, i = t.place(slot)
	}
	for j := t.filled(b); j > i; j-- {
		t.move(b, j-1, j)
	}
	t.vacate(b, i)
	t.assign(slot, b*fanout+i)
	t.count++
	t.propagate(b)
}

// place finds the place of a slot: a block, and the number of its entries that come before the slot.
func (t *tournament) place(slot int32) (block, entry int) {
	if last := t.blocks() - 1; last >= 0 {
		if n := t.filled(last); n > 0 && t.before(t.nodes[last*fanout+n-1], slot) {
			return last, n
		}
	}
	block = t.blockOf(slot)
	for entry < fanout && t.nodes[block*fanout+entry] != none && t.before(t.nodes[block*fanout+entry], slot) {
		entry++
	}
	return block, entry
}

// blockOf returns the last block whose first entry comes before a slot, or the first block if there is none.
func (t *tournament) blockOf(slot int32) int {
	low, high, found := 0, t.blocks(), 0
	for low < high {
		middle := (low + high) / 2
		b := middle
		for b >= low && t.nodes[b*fanout] == none {
			b--
		}
		switch {
		case b < low: // all blocks from low to middle are empty
			low = middle + 1
		case t.before(t.nodes[b*fanout], slot):
			found, low = b, middle+1
		default:
			high = b
		}
	}
	return found
}

// filled returns the number of entries in a block.
func (t *tournament) filled(block int) int {
	n := 0
	for n < fanout && t.nodes[block*fanout+n] != none {
		n++
	}
	return n
}

// remove removes a slot.
func (t *tournament) remove(slot int32) {
	position := int((*t.positions)[slot])
	b, i := position>>fanoutShift, position&(fanout-1)
	(*t.positions)[slot] = none
	t.count--
	last := t.filled(b) - 1
	for ; i < last; i++ {
		t.move(b, i+1, i)
	}
	t.vacate(b, last)
	t.propagate(b)
	if t.blocks() > 4*t.count/fanout+8 {
		t.arrange(0, t.blocks(), t.count/fanout+1, t.slots(0, t.blocks()))
		t.truncate(t.count/fanout + 1)
	}
}

// slots lists the slots of a range of blocks, in order.
func (t *tournament) slots(from, to int) (list []int32) {
	for _, slot := range t.nodes[from*fanout : to*fanout] {
		if slot != none {
			list = append(list, slot)
		}
	}
	return list
}

// move copies an entry within a block.
func (t *tournament) move(b, from, to int) {
	t.scores.levels[0][b][to] = t.scores.levels[0][b][from]
	t.assign(t.nodes[b*fanout+from], b*fanout+to)
}

// assign sets the slot of an entry.
func (t *tournament) assign(slot int32, position int) {
	t.nodes[position] = slot
	(*t.positions)[slot] = int32(position)
}

// vacate empties an entry.
func (t *tournament) vacate(b, i int) {
	t.nodes[b*fanout+i] = none
	t.scores.levels[0][b][i] = closed
}

// propagate carries the change of a block to the levels above, and to the readers of changes.
func (t *tournament) propagate(b int) {
	for i := range fanout {
		t.record(int32(b*fanout + i))
	}
	t.scores.forget()
	t.scores.raise(1, b, t.scores.levels[0][b].largest())
	t.most.mark(b)
}

// makeRoom spreads the entries around a full block, over the smallest enclosing stretch that is sparse enough. The longer the
// stretch, the more gaps are required, so that long stretches are spread rarely, wherever nodes are inserted. No block of the stretch
// is full afterwards. If the whole tournament is too full, it grows by half.
func (t *tournament) makeRoom(b int) {
	for level := 1; ; level++ {
		size := 1 << (level * fanoutShift)
		from, to := b&^(size-1), min(b&^(size-1)+size, t.blocks())
		whole := from == 0 && to == t.blocks()
		order := t.slots(from, to)
		if len(order)*16 <= (to-from)*fanout*max(15-level, 9) {
			t.arrange(from, to, to-from, order)
			return
		}
		if whole {
			for range to/2 + 1 {
				t.appendBlock()
			}
			t.arrange(0, t.blocks(), t.blocks(), order)
			return
		}
	}
}

// arrange spreads slots evenly over the first into blocks of a stretch. The slots must include all that the stretch holds, and these
// keep their scores.
func (t *tournament) arrange(from, to, into int, order []int32) {
	old := append([]block(nil), t.scores.levels[0][from:to]...)
	was := make([]int32, len(order))
	for k, slot := range order {
		was[k] = t.position(slot) - int32(from*fanout)
	}
	for b := from; b < to; b++ {
		for i := range fanout {
			t.vacate(b, i)
		}
	}
	for b, k := 0, 0; b < into; b++ {
		for i := 0; k < len(order)*(b+1)/into; i, k = i+1, k+1 {
			t.assign(order[k], (from+b)*fanout+i)
			if w := int(was[k]); w >= 0 {
				t.scores.levels[0][from+b][i] = old[w>>fanoutShift][w&(fanout-1)]
			}
		}
	}
	t.scores.sumAbove(from, to)
	t.most.markAll(from, to)
	for position := from * fanout; position < to*fanout; position++ {
		t.record(int32(position))
	}
}

// merge inserts a sorted list of slots.
func (t *tournament) merge(fresh []int32) {
	order := make([]int32, 0, t.count+len(fresh))
	for _, slot := range t.slots(0, t.blocks()) {
		for len(fresh) > 0 && t.before(fresh[0], slot) {
			order, fresh = append(order, fresh[0]), fresh[1:]
		}
		order = append(order, slot)
	}
	order = append(order, fresh...)
	gaps := t.count / 4
	t.count = len(order)
	for t.blocks()*fanout < t.count+gaps {
		t.appendBlock()
	}
	t.arrange(0, t.blocks(), t.blocks(), order)
}

// appendBlock appends an empty block.
func (t *tournament) appendBlock() {
	for range fanout {
		t.nodes = append(t.nodes, none)
	}
	t.scores.grow(t.blocks())
	t.most.grow(t.blocks())
	t.changes.restart()
}

// truncate keeps only the first blocks. The others must be empty.
func (t *tournament) truncate(blocks int) {
	t.nodes = t.nodes[:blocks*fanout]
	t.scores.truncate(blocks)
	t.most.truncate(blocks)
	t.changes.restart()
}

// widen adapts to another number of types. All nodes have to be filed again.
func (t *tournament) widen(types int) {
	t.most, t.tree, t.thresholds, t.choices, t.changes = mostFree{width: types}, scoreTree{}, nil, nil, changelist{}
	if t.blocks() > 0 {
		t.most.grow(t.blocks())
	}
}

// extend appends a value until the list has an element for a slot.
func extend[T any](list []T, slot int32, value T) []T {
	for int(slot) >= len(list) {
		list = append(list, value)
	}
	return list
}
