package core

import "github.com/quern-project/quern/core/resource"

// Totals are sums over what there is. Reading them costs a little for each queue and node, whatever the number of asks.
type Totals struct {
	Nodes   int
	Drained int           // nodes that take nothing new
	Queues  []QueueTotals // of each partition in turn: parents before children, siblings by name
}

// QueueTotals are the sums of one queue. Sets leave out zeros, except Max, where a zero forbids.
type QueueTotals struct {
	Queue        string // full name, as texts show it
	Leaf         bool
	Depth        int // of root: 0
	Used         resource.Set
	Guaranteed   resource.Set
	Max          resource.Set // of root: the cluster's total
	Pending      resource.Set
	PendingAsks  int
	Allocations  int
	Applications int // not terminal
	Running      int // of these: Starting, Running or Resuming
}
