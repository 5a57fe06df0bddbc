package pending

import "math"

// blockBits and blockSize are how many rows are summed up together: few enough that a row that leaves a maximum is made
// up for by a glance at its block, many enough that 10,000 rows need three levels of sums.
const (
	blockBits = 4
	blockSize = 1 << blockBits
)

// Rows keeps rows by slot, and the summary of all of them: the largest of each lane, the bits that any row has. Rows never
// move. A change costs one comparison for each lane, and a block for each lane and level that it matters to.
type Rows struct {
	lanes, width int       // of a row: without and with the words
	rows         []int64   // levels[0]
	levels       [][]int64 // the rows; above, a row for each block of the level below; last, a single one
	changed      bool      // the summary has changed since TakeChanged
}

// NewRows makes room for so many rows for vectors of a width, all absent.
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

// TakeChanged reports whether the summary has changed since TakeChanged was last called.
func (r *Rows) TakeChanged() bool {
	changed := r.changed
	r.changed = false
	return changed
}

// Of is the row of a slot, to be judged by a Search.
func (r *Rows) Of(slot int32) []int64 {
	at := int(slot) * r.width
	return r.rows[at : at+r.width]
}

// Summary is what a Search judges in place of all rows, and what describes them one level up. It follows later changes.
func (r *Rows) Summary() Row {
	sum := r.levels[len(r.levels)-1]
	return Row{lanes: sum[:r.lanes], data: sum}
}

// Priority is the priority in the row of a slot.
func (r *Rows) Priority(slot int32) int32 { return int32(r.rows[int(slot)*r.width+lanePriority]) }

// Outside is what is known of a row only where it is kept.
type Outside struct {
	Priority       int32  // as seen there
	Failed         uint64 // the world in which it was seen to fail; 0: not seen
	Changed        uint64 // the world of a change besides those inside
	Started, Fresh uint64 // the only classes that may be placed: in applications that have started, and in others
}

// Shows reports whether Set would leave the row of a slot as it is, if what is inside and the classes admitted are those of
// the last Set.
func (r *Rows) Shows(slot int32, failed, changed uint64) bool {
	row := r.rows[int(slot)*r.width:]
	return row[laneFailed] == -int64(failed) && row[laneChanged] >= int64(changed)
}

// Set describes the row of a slot, from inside and from outside.
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

// put is set where it changes anything.
func (r *Rows) put(slot int32, row []int64, lane int, v int64) {
	if row[lane] != v {
		r.set(int(slot), lane, v)
	}
}

// SetFailed notes in the row of a slot the world in which it was seen to fail.
func (r *Rows) SetFailed(slot int32, world uint64) { r.set(int(slot), laneFailed, -int64(world)) }

// Clear makes the row of a slot absent: no search passes it.
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

// set changes one number of a row and carries it upwards as far as it matters.
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

// largest is the largest number of a lane in a block, known to be at most a limit: where another row has as much, as often
// one does, the rest of the block is not read.
func (r *Rows) largest(level []int64, block, lane int, limit int64) int64 {
	v := int64(math.MinInt64)
	for rows := r.block(level, block); lane < len(rows) && v < limit; lane += r.width {
		v = max(v, rows[lane])
	}
	return v
}

// union unites a word of a block, known to be within a limit.
func (r *Rows) union(level []int64, block, word int, limit int64) int64 {
	v := int64(0)
	for rows := r.block(level, block); word < len(rows) && v != limit; word += r.width {
		v |= rows[word]
	}
	return v
}
