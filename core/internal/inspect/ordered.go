package inspect

import "slices"

// ordered is a sorted list in blocks, so that inserting and removing an entry is cheap regardless of the length.
type ordered[T any] struct {
	compare func(a, b T) int
	blocks  [][]T // in order; no block is empty
}

// blockSize is the maximum number of entries of a block.
const blockSize = 256

// place is the position of an entry.
type place struct{ block, entry int }

// find returns the position of the first entry for which a condition holds. It must hold for all later entries too.
func (o *ordered[T]) find(holds func(T) bool) place {
	first := func(n int, holds func(int) bool) int {
		low, high := 0, n
		for low < high {
			if middle := int(uint(low+high) >> 1); holds(middle) {
				high = middle
			} else {
				low = middle + 1
			}
		}
		return low
	}
	b := first(len(o.blocks), func(i int) bool { return holds(o.blocks[i][len(o.blocks[i])-1]) })
	if b == len(o.blocks) {
		return place{b, 0}
	}
	return place{b, first(len(o.blocks[b]), func(i int) bool { return holds(o.blocks[b][i]) })}
}

// placeOf returns the position at which an entry belongs, and whether the entry there compares equal.
func (o *ordered[T]) placeOf(x T) (at place, found bool) {
	at = o.find(func(y T) bool { return o.compare(y, x) >= 0 })
	y := o.at(at)
	return at, y != nil && o.compare(*y, x) == 0
}

// at returns the entry at a position, or nil at the end.
func (o *ordered[T]) at(p place) *T {
	if p.block == len(o.blocks) {
		return nil
	}
	return &o.blocks[p.block][p.entry]
}

// next returns the position after p.
func (o *ordered[T]) next(p place) place {
	if p.entry++; p.entry == len(o.blocks[p.block]) {
		return place{p.block + 1, 0}
	}
	return p
}

// put inserts an entry, or replaces the one that compares equal.
func (o *ordered[T]) put(x T) {
	p, found := o.placeOf(x)
	switch {
	case found:
		*o.at(p) = x
		return
	case len(o.blocks) == 0:
		o.blocks = append(o.blocks, append(make([]T, 0, blockSize), x))
		return
	case p.block == len(o.blocks):
		p = place{p.block - 1, len(o.blocks[p.block-1])}
	}
	if b := o.blocks[p.block]; len(b) == blockSize {
		kept := blockSize / 2
		if p.block == len(o.blocks)-1 && p.entry == blockSize {
			kept = blockSize // entries usually arrive in order, and this keeps blocks full
		}
		behind := append(make([]T, 0, blockSize), b[kept:]...)
		clear(b[kept:])
		o.blocks[p.block] = b[:kept]
		o.blocks = slices.Insert(o.blocks, p.block+1, behind)
		if p.entry > kept || kept == blockSize {
			p = place{p.block + 1, p.entry - kept}
		}
	}
	o.blocks[p.block] = slices.Insert(o.blocks[p.block], p.entry, x)
}

// drop removes the entry that compares equal, if any.
func (o *ordered[T]) drop(x T) {
	p, found := o.placeOf(x)
	if !found {
		return
	}
	if b := slices.Delete(o.blocks[p.block], p.entry, p.entry+1); len(b) > 0 {
		o.blocks[p.block] = b
	} else {
		o.blocks = slices.Delete(o.blocks, p.block, p.block+1)
	}
}

// fill sorts entries and adds them to an empty list.
func (o *ordered[T]) fill(list []T) {
	slices.SortFunc(list, o.compare)
	for block := range slices.Chunk(list, blockSize) {
		o.blocks = append(o.blocks, append(make([]T, 0, blockSize), block...))
	}
}
