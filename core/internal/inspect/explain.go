package inspect

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// ExplainAsk explains why an ask waits, or where it runs. ok is false if no ask or recent victim has the ID.
func (s *View) ExplainAsk(id string) (e explain.AskExplanation, ok bool) {
	ask := s.Asks().Find(id)
	if ask.IsNone() {
		return s.explainGone(id)
	}
	s.walk.SortAll()
	q, tree := s.QueueOf(ask), s.Queues()
	e = explain.AskExplanation{
		ID: id, App: ask.App().ID(), Queue: tree.Shown(q), Pending: ask.Pending(), Since: ask.Created(), Submitted: ask.Created(), Priority: ask.Priority(),
		Resources: ask.Class().Resources(), Required: ask.Class().Node(),
		Originator: ask.Originator(), Preempts: !ask.NoPreemptOthers(), Preemptable: !ask.NotPreemptable(), Walltime: ask.Walltime().Limit, Preempted: ask.Preempted(),
	}
	e.Gang, e.Member = s.explainGang(ask.App()), s.explainMember(ask)
	if !e.Pending {
		e.Node, e.Since = s.Nodes().ID(ask.Node()), ask.PlacedAt()
		e.Text = fmt.Sprintf("Ask %s runs on node %s.", id, e.Node)
		s.explainWalltime(ask, &e)
		if why, leaves := s.Departures().Of(ask.Slot()); leaves {
			e.Victim = why.Why.WithText()
			e.Text += " " + e.Victim.Text
		}
		e.Text += e.PreemptedText()
		if e.Member != nil && e.Member.Sentence() != "" {
			e.Text += " " + e.Member.Sentence()
		}
		if e.Running = s.runningGang(ask); e.Running != nil {
			e.Running.Text = e.Running.Sentence()
			e.Text += " " + e.Running.Text
		}
		return e, true
	}
	s.explainWait(ask, q, &e)
	e.NoSuchNode = e.Required != "" && s.Nodes().Find(e.Required) == app.NoNode
	if !ask.IsReplacing() {
		s.explainNodes(ask, &e)
	}
	e.Seen = seenBy(ask, tree, q)
	e.Place = s.place(ask)
	s.explainPlanned(ask, &e)
	e.Preemption = "It " + s.explainPreemption(ask, false).Text
	e.Text = e.Sentences(s.Now()) + e.PreemptedText() + explain.NeverText(e.Never, restricted(ask.Class())) + " " + e.Preemption
	return e, true
}

// explainWait fills in the causes for which a pending ask waits.
func (s *View) explainWait(ask app.Ask, q queues.ID, e *explain.AskExplanation) {
	if ask.Hold().IsClaimed() {
		e.Node, e.Claimed = s.Nodes().ID(ask.HoldOn()), true
	}
	if ask.Hold().IsReserved() {
		e.Node, e.Reserved = s.Nodes().ID(ask.HoldOn()), true
	}
	if !ask.IsReplacing() { // its node is chosen; it is placed once the placeholder has left
		s.explainRoom(ask, q, e)
	}
	e.Blocked = blockedBy(ask.App(), s.Queues(), q)
	e.Atomic = s.explainAtomic(ask)
	e.Reasons = s.reasons(ask, e)
}

// explainRoom fills in the queues, limits and nodes that lack room for a pending ask. For a task that replaces a placeholder, the
// oldest placeholder of its group counts as gone.
func (s *View) explainRoom(ask app.Ask, q queues.ID, e *explain.AskExplanation) {
	var beside resource.Vec
	if p := placeholderFor(ask); !p.IsNone() {
		beside = make(resource.Vec, p.Class().Demand().Len())
		beside.Sub(p.Class().Demand())
	}
	if !e.Claimed { // a claim includes headroom
		e.Shortfalls = s.lacks(ask, q, beside)
	}
	e.Limits = s.limitLacks(ask, beside)
	e.Nodes, e.Fits = s.countNodes(ask)
	e.Never = s.never(ask.Class(), q)
}

// explainGone explains by which ask a former allocation was preempted.
func (s *View) explainGone(id string) (e explain.AskExplanation, ok bool) {
	d, ok := s.LastDeparture(id)
	if !ok {
		return e, false
	}
	e = explain.AskExplanation{ID: id, App: d.Why.App, Queue: d.Why.Queue, Gone: true, Victim: d.Why.WithText()}
	e.Text = e.Victim.Text
	return e, true
}

// seenBy lists the priority that an ask's queue and its ancestors below root show to their parents.
func seenBy(ask app.Ask, tree queues.View, q queues.ID) []explain.Seen {
	var out []explain.Seen
	for v := ask.Priority(); tree.Parent(q) != queues.None; q = tree.Parent(q) {
		v = tree.Priority(q, v)
		out = append(out, explain.Seen{Queue: tree.Shown(q), Priority: v})
	}
	return out
}

