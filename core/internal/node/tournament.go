package node

import (
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/readonly"
)

// none means no node, or no position.
const none int32 = -1

// tournament holds a set of nodes, sorted by ID, with their scores, and the structures that shorten searches beyond the winner.
type tournament struct {
	scores     scores    // by position
	most       mostFree  // by block of positions
	free       *freeRoom // by slot
	nodes      []int32   // slots by position; none in gaps, which are at the end of each block
	positions  *[]int32  // by slot; tournaments without common nodes may share it
	count      int
	thresholds []threshold
	choices    []thresholdChoice // a cache by class ID, modulo its length; nil without thresholds
	debt       int               // blocks visited in long searches since the last threshold was made
	made       int               // number of thresholds made so far
	changes    changelist
	tree       scoreTree
	// before compares two slots that are in the tournament, or about to be.
	before func(a, b int32) bool
}

func newTournament(free *freeRoom, positions *[]int32, before func(a, b int32) bool) tournament {
	return tournament{most: mostFree{width: free.width}, free: free, positions: positions, before: before}
}

// position returns the position of a slot, or none.
func (t *tournament) position(slot int32) int32 {
	if int(slot) < len(*t.positions) {
		return (*t.positions)[slot]
	}
	return none
}

// blocks returns the number of blocks of positions.
func (t *tournament) blocks() int { return len(t.nodes) / fanout }

// set changes the score at a position. If the node's free room may have changed, the caller must mark its block in most as well.
func (t *tournament) set(position int32, score int64) {
	t.scores.set(position, score)
	if t.changes.readers > 0 {
		t.record(position)
	}
}

// record lists a changed entry for the thresholds and the tree.
func (t *tournament) record(position int32) { t.changes.record(position, 4*t.count+64) }

// first returns the position of the best node with enough room for a class that is accepted, or none. A nil accept accepts every node.
func (t *tournament) first(c class.Class, accept func(slot int32) bool) int32 {
	scores, led := &t.scores, (*threshold)(nil)
	if len(t.thresholds) > 0 {
		if led = t.thresholdFor(c); led != nil {
			scores = &led.scores
		}
	}
	position := scores.winner()
	if position == none || t.takes(position, c.RoomNeeds()) && (accept == nil || accept(t.nodes[position])) {
		return position
	}
	if t.tree.skip > 0 {
		return t.tree.first(t, c.RoomNeeds(), accept)
	}
	return t.search(c, accept, scores, led)
}

// search finds the best node after a winner without enough room.
func (t *tournament) search(c class.Class, accept func(slot int32) bool, scores *scores, led *threshold) int32 {
	t.most.refresh(t.nodes, t.free)
	s := branchAndBound{tournament: t, scores: scores, class: c, accept: accept, best: none, score: closed + 1, budget: t.tree.budget(t)}
	done := s.visit(len(scores.levels)-1, 0)
	t.recordLongSearch(&s, led)
	t.tree.adapt(s.visited, done)
	if !done {
		return t.tree.first(t, c.RoomNeeds(), accept)
	}
	return s.best
}

// takes reports whether the node at a position has enough room.
func (t *tournament) takes(position int32, needs readonly.List[index.Need]) bool {
	return t.free.takes(t.nodes[position], needs)
}
