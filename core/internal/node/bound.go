package node

import (
	"math/bits"

	"github.com/quern-project/quern/core/internal/index"
)

// branchAndBound looks for the first entry with the best score that has the room. A block is entered if one of its
// entries, as far as the largest of each column tells, may be better than the best so far; best promise first.
type branchAndBound struct {
	*tournament
	scores *grid // of the tournament or of one of its thresholds
	needs  []index.Need
	accept func(slot int32) bool // nil: every node
	best   int32                 // its position; none: nothing was found
	score  int64                 // of the best, closed+1 before there is one
	looked int                   // blocks that it has looked at
	budget int                   // blocks that it may look at
}

// visit searches a block and reports false when the budget is used up.
func (s *branchAndBound) visit(level, block int) bool {
	if s.looked++; s.looked > s.budget {
		return false
	}
	scores := s.scores.column(level, block, 0)
	left := reaching(scores, s.score)
	for i := range s.needs {
		if left == 0 {
			return true
		}
		left &= reaching(s.column(level, block, 1+s.needs[i].Lane), s.needs[i].Min)
	}
	for left != 0 {
		entry, best := bits.TrailingZeros(left), int64(closed)
		for rest := left; rest != 0; rest &= rest - 1 {
			if j := bits.TrailingZeros(rest); scores[j] > best {
				entry, best = j, scores[j]
			}
		}
		left &^= 1 << entry
		at := int32(block<<fanoutShift | entry)
		switch {
		case best < s.score:
			return true // a better one has been found since
		case best == s.score && at >= s.best>>(fanoutShift*level): // of equals the first in order goes first
		case level > 0:
			if !s.visit(level-1, int(at)) {
				return false
			}
		case s.accept == nil || s.accept(s.nodes[at]):
			s.best, s.score = at, best
			return true // the rest of the block is no better
		}
	}
	return true
}

// reaching returns a bit for each figure of a column that is no less than some value.
func reaching(c *[fanout]int64, v int64) uint {
	return bit(c[0] >= v) | bit(c[1] >= v)<<1 | bit(c[2] >= v)<<2 | bit(c[3] >= v)<<3 |
		bit(c[4] >= v)<<4 | bit(c[5] >= v)<<5 | bit(c[6] >= v)<<6 | bit(c[7] >= v)<<7
}

func bit(is bool) uint {
	if is {
		return 1
	}
	return 0
}
