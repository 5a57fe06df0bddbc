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

// Ask refers to a request for an allocation, pending or allocated. It is a value, and its methods answer from the current state of the
// request. The zero Ask refers to none.
//
// Only package state changes requests. Two Asks are equal if they refer to the same one.
type Ask struct{ *askRow }

// askRow is the state of a request. The fields that are read while it is pending come first, so that they share one or two cache lines.
type askRow struct {
	links    [chains]links
	class    *class.Class
	created  time.Duration
	priority int32
	place    int32     // in its group: the priority of its list, or its index in the heap
	group    *askGroup // nil unless it is pending and sorted in
	app      *App
	seq      uint64

	node   int32
	slot   Slot
	holdOn int32 // while hold is not None
	row    int32 // row in the policy's table, if a module orders asks

	id     string
	atomic *AtomicGang
	placed uint64

	hold            hold.State
	originator      bool
	noPreemptOthers bool
	notPreemptable  bool
	leaving         bool
	observed        bool

	placedAt time.Duration
	member   *Membership
}

// Request holds the properties with which a request begins.
type Request struct {
	ID              string
	App             *App
	Class           *class.Class
	Seq             uint64
	Priority        int32
	Created         time.Duration
	Originator      bool
	NoPreemptOthers bool
	NotPreemptable  bool
}

// IsNone reports whether it refers to no request.
func (a Ask) IsNone() bool { return a.askRow == nil }

// Class returns the class of its shape.
func (a Ask) Class() *class.Class { return a.class }

// Created returns when it was submitted.
func (a Ask) Created() time.Duration { return a.created }

// Priority returns its own priority, without the offsets of queues.
func (a Ask) Priority() int32 { return a.priority }

// App returns its application.
func (a Ask) App() *App { return a.app }

// Seq returns its number in the order of submission over the partition, from 1.
func (a Ask) Seq() uint64 { return a.seq }

// Node returns the slot of the node that it is allocated on, or NoNode.
func (a Ask) Node() int32 { return a.node }

// Slot returns its slot.
func (a Ask) Slot() Slot { return a.slot }

// HoldOn returns the slot of the node that it holds by a reservation or a claim, while Hold is not None.
func (a Ask) HoldOn() int32 { return a.holdOn }

// Hold returns how it holds a node.
func (a Ask) Hold() hold.State { return a.hold }

// ID returns the ID that its submitter has given it.
func (a Ask) ID() string { return a.id }

// Atomic returns the atomic gang that it belongs to, or nil.
func (a Ask) Atomic() *AtomicGang { return a.atomic }

// Placed returns the number of its allocation in the order of allocation over the partition, from 1.
func (a Ask) Placed() uint64 { return a.placed }

// PlacedAt returns when it was allocated.
func (a Ask) PlacedAt() time.Duration { return a.placedAt }

// Originator reports whether it is the first ask of its application, which is preempted last.
func (a Ask) Originator() bool { return a.originator }

// NoPreemptOthers reports whether it must not preempt.
func (a Ask) NoPreemptOthers() bool { return a.noPreemptOthers }

// NotPreemptable reports whether it must not be preempted.
func (a Ask) NotPreemptable() bool { return a.notPreemptable }

// Leaving reports, of an allocation, whether its release was decided, but not confirmed yet.
func (a Ask) Leaving() bool { return a.leaving }

// Observed reports, of a pending ask, whether its preemption was already reported in a partition that only observes preemption.
func (a Ask) Observed() bool { return a.observed }

// Member returns its membership in the gang of an application with placeholders, or nil.
func (a Ask) Member() *Membership { return a.member }

// ReservedNode is the slot of the node that is reserved for the ask, or NoNode.
func (a Ask) ReservedNode() int32 {
	if a.Hold().IsReserved() {
		return a.HoldOn()
	}
	return NoNode
}

// ClaimedNode is the slot of the node that the ask has a claim on, or NoNode.
func (a Ask) ClaimedNode() int32 {
	if a.Hold().IsClaimed() {
		return a.HoldOn()
	}
	return NoNode
}

// Pending reports whether the ask has no allocation yet.
func (a Ask) Pending() bool { return a.Node() == NoNode }
