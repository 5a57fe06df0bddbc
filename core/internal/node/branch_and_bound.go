package node

import (
	"math/bits"

	"github.com/quern-project/quern/core/internal/class"
)

// branchAndBound finds the first position with the best score among the nodes with enough room. It visits the blocks whose largest
// score and most free room permit a better node than the best one so far, in descending order of score.
type branchAndBound struct {
	*tournament
	scores  *scores // the tournament's scores, or those of one of its thresholds
	class   class.Class
	accept  func(slot int32) bool // nil accepts every node
	best    int32                 // position of the best node so far, or none
	score   int64                 // score of the best node; closed+1 if there is none
	visited int                   // number of blocks visited
	budget  int                   // limit of blocks visited
}

// visit searches a block. It reports false if the budget is used up.
func (s *branchAndBound) visit(level, at int) bool {
	needs := s.class.RoomNeeds()
	if s.visited++; s.visited > s.budget {
		return false
	}
	scores := &s.scores.levels[level][at]
	left := scores.reaching(s.score)
	if level > 0 {
		most := s.most.levels[level-1][at*s.most.width:][:s.most.width]
		for i := needs.Len() - 1; i >= 0; i-- { // types that were added late are usually the scarce ones
			if left == 0 {
				return true
			}
			need := needs.At(i)
			left &= most[need.Lane].reaching(need.Min)
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
			return true // a better node has been found meanwhile
		case best == s.score && at >= s.best>>(fanoutShift*level): // among equal scores, only an earlier position is better
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
