package node

import (
	"math"

	"github.com/quern-project/quern/core/internal/class"
)

// ScoreReader tells the scores that nodes have for a class of asks, as far as they are known: it asks no policy.
type ScoreReader struct {
	pool    *Pool
	order   *classOrder    // of a score that depends on the ask; nil: it does not, or the class has not been searched for
	changed map[int32]bool // slots that order has not followed
	none    bool           // no score is known
}

// Scores reads the scores for a class. The reader is good until the pool changes.
func (p *Pool) Scores(c *class.Class) ScoreReader {
	r := ScoreReader{pool: p}
	if !p.scoring.byAsk() {
		return r
	}
	if r.order = p.byClass[c.ID]; r.order == nil {
		r.none = true
		return r
	}
	read := r.order.read
	slots, all := p.Changes(&read)
	r.none, r.changed = all, map[int32]bool{}
	for _, slot := range slots {
		r.changed[slot] = true
	}
	return r
}

// Policy is the name of the policy that gives the scores.
func (r *ScoreReader) Policy() string { return r.pool.scoring.acting.Current().Name }

// Of is a node's score: the larger, the better. It is not known where the policy was not asked about the node as it is now.
func (r *ScoreReader) Of(n *Node) (score int64, known bool) {
	s := &r.pool.scoring
	switch {
	case r.none:
		return 0, false
	case s.table == nil:
		return s.utilisation(r.pool.types, n), true
	case r.order == nil:
		return s.scores[n.Slot], s.table.Asked(n.Slot)
	case int(n.Slot) >= len(r.order.scores):
		return 0, false
	}
	return r.order.scores[n.Slot], r.order.table.Asked(n.Slot) && !r.changed[n.Slot]
}

// Value is a score as the policy gave it, and of a built-in policy the utilisation from 0 to 1, below 0 where less is better.
func (r *ScoreReader) Value(score int64) float64 {
	if r.pool.scoring.table == nil {
		return float64(score) / 1e9
	}
	return -answerOf(-score)
}

// answerOf is the answer that policy.SortKey made a key of.
func answerOf(key int64) float64 {
	if key < 0 {
		key ^= math.MaxInt64
	}
	return math.Float64frombits(uint64(key))
}
