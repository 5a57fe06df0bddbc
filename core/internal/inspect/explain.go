package inspect

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/api"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/resource"
)

// ExplainAsk says why an ask waits, or where it is; ok is false when no ask has the ID.
func (s *View) ExplainAsk(id string) (e explain.AskExplanation, ok bool) {
	ask := s.Asks.Find(id)
	if ask == nil {
		return s.explainGone(id)
	}
	s.walk.SortAll()
	q := s.QueueOf(ask)
	e = explain.AskExplanation{ID: id, App: ask.App.ID, Queue: q.Shown, Pending: ask.Pending(), Since: ask.Created, Priority: ask.Priority}
	e.Gang, e.Member = s.explainGang(ask.App), s.explainMember(ask)
	if !e.Pending {
		e.Node, e.Since = s.Nodes.At(ask.Node).ID, ask.PlacedAt
		e.Text = fmt.Sprintf("Ask %s runs on node %s.", id, e.Node)
		if why := s.Leaving[ask]; why != nil {
			e.Victim = why.Why.WithText()
			e.Text += " " + e.Victim.Text
		}
		if e.Member != nil && e.Member.Sentence() != "" {
			e.Text += " " + e.Member.Sentence()
		}
		return e, true
	}
	if ask.Keeps != app.NoNode {
		e.Node, e.Kept = s.Nodes.At(ask.Keeps).ID, true
	}
	if ask.Reserves != app.NoNode {
		e.Node, e.Reserved = s.Nodes.At(ask.Reserves).ID, true
	}
	e.Seen = seenBy(ask, q)
	e.Place = s.place(ask)
	if !e.Kept { // its headroom is kept for it
		e.Lacks = s.lacks(ask.Class, q, nil)
	}
	e.Limits = s.limitLacks(ask, nil)
	e.Blocked = blockedBy(ask.App, q)
	e.Nodes, e.Fits = s.countNodes(ask)
	e.Atomic = s.explainAtomic(ask)
	e.Never = s.never(ask.Class, q)
	e.Reasons = s.reasons(ask, &e)
	e.Verdict = "It " + s.explainPreemption(ask, false).Text
	e.Text = e.Sentences() + explain.NeverText(e.Never, restricted(ask.Class)) + " " + e.Verdict
	return e, true
}

// explainGone says which ask preempted an allocation that has left.
func (s *View) explainGone(id string) (e explain.AskExplanation, ok bool) {
	for i := len(s.Gone) - 1; i >= 0; i-- {
		if v := &s.Gone[i].Why; v.ID == id {
			e = explain.AskExplanation{ID: id, App: v.App, Queue: v.Queue, Gone: true, Victim: v.WithText()}
			e.Text = e.Victim.Text
			return e, true
		}
	}
	return e, false
}

// seenBy lists an ask's priority as each queue below root shows it upwards.
func seenBy(ask *app.Ask, q *queue.Queue) []explain.Seen {
	var out []explain.Seen
	for v := ask.Priority; q.Parent != nil; q = q.Parent {
		v = q.Priority(v)
		out = append(out, explain.Seen{Queue: q.Shown, Priority: v})
	}
	return out
}

// place counts the pending asks that the walk comes to before an ask, and the ask itself.
func (s *View) place(ask *app.Ask) int {
	leaf := s.Leaves[ask.App.Leaf.ID]
	n := 1
	ask.App.Pending(func(other *app.Ask) bool {
		if ask.App.Before(other, ask) {
			n++
		}
		return true
	})
	leaf.Each(func(a *app.App) bool {
		if a != ask.App {
			n += a.Asks
		}
		return a != ask.App
	})
	for q := leaf.Queue; q.Parent != nil; q = q.Parent {
		q.Parent.Each(func(child *queue.Queue) bool {
			if child != q {
				n += child.Asks
			}
			return child != q
		})
	}
	return n
}

// lacks lists the amounts that each queue on the way to the root is short of, leaf first, beside some more that is used.
func (s *View) lacks(c *class.Class, q *queue.Queue, more resource.Vec) []explain.Lack {
	var out []explain.Lack
	for ; q != nil; q = q.Parent {
		for _, need := range c.Resources {
			lane := s.Types.Intern(need.Type)
			room := q.Room(lane)
			if more != nil {
				room = max(0, resource.Sub(room, more[lane]))
			}
			if missing := resource.Sub(need.Value, room); missing > 0 {
				out = append(out, explain.Lack{Queue: q.Shown, Type: need.Type, Missing: missing})
			}
		}
	}
	return out
}

// blockedBy lists the queues at their maxapplications that keep an application from starting.
func blockedBy(a *app.App, q *queue.Queue) []string {
	var out []string
	for ; q != nil && !a.HasPlace(); q = q.Parent {
		if q.Full() {
			out = append(out, q.Shown)
		}
	}
	return out
}

