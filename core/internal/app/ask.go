// Package app keeps applications with their asks and allocations, and their orders: of the asks of an application, and of the
// applications of a leaf queue.
//
// A Leaf owns the applications of a leaf queue. Changes are queued, and Leaf.Sync brings the orders up to date before a search. The
// package does not know queues above the leaf, nodes, or the cycle. It does not lock.
//
// A world, in comments and parameters, is the number of a period in which room only shrinks (state.State.World): what failed in a
// world cannot succeed later in it.
package app

import (
	"time"

	"github.com/quern-project/quern/core/internal/class"
)

// NoNode is the node slot of pending asks, and of asks without a reservation or claim.
const NoNode int32 = -1

// Ask is one request for an allocation, pending or allocated. The fields that are read while it is pending come first, so that they
// share one or two cache lines.
type Ask struct {
	links    [chains]links
	Class    *class.Class
	Created  time.Duration
	Priority int32
	place    int32     // in its group: the priority of its list, or its index in the heap
	group    *askGroup // nil unless it is pending and sorted in
	App      *App
	Seq      uint64 // order of submission over the partition, from 1

	Node     int32 // slot of the node that it is allocated on, or NoNode
	Reserves int32 // slot of the node that it has reserved, or NoNode
	Keeps    int32 // slot of the node that it has claimed by preempting there, or NoNode
	row      int32 // row in the policy's table, if a module orders asks

	ID     string
	Atomic *AtomicGang // the atomic gang that it belongs to, or nil
	Placed uint64      // order of allocation over the partition, from 1

	Originator      bool
	NoPreemptOthers bool
	NotPreemptable  bool
	Leaving         bool // of an allocation: its release was decided, but not confirmed yet
	Observed        bool // of a pending ask: its preemption was already reported, in a partition that only observes preemption

	PlacedAt time.Duration
	Member   *Membership // nil if its application has no placeholders
}

// Reset clears an ask for reuse: it is pending, without ID, reservation or claim.
func (a *Ask) Reset() { *a = Ask{Node: NoNode, Reserves: NoNode, Keeps: NoNode} }

// Pending reports whether the ask has no allocation yet.
func (a *Ask) Pending() bool { return a.Node == NoNode }
