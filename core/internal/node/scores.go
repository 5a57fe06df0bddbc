package node

import "math"

// scores is a tournament of the scores at positions. Entries are in blocks. An entry of the level above stands for a block and has its
// largest score; the highest level is a single block. The best score is at the top, and the first position with it is found along one
// path. The winner is cached: among equal nodes, the next winner is usually a neighbour, and with binpacking it is usually the same
// node.
type scores struct {
	levels [][]block // lowest first
	lead   int64     // upper bound of all scores; unknown if it has to be looked up
	first  int32     // no position before this one has the score lead
}

// unknown is a lead above every score, so that set does not change it.
const unknown = math.MaxInt64

// at returns the score at a position.
func (s *scores) at(position int32) int64 {
	return s.levels[0][position>>fanoutShift][position&(fanout-1)]
}

// set changes the score at a position, and the levels above.
func (s *scores) set(position int32, score int64) {
	if score > s.lead {
		s.lead, s.first = score, position
	} else if score == s.lead && position < s.first {
		s.first = position
	}
	s.raise(0, int(position), score)
}

// raise changes the score of an entry of a level, and the levels above as far as their maximum changes.
func (s *scores) raise(level, entry int, score int64) {
	if level >= len(s.levels) {
		return
	}
	b := &s.levels[level][entry>>fanoutShift]
	old := b[entry&(fanout-1)]
	if old == score {
		return
	}
	b[entry&(fanout-1)] = score
	for level++; level < len(s.levels); level++ {
		entry >>= fanoutShift
		above := &s.levels[level][entry>>fanoutShift]
		top := above[entry&(fanout-1)]
		if score < top {
			if old < top {
				return
			}
			score = b.largest()
		}
		if score == top {
			return
		}
		above[entry&(fanout-1)] = score
		b, old = above, top
	}
}

// best returns the best score, or closed if there is no open entry.
func (s *scores) best() int64 {
	if len(s.levels) == 0 {
		return closed
	}
	return s.levels[len(s.levels)-1][0].largest()
}

// winner returns the first position with the best score, or none if all are closed.
func (s *scores) winner() int32 {
	if s.lead == unknown || !s.advance() {
		s.lead, s.first = s.best(), 0
		if s.lead == closed {
			s.forget()
			return none
		}
		s.descend(len(s.levels)-1, 0)
	}
	return s.first
}

// advance moves first to the next position that has the score lead, and reports whether there is one.
func (s *scores) advance() bool {
	at := int(s.first)
	for level, blocks := range s.levels {
		if at>>fanoutShift >= len(blocks) {
			return false
		}
		b := &blocks[at>>fanoutShift]
		for j := at & (fanout - 1); j < fanout; j++ {
			if b[j] == s.lead {
				s.descend(level-1, at&^(fanout-1)|j)
				return true
			}
		}
		if level == 0 && s.best() != s.lead {
			return false
		}
		at = at>>fanoutShift + 1 // the blocks after this one
	}
	return false
}

// descend finds the first position with the score lead in the subtree of a block that contains it.
func (s *scores) descend(level, at int) {
	for ; level >= 0; level-- {
		b := &s.levels[level][at]
		at <<= fanoutShift
		for j := range b {
			if b[j] == s.lead {
				at |= j
				break
			}
		}
	}
	s.first = int32(at)
}

// forget drops the cached winner. Call it after changes of scores other than by set.
func (s *scores) forget() { s.lead = unknown }

// grow extends the levels to a number of blocks of positions. New entries are closed.
func (s *scores) grow(blocks int) {
	s.forget()
	for level := 0; ; level++ {
		top := level == len(s.levels)
		if top {
			s.levels = append(s.levels, nil)
		}
		for len(s.levels[level]) < blocks {
			s.levels[level] = append(s.levels[level], block{closed, closed, closed, closed, closed, closed, closed, closed})
		}
		if top && level > 0 {
			s.sum(level, 0, len(s.levels[level-1]))
		}
		if blocks == 1 {
			return
		}
		blocks = blocksFor(blocks)
	}
}

// truncate keeps only the first blocks of positions.
func (s *scores) truncate(blocks int) {
	s.levels = [][]block{s.levels[0][:blocks]}
	s.grow(blocks)
}

// sum computes a range of entries of a level from the level below.
func (s *scores) sum(level, from, to int) {
	for b := from; b < to; b++ {
		s.levels[level][b>>fanoutShift][b&(fanout-1)] = s.levels[level-1][b].largest()
	}
}

// sumAbove computes all levels above a range of blocks of positions.
func (s *scores) sumAbove(from, to int) {
	s.forget()
	for level := 1; level < len(s.levels); level++ {
		s.sum(level, from, to)
		from, to = from>>fanoutShift, blocksFor(to)
	}
}