// countNodes counts the nodes that an ask fails on, by cause, and those that would take it.
func (s *View) countNodes(ask *app.Ask) (counts []explain.NodeCount, fits int) {
	found := map[explain.NodeCount]int{}
	for _, n := range s.Nodes.Sorted() {
		reason, detail := s.failsOn(ask, n)
		if reason == "" {
			fits++
			continue
		}
		found[explain.NodeCount{Reason: reason, Detail: detail}]++
	}
	return sortedCounts(found), fits
}

// sortedCounts lists counts in the order of their causes.
func sortedCounts(found map[explain.NodeCount]int) (counts []explain.NodeCount) {
	for k, nodes := range found {
		k.Nodes = nodes
		counts = append(counts, k)
	}
	sort.Slice(counts, func(i, j int) bool {
		a, b := &counts[i], &counts[j]
		return cmp.Or(cmp.Compare(slices.Index(nodeCauses, a.Reason), slices.Index(nodeCauses, b.Reason)), cmp.Compare(a.Detail, b.Detail)) < 0
	})
	return counts
}

// nodeCauses are the causes that a node may fail on, in the order in which they are looked at.
var nodeCauses = []api.Reason{explain.NodeDraining, explain.NodeNotRequired, explain.NodeConstraint, explain.NodeTooSmall, explain.NodeKept, explain.NodeFull, explain.NodeReserved, explain.NodePredicate}

// failsOn returns the first cause for which a node does not take an ask now, or nothing.
func (s *View) failsOn(ask *app.Ask, n *node.Node) (reason api.Reason, detail string) {
	c := ask.Class
	if !n.Schedulable {
		return explain.NodeDraining, ""
	}
	if reason, detail = s.failsEmpty(c, n); reason != "" {
		return reason, detail
	}
	if n.Kept && s.OnNode[n.Slot].Claim.Ask != ask {
		return explain.NodeKept, ""
	}
	for _, need := range c.Resources {
		if n.Free(s.Types.Intern(need.Type)) < need.Value {
			return explain.NodeFull, need.Type
		}
	}
	if n.Held && !s.MayTake(ask, n) {
		return explain.NodeReserved, ""
	}
	if detail = s.predicateOn(c, n); detail != "" {
		return explain.NodePredicate, detail
	}
	return "", ""
}

// failsEmpty returns the first cause for which a node would not take a class if it were schedulable and nothing were
// allocated there, predicates apart.
func (s *View) failsEmpty(c *class.Class, n *node.Node) (reason api.Reason, detail string) {
	if c.Node != "" && c.Node != n.ID {
		return explain.NodeNotRequired, ""
	}
	if failed := class.FailsOn(c.Constraints, n.Attributes); failed != nil {
		return explain.NodeConstraint, failed.Attribute
	}
	for _, need := range c.Resources {
		if n.Empty(s.Types.Intern(need.Type)) < need.Value {
			return explain.NodeTooSmall, need.Type
		}
	}
	return "", ""
}

// predicateOn returns the code by which a predicate rules a schedulable node out, or nothing.
func (s *View) predicateOn(c *class.Class, n *node.Node) string {
	code, asked := s.Nodes.Verdict(c, n)
	switch {
	case !asked:
		return explain.NotAsked
	case code != 0:
		return strconv.FormatFloat(code, 'g', -1, 64)
	}
	return ""
}

// reasons lists why a pending ask waits.
func (s *View) reasons(ask *app.Ask, e *explain.AskExplanation) []api.Reason {
	var out []api.Reason
	if len(e.Lacks) > 0 {
		out = append(out, explain.WaitHeadroom)
	}
	out = append(out, limitReasons(e.Limits, explain.WaitUserLimit, explain.WaitGroupLimit)...)
	if e.Fits == 0 && !e.Kept && !ask.Rests() {
		out = append(out, explain.WaitNoNodeFits)
	}
	out = append(out, s.appReasons(ask.App, e.Blocked)...)
	if e.Kept {
		out = append(out, explain.WaitVictims)
	}
	if why := restReason(ask); why != "" {
		out = append(out, why)
	}
	switch g := e.Atomic; {
	case g == nil || e.Kept || ask.Rests():
	case g.Pending-g.Resting < g.Min:
		out = append(out, explain.WaitGangIncomplete)
	case g.Fits < g.Min:
		out = append(out, explain.WaitGangDoesNotFit)
	}
	if len(out) == 0 {
		out = append(out, explain.WaitNotYet)
	}
	return out
}

// appReasons lists why an application's asks are passed over, whatever they ask for.
func (s *View) appReasons(a *app.App, blocked []string) []api.Reason {
	var out []api.Reason
	if len(blocked) > 0 {
		out = append(out, explain.WaitMaxApps)
	}
	out = append(out, limitReasons(s.fullLimits(a), explain.WaitUserMaxApps, explain.WaitGroupMaxApps)...)
	if a.Paused() {
		out = append(out, explain.WaitNotRunning)
	} else if a.IneligibleByPolicy() {
		out = append(out, explain.WaitPolicy)
	} else if !a.Eligible() {
		out = append(out, explain.WaitStateFilter)
	}
	sort.Slice(out, func(i, j int) bool { return slices.Index(waitReasons, out[i]) < slices.Index(waitReasons, out[j]) })
	return out
}