// place returns the position of a pending ask in the order of the walk, starting at 1.
func (s *View) place(ask app.Ask) int {
	n, tree, turn := 1, s.Queues(), ask.Turn()
	turn.Asks(func(other app.Ask) bool {
		if turn.Before(other, ask) {
			n++
		}
		return true
	})
	turn.Leaf().Each(func(t app.Turn) bool {
		if t != turn {
			n += t.Len()
		}
		return t != turn
	})
	for q := s.QueueOf(ask); tree.Parent(q) != queues.None; q = tree.Parent(q) {
		s.walk.EachChild(tree.Parent(q), func(child queues.ID) bool {
			if child != q {
				n += tree.Asks(child)
			}
			return child != q
		})
	}
	return n
}

// lacks lists the amounts that the queues from the leaf to the root are short of. more is assumed to be used in addition; negative
// amounts are assumed to have gone. What is held for a gang that comes before the ask counts as used.
func (s *View) lacks(ask app.Ask, q queues.ID, more resource.Vec) []explain.HeadroomShortfall {
	var out []explain.HeadroomShortfall
	tree, held := s.Queues(), s.walk.HeldFrom(ask)
	for ; q != queues.None; q = tree.Parent(q) {
		for _, need := range ask.Class().Resources() {
			lane, beside := s.lane(need.Type), int64(0)
			if more != nil {
				beside = more[lane]
			}
			if held != nil {
				beside = resource.Add(beside, held(q, lane))
			}
			room := tree.Room(q, lane)
			used := tree.Taken(q, lane)
			if beside != 0 {
				room, used = max(0, tree.RoomWithout(q, lane, -beside)), resource.Add(used, beside)
			}
			if missing := resource.Sub(need.Value, room); missing > 0 {
				out = append(out, explain.HeadroomShortfall{Queue: tree.Shown(q), Type: need.Type, Missing: missing, Used: used, Max: tree.Max(q, lane), Milli: need.Milli})
			}
		}
	}
	return out
}

// blockedBy lists the queues whose maxapplications keeps the application from starting.
func blockedBy(a app.App, tree queues.View, q queues.ID) []string {
	var out []string
	for ; q != queues.None && !a.HasPlace(); q = tree.Parent(q) {
		if tree.Full(q) {
			out = append(out, tree.Shown(q))
		}
	}
	return out
}

// countNodes counts the nodes that the ask does not fit now, by cause, and those that it fits.
func (s *View) countNodes(ask app.Ask) (counts []explain.NodeCount, fits int) {
	for n := range s.Nodes().Sorted().All {
		reason, detail := s.failsOn(ask, n)
		if reason == "" {
			fits++
			continue
		}
		counts = counted(counts, reason, detail)
	}
	return sortedCounts(counts), fits
}

// counted adds one node to the counts. Causes are few, and most nodes have the same cause as the node before, so the last cause is kept
// at the end.
func counted(counts []explain.NodeCount, reason core.Reason, detail string) []explain.NodeCount {
	last := len(counts) - 1
	for i := last; i >= 0; i-- {
		if c := &counts[i]; c.Reason == reason && c.Detail == detail {
			c.Nodes++
			counts[i], counts[last] = counts[last], counts[i]
			return counts
		}
	}
	return append(counts, explain.NodeCount{Reason: reason, Detail: detail, Nodes: 1})
}

// sortedCounts sorts counts by the order of nodeCauses.
func sortedCounts(counts []explain.NodeCount) []explain.NodeCount {
	sort.Slice(counts, func(i, j int) bool {
		a, b := &counts[i], &counts[j]
		return cmp.Or(cmp.Compare(slices.Index(nodeCauses, a.Reason), slices.Index(nodeCauses, b.Reason)), cmp.Compare(a.Detail, b.Detail)) < 0
	})
	return counts
}

// nodeCauses lists the causes why a node does not take an ask, in the order in which they are checked.
var nodeCauses = []core.Reason{explain.NodeDraining, explain.NodeNotRequired, explain.NodeConstraint, explain.NodeTooSmall, explain.NodeWindow, explain.NodeClaimed, explain.NodeFull, explain.NodeDevices, explain.NodeReserved, explain.NodePlanned, explain.NodePredicate}

