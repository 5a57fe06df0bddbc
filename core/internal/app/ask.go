// Package app holds applications with their asks and allocations, and the orders among them: asks within an
// application, applications within a leaf queue.
//
// Leaf is the way in: it owns the applications of a leaf queue. Nothing here knows of queues above, of nodes or of the
// cycle; nothing locks.
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

// NoNode is the node slot of an ask that is pending.
const NoNode int32 = -1

// Ask is one request, pending or allocated. What is read while it waits in its group comes first, so that it is in one or two
// lines of the processor's cache.
type Ask struct {
	links    [chains]links
	Class    *class.Class
	Created  time.Duration
	Priority int32
	place    int32     // in its group: the priority of its list, or the index in the heap
	group    *askGroup // while it is pending and has been sorted in
	App      *App
	Seq      uint64 // order of submission over the partition, from 1

	Node   int32 // slot of the node it is allocated on, or NoNode
	Slot   Slot
	HoldOn int32 // slot of the node that it holds by a reservation or a claim, while Hold is not None
	row    int32 // in the batch of a policy module, where one orders asks

	ID     string
	Atomic *AtomicGang // the atomic gang that it belongs to; nil: none
	Placed uint64      // order of allocation over the partition, from 1

	Hold            hold.State
	Originator      bool
	NoPreemptOthers bool
	NotPreemptable  bool
	Leaving         bool // allocated: it was told to leave: an ask preempted it, or it is a placeholder
	Observed        bool // pending: the preemption that it would cause was reported once, where the partition only observes

	PlacedAt time.Duration
	Member   *Membership // nil: its application is no gang
}

// Reset makes an ask blank: it is pending, has no ID and holds nothing. It keeps its slot.
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

// Pending reports whether the ask waits.
func (a *Ask) Pending() bool { return a.Node == NoNode }
