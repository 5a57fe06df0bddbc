package html

import (
	"slices"
	"strconv"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/resource"
)

// causeOf says in half a sentence why an ask of a shape waits: the first reason that only an operator can remove.
func causeOf(e explain.AskExplanation, s *ledger.Shape) string {
	switch {
	case len(e.Nodes) == 1 && e.Nodes[0].Reason == explain.NodeConstraint && e.Fits == 0:
		return nodeCause(e.Nodes, s)
	case len(e.Never) > 0:
		return neverCause(e.Never[0])
	case len(e.Shortfalls) > 0:
		l := e.Shortfalls[0]
		whose := "queue " + l.Queue
		if _, path := core.SplitPath(l.Queue); !strings.Contains(path, ".") && l.Queue == path {
			whose = "the cluster"
		}
		return whose + " lacks " + resource.Quantity{Type: l.Type, Value: l.Missing, Milli: l.Milli}.Readable()
	case len(e.Limits) > 0:
		l := e.Limits[0] // whose it is may differ among asks that are alike
		if l.Reason == explain.WaitGroupLimit || l.Reason == explain.WaitGroupMaxApps {
			return "a group had reached its limit in queue " + l.Queue
		}
		return "a user had reached a limit in queue " + l.Queue
	case len(e.Blocked) > 0:
		return "queue " + e.Blocked[0] + " has as many applications as it may run"
	}
	for _, c := range causes {
		if slices.Contains(e.Reasons, c.reason) {
			return c.text
		}
	}
	if slices.Contains(e.Reasons, explain.WaitNoNodeFits) {
		return nodeCause(e.Nodes, s)
	}
	return ""
}

// neverCause says what the ask is larger than.
func neverCause(b explain.Bound) string {
	switch {
	case b.Type == "":
		return "no node has enough of all types at once"
	case b.Queue == "":
		return "no node has so much " + b.Type
	}
	return "queue " + b.Queue + " may use no more than " + resource.Quantity{Type: b.Type, Value: b.Most, Milli: b.Milli}.Readable()
}

// causes are those that need no figures.
var causes = []struct {
	reason core.Reason
	text   string
}{
	{explain.WaitVictims, "the victims of the preemption have yet to leave"},
	{explain.WaitNotRunning, "the application does not run"},
	{explain.WaitStateFilter, "another application of the queue has to start first"},
	{explain.WaitPolicy, "the application order of the queue does not let the application run"},
	{explain.WaitGangIncomplete, "the gang is incomplete"},
	{explain.WaitGangDoesNotFit, "too few members of the gang fit at the same time"},
	{explain.WaitSetIncomplete, "too few gangs of the set are complete"},
	{explain.WaitSetDoesNotFit, "too few gangs of the set fit at the same time"},
	{explain.WaitGang, "the gang of the application is not formed"},
	{explain.WaitPlaceholder, "no placeholder has room for it"},
	{explain.WaitRelease, "the placeholder has yet to leave"},
}

// nodeCause says on what the most nodes fail.
func nodeCause(nodes []explain.NodeCount, s *ledger.Shape) string {
	if len(nodes) == 0 {
		return "the cluster has no node"
	}
	most, total := nodes[0], 0
	for _, n := range nodes {
		total += n.Nodes
		if n.Nodes > most.Nodes {
			most = n
		}
	}
	all := most.Nodes == total
	switch most.Reason {
	case explain.NodeConstraint:
		if all {
			return "no node has " + most.Detail + " " + strings.Join(s.Constraints[most.Detail], " or ")
		}
		return strconv.Itoa(total-most.Nodes) + " of " + explain.Count(total, "node") + " have " + most.Detail + " " + strings.Join(s.Constraints[most.Detail], " or ") + ", and no room"
	case explain.NodeTooSmall:
		if all {
			return "no node has so much " + most.Detail
		}
	case explain.NodeFull:
		if all {
			return "no node has so much " + most.Detail + " free"
		}
	case explain.NodeNotRequired:
		return "the required node " + s.Node + " has no room"
	}
	if all {
		return "no node is left: " + most.Sentence()
	}
	return "no node fits: most of them, " + most.Sentence()
}
