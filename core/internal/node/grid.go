package node

import "math"

// fanout is how many entries a block has: with 8, one column of a block is one cache line (BenchmarkPlace).
const (
	fanout      = 1 << fanoutShift
	fanoutShift = 3
)

// closed is the score of an entry that no search may return.
const closed = math.MinInt64

// grid is a tree of maxima over positions. Entries stand in blocks; an entry of the level above stands for a block, and
// has the largest of each of its columns, up to a level of a single block. Column 0 holds scores, the others room.
type grid struct {
	width  int       // columns
	levels [][]int64 // from below: blocks, each column by column
}

// column returns one column of a block.
func (g *grid) column(level, block, column int) *[fanout]int64 {
	return (*[fanout]int64)(g.levels[level][(block*g.width+column)*fanout:])
}

// figures is column for what is done rarely: kept apart, since it would be inlined at some cost to the module's size.
//
//go:noinline
func (g *grid) figures(level, block, column int) *[fanout]int64 {
	return g.column(level, block, column)
}

// largest is the largest of a column.
func largest(c *[fanout]int64) int64 {
	return max(max(c[0], c[1], c[2], c[3]), max(c[4], c[5], c[6], c[7]))
}

// raise writes one figure of an entry and carries it upwards as far as it matters: most often to the next level or the
// one after it.
func (g *grid) raise(level, column, entry int, v int64) (changed bool) {
	if level >= len(g.levels) {
		return false
	}
	block, i := g.column(level, entry>>fanoutShift, column), entry&(fanout-1)
	old := block[i]
	if old == v {
		return false
	}
	for {
		block[i] = v
		level++
		if level >= len(g.levels) {
			return true
		}
		entry >>= fanoutShift
		above, j := g.column(level, entry>>fanoutShift, column), entry&(fanout-1)
		top := above[j]
		if v < top {
			if old < top {
				return true
			}
			v = largest(block)
		}
		if v == top {
			return true
		}
		block, i, old = above, j, top
	}
}

// most is the largest of a column over all entries.
func (g *grid) most(column int) int64 {
	if len(g.levels) == 0 {
		return closed
	}
	return largest(g.column(len(g.levels)-1, 0, column))
}

// at is a figure of an entry.
func (g *grid) at(position int32, column int) int64 {
	return g.column(0, int(position)>>fanoutShift, column)[position&(fanout-1)]
}

// winner is the first position with the best score, none when all are closed.
func (g *grid) winner() int32 {
	best := g.most(0)
	if best == closed {
		return none
	}
	at := 0
	for level := len(g.levels) - 1; level >= 0; level-- {
		j := 0
		for c := g.column(level, at, 0); c[j] != best; {
			j++
		}
		at = at<<fanoutShift | j
	}
	return int32(at)
}

// grow makes room for so many blocks of positions; new ones are closed, and have no room.
func (g *grid) grow(blocks int) {
	stride := g.width * fanout
	for level := 0; ; level++ {
		top := level == len(g.levels)
		if top {
			g.levels = append(g.levels, nil)
		}
		if old := len(g.levels[level]) / stride; old < blocks {
			g.levels[level] = append(g.levels[level], make([]int64, (blocks-old)*stride)...)
			for ; old < blocks; old++ {
				for i := range fanout {
					g.figures(level, old, 0)[i] = closed
				}
			}
		}
		if top && level > 0 {
			g.sumUp(level, 0, len(g.levels[level-1])/stride)
		}
		if blocks == 1 {
			return
		}
		blocks = (blocks-1)>>fanoutShift + 1
	}
}

// truncate drops all but the first blocks of positions; the others are empty.
func (g *grid) truncate(blocks int) {
	for level := 0; ; level++ {
		g.levels[level] = g.levels[level][:blocks*g.width*fanout]
		if blocks == 1 {
			g.levels = g.levels[:level+1]
			return
		}
		blocks = (blocks-1)>>fanoutShift + 1
	}
}

// sumUp works out the entries of a level that stand for some blocks of the one below.
func (g *grid) sumUp(level, from, to int) {
	for b := from; b < to; b++ {
		for column := range g.width {
			g.figures(level, b>>fanoutShift, column)[b&(fanout-1)] = largest(g.figures(level-1, b, column))
		}
	}
}

// sumAbove works out all levels above some blocks of positions.
func (g *grid) sumAbove(from, to int) {
	for level := 1; level < len(g.levels); level++ {
		g.sumUp(level, from, to)
		from, to = from>>fanoutShift, (to-1)>>fanoutShift+1
	}
}
