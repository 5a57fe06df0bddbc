package explain

import (
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core/internal/api"
)

// Brief puts an explanation into words for readers who know the ask, such as those of the events of a pod: what decides comes first, and
// what the ask is and needs comes last.
func (e *AskExplanation) Brief(now time.Duration) string {
	c := *e
	c.Nodes = slices.Clone(e.Nodes)
	slices.SortStableFunc(c.Nodes, func(a, b NodeCount) int { return distance[a.Reason] - distance[b.Reason] })
	var b strings.Builder
	b.WriteString(NeverText(c.Never, c.Required != "" || len(c.Mismatches) > 0))
	c.writeQueues(&b)
	c.writeGangs(&b)
	if c.Atomic != nil {
		c.Atomic.write(&b)
	}
	c.writeNodes(&b, now)
	if c.Reserved {
		b.WriteString(c.reservedText())
	}
	if c.Verdict != "" {
		b.WriteString(" " + c.Verdict)
	}
	return strings.TrimSpace(b.String() + " " + c.identity())
}

// distance orders the causes that nodes fail on: first those of nodes that would take the ask once something else has left, last those of
// nodes that are not meant for it.
var distance = map[api.Reason]int{
	NodeFull: 0, NodePredicate: 1, NodeReserved: 2, NodeKept: 2, NodeTooSmall: 3, NodeDraining: 4, NodeConstraint: 5, NodeNotRequired: 6,
}
