package core

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/resource"
)

// ExplainAsk says why an ask waits, or where it is; ok is false when no ask has the ID.
func (s *Scheduler) ExplainAsk(id string) (e AskExplanation, ok bool) {
	ask := s.asks[id]
	if ask == nil {
		return s.explainGone(id)
	}
	s.look()
	q := s.leaves[ask.App.Leaf.ID].queue
	e = AskExplanation{ID: id, App: ask.App.ID, Queue: q.Path, Pending: ask.Pending(), Since: ask.Created, Priority: ask.Priority}
	if !e.Pending {
		e.Node, e.Since = s.nodes.At(ask.Node).ID, ask.PlacedAt
		e.Text = fmt.Sprintf("Ask %s runs on node %s.", id, e.Node)
		if ask.Leaving {
			e.Victim = s.leaving[ask].Why.said()
			e.Text += " " + e.Victim.Text
		}
		return e, true
	}
	if ask.Keeps != app.NoNode {
		e.Node, e.Kept = s.nodes.At(ask.Keeps).ID, true
	}
	if ask.Reserves != app.NoNode {
		e.Node, e.Reserved = s.nodes.At(ask.Reserves).ID, true
	}
	e.Seen = seenBy(ask, q)
	e.Place = s.place(ask)
	if !e.Kept { // its headroom is kept for it
		e.Lacks = s.lacks(ask.Class, q)
	}
	e.Blocked = blockedBy(ask.App, q)
	e.Nodes, e.Fits = s.countNodes(ask)
	e.Never = s.never(ask.Class, q)
	e.Reasons = s.reasons(ask, &e)
	e.Verdict = "It " + s.explainPreemption(ask, false).Text
	e.Text = e.sentences() + neverText(e.Never, ask.Class) + " " + e.Verdict
	return e, true
}

// explainGone says who preempted an allocation that has left.
func (s *Scheduler) explainGone(id string) (e AskExplanation, ok bool) {
	for i := len(s.gone) - 1; i >= 0; i-- {
		if v := &s.gone[i].Why; v.ID == id {
			e = AskExplanation{ID: id, App: v.App, Queue: v.Queue, Gone: true, Victim: v.said()}
			e.Text = e.Victim.Text
			return e, true
		}
	}
	return e, false
}

// said is a copy with its text.
func (e *VictimExplanation) said() *VictimExplanation {
	c := *e
	c.Text = c.sentences()
	return &c
}

// seenBy lists an ask's priority as each queue below root shows it upwards.
func seenBy(ask *app.Ask, q *queue.Queue) []Seen {
	var out []Seen
	for v := ask.Priority; q.Parent != nil; q = q.Parent {
		v = q.Priority(v)
		out = append(out, Seen{q.Path, v})
	}
	return out
}

// place counts the pending asks that the walk comes to before an ask, and the ask itself.
func (s *Scheduler) place(ask *app.Ask) int {
	leaf := s.leaves[ask.App.Leaf.ID]
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
	for q := leaf.queue; q.Parent != nil; q = q.Parent {
		q.Parent.Each(func(child *queue.Queue) bool {
			if child != q {
				n += child.Asks
			}
			return child != q
		})
	}
	return n
}

