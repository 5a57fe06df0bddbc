package demandrow

import "math"

// blockSize is the number of rows that are summed together. It is small enough that the sum of a block is computed quickly after a
// maximum falls, and large enough that 10,000 rows need only three levels of sums.
const (
	blockBits = 4
	blockSize = 1 << blockBits
)

// Rows keeps rows by slot, and the summary of all of them: the maximum of each lane, and the union of each word. Rows never move. A
// change takes one comparison for each lane, and reads one block for each lane and level of which the sum may change.
type Rows struct {
	lanes, width int       // length of a row without and with words
	rows         []int64   // levels[0]
	levels       [][]int64 // first the rows; then a row for each block of the level before; the last has a single row
	changed      bool      // the summary has changed since the last TakeChanged
}

// NewRows makes n absent rows for vectors of a width.
func NewRows(n, width int) Rows {
	r := Rows{lanes: laneDemand + width, width: laneDemand + width + words}
	for ; ; n = (n + blockSize - 1) >> blockBits {
		r.levels = append(r.levels, make([]int64, max(n, 1)*r.width))
		if n <= 1 && len(r.levels) > 1 {
			break
		}
	}
	for _, level := range r.levels {
		for i := range level {
			if i%r.width < r.lanes {
				level[i] = math.MinInt64
			}
		}
	}
	r.rows = r.levels[0]
	return r
}

// TakeChanged reports whether the summary has changed since the last call.
func (r *Rows) TakeChanged() bool {
	changed := r.changed
	r.changed = false
	return changed
}

// Of returns the data of the row of a slot, for Search.Pass.
func (r *Rows) Of(slot int32) []int64 {
	at := int(slot) * r.width
	return r.rows[at : at+r.width]
}

// Summary returns the summary of all rows, which describes them one level up. It follows later changes.
func (r *Rows) Summary() Row {
	sum := r.levels[len(r.levels)-1]
	return Row{lanes: sum[:r.lanes], data: sum}
}

// Priority returns the priority of the row of a slot.
func (r *Rows) Priority(slot int32) int32 { return int32(r.rows[int(slot)*r.width+lanePriority]) }

// Outside holds the properties of a row that its owner sets, in addition to those of the pending asks inside.
type Outside struct {
	Priority       int32  // as the owner sees it
	Failed         uint64 // the shrink epoch in which it last failed; 0: unknown
	Changed        uint64 // the shrink epoch of the last change outside
	Started, Fresh uint64 // the classes that may be allocated: of started applications, and of others
}

// Shows reports whether Set would not change the row of a slot, provided that inside and the permitted classes are those of the last
// Set.
func (r *Rows) Shows(slot int32, failed, changed uint64) bool {
	row := r.rows[int(slot)*r.width:]
	return row[laneFailed] == -int64(failed) && row[laneChanged] >= int64(changed)
}

// Set sets the row of a slot from the row inside and the properties outside.
func (r *Rows) Set(slot int32, inside *Row, o Outside) {
	row, data := r.Of(slot), inside.data
	data = data[:len(row)]
	r.put(slot, row, laneFailed, -int64(o.Failed))
	r.put(slot, row, laneChanged, max(data[laneChanged], int64(o.Changed)))
	r.put(slot, row, laneOldest, data[laneOldest])
	r.put(slot, row, lanePriority, int64(o.Priority))
	for lane := laneDemand; lane < r.lanes; lane++ {
		r.put(slot, row, lane, data[lane])
	}
	r.put(slot, row, r.lanes, data[r.lanes]&int64(o.Started))
	r.put(slot, row, r.lanes+1, data[r.lanes+1]&int64(o.Fresh))
}

// put is set for values that may be unchanged.
func (r *Rows) put(slot int32, row []int64, lane int, v int64) {
	if row[lane] != v {
		r.set(int(slot), lane, v)
	}
}

// SetFailed sets the shrink epoch in which the row of a slot last failed.
func (r *Rows) SetFailed(slot int32, shrinkEpoch uint64) {
	r.set(int(slot), laneFailed, -int64(shrinkEpoch))
}

// Clear makes the row of a slot absent, so that it passes no search.
func (r *Rows) Clear(slot int32) {
	for j, old := range r.Of(slot) {
		v := int64(0)
		if j < r.lanes {
			v = math.MinInt64
		}
		if old != v {
			r.set(int(slot), j, v)
		}
	}
}

// set changes one number of a row, and updates the sums above as far as they change.
func (r *Rows) set(i, lane int, v int64) {
	for l, level := range r.levels {
		at := &level[i*r.width+lane]
		old := *at
		if old == v {
			return
		}
		*at = v
		if l == len(r.levels)-1 {
			r.changed = true
			return
		}
		i >>= blockBits
		sum := r.levels[l+1][i*r.width+lane]
		switch {
		case lane >= r.lanes && old&^v == 0:
			v |= sum
		case lane >= r.lanes:
			v = r.union(level, i, lane, sum|v)
		case v >= sum:
		case old < sum:
			return
		default:
			v = r.largest(level, i, lane, sum)
		}
	}
}

func (r *Rows) block(level []int64, block int) []int64 {
	from := block << blockBits * r.width
	return level[from:min(from+blockSize*r.width, len(level))]
}

// largest returns the maximum of a lane in a block. It is known to be at most limit, so the loop ends at a row that reaches it, as often
// happens.
func (r *Rows) largest(level []int64, block, lane int, limit int64) int64 {
	v := int64(math.MinInt64)
	for rows := r.block(level, block); lane < len(rows) && v < limit; lane += r.width {
		v = max(v, rows[lane])
	}
	return v
}

// union returns the union of a word in a block. It is known to be a subset of limit, so the loop ends when it is complete.
func (r *Rows) union(level []int64, block, word int, limit int64) int64 {
	v := int64(0)
	for rows := r.block(level, block); word < len(rows) && v != limit; word += r.width {
		v |= rows[word]
	}
	return v
}
