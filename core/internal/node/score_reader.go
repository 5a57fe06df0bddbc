package node

import (
	"math"

	"github.com/quern-project/quern/core/internal/class"
)

// ScoreReader reads the known scores of nodes for a class of asks. It never calls a policy and changes nothing.
type ScoreReader struct {
	finder  *finder
	order   *classOrder    // nil if the score does not depend on the ask, or the class has not been searched for
	changed map[int32]bool // slots whose changes, or those of their domains, the order has not followed
	none    bool           // no score is known
}

// Scores returns a reader for a class. It is valid until the finder changes.
func (p *finder) Scores(c class.Class) ScoreReader {
	r := ScoreReader{finder: p, changed: map[int32]bool{}}
	change := func(slot int32) { r.changed[slot] = true }
	if s := &p.scoring; !s.byAsk() {
		if s.table != nil {
			s.domains.outdated(p, s.table, change)
		}
		return r
	}
	if r.order = p.byClass[c.ID()]; r.order == nil {
		r.none = true
		return r
	}
	read := r.order.read
	slots, all := p.changes(&read)
	r.none = all
	for _, slot := range slots {
		change(slot)
	}
	r.order.outdatedDomains(change)
	return r
}

// Policy returns the name of the score policy.
func (r *ScoreReader) Policy() string { return r.finder.scoring.acting.Current().Name }

// Of returns a node's score; larger is better. It is unknown if the policy has not been asked about the current state of the node.
func (r *ScoreReader) Of(slot int32) (score int64, known bool) {
	s := &r.finder.scoring
	switch {
	case r.none:
		return 0, false
	case s.table == nil:
		amounts := r.finder.Amounts(slot)
		return r.finder.score(amounts), true
	case r.order == nil:
		return s.scores[slot], s.table.Asked(slot) && !r.changed[slot]
	case int(slot) >= len(r.order.scores):
		return 0, false
	}
	return r.order.scores[slot], r.order.table.Asked(slot) && !r.changed[slot]
}

// Value converts a score to the policy's answer. For a built-in policy it is the utilisation, from 0 to 1, negated if less is better.
func (r *ScoreReader) Value(score int64) float64 {
	if r.finder.scoring.table == nil {
		return float64(score) / 1e9
	}
	return -answerOf(-score)
}

// answerOf inverts policy.SortKey.
func answerOf(key int64) float64 {
	if key < 0 {
		key ^= math.MaxInt64
	}
	return math.Float64frombits(uint64(key))
}