// lacks lists the amounts that each queue on the way to the root is short of, leaf first.
func (s *Scheduler) lacks(c *class.Class, q *queue.Queue) []Lack {
	var out []Lack
	for ; q != nil; q = q.Parent {
		for _, need := range c.Resources {
			if missing := resource.Sub(need.Value, q.Room(s.types.Intern(need.Type))); missing > 0 {
				out = append(out, Lack{q.Path, need.Type, missing})
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
			out = append(out, q.Path)
		}
	}
	return out
}

// countNodes counts the nodes that an ask fails on, by cause, and those that would take it.
func (s *Scheduler) countNodes(ask *app.Ask) (counts []NodeCount, fits int) {
	found := map[NodeCount]int{}
	for _, n := range s.nodes.Sorted() {
		reason, detail := s.failsOn(ask, n)
		if reason == "" {
			fits++
			continue
		}
		found[NodeCount{Reason: reason, Detail: detail}]++
	}
	return sortedCounts(found), fits
}

// sortedCounts lists counts in the order of their causes.
func sortedCounts(found map[NodeCount]int) (counts []NodeCount) {
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

// notAsked is the detail of a node that the predicates in force have not been asked about; the next cycle may.
const notAsked = "not asked yet"

// nodeCauses are the causes that a node may fail on, in the order in which they are looked at.
var nodeCauses = []Reason{NodeDraining, NodeNotRequired, NodeConstraint, NodeTooSmall, NodeKept, NodeFull, NodeReserved, NodePredicate}

// failsOn returns the first cause for which a node does not take an ask now, or nothing.
func (s *Scheduler) failsOn(ask *app.Ask, n *node.Node) (reason Reason, detail string) {
	c := ask.Class
	if !n.Schedulable {
		return NodeDraining, ""
	}
	if reason, detail = s.failsEmpty(c, n); reason != "" {
		return reason, detail
	}
	if n.Kept && s.local[n.Slot].claim.ask != ask {
		return NodeKept, ""
	}
	for _, need := range c.Resources {
		if n.Free(s.types.Intern(need.Type)) < need.Value {
			return NodeFull, need.Type
		}
	}
	if n.Held && !s.mayTake(ask, n) {
		return NodeReserved, ""
	}
	if detail = s.predicateOn(c, n); detail != "" {
		return NodePredicate, detail
	}
	return "", ""
}

// failsEmpty returns the first cause for which a node would not take a class if it were schedulable and nothing were
// allocated there, predicates apart.
func (s *Scheduler) failsEmpty(c *class.Class, n *node.Node) (reason Reason, detail string) {
	if c.Node != "" && c.Node != n.ID {
		return NodeNotRequired, ""
	}
	if failed := class.FailsOn(c.Constraints, n.Attributes); failed != nil {
		return NodeConstraint, failed.Attribute
	}
	for _, need := range c.Resources {
		if n.Empty(s.types.Intern(need.Type)) < need.Value {
			return NodeTooSmall, need.Type
		}
	}
	return "", ""
}

// predicateOn returns the code by which a predicate rules a schedulable node out, or nothing.
func (s *Scheduler) predicateOn(c *class.Class, n *node.Node) string {
	code, asked := s.nodes.Verdict(c, n)
	switch {
	case !asked:
		return notAsked
	case code != 0:
		return strconv.FormatFloat(code, 'g', -1, 64)
	}
	return ""
}

// reasons lists why a pending ask waits.
func (s *Scheduler) reasons(ask *app.Ask, e *AskExplanation) []Reason {
	var out []Reason
	if len(e.Lacks) > 0 {
		out = append(out, WaitHeadroom)
	}
	if e.Fits == 0 && !e.Kept {
		out = append(out, WaitNoNodeFits)
	}
	out = append(out, s.appReasons(ask.App, e.Blocked)...)
	if e.Kept {
		out = append(out, WaitVictims)
	}
	if len(out) == 0 {
		out = append(out, WaitNotYet)
	}
	return out
}

// appReasons lists why an application's asks are passed over, whatever they ask for.
func (s *Scheduler) appReasons(a *app.App, blocked []string) []Reason {
	var out []Reason
	if len(blocked) > 0 {
		out = append(out, WaitMaxApps)
	}
	if a.Hidden() {
		out = append(out, WaitPolicy)
	} else if !a.Eligible() {
		out = append(out, WaitStateFilter)
	}
	sort.Slice(out, func(i, j int) bool { return slices.Index(waitReasons, out[i]) < slices.Index(waitReasons, out[j]) })
	return out
}

// waitReasons are the codes of waiting, in order of declaration.
var waitReasons = []Reason{WaitHeadroom, WaitNoNodeFits, WaitMaxApps, WaitStateFilter, WaitPolicy, WaitVictims, WaitNotYet, WaitNothingPending}

// ExplainApp says why an application waits; ok is false when no live application has the ID.
func (s *Scheduler) ExplainApp(id string) (e AppExplanation, ok bool) {
	a := s.apps[id]
	if a == nil {
		return e, false
	}
	s.look()
	q := s.leaves[a.Leaf.ID].queue
	e = AppExplanation{ID: id, Queue: q.Path, State: a.State, Since: a.Since, Pending: a.Asks, Allocations: a.Allocations}
	e.Priority, e.HasPriority = a.Highest()
	if !e.HasPriority {
		e.Reasons = []Reason{WaitNothingPending}
		e.Text = fmt.Sprintf("Application %s in %s is %s and has nothing pending.", id, q.Path, a.State)
		return e, true
	}
	e.Blocked = blockedBy(a, q)
	waiting := s.waitingOf(a)
	for _, ask := range waiting[:min(10, len(waiting))] {
		e.Waits = append(e.Waits, ask.ID)
	}
	e.Reasons = s.appReasons(a, e.Blocked)
	first, _ := s.ExplainAsk(waiting[0].ID)
	if len(e.Reasons) == 0 {
		e.Reasons = first.Reasons
	}
	e.Text = fmt.Sprintf("Application %s in %s is %s with %s pending, %d allocated. First of them: %s", id, q.Path, a.State, asksText(a.Asks), a.Allocations, first.Text)
	return e, true
}

// ExplainQueue says how a queue stands; ok is false when no queue has the path.
func (s *Scheduler) ExplainQueue(path string) (e QueueExplanation, ok bool) {
	q := s.byPath[strings.ToLower(path)]
	if q == nil {
		return e, false
	}
	s.look()
	e.QueueState = s.readQueue(q)
	first := s.firstOf(q)
	if first == nil {
		e.Reasons = []Reason{WaitNothingPending}
		e.Text = fmt.Sprintf("Queue %s has nothing pending.", q.Path)
		return e, true
	}
	x, _ := s.ExplainAsk(first.ID)
	e.Reasons, e.Lacks = x.Reasons, x.Lacks
	e.Text = fmt.Sprintf("Queue %s has %s pending and %d allocated. First in order: %s", q.Path, asksText(q.Asks), q.Allocations, x.Text)
	return e, true
}

// firstOf returns the first pending ask of a queue in order. Where all that waits came since the last cycle, and has no
// place in the order yet, it is the first that was submitted.
func (s *Scheduler) firstOf(q *queue.Queue) (first *app.Ask) {
	s.eachClass(q, func(ask *app.Ask) bool { first = ask; return false })
	if first != nil || q.Asks == 0 {
		return first
	}
	for _, ask := range s.asks {
		if ask.Pending() && within(s.leaves[ask.App.Leaf.ID].queue, q) && (first == nil || ask.Seq < first.Seq) {
			first = ask
		}
	}
	return first
}

// within reports whether a queue is another or below it.
func within(q, top *queue.Queue) bool {
	for q != nil && q != top {
		q = q.Parent
	}
	return q == top
}

// sentences says an explanation in words, all of them from its codes and amounts.
func (e *AskExplanation) sentences() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Ask %s of application %s waits in %s, number %d in the order.", e.ID, e.App, e.Queue, e.Place)
	for _, l := range e.Lacks {
		fmt.Fprintf(&b, " Queue %s lacks %s of %s.", l.Queue, resource.Format(l.Type, l.Missing), l.Type)
	}
	if len(e.Blocked) > 0 {
		fmt.Fprintf(&b, " Its application may not start: %s at maxapplications.", strings.Join(e.Blocked, ", "))
	}
	if slices.Contains(e.Reasons, WaitStateFilter) {
		b.WriteString(" Another application of the queue has to start first (stateaware).")
	}
	if slices.Contains(e.Reasons, WaitPolicy) {
		b.WriteString(" The queue's application order does not let its application run now.")
	}
	for _, n := range e.Nodes {
		fmt.Fprintf(&b, " %s.", n.sentence())
	}
	if e.Fits > 0 {
		fmt.Fprintf(&b, " %s would take it.", nodesText(e.Fits))
	}
	if e.Reserved {
		fmt.Fprintf(&b, " Node %s is reserved for it.", e.Node)
	}
	return b.String()
}

func nodesText(n int) string { return counted(n, "node") }

func asksText(n int) string { return counted(n, "ask") }

// counted is a number of things, in the singular or the plural.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

func (n *NodeCount) sentence() string {
	nodes := nodesText(n.Nodes)
	switch n.Reason {
	case NodeDraining:
		return nodes + " draining"
	case NodeNotRequired:
		return nodes + " other than the required one"
	case NodeConstraint:
		return nodes + " without an allowed value of " + n.Detail
	case NodeTooSmall:
		return nodes + " with too little " + n.Detail + " even when empty"
	case NodeFull:
		return nodes + " with too little " + n.Detail + " free"
	case NodeKept:
		return nodes + " kept for others that preempted there"
	case NodeReserved:
		return nodes + " reserved for others"
	default:
		if n.Detail == notAsked {
			return nodes + " that the predicate has not judged yet"
		}
		return nodes + " ruled out by a predicate (" + n.Detail + ")"
	}
}
