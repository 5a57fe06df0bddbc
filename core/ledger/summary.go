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
	Queues  []QueueSummary // by partition, parents before children
	Cluster []TypeSummary  // of all partitions, bytewise by name
	Gangs   []GangSummary  // by placeholders, atomic: those that there were
	Longest []Gang         // the gangs that waited longest
	Quotas  []QuotaSummary // the queues that released what they had over their max, by path
	Limits  []LimitPeak    // where a Limits watched: the nearest to its limit first
	Refused []Outcome      // by decision and reason: nodes, applications, asks, and inputs that were ignored
	Ended   []Outcome      // allocations that ended and asks that were withdrawn, by reason

	waits Waits
}

// QueueSummary is how a queue stands, and how long its asks waited for their allocations.
type QueueSummary struct {
	Path       string // as shown, with its partition
	Used       resource.Set
	Guaranteed resource.Set
	Waits      Waits // of the subtree
	Preempted  int   // victims of the subtree
	ByQuota    int   // of these: those that a queue over its max released
}

// TypeSummary is the use of the cluster in one resource type.
type TypeSummary struct {
	Name           string
	Used, Capacity int64
}

// Summary sums up the run so far; state has the queues as they are.
func (l *Ledger) Summary(state *core.Dump) Summary {
	s := Summary{Totals: l.Totals, Pending: l.Pending, Cluster: cluster(state), Quotas: l.quotaSummaries(),
		Refused: l.refused.sorted(), Ended: l.ended.sorted()}
	s.Gangs, s.Longest = l.gangSummaries()
	waits := l.subtreeWaits()
	for i := range state.Queues {
		d := &state.Queues[i]
		q := QueueSummary{Path: core.ShownPath(d.Partition, d.Path), Used: d.Used, Guaranteed: d.Guaranteed}
		if b := l.queues[q.Path]; b != nil {
			q.Waits, q.Preempted, q.ByQuota = waits[b.Index], b.Victims, b.ByQuota
		}
		if isRoot(d) {
			s.waits.merge(&q.Waits)
		}
		s.Queues = append(s.Queues, q)
	}
	return s
}

// Waits are those of all queues.
func (s *Summary) Waits() *Waits { return &s.waits }

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

// cluster lists the types that nodes have or allocations use, summed over all partitions.
func cluster(state *core.Dump) []TypeSummary {
	sums := map[string]*TypeSummary{}
	sum := func(set resource.Set, add func(s *TypeSummary, amount int64)) {
		for _, q := range set {
			s := sums[q.Type]
			if s == nil {
				s = &TypeSummary{Name: q.Type}
				sums[q.Type] = s
			}
			add(s, q.Value)
		}
	}
	used := func(s *TypeSummary, amount int64) { s.Used = resource.Add(s.Used, amount) }
	capacity := func(s *TypeSummary, amount int64) { s.Capacity = resource.Add(s.Capacity, amount) }
	for i := range state.Queues {
		if q := &state.Queues[i]; isRoot(q) {
			sum(q.Used, used)
		}
	}
	sum(state.Total, capacity)
	for _, p := range state.Others {
		sum(p.Total, capacity)
	}
	all := make([]TypeSummary, 0, len(sums))
	for _, s := range sums {
		all = append(all, *s)
	}
	slices.SortFunc(all, func(a, b TypeSummary) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// isRoot reports whether a queue is the root of its partition.
func isRoot(q *core.QueueDump) bool { return strings.IndexByte(q.Path, '.') < 0 }
