package inspect

import (
	"strings"

	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/api"
	"github.com/quern-project/quern/core/internal/app"
)

// WaitReason is the first reason for which an ask of a leaf waits: the one that the walk comes to first, where it comes to any. It looks
// for no victims and writes no text, so that it costs a little for each node and application.
func (s *View) WaitReason(path string) api.Reason {
	q := s.ByPath[strings.ToLower(path)]
	if q == nil || !q.Leaf() || q.Asks == 0 {
		return explain.WaitNothingPending
	}
	s.walk.SortAll()
	var first *app.Ask
	s.walk.EachClass(q, func(ask *app.Ask) bool { first = ask; return false })
	if first == nil { // its application may not be allocated to
		s.Leaves[q.ID].Apps(func(a *app.App) bool {
			a.Pending(func(ask *app.Ask) bool { first = ask; return false })
			return first == nil
		})
	}
	if first == nil {
		return explain.WaitNotYet
	}
	e := explain.AskExplanation{Pending: true}
	s.explainWait(first, q, &e)
	return e.Reasons[0]
}
