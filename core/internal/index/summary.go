package index

import "math"

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
	sum := b.sum[:len(row)]
	for j, v := range data[:x.lanes] {
		old := row[j]
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

// raise merges a new row into the sums of a block and its ancestors.
func (x *Index) raise(b *block, data []int64) {
	for {
		grown := false
		for j, v := range data[:x.lanes] {
			if v > b.sum[j] {
				b.sum[j], grown = v, true
			}
		}
		for j := x.lanes; j < len(b.sum); j++ {
			if v := data[j]; v&^b.sum[j] != 0 {
				b.sum[j] |= v
				grown = true
			}
		}
		if !grown || b.parent == nil {
			return
		}
		copy(x.data(b.parent, b.parent.findKid(b)), b.sum)
		b = b.parent
	}
}

// carried returns the sums of a block that may shrink when row i is removed.
func (x *Index) carried(b *block, i int) (stale lanesMask) {
	row := x.data(b, i)
	for j, v := range row[:x.lanes] {
		if v == b.sum[j] {
			stale |= maskOf(j)
		}
	}
	for j := x.lanes; j < len(row); j++ {
		if row[j] != 0 {
			stale |= maskOf(j)
		}
	}
	return stale
}

// resum computes some sums of a block again, and updates the sums above.
func (x *Index) resum(b *block, stale lanesMask) {
	if x.sumUp(b, stale) && b.parent != nil {
		x.set(b.parent, b.parent.findKid(b), b.sum)
	}
}

// sumUp computes some of a block's sums from its rows, and reports whether they changed. The old sums must be upper bounds or cleared:
// the loop ends at the first row that reaches the old sum.
func (x *Index) sumUp(b *block, stale lanesMask) (changed bool) {
	for j := range b.sum {
		if stale&maskOf(j) == 0 {
			continue
		}
		old, now := b.sum[j], minLane
		if j < x.lanes {
			for i := x.keyLen + j; i < len(b.rows); i += x.width {
				if v := b.rows[i]; v > now {
					now = v
					if v == old {
						break
					}
				}
			}
		} else {
			now = 0
			for i := x.keyLen + j; i < len(b.rows) && (now != old || old == 0); i += x.width {
				now |= b.rows[i]
			}
		}
		if now != old {
			b.sum[j], changed = now, true
		}
	}
	return changed
}
