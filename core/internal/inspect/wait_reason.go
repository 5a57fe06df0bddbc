package inspect

import (
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// WaitReason returns the first reason why the first pending ask of a leaf waits. It neither searches victims nor builds a text, so its
// cost is small for each node and application.
func (s *View) WaitReason(path string) core.Reason {
	tree := s.Queues()
	q := tree.Find(strings.ToLower(path))
	if q == queues.None || !tree.IsLeaf(q) || tree.Asks(q) == 0 {
		return explain.WaitNothingPending
	}
	s.walk.SortAll()
	first := s.firstOf(q)
	if first.IsNone() {
		return explain.WaitNotYet
	}
	e := explain.AskExplanation{Pending: true}
	s.explainWait(first, q, &e)
	return e.Reasons[0]
}
