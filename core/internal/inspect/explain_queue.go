package inspect

import (
	"slices"
	"sort"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// ExplainApp explains why an application waits. ok is false if no live application has the ID.
func (s *View) ExplainApp(id string) (e explain.AppExplanation, ok bool) {
	a := s.Asks().AppWithID(id)
	if a.IsNone() {
		return e, false
	}
	s.walk.SortAll()
	q, tree := state.QueueOfApp(a), s.Queues()
	e = explain.AppExplanation{ID: id, Queue: tree.Shown(q), State: a.State().String(), Since: a.Since(), Pending: a.PendingAsks(), Allocations: a.Allocations(), Preempted: a.Preempted(), Gang: s.explainGang(a)}
	e.Priority, e.HasPriority = a.Highest()
	e.Place = s.placeInLeaf(a)
	e.Placement = explain.PlacementOf(a.Placement(), s.Shown())
	e.HasPlace = state.HoldsPlace(a)
	if !a.Limits().IsNone() {
		e.Group = a.Limits().Group()
	}
	if !e.HasPriority {
		e.Reasons = []core.Reason{explain.WaitNothingPending}
		e.Text = e.Sentences("")
		return e, true
	}
	e.Blocked, e.Limits = blockedBy(a, tree, q), s.fullLimits(a)
	waiting := s.waitingOf(a)
	for _, ask := range waiting[:min(10, len(waiting))] {
		e.Waits = append(e.Waits, ask.ID())
	}
	e.Reasons = s.appReasons(a, e.Blocked)
	first, _ := s.ExplainAsk(waiting[0].ID())
	if len(e.Reasons) == 0 {
		e.Reasons = first.Reasons
	}
	e.Text = e.Sentences(first.Text)
	return e, true
}

// appReasons lists the reasons why the application's asks are skipped regardless of their resources.
func (s *View) appReasons(a app.App, blocked []string) []core.Reason {
	var out []core.Reason
	if len(blocked) > 0 {
		out = append(out, explain.WaitMaxApps)
	}
	out = append(out, limitReasons(s.fullLimits(a), explain.WaitUserMaxApps, explain.WaitGroupMaxApps)...)
	if a.State().Paused() {
		out = append(out, explain.WaitNotRunning)
	} else if a.IneligibleByPolicy() {
		out = append(out, explain.WaitPolicy)
	} else if !a.Eligible() {
		out = append(out, explain.WaitStateFilter)
	}
	sort.Slice(out, func(i, j int) bool { return slices.Index(waitReasons, out[i]) < slices.Index(waitReasons, out[j]) })
	return out
}

// placeInLeaf returns the position of an application in the order of its leaf, starting at 1, or 0 if it has no pending asks.
func (s *View) placeInLeaf(a app.App) int {
	if _, waits := a.Highest(); !waits {
		return 0
	}
	before := map[app.App]bool{}
	a.Leaf().Each(func(other app.Turn) bool {
		if other.App != a {
			before[other.App] = true
		}
		return other.App != a
	})
	return len(before) + 1
}

// ExplainQueue describes a queue and explains why its first pending ask waits. ok is false if no queue has the path.
func (s *View) ExplainQueue(path string) (e explain.QueueExplanation, ok bool) {
	tree := s.Queues()
	q := tree.Find(strings.ToLower(path))
	if q == queues.None {
		return e, false
	}
	s.walk.SortAll()
	e.QueueState, e.Quota = s.readQueue(q), s.explainQuota(q)
	e.Settings, e.Fence = s.settings(q), fenceOf(tree, q)
	if t := s.TemplateOf(q); t != queues.None {
		e.Template = tree.Shown(t)
	}
	first := s.firstOf(q)
	if first.IsNone() {
		e.Reasons = []core.Reason{explain.WaitNothingPending}
		e.Text = e.Sentences(tree.Shown(q), s.Now(), "")
		return e, true
	}
	x, _ := s.ExplainAsk(first.ID())
	e.Reasons, e.Shortfalls = x.Reasons, x.Shortfalls
	e.Text = e.Sentences(tree.Shown(q), s.Now(), x.Text)
	return e, true
}

// firstOf returns the first pending ask of a queue in the order of the walk. If all pending asks arrived since the last cycle, and so
// have no position in the order, it returns one of them.
func (s *View) firstOf(q queues.ID) (first app.Ask) {
	s.walk.EachClass(q, func(ask app.Ask) bool { first = ask; return false })
	if !first.IsNone() || s.Queues().Asks(q) == 0 {
		return first
	}
	return s.firstUnordered(q)
}

// firstUnordered returns a pending ask of a queue whose asks have no position in the order.
func (s *View) firstUnordered(q queues.ID) (first app.Ask) {
	tree := s.Queues()
	if tree.IsLeaf(q) {
		s.Leaf(q).Apps(func(a app.App) bool {
			a.Pending(func(ask app.Ask) bool { first = ask; return false })
			return first.IsNone()
		})
		return first
	}
	for child := range tree.Children(q) {
		if ask := s.firstUnordered(child); !ask.IsNone() && (first.IsNone() || ask.Seq() < first.Seq()) {
			first = ask
		}
	}
	return first
}
