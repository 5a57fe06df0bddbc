package node

import (
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/readonly"
)

// freeRoom holds the free amounts of nodes, by slot. They are zero for nodes that are not available. All orders of a finder share it.
type freeRoom struct {
	width int // number of types
	rows  []int64
}

// of returns the row of a slot.
func (f *freeRoom) of(slot int32) []int64 { return f.rows[int(slot)*f.width:][:f.width] }

// takes reports whether a node has enough room.
func (f *freeRoom) takes(slot int32, needs readonly.List[index.Need]) bool {
	row := int(slot) * f.width
	for i := range needs.Len() {
		if need := needs.At(i); f.rows[row+need.Lane] < need.Min {
			return false
		}
	}
	return true
}

// extend adds rows until the slot has one.
func (f *freeRoom) extend(slot int32) {
	for len(f.rows) < (int(slot)+1)*f.width {
		f.rows = append(f.rows, 0)
	}
}

// mostFree holds, for each block of positions and each type, the largest free amount of its nodes; higher levels hold that of
// several blocks. Most searches end at the winner and do not need it, so changed blocks are only listed. Call refresh before reading
// the levels.
type mostFree struct {
	width  int       // number of types
	levels [][]block // levels[l][(e>>fanoutShift)*width+t][e&(fanout-1)] is for type t and entry e; on level 0, an entry is a block of positions
	stale  []int32   // changed blocks of positions
	marked []bool    // by block of positions: it is in stale
}

// mark lists a changed block.
func (m *mostFree) mark(b int) {
	if !m.marked[b] {
		m.marked[b] = true
		m.stale = append(m.stale, int32(b))
	}
}

// follow lists the block of a node whose free amount of a type changes, if that may change the maximum.
func (m *mostFree) follow(b, typ int, was, is int64) {
	if m.marked[b] {
		return
	}
	if most := m.levels[0][b>>fanoutShift*m.width+typ][b&(fanout-1)]; was == most || is > most {
		m.mark(b)
	}
}

// markAll lists a range of blocks.
func (m *mostFree) markAll(from, to int) {
	for b := from; b < to; b++ {
		m.mark(b)
	}
}

// grow extends the levels to a number of blocks of positions. New blocks are listed as changed.
func (m *mostFree) grow(blocks int) {
	for b := len(m.marked); b < blocks; b++ {
		m.marked = append(m.marked, false)
		m.mark(b)
	}
	for level := 0; ; level++ {
		blocks = blocksFor(blocks)
		top := level == len(m.levels)
		if top {
			m.levels = append(m.levels, nil)
		}
		for len(m.levels[level]) < blocks*m.width {
			m.levels[level] = append(m.levels[level], block{})
		}
		if top && level > 0 {
			m.sum(level, 0, len(m.levels[level-1])/m.width)
		}
		if blocks == 1 {
			return
		}
	}
}

// truncate keeps only the first blocks of positions.
func (m *mostFree) truncate(blocks int) {
	*m = mostFree{width: m.width}
	m.grow(blocks)
}

// sum computes a range of entries of a level from the level below.
func (m *mostFree) sum(level, from, to int) {
	for e := from; e < to; e++ {
		for t := range m.width {
			m.levels[level][e>>fanoutShift*m.width+t][e&(fanout-1)] = m.levels[level-1][e*m.width+t].largest()
		}
	}
}

// of returns the largest free amount of a type over all positions.
func (m *mostFree) of(typ int) int64 {
	if len(m.levels) == 0 {
		return 0
	}
	return m.levels[len(m.levels)-1][typ].largest()
}

// refresh updates the levels for the listed blocks.
func (m *mostFree) refresh(nodes []int32, free *freeRoom) {
	if len(m.stale) == 0 {
		return
	}
	few := len(m.stale) < len(m.marked)/fanout
	for _, b := range m.stale {
		m.marked[b] = false
		n := 0
		var rows [fanout]int
		for _, slot := range nodes[int(b)*fanout:][:fanout] {
			if slot == none {
				break
			}
			rows[n] = int(slot) * m.width
			n++
		}
		for t := range m.width {
			most := int64(0)
			for _, row := range rows[:n] {
				most = max(most, free.rows[row+t])
			}
			m.raise(int(b), t, most, few)
		}
	}
	m.stale = m.stale[:0]
	if !few {
		for level := 1; level < len(m.levels); level++ {
			m.sum(level, 0, len(m.levels[level-1])/m.width)
		}
	}
}

// raise sets the number of a block of positions. If carry is set, it propagates the change to the levels above.
func (m *mostFree) raise(entry, typ int, most int64, carry bool) {
	b := &m.levels[0][entry>>fanoutShift*m.width+typ]
	old := b[entry&(fanout-1)]
	b[entry&(fanout-1)] = most
	if !carry || old == most {
		return
	}
	for _, blocks := range m.levels[1:] {
		entry >>= fanoutShift
		above := &blocks[entry>>fanoutShift*m.width+typ]
		top := above[entry&(fanout-1)]
		if most < top {
			if old < top {
				return
			}
			most = b.largest()
		}
		if most == top {
			return
		}
		above[entry&(fanout-1)] = most
		b, old = above, top
	}
}
