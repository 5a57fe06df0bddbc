package node

import (
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/index"
)

// none stands where there is no node, or no position.
const none int32 = -1

// tournament holds nodes in a fixed order, that of their IDs, with their scores, and what shortens the searches that its
// winner does not end.
type tournament struct {
	scores     scores    // by position
	most       mostFree  // by block of positions
	free       *freeRoom // by slot
	nodes      []int32   // slots by position, in order; none in the gaps that are left for more. A block's entries come first
	positions  *[]int32  // by slot; tournaments that share no node may share it
	count      int
	thresholds []threshold
	choices    []choice // by class ID, those of several classes in one place; nil without thresholds
	debt       int      // blocks looked at in long searches since a threshold was last made
	made       int      // thresholds so far
	changes    changelist
	tree       scoreTree
	// before tells the order of two slots that are in the tournament, or about to be.
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

// blocks is the number of blocks of positions.
func (t *tournament) blocks() int { return len(t.nodes) / fanout }

// set gives the node at a position another score. Where what it has free may have changed, its block is marked besides.
func (t *tournament) set(position int32, score int64) {
	t.scores.set(position, score)
	if t.changes.readers > 0 {
		t.note(position)
	}
}

// note lists an entry that changed for the thresholds and the tree.
func (t *tournament) note(position int32) { t.changes.note(position, 4*t.count+64) }

// first returns the position of the first node with the best score that has the room for a class and is accepted; a nil
// accept takes every node.
func (t *tournament) first(c *class.Class, accept func(slot int32) bool) int32 {
	scores, led := &t.scores, (*threshold)(nil)
	if len(t.thresholds) > 0 {
		if led = t.leader(c); led != nil {
			scores = &led.scores
		}
	}
	position := scores.winner()
	if position == none || t.takes(position, c.Needs) && (accept == nil || accept(t.nodes[position])) {
		return position
	}
	if t.tree.skip > 0 {
		return t.tree.first(t, c.Needs, accept)
	}
	return t.search(c, accept, scores, led)
}

// search looks for the first node that a winner without the room stands before.
func (t *tournament) search(c *class.Class, accept func(slot int32) bool, scores *scores, led *threshold) int32 {
	t.most.refresh(t.nodes, t.free)
	s := branchAndBound{tournament: t, scores: scores, class: c, accept: accept, best: none, score: closed + 1, budget: t.tree.budget(t)}
	done := s.visit(len(scores.levels)-1, 0)
	t.lengthy(&s, led)
	t.tree.judge(s.looked, done)
	if !done {
		return t.tree.first(t, c.Needs, accept)
	}
	return s.best
}

// takes reports whether the node at a position has the room.
func (t *tournament) takes(position int32, needs []index.Need) bool {
	return t.free.takes(t.nodes[position], needs)
}
