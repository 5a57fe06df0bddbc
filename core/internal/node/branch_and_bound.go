package node

import (
	"math/bits"

	"github.com/quern-project/quern/core/internal/class"
)

// branchAndBound looks for the first entry with the best score that has the room. A block is entered if one of its
// entries, as far as the largest score and the most free of each tell, may be better than the best so far; best promise
// first.
type branchAndBound struct {
	*tournament
	scores *scores // of the tournament or of one of its thresholds
	class  *class.Class
	accept func(slot int32) bool // nil: every node
	best   int32                 // its position; none: nothing was found
	score  int64                 // of the best, closed+1 before there is one
	looked int                   // blocks that it has looked at
	budget int                   // blocks that it may look at
}

// visit searches a block and reports false when the budget is used up.
func (s *branchAndBound) visit(level, at int) bool {
	needs := s.class.Needs
	if s.looked++; s.looked > s.budget {
		return false
	}
	scores := &s.scores.levels[level][at]
	left := scores.reaching(s.score)
	if level > 0 {
		most := s.most.levels[level-1][at*s.most.width:][:s.most.width]
		for i := len(needs) - 1; i >= 0; i-- { // types that are known late are scarce, more often than not
			if left == 0 {
				return true
			}
			left &= most[needs[i].Lane].reaching(needs[i].Min)
		}
	}
	for left != 0 {
		entry, best := bits.TrailingZeros(left), int64(closed)
		for rest := left; rest != 0; rest &= rest - 1 {
			if j := bits.TrailingZeros(rest); scores[j] > best {
				entry, best = j, scores[j]
			}
		}
		left &^= 1 << entry
		at := int32(at<<fanoutShift | entry)
		switch {
		case best < s.score:
			return true // a better one has been found since
		case best == s.score && at >= s.best>>(fanoutShift*level): // of equals the first in order goes first
		case level > 0:
			if !s.visit(level-1, int(at)) {
				return false
			}
		case s.takes(at, needs) && (s.accept == nil || s.accept(s.nodes[at])):
			s.best, s.score = at, best
			return true // the rest of the block is no better
		}
	}
	return true
}
