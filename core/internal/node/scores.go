package node

// scores is a tournament over positions, each with a score: entries stand in blocks, and an entry of the level above stands
// for a block and has its largest score, up to a level of a single block. The best score is at the top, and the first
// position that has it is found along one path.
type scores struct {
	levels [][]block // from below
}

// at is the score at a position.
func (s *scores) at(position int32) int64 {
	return s.levels[0][position>>fanoutShift][position&(fanout-1)]
}

// set gives a position another score and carries it upwards as far as it matters.
func (s *scores) set(position int32, score int64) { s.raise(0, int(position), score) }

// raise gives an entry of a level another score and carries it upwards.
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
	for _, blocks := range s.levels[level+1:] {
		entry >>= fanoutShift
		above := &blocks[entry>>fanoutShift]
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

// best is the best score, closed when there is no entry.
func (s *scores) best() int64 {
	if len(s.levels) == 0 {
		return closed
	}
	return s.levels[len(s.levels)-1][0].largest()
}

// winner is the first position with the best score, none when all are closed.
func (s *scores) winner() int32 {
	best := s.best()
	if best == closed {
		return none
	}
	at := 0
	for level := len(s.levels) - 1; level >= 0; level-- {
		b := &s.levels[level][at]
		at <<= fanoutShift
		for j := range b {
			if b[j] == best {
				at |= j
				break
			}
		}
	}
	return int32(at)
}

// grow makes room for so many blocks of positions; new ones are closed.
func (s *scores) grow(blocks int) {
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

// truncate drops all but the first blocks of positions; the others are empty.
func (s *scores) truncate(blocks int) {
	for level := 0; ; level++ {
		s.levels[level] = s.levels[level][:blocks]
		if blocks == 1 {
			s.levels = s.levels[:level+1]
			return
		}
		blocks = blocksFor(blocks)
	}
}

// sum works out the entries of a level that stand for some blocks of the one below.
func (s *scores) sum(level, from, to int) {
	for b := from; b < to; b++ {
		s.levels[level][b>>fanoutShift][b&(fanout-1)] = s.levels[level-1][b].largest()
	}
}

// sumAbove works out all levels above some blocks of positions.
func (s *scores) sumAbove(from, to int) {
	for level := 1; level < len(s.levels); level++ {
		s.sum(level, from, to)
		from, to = from>>fanoutShift, blocksFor(to)
	}
}
