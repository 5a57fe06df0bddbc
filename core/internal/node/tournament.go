package node

import "github.com/quern-project/quern/core/internal/index"

// none stands where there is no node, or no position.
const none int32 = -1

// tournament holds nodes in a fixed order, that of their IDs, with their scores and free room. The first node with the
// best score is found, and a node's change is followed, along one path of the grid: nothing moves unless nodes come or go.
type tournament struct {
	grid                // by position
	nodes      []int32  // slots by position, in order; none in the gaps that are left for more. A block's entries come first
	positions  *[]int32 // by slot; tournaments that share no node may share it
	count      int
	thresholds []threshold
	debt       int // blocks looked at in long searches since a threshold was last made
	made       int // thresholds so far
	changes    changelist
	tree       scoreTree
	// before tells the order of two slots that are in the tournament, or about to be.
	before func(a, b int32) bool
}

//go:noinline
func newTournament(types int, positions *[]int32, before func(a, b int32) bool) tournament {
	return tournament{grid: grid{width: 1 + types}, positions: positions, before: before}
}

// position returns the position of a slot, or none.
func (t *tournament) position(slot int32) int32 {
	if int(slot) < len(*t.positions) {
		return (*t.positions)[slot]
	}
	return none
}

// score and room are what an entry says.
func (t *tournament) score(position int32) int64         { return t.at(position, 0) }
func (t *tournament) room(position int32, typ int) int64 { return t.at(position, 1+typ) }

// blocks is the number of blocks of positions.
func (t *tournament) blocks() int { return len(t.nodes) / fanout }

// set gives the entry at a position another score and other room.
func (t *tournament) set(position int32, score int64, room []int64) {
	changed := t.raise(0, 0, int(position), score)
	for i, v := range room {
		changed = t.raise(0, i+1, int(position), v) || changed
	}
	if changed {
		t.note(position)
	}
}

// note lists an entry that changed for the thresholds and the tree.
//
//go:noinline
func (t *tournament) note(position int32) { t.changes.note(position, 4*t.count+64) }

// first returns the position of the first node with the best score that has the room and is accepted; a nil accept
// takes every node.
func (t *tournament) first(needs []index.Need, accept func(slot int32) bool) int32 {
	scores, led := &t.grid, t.narrowest(needs)
	if led != nil {
		scores = &led.grid
	}
	position := scores.winner()
	if position == none || t.takes(position, needs) && (accept == nil || accept(t.nodes[position])) {
		return position
	}
	if t.tree.skip > 0 {
		return t.tree.first(t, needs, accept)
	}
	s := branchAndBound{tournament: t, scores: scores, needs: needs, accept: accept, best: none, score: closed + 1, budget: t.tree.budget(t)}
	done := s.visit(len(t.levels)-1, 0)
	t.lengthy(&s, led)
	t.tree.judge(s.looked, done)
	if !done {
		return t.tree.first(t, needs, accept)
	}
	return s.best
}

// takes reports whether an entry has the room.
func (t *tournament) takes(position int32, needs []index.Need) bool {
	for _, need := range needs {
		if t.room(position, need.Lane) < need.Min {
			return false
		}
	}
	return true
}
