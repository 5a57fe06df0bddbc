package node

import "github.com/quern-project/quern/core/internal/index"

// freeRoom is what nodes have free, by slot: nothing where a node is not available. All orders of a pool read it.
type freeRoom struct {
	width int // types
	rows  []int64
}

// of is the row of a slot.
func (f *freeRoom) of(slot int32) []int64 { return f.rows[int(slot)*f.width:][:f.width] }

// takes reports whether a slot has the room.
func (f *freeRoom) takes(slot int32, needs []index.Need) bool {
	row := int(slot) * f.width
	for i := range needs {
		if f.rows[row+needs[i].Lane] < needs[i].Min {
			return false
		}
	}
	return true
}

// extend adds rows up to that of a slot.
func (f *freeRoom) extend(slot int32) {
	for len(f.rows) < (int(slot)+1)*f.width {
		f.rows = append(f.rows, 0)
	}
}

// mostFree holds the most that any node of a block of positions has free, type by type, and above that the most of
// several blocks. Most searches end at the winner and need none of it, so blocks that changed are only listed.
// Whoever reads the levels has them brought up to date first.
type mostFree struct {
	width  int       // types
	levels [][]block // levels[l][(e>>fanoutShift)*width+t][e&(fanout-1)] is of type t and entry e, on level 0 a block of positions
	stale  []int32   // blocks of positions that changed
	marked []bool    // by block of positions: it is listed
}

// mark lists a block that changed.
func (m *mostFree) mark(b int) {
	if !m.marked[b] {
		m.marked[b] = true
		m.stale = append(m.stale, int32(b))
	}
}

// follow lists the block of a node whose free room of a type becomes another one, if that may matter.
func (m *mostFree) follow(b, typ int, was, is int64) {
	if m.marked[b] {
		return
	}
	if most := m.levels[0][b>>fanoutShift*m.width+typ][b&(fanout-1)]; was == most || is > most {
		m.mark(b)
	}
}

// markAll lists some blocks.
func (m *mostFree) markAll(from, to int) {
	for b := from; b < to; b++ {
		m.mark(b)
	}
}

// grow makes room for so many blocks of positions; new ones are listed, and a level above may be wrong until they are read.
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

// truncate drops all but the first blocks of positions.
func (m *mostFree) truncate(blocks int) {
	*m = mostFree{width: m.width}
	m.grow(blocks)
}

// sum works out the entries of a level that stand for some blocks of the one below.
func (m *mostFree) sum(level, from, to int) {
	for e := from; e < to; e++ {
		for t := range m.width {
			m.levels[level][e>>fanoutShift*m.width+t][e&(fanout-1)] = m.levels[level-1][e*m.width+t].largest()
		}
	}
}

// of is the most free of a type over all positions.
func (m *mostFree) of(typ int) int64 {
	if len(m.levels) == 0 {
		return 0
	}
	return m.levels[len(m.levels)-1][typ].largest()
}

// refresh brings the levels up to date.
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

// raise gives a block of positions another figure, and carries it upwards if need be.
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
