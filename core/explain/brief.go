package explain

import (
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
)

// Brief returns the explanation for readers who know the ask, as in the events of a pod: the decisive reasons come first, and the
// description of the ask last.
func (e *AskExplanation) Brief(now time.Duration) string {
	c := *e
	c.Nodes = slices.Clone(e.Nodes)
	slices.SortStableFunc(c.Nodes, func(a, b NodeCount) int { return distance[a.Reason] - distance[b.Reason] })
	var b strings.Builder
	b.WriteString(NeverText(c.Never, c.Required != "" || len(c.Mismatches) > 0))
	c.writePlanned(&b)
	c.writeQueues(&b)
	c.writeGangs(&b)
	if c.Atomic != nil {
		c.Atomic.write(&b, now)
	}
	c.writeNodes(&b, now)
	if c.Reserved {
		b.WriteString(c.reservedText())
	}
	if c.Preemption != "" {
		b.WriteString(" " + c.Preemption)
	}
	return strings.TrimSpace(b.String() + " " + c.identity())
}

// distance orders the causes for which nodes are refused: first causes that end when other asks leave, last those of nodes that the ask
// is not meant for.
var distance = map[core.Reason]int{
	NodeFull: 0, NodeDevices: 0, NodePredicate: 1, NodeReserved: 2, NodePlanned: 2, NodeClaimed: 2, NodeWindow: 3, NodeTooSmall: 4, NodeDraining: 5, NodeConstraint: 6, NodeNotRequired: 7,
}
