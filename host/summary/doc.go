// Package summary draws up what a replay came to: counts, how long asks waited in each queue, what queues and the
// cluster use at the end. As a table for people, as one JSON object for programs, and two runs side by side.
package summary

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/ledger"
	"github.com/quern-project/quern/host/policy"
	"github.com/quern-project/quern/host/tally"
)

// Summary is what a run came to.
type Summary struct {
	Nodes     int // accepted
	Apps      int // accepted
	Asks      int // all that came
	Allocated int
	Pending   int // at the end
	Preempted int
	Rejected  int // asks
	Kinds     Kinds
	Observed  int // would have been preempted where the partition only observes

	Faults  map[string]int  // of policies, by name
	Shadows []policy.Shadow // policies that were asked beside others
	// Repeated is how many calls of policies were made a second time, since the first failed, by name.
	Repeated map[string]int
	Unused   []string // what was loaded in vain, a sentence each

	Scheduling  time.Duration // spent inside the scheduler
	Wall        time.Duration
	Virtual     time.Duration
	Interrupted bool

	Queues  []Queue // parents before children
	Cluster []Type  // bytewise by name
}

// Queue is how a queue stands at the end, and how long its asks waited for their allocations.
type Queue struct {
	Path       string
	Used       resource.Set
	Guaranteed resource.Set
	Waits      tally.Tally
	Preempted  int // victims of the subtree
}

// Type is the use of the cluster in one resource type.
type Type struct {
	Name           string
	Used, Capacity int64
}

// AllocationsPerSecond counts the time spent inside the scheduler alone.
func (s *Summary) AllocationsPerSecond() float64 {
	if s.Scheduling <= 0 {
		return 0
	}
	return float64(s.Allocated) / s.Scheduling.Seconds()
}

// Collector counts while a run goes on.
type Collector struct {
	ledger.Deaf
	books *ledger.Ledger
	sum   Summary
	waits []*tally.Tally // by index of the queue
	taken []int          // victims, by index of the queue
}

// Collect makes a collector that watches these books.
func Collect(books *ledger.Ledger) *Collector {
	c := &Collector{books: books}
	books.Watch(c)
	return c
}

// Came counts an input.
func (c *Collector) Came(in *core.Input) {
	if in.Type == core.AskAdd {
		c.sum.Asks++
	}
}

// Placed counts how long an ask has waited, in its queue and those above.
func (c *Collector) Placed(a *ledger.Ask) {
	if a.Restored {
		return
	}
	for q := a.Queue; q != nil; q = q.Parent {
		c.tally(q).Add(c.books.Now - a.Submitted)
	}
}

func (c *Collector) tally(q *ledger.Queue) *tally.Tally {
	for len(c.waits) <= q.Index {
		c.waits = append(c.waits, &tally.Tally{})
	}
	return c.waits[q.Index]
}

// Decided counts decisions.
func (c *Collector) Decided(d *core.Decision) {
	switch d.Type {
	case core.NodeAccepted:
		c.sum.Nodes++
	case core.AppAccepted:
		c.sum.Apps++
	case core.Allocation:
		c.sum.Allocated++
	case core.AskRejected:
		c.sum.Rejected++
	case core.PolicyFault:
		if c.sum.Faults == nil {
			c.sum.Faults = map[string]int{}
		}
		c.sum.Faults[d.Policy]++
	}
}

// Summary draws up the summary, with the state at the end.
func (c *Collector) Summary(end core.Dump) *Summary {
	s := c.sum
	s.Pending = c.books.Pending
	books := map[string]*ledger.Queue{}
	for _, q := range c.books.Queues {
		books[q.Path] = q
	}
	for _, d := range end.Queues {
		q := Queue{Path: d.Path, Used: d.Used, Guaranteed: d.Guaranteed}
		if b := books[d.Path]; b != nil {
			q.Waits, q.Preempted = *c.tally(b), c.takenOf(b)
		}
		s.Queues = append(s.Queues, q)
	}
	s.Cluster = cluster(end)
	return &s
}

// cluster lists the types that nodes have or allocations use.
func cluster(end core.Dump) []Type {
	var used resource.Set
	if len(end.Queues) > 0 {
		used = end.Queues[0].Used
	}
	var all []Type
	for _, q := range end.Total {
		u, _ := used.Value(q.Type)
		all = append(all, Type{q.Type, u, q.Value})
	}
	for _, q := range used {
		if _, ok := end.Total.Value(q.Type); !ok {
			all = append(all, Type{q.Type, q.Value, 0})
		}
	}
	return sortTypes(all)
}