// waitReasons are the codes of waiting, in order of declaration.
var waitReasons = []api.Reason{
	explain.WaitHeadroom, explain.WaitUserLimit, explain.WaitGroupLimit, explain.WaitNoNodeFits, explain.WaitMaxApps, explain.WaitUserMaxApps,
	explain.WaitGroupMaxApps, explain.WaitStateFilter, explain.WaitPolicy, explain.WaitVictims, explain.WaitGang,
	explain.WaitPlaceholder, explain.WaitRelease, explain.WaitNotRunning, explain.WaitGangIncomplete,
	explain.WaitGangDoesNotFit, explain.WaitNotYet, explain.WaitNothingPending,
}

// ExplainApp says why an application waits; ok is false when no live application has the ID.
func (s *View) ExplainApp(id string) (e explain.AppExplanation, ok bool) {
	a := s.Apps[id]
	if a == nil {
		return e, false
	}
	s.walk.SortAll()
	q := s.Leaves[a.Leaf.ID].Queue
	e = explain.AppExplanation{ID: id, Queue: q.Shown, State: a.State, Since: a.Since, Pending: a.Asks, Allocations: a.Allocations, Gang: s.explainGang(a)}
	e.Priority, e.HasPriority = a.Highest()
	e.Placement = explain.PlacementOf(a.Placement, s.Shown)
	e.HasPlace = state.HoldsPlace(a)
	if a.Limits != nil {
		e.Group = a.Limits.Group
	}
	if !e.HasPriority {
		e.Reasons = []api.Reason{explain.WaitNothingPending}
		e.Text = fmt.Sprintf("Application %s in %s is %s and has nothing pending.", id, q.Shown, a.State)
		if e.Gang != nil {
			e.Text += " " + e.Gang.Sentence()
		}
		e.Text += placedText(e.Placement)
		return e, true
	}
	e.Blocked, e.Limits = blockedBy(a, q), s.fullLimits(a)
	waiting := s.waitingOf(a)
	for _, ask := range waiting[:min(10, len(waiting))] {
		e.Waits = append(e.Waits, ask.ID)
	}
	e.Reasons = s.appReasons(a, e.Blocked)
	first, _ := s.ExplainAsk(waiting[0].ID)
	if len(e.Reasons) == 0 {
		e.Reasons = first.Reasons
	}
	e.Text = fmt.Sprintf("Application %s in %s is %s with %s pending, %d allocated. First of them: %s", id, q.Shown, a.State, explain.Count(a.Asks, "ask"), a.Allocations, first.Text) + placedText(e.Placement)
	return e, true
}

// placedText is what came of the placement rules, to go on with; nil: there were none.
func placedText(e *explain.PlacementExplanation) string {
	if e == nil {
		return ""
	}
	return " " + e.Text
}

// ExplainQueue says how a queue stands; ok is false when no queue has the path.
func (s *View) ExplainQueue(path string) (e explain.QueueExplanation, ok bool) {
	q := s.ByPath[strings.ToLower(path)]
	if q == nil {
		return e, false
	}
	s.walk.SortAll()
	e.QueueState, e.Quota = s.readQueue(q), s.explainQuota(q)
	quota := ""
	if e.Quota != nil {
		quota = " " + e.Quota.Sentence(q.Shown, s.Now)
	}
	first := s.firstOf(q)
	if first == nil {
		e.Reasons = []api.Reason{explain.WaitNothingPending}
		e.Text = fmt.Sprintf("Queue %s has nothing pending.%s", q.Shown, quota)
		return e, true
	}
	x, _ := s.ExplainAsk(first.ID)
	e.Reasons, e.Lacks = x.Reasons, x.Lacks
	e.Text = fmt.Sprintf("Queue %s has %s pending and %d allocated.%s First in order: %s", q.Shown, explain.Count(q.Asks, "ask"), q.Allocations, quota, x.Text)
	return e, true
}

// firstOf returns the first pending ask of a queue in order. Where all that waits came since the last cycle, and has no
// place in the order yet, it is the first that was submitted.
func (s *View) firstOf(q *queue.Queue) (first *app.Ask) {
	s.walk.EachClass(q, func(ask *app.Ask) bool { first = ask; return false })
	if first != nil || q.Asks == 0 {
		return first
	}
	for ask := range s.Asks.All {
		if ask.Pending() && s.QueueOf(ask).Within(q) && (first == nil || ask.Seq < first.Seq) {
			first = ask
		}
	}
	return first
}

// restricted reports whether asks of a class may run on some nodes only.
func restricted(c *class.Class) bool { return c.Node != "" || len(c.Constraints) > 0 }
