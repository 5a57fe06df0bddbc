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
	"github.com/quern-project/quern/core/internal/hold"
)

// Slot is the number of an ask in its partition. It is used again, as the Ask is, once the ask has gone and no change that names it
// is left in the log.
type Slot uint32

// NoSlot is the slot of no ask.
const NoSlot Slot = 0

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

	Node   int32 // slot of the node that it is allocated on, or NoNode
	Slot   Slot
	HoldOn int32 // slot of the node that it holds by a reservation or a claim, while Hold is not None
	row    int32 // row in the policy's table, if a module orders asks

	ID     string
	Atomic *AtomicGang // the atomic gang that it belongs to, or nil
	Placed uint64      // order of allocation over the partition, from 1

	Hold            hold.State
	Originator      bool
	NoPreemptOthers bool
	NotPreemptable  bool
	Leaving         bool // of an allocation: its release was decided, but not confirmed yet
	Observed        bool // of a pending ask: its preemption was already reported, in a partition that only observes preemption

	PlacedAt time.Duration
	Member   *Membership // nil if its application has no placeholders
}

// Reset clears an ask for reuse: it is pending, without ID, reservation or claim. It keeps its slot.
func (a *Ask) Reset() { *a = Ask{Node: NoNode, Slot: a.Slot} }

// ReservedNode is the slot of the node that is reserved for the ask, or NoNode.
func (a *Ask) ReservedNode() int32 {
	if a.Hold.IsReserved() {
		return a.HoldOn
	}
	return NoNode
}

// ClaimedNode is the slot of the node that the ask has a claim on, or NoNode.
func (a *Ask) ClaimedNode() int32 {
	if a.Hold.IsClaimed() {
		return a.HoldOn
	}
	return NoNode
}

// Pending reports whether the ask has no allocation yet.
func (a *Ask) Pending() bool { return a.Node == NoNode }
