package index

import (
	"math"
	"math/bits"
)

// set replaces the lanes and words of row i, and updates the sums above as far as they change.
func (x *Index) set(b *block, i int, data []int64) {
	for {
		stale, grown := x.setRow(b, i, data)
		if stale != 0 {
			grown = x.sumUp(b, stale) || grown
		}
		if !grown || b.parent == nil {
			return
		}
		i = b.parent.findKid(b)
		b, data = b.parent, b.sum
	}
}

// lanesMask is a set of lanes and words. Bit j is for number j, and the last bit for all from 63 on.
type lanesMask uint64

const allLanes lanesMask = math.MaxUint64

func maskOf(j int) lanesMask { return 1 << min(j, 63) }

// setRow writes row i. It updates sums that grow, and returns in stale those that may have shrunk.
func (x *Index) setRow(b *block, i int, data []int64) (stale lanesMask, grown bool) {
	row := x.data(b, i)
	sum, data := b.sum[:len(row)], data[:len(row)]
	for j, old := range row[:x.lanes] {
		v := data[j]
		if v == old {
			continue
		}
		row[j] = v
		if v > sum[j] {
			sum[j], grown = v, true
		} else if old == sum[j] {
			stale |= maskOf(j)
		}
	}
	for j := x.lanes; j < len(row); j++ {
		v, old := data[j], row[j]
		row[j] = v
		if v&^sum[j] != 0 {
			sum[j] |= v
			grown = true
		}
		if old&^v != 0 {
			stale |= maskOf(j)
		}
	}
	return stale, grown
}

// raise merges a new row into the sums of a block and its ancestors. Those of the ancestors follow before they are read, since many entries
// are often added to the end of a tree, one after the other.
func (x *Index) raise(b *block, data []int64) {
	if x.merge(b.sum, data) && b.parent != nil && x.raised != b {
		x.raiseAbove()
		x.raised = b
	}
}

// raiseAbove brings the sums of all blocks up to date.
func (x *Index) raiseAbove() {
	if x.raised != nil {
		x.raiseAncestors(x.raised)
		x.raised = nil
	}
}

func (x *Index) raiseAncestors(b *block) {
	for p := b.parent; p != nil; b, p = p, p.parent {
		copy(x.data(p, p.findKid(b)), b.sum)
		if !x.merge(p.sum, b.sum) {
			return
		}
	}
}

// merge merges a row into a sum, and reports whether that has grown.
func (x *Index) merge(sum, data []int64) (grown bool) {
	data = data[:len(sum)]
	lanes := sum[:x.lanes]
	for j, v := range data[:len(lanes)] {
		if v > lanes[j] {
			lanes[j], grown = v, true
		}
	}
	for j := x.lanes; j < len(sum); j++ {
		if v := data[j]; v&^sum[j] != 0 {
			sum[j] |= v
			grown = true
		}
	}
	return grown
}

// carried returns the sums of a block that may shrink when row i is removed, which are not those that a row beside it reaches.
func (x *Index) carried(b *block, i int) (stale lanesMask) {
	if len(b.rows) == x.width {
		return allLanes
	}
	row := x.data(b, i)
	sum, beside := b.sum[:len(row)], x.beside(b, i)[:len(row)]
	for j, v := range row[:x.lanes] {
		if v == sum[j] && beside[j] != v {
			stale |= maskOf(j)
		}
	}
	for j := x.lanes; j < len(row); j++ {
		if row[j]&^beside[j] != 0 {
			stale |= maskOf(j)
		}
	}
	return stale
}

// beside returns the lanes and words of the row after row i, or before it if that is the last of several.
func (x *Index) beside(b *block, i int) []int64 {
	if (i+1)*x.width == len(b.rows) {
		return x.data(b, i-1)
	}
	return x.data(b, i+1)
}

// resum computes some sums of a block again, and updates the sums above.
func (x *Index) resum(b *block, stale lanesMask) {
	if x.sumUp(b, stale) && b.parent != nil {
		x.set(b.parent, b.parent.findKid(b), b.sum)
	}
}

// sumUp computes some of a block's sums from its rows, and reports whether they changed. The old sums must be upper bounds or cleared.
func (x *Index) sumUp(b *block, stale lanesMask) (changed bool) {
	for left := stale; left != 0; left &= left - 1 {
		j := bits.TrailingZeros64(uint64(left))
		if j >= len(b.sum) {
			break
		}
		changed = x.sumColumn(b, j) || changed
	}
	if stale&maskOf(63) != 0 {
		for j := 64; j < len(b.sum); j++ {
			changed = x.sumColumn(b, j) || changed
		}
	}
	return changed
}

// sumColumn is sumUp for one lane or word. The loop ends at the first row that reaches the old sum.
func (x *Index) sumColumn(b *block, j int) (changed bool) {
	rows, old := b.rows, b.sum[j]
	now := minLane
	if j < x.lanes {
		for i := x.keyLen + j; i < len(rows); i += x.width {
			if v := rows[i]; v > now {
				if now = v; v == old {
					return false
				}
			}
		}
	} else {
		now = 0
		for i := x.keyLen + j; i < len(rows) && (now != old || old == 0); i += x.width {
			now |= rows[i]
		}
	}
	b.sum[j] = now
	return now != old
}
