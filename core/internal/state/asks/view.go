package asks

import (
	"time"

	"github.com/quern-project/quern/core/internal/hold"
)

// View reads the asks of a partition.
type View struct{ o *Asks }

// Len returns the number of asks.
func (v View) Len() int { return v.o.index.Len() }

// Find returns the slot of the ask with an ID, or NoSlot.
func (v View) Find(id string) Slot {
	slot, _ := v.Locate(id)
	return slot
}

// Locate is Find that also returns the place for the ID, if no ask has it.
func (v View) Locate(id string) (Slot, Place) {
	return v.o.index.Locate(id, func(slot Slot) bool { return v.o.ids.At(uint32(slot)) == id })
}

// All calls yield with every ask, in no particular order.
func (v View) All(yield func(Slot) bool) {
	for slot, a := range v.o.rows.All() {
		if !a.removed && !yield(slot) {
			return
		}
	}
}

// At returns an ask.
func (v View) At(slot Slot) Ask { return v.o.rows.Peek(slot).Ask }

// Read copies an ask, which costs less than At where the copy stays in a variable.
func (v View) Read(slot Slot, to *Ask) { *to = v.o.rows.Peek(slot).Ask }

// Member returns how an ask that is Grouped belongs to its group.
func (v View) Member(slot Slot) Member { return v.o.members.At(uint32(slot)) }

// Movable reports whether an ask, once allocated, may be moved to another node.
func (v View) Movable(slot Slot) bool { return v.o.movable.At(uint32(slot)) }

// Slice returns the number of the slice of its gang that an ask belongs to, from 1, or 0.
func (v View) Slice(slot Slot) int32 { return v.o.slices.At(uint32(slot)) }

// ID returns the ID that the submitter has given an ask.
func (v View) ID(slot Slot) string { return v.o.ids.At(uint32(slot)) }

// Placed returns the number and the time of the allocation of an ask.
func (v View) Placed(slot Slot) (number uint64, at time.Duration) {
	p := v.o.rows.Peek(slot)
	return p.number, p.at
}

// The following methods return single fields of an ask, which costs less than At.

// Created returns when an ask was submitted.
func (v View) Created(slot Slot) time.Duration { return v.o.rows.Peek(slot).Created }

// Seq returns the number of an ask in the order of submission.
func (v View) Seq(slot Slot) uint64 { return v.o.rows.Peek(slot).Seq }

// IsRemoved reports whether an ask has ended, so that only its row is left.
func (v View) IsRemoved(slot Slot) bool { return v.o.rows.Peek(slot).removed }

// Priority returns the priority of an ask.
func (v View) Priority(slot Slot) int32 { return v.o.rows.Peek(slot).Priority }

// App returns the number of the application of an ask.
func (v View) App(slot Slot) int32 { return v.o.rows.Peek(slot).App }

// Class returns the number of the class of an ask.
func (v View) Class(slot Slot) int32 { return v.o.rows.Peek(slot).Class }

// Node returns the node on which an ask is allocated, or NoNode.
func (v View) Node(slot Slot) int32 { return v.o.rows.Peek(slot).Node }

// HoldOn returns the node that an ask holds.
func (v View) HoldOn(slot Slot) int32 { return v.o.rows.Peek(slot).HoldOn }

// Hold returns how an ask holds a node.
func (v View) Hold(slot Slot) hold.State { return v.o.rows.Peek(slot).Hold }

// Atomic returns the number of the atomic gang of an ask, or 0.
func (v View) Atomic(slot Slot) int32 { return v.o.rows.Peek(slot).Atomic }

// Grouped reports whether an ask belongs to a task group.
func (v View) Grouped(slot Slot) bool { return v.o.rows.Peek(slot).Grouped }

// Alone reports whether an ask is neither in a task group nor in an atomic gang.
func (v View) Alone(slot Slot) bool {
	r := v.o.rows.Peek(slot)
	return !r.Grouped && r.Atomic == 0
}

// Leaving reports whether the release of an allocation was decided.
func (v View) Leaving(slot Slot) bool { return v.o.rows.Peek(slot).Leaving }
