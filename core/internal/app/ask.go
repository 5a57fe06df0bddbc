// Package app keeps applications with their asks and allocations, and their orders: of the asks of an application, and of the
// applications of a leaf queue.
//
// A Leaf owns the applications of a leaf queue. Changes are queued, and Leaf.Sync brings the orders up to date before a search. The
// package does not know queues above the leaf, nodes, or the cycle. It does not lock.
//
// A shrink epoch, in comments and parameters, is the number of a period in which room only shrinks (state.State.ShrinkEpoch): what failed in a
// shrink epoch cannot succeed later in it.
package app

import (
	"time"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/hold"
	"github.com/quern-project/quern/core/internal/state/asks"
)

// Slot is the number of an ask in its partition. It is reused once the ask has gone and no change that names it is left in the log.
type Slot = asks.Slot

// NoSlot is the slot of no ask.
const NoSlot = asks.NoSlot

// NoNode is the node slot of pending asks, and of asks without a reservation or claim.
const NoNode = asks.NoNode

// Ask refers to a request for an allocation, pending or allocated. It is a value for readers, whose methods answer from the current rows
// of the partition; what outlives an input holds its slot. The zero Ask refers to none. Two Asks are equal if they refer to the same one.
type Ask struct {
	in   *reader
	slot Slot
}

// IsNone reports whether it refers to no request.
func (a Ask) IsNone() bool { return a.in == nil }

// Slot returns its slot.
func (a Ask) Slot() Slot { return a.slot }

// Row returns the current row, for readers of several fields.
func (a Ask) Row() asks.Ask { return a.in.rows.At(a.slot) }

// Read copies the current row, which costs less than Row where the copy stays in a variable.
func (a Ask) Read(to *asks.Ask) { a.in.rows.Read(a.slot, to) }

// ID returns the ID that its submitter has given it.
func (a Ask) ID() string { return a.in.rows.ID(a.slot) }

// Class returns the class of its shape.
func (a Ask) Class() class.Class { return a.in.classes.At(a.in.rows.Class(a.slot)) }

// App returns its application.
func (a Ask) App() App { return App{a.in.apps[a.in.rows.App(a.slot)]} }

// Atomic returns the atomic gang that it belongs to, or nil.
func (a Ask) Atomic() AtomicGang { return AtomicGang{a.atomic()} }

// Slice returns the number of its slice of its gang, from 1, or 0 if it is in none: it is pending, or its gang has none.
func (a Ask) Slice() int { return int(a.in.rows.Slice(a.slot)) }

func (a Ask) atomic() *atomicGang { return a.in.gangs.Items[a.in.rows.Atomic(a.slot)] }

// Alone reports whether it is neither in a task group nor in an atomic gang.
func (a Ask) Alone() bool { return a.in.rows.Alone(a.slot) }

// Created returns when it was submitted.
func (a Ask) Created() time.Duration { return a.in.rows.Created(a.slot) }

// Priority returns its own priority, without the offsets of queues.
func (a Ask) Priority() int32 { return a.in.rows.Priority(a.slot) }

// Seq returns its number in the order of submission over the partition, from 1.
func (a Ask) Seq() uint64 { return a.in.rows.Seq(a.slot) }

// Node returns the slot of the node that it is allocated on, or NoNode.
func (a Ask) Node() int32 { return a.in.rows.Node(a.slot) }

// Pending reports whether the ask has no allocation yet.
func (a Ask) Pending() bool { return a.Node() == NoNode }

// Hold returns how it holds a node.
func (a Ask) Hold() hold.State { return a.in.rows.Hold(a.slot) }

// HoldOn returns the slot of the node that it holds by a reservation or a claim, while Hold is not None.
func (a Ask) HoldOn() int32 { return a.in.rows.HoldOn(a.slot) }

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

// Placed returns the number of its allocation in the order of allocation over the partition, from 1.
func (a Ask) Placed() uint64 {
	number, _ := a.in.rows.Placed(a.slot)
	return number
}

// PlacedAt returns when it was allocated.
func (a Ask) PlacedAt() time.Duration {
	_, at := a.in.rows.Placed(a.slot)
	return at
}

// Began returns when its allocation was made, also if that was before it was restored.
func (a Ask) Began() time.Duration { return a.in.rows.Began(a.slot) }

// Originator reports whether it is the first ask of its application, which is preempted last.
func (a Ask) Originator() bool { return a.in.rows.At(a.slot).Originator }

// NoPreemptOthers reports whether it must not preempt.
func (a Ask) NoPreemptOthers() bool { return a.in.rows.At(a.slot).NoPreemptOthers }

// NotPreemptable reports whether it must not be preempted.
func (a Ask) NotPreemptable() bool { return a.in.rows.At(a.slot).NotPreemptable }

// Preempted returns how often it was preempted, also before it was asked for again under its ID.
func (a Ask) Preempted() int64 { return a.in.rows.Preempted(a.slot) }

// Movable reports whether it may be moved to another node once it is allocated.
func (a Ask) Movable() bool { return a.in.rows.Movable(a.slot) }

// Walltime returns how long its allocation promises to run at most.
func (a Ask) Walltime() asks.Walltime { return a.in.rows.Walltime(a.slot) }

// Ends returns, of an allocation, its promised end, or instant.Never.
func (a Ask) Ends() time.Duration { return a.in.rows.Ends(a.slot) }

// Told returns, of an allocation, when it was asked to leave. Only partitions that plan starts know it.
func (a Ask) Told() asks.Told { return a.in.rows.Told(a.slot) }

// Leaving reports, of an allocation, whether its release was decided, but not confirmed yet.
func (a Ask) Leaving() bool { return a.in.rows.Leaving(a.slot) }

// Observed reports, of a pending ask, whether its preemption was already reported in a partition that only observes preemption.
func (a Ask) Observed() bool { return a.in.rows.At(a.slot).Observed }
