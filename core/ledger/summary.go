package ledger

import (
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// Summary is what a run came to, with the state at its end.
type Summary struct {
	Totals
	Pending int
	Queues  []QueueSummary // parents before children
	Cluster []TypeSummary  // bytewise by name
}

// QueueSummary is how a queue stands, and how long its asks waited for their allocations.
type QueueSummary struct {
	Path       string
	Used       resource.Set
	Guaranteed resource.Set
	Waits      Waits // of the subtree
	Preempted  int   // victims of the subtree
}

// TypeSummary is the use of the cluster in one resource type.
type TypeSummary struct {
	Name           string
	Used, Capacity int64
}

// Summary sums up the run so far; state has the queues as they are.
func (l *Ledger) Summary(state *core.Dump) Summary {
	s := Summary{Totals: l.Totals, Pending: l.Pending, Cluster: cluster(state)}
	waits := l.subtreeWaits()
	for i := range state.Queues {
		d := &state.Queues[i]
		q := QueueSummary{Path: d.Path, Used: d.Used, Guaranteed: d.Guaranteed}
		if b := l.queues[d.Path]; b != nil {
			q.Waits, q.Preempted = waits[b.Index], b.Victims
		}
		s.Queues = append(s.Queues, q)
	}
	return s
}

// Waits are those of all queues: of the root.
func (s *Summary) Waits() *Waits {
	if len(s.Queues) == 0 {
		return &Waits{}
	}
	return &s.Queues[0].Waits
}

// subtreeWaits adds the waits of each queue to those above it; the result is by index.
func (l *Ledger) subtreeWaits() []Waits {
	all := make([]Waits, len(l.Queues))
	for i := len(all) - 1; i >= 0; i-- { // children before parents
		q := l.Queues[i]
		all[i].merge(&q.waits)
		if q.Parent != nil {
			all[q.Parent.Index].merge(&all[i])
		}
	}
	return all
}

// cluster lists the types that nodes have or allocations use.
func cluster(state *core.Dump) []TypeSummary {
	var used resource.Set
	if len(state.Queues) > 0 {
		used = state.Queues[0].Used
	}
	var all []TypeSummary
	for _, q := range state.Total {
		u, _ := used.Value(q.Type)
		all = append(all, TypeSummary{q.Type, u, q.Value})
	}
	for _, q := range used {
		if _, ok := state.Total.Value(q.Type); !ok {
			all = append(all, TypeSummary{q.Type, q.Value, 0})
		}
	}
	slices.SortFunc(all, func(a, b TypeSummary) int { return strings.Compare(a.Name, b.Name) })
	return all
}
