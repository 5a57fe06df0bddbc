package ledger

import (
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// Summary is the result of a run, with the state at its end.
type Summary struct {
	Totals
	Pending      int
	Queues       []QueueSummary // by partition; parents come before children
	Cluster      []TypeSummary  // of all partitions, by name, bytewise
	Applications ApplicationSummary
	Gangs        []GangSummary  // by kind, with placeholders first; only kinds that occurred
	Longest      []Gang         // the gangs that waited longest
	Quotas       []QuotaSummary // queues that released allocations above their max, by path
	Limits       []LimitPeak    // if Limits watched, in descending order of share
	Refused      []Outcome      // nodes, applications, asks and ignored inputs, by decision and reason
	Ended        []Outcome      // ended allocations and withdrawn asks, by reason
	Types        []string       // of JobFigures.Used
	Jobs         JobFigures     // of all queues
	Users        []UserSummary  // with the jobs of each user, bytewise by name; those without figures of their own come last

	waits Waits
}

// QueueSummary describes a queue, and how long its asks waited for allocation.
type QueueSummary struct {
	Path       string // in shown form, with its partition
	Used       resource.Set
	Guaranteed resource.Set
	Waits      Waits      // of the subtree
	Preempted  int        // victims of the subtree
	ByQuota    int        // of Preempted, those that a queue above its max released
	Jobs       JobFigures // of the subtree
}

// TypeSummary is the usage of the cluster in one resource type.
type TypeSummary struct {
	Name           string
	Used, Capacity int64
}

// Summary returns the result so far. state has the present queues.
func (l *Ledger) Summary(state *core.Dump) Summary {
	s := Summary{Totals: l.Totals, Pending: l.Pending, Cluster: cluster(state), Quotas: l.quotaSummaries(),
		Refused: l.refused.sorted(), Ended: l.ended.sorted()}
	s.Applications = l.applications()
	s.Gangs, s.Longest = l.gangSummaries()
	s.Types = l.Types
	var jobs []JobFigures
	jobs, s.Users = l.jobSummaries()
	s.Jobs = l.ofRoots(jobs)
	waits := l.subtreeWaits()
	for i := range state.Queues {
		d := &state.Queues[i]
		q := QueueSummary{Path: core.ShownPath(d.Partition, d.Path), Used: d.Used, Guaranteed: d.Guaranteed}
		if b := l.queues[q.Path]; b != nil {
			q.Waits, q.Jobs, q.Preempted, q.ByQuota = waits[b.Index], jobs[b.Index], b.Victims, b.ByQuota
		}
		if isRoot(d) {
			s.waits.merge(&q.Waits)
		}
		s.Queues = append(s.Queues, q)
	}
	return s
}

// Waits returns the waits of all queues.
func (s *Summary) Waits() *Waits { return &s.waits }

// OfGangs returns how long the gangs of all kinds waited, and for how long they were whole.
func (s *Summary) OfGangs() (waits, services *Waits) {
	waits, services = &Waits{}, &Waits{}
	for i := range s.Gangs {
		waits.merge(&s.Gangs[i].Waits)
		services.merge(&s.Gangs[i].Services)
	}
	return waits, services
}

// EndsOfGangs returns the figures of the gangs of all kinds that have ended.
func (s *Summary) EndsOfGangs() *JobEnds {
	ends := &JobEnds{}
	for i := range s.Gangs {
		ends.merge(&s.Gangs[i].JobEnds)
	}
	return ends
}

// subtreeWaits returns the waits of each queue and its descendants, by index.
func (l *Ledger) subtreeWaits() []Waits {
	all := make([]Waits, len(l.Queues))
	for i := len(all) - 1; i >= 0; i-- { // children come before parents
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
