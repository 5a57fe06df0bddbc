package core

import "github.com/quern-project/quern/core/resource"

// Totals are sums over nodes and queues. The cost of reading them is proportional to the number of nodes and queues and does not depend
// on the number of asks, except of those that were preempted.
type Totals struct {
	Nodes   int
	Drained int           // nodes that take no new allocations
	Queues  []QueueTotals // by partition, then parents before children and siblings by name
	Most    MostPreempted
	Plans   []PlanTotals // by partition, in the order of the configuration
}

// MostPreempted is what was preempted most often.
type MostPreempted struct {
	Ask      string // of the asks that exist, the one that was preempted most often; empty if none was
	Times    int64
	App      string // of the live applications, the one of which most allocations were preempted; empty if none were
	AppTimes int64
}

// PlanTotals are the planned starts of a partition.
type PlanTotals struct {
	Partition string // its name
	Planned   int    // blocked asks and gangs with a planned start
}

// QueueTotals are the sums of one queue. Sets leave out zeros, except in Max, where a zero excludes the type.
type QueueTotals struct {
	Queue        string // full name, in the form of ShownPath
	Leaf         bool
	Depth        int // 0 for root
	Used         resource.Set
	Guaranteed   resource.Set
	Max          resource.Set // for root, the cluster's total
	Pending      resource.Set
	PendingAsks  int
	Allocations  int
	Applications int   // number that are not terminal
	Running      int   // number that are Starting, Running or Resuming
	Ages         bool  // its parent orders it by aged usage
	AgedShare    int64 // if Ages: the largest share of the usage that its parent compares, in billionths
}
