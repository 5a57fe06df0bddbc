package inspect

import (
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
)

// WaitReason is the first reason for which an ask of a leaf waits: the one that the walk comes to first, where it comes to any. It looks
// for no victims and writes no text, so that it costs a little for each node and application.
func (s *View) WaitReason(path string) core.Reason {
	q := s.ByPath[strings.ToLower(path)]
	if q == nil || !q.Leaf() || q.Asks == 0 {
		return explain.WaitNothingPending
	}
	s.walk.SortAll()
	first := s.firstOf(q)
	if first == nil {
		return explain.WaitNotYet
	}
	e := explain.AskExplanation{Pending: true}
	s.explainWait(first, q, &e)
	return e.Reasons[0]
}