// failsOn returns the first cause why a node does not take an ask now, or an empty reason.
func (s *View) failsOn(ask app.Ask, n int32) (reason core.Reason, detail string) {
	c := ask.Class()
	if !s.Nodes().Schedulable(n) {
		return explain.NodeDraining, ""
	}
	if reason, detail = s.failsEmpty(c, n); reason != "" {
		return reason, detail
	}
	if detail = s.WindowAgainst(ask, n); detail != "" {
		return explain.NodeWindow, detail
	}
	if c, claimed := s.Claims().First(n); claimed && c.Ask != ask.Slot() {
		return explain.NodeClaimed, ""
	}
	if !s.Nodes().Fits(n, c) {
		if detail = s.firstShort(c, n, s.Nodes().Free); detail == "" && len(c.Devices()) > 0 {
			return explain.NodeDevices, s.shortOfDevices(c, n)
		}
		return explain.NodeFull, detail
	}
	if s.Nodes().Hold(n).IsContested() && !s.walk.MayUse(ask, n) {
		if s.walk.TakesPlan(ask, n) {
			return explain.NodePlanned, ""
		}
		return explain.NodeReserved, ""
	}
	if detail = s.predicateOn(c, n); detail != "" {
		return explain.NodePredicate, detail
	}
	return "", ""
}

// failsEmpty returns the first cause why a node would not take a class even if it were schedulable and had no allocations. Predicates
// are not considered.
func (s *View) failsEmpty(c class.Class, n int32) (reason core.Reason, detail string) {
	if c.Node() != "" && c.Node() != s.Nodes().ID(n) {
		return explain.NodeNotRequired, ""
	}
	if attribute, fails := s.Nodes().FailsOn(n, c.Constraints()); fails {
		return explain.NodeConstraint, attribute
	}
	if !s.Nodes().FitsEmpty(n, c) {
		return explain.NodeTooSmall, s.firstShort(c, n, s.Nodes().Empty)
	}
	return "", ""
}

// firstShort returns the first type, in bytewise order, of which a class needs more than room returns for a node.
func (s *View) firstShort(c class.Class, n int32, room func(node int32, lane int) int64) string {
	for _, need := range c.Resources() {
		if room(n, s.lane(need.Type)) < need.Value {
			return need.Type
		}
	}
	return ""
}

// predicateOn returns the code with which a predicate excludes a schedulable node, as text if the host has one, or an empty string if
// none excludes it.
func (s *View) predicateOn(c class.Class, n int32) string {
	v, asked := s.Nodes().Refusal(c, n)
	switch {
	case !asked:
		return explain.NotAsked
	case v.Code == 0:
		return ""
	}
	if words := s.Options().Words; words != nil && v.Host {
		if text := words(c.Predicate(), v.Code); text != "" {
			return text
		}
	}
	return strconv.FormatFloat(v.Code, 'g', -1, 64)
}

// reasons lists the reasons why a pending ask waits.
func (s *View) reasons(ask app.Ask, e *explain.AskExplanation) []core.Reason {
	var out []core.Reason
	if len(e.Shortfalls) > 0 {
		out = append(out, explain.WaitHeadroom)
	}
	out = append(out, limitReasons(e.Limits, explain.WaitUserLimit, explain.WaitGroupLimit)...)
	if e.Fits == 0 && !e.Claimed && !ask.WaitsForGang() {
		out = append(out, explain.WaitNoNodeFits)
	}
	out = append(out, s.appReasons(ask.App(), e.Blocked)...)
	if e.Claimed {
		out = append(out, explain.WaitVictims)
	}
	if why := restReason(ask); why != "" {
		out = append(out, why)
	}
	switch g := e.Atomic; {
	case g == nil || e.Claimed || ask.WaitsForGang():
	case g.Pending-g.Resting < g.Min:
		out = append(out, explain.WaitGangIncomplete)
	case g.Set != nil && g.Set.Complete < g.Set.Min:
		out = append(out, explain.WaitSetIncomplete)
	case g.Set != nil:
		if g.Set.Fits < g.Set.Min {
			out = append(out, explain.WaitSetDoesNotFit)
		}
	case g.Fits < g.Min:
		out = append(out, explain.WaitGangDoesNotFit)
	}
	if len(out) == 0 {
		out = append(out, s.notYet(ask))
	}
	return out
}

// notYet returns why an ask waits that fits.
func (s *View) notYet(ask app.Ask) core.Reason {
	if s.sharedByPlans(ask) {
		return explain.WaitPlanned
	}
	return explain.WaitNotYet
}

// waitReasons lists the reasons for waiting in the order in which they are shown.
var waitReasons = []core.Reason{
	explain.WaitHeadroom, explain.WaitUserLimit, explain.WaitGroupLimit, explain.WaitNoNodeFits, explain.WaitMaxApps, explain.WaitUserMaxApps,
	explain.WaitGroupMaxApps, explain.WaitStateFilter, explain.WaitPolicy, explain.WaitVictims, explain.WaitGang,
	explain.WaitPlaceholder, explain.WaitRelease, explain.WaitNotRunning, explain.WaitGangIncomplete,
	explain.WaitGangDoesNotFit, explain.WaitSetIncomplete, explain.WaitSetDoesNotFit, explain.WaitPlanned, explain.WaitNotYet, explain.WaitNothingPending,
}

// restricted reports whether asks of a class may run on some nodes only.
func restricted(c class.Class) bool { return c.Node() != "" || c.Constraints().Len() > 0 }
