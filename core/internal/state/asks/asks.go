// Package asks owns the asks of a partition, pending and allocated: what each requests, where it is allocated, and how it holds a node.
//
// Asks is the owner. Package state has one for each partition, and only state changes it. Other packages read it through a View, which
// returns values and identifies asks, applications, classes and gangs by number. Package app resolves these numbers, and keeps the orders
// of pending asks and the lists of allocations, which follow from the rows.
package asks

import (
	"time"

	"github.com/quern-project/quern/core/internal/hold"
	"github.com/quern-project/quern/core/internal/state/internal/table"
)

// Slot identifies an ask. It is reused after Free.
type Slot = table.ID

// NoSlot is the slot of no ask.
const NoSlot = table.None

// NoNode is the node of asks that are not allocated.
const NoNode int32 = -1

// row is an ask with its placement. It fits in a cache line, so an allocation changes one line.
type row struct {
	Ask
	placement
}

// Ask is an ask. Most of it is read while it is pending.
type Ask struct {
	Created  time.Duration
	Seq      uint64 // order of submission over the partition, from 1
	Priority int32  // without the offsets of queues
	App      int32  // number of its application
	Class    int32  // number of its class
	Node     int32  // slot of the node that it is allocated on, or NoNode
	HoldOn   int32  // slot of the node that it holds by a reservation or a claim, while Hold is not None
	Atomic   int32  // number of the atomic gang that it belongs to; 0: none

	Hold            hold.State
	Originator      bool // it is the first of its application, and preempted last
	NoPreemptOthers bool
	NotPreemptable  bool
	Leaving         bool // of an allocation: its release was decided, but not confirmed yet
	Observed        bool // of a pending ask: its preemption was already reported, in a partition that only observes preemption
	Grouped         bool // it belongs to a task group of an application with placeholders
	removed         bool // it has ended; the row is kept for followers of the log
}

// Member describes an ask of an application with placeholders.
type Member struct {
	Group             int32 // number of its task group in the application
	Placeholder       bool
	NoPlaceholderFits bool // of a task: no placeholder was large enough, so it is allocated like other asks
	Replacing         bool // of a pending task: it is allocated once the placeholder that it replaces has left
}

// placement describes the allocation of an ask. It is zero while the ask is pending.
type placement struct {
	number uint64 // order of allocation over the partition, from 1
	at     time.Duration
}

// Asks owns the asks of a partition. Make it with New.
type Asks struct {
	rows      table.Table[row]
	members   table.Column[Member]
	movable   table.Column[bool]
	walltimes table.Column[Walltime]
	slices    table.Column[int32] // of members of sliced gangs: the number of the slice that it belongs to, from 1
	told      table.Column[Told]
	preempted table.Column[int64]
	ids       table.StringColumn
	index     table.Index
}

// New makes an owner without asks.
func New() *Asks {
	return &Asks{
		rows: *table.New[row](), members: *table.NewColumn[Member](), movable: *table.NewColumn[bool](), walltimes: *table.NewColumn[Walltime](), slices: *table.NewColumn[int32](), told: *table.NewColumn[Told](), preempted: *table.NewColumn[int64](),
		ids: *table.NewStringColumn(), index: *table.NewIndex(),
	}
}

// Place is where the index will store an ID that no ask has. It is valid until an ask is added or removed.
type Place = table.Place

// Add adds a pending ask under a new ID and returns its slot.
func (o *Asks) Add(id string, a Ask) Slot {
	_, p := o.View().Locate(id)
	return o.Put(id, p, a)
}

// Put is Add for an ID of which View.Locate has returned the place.
func (o *Asks) Put(id string, p Place, a Ask) Slot {
	a.Node = NoNode
	slot := o.rows.Add(row{Ask: a})
	o.ids.Set(uint32(slot), id)
	o.index.Put(p, slot)
	return slot
}

// Join makes a new ask a member of a task group.
func (o *Asks) Join(slot Slot, m Member) {
	o.rows.Edit(slot).Grouped = true
	*o.members.Edit(uint32(slot)) = m
}

// Remove ends an ask, whose ID may be used again. Its row can be read until Free.
func (o *Asks) Remove(slot Slot) {
	o.rows.Edit(slot).removed = true
	o.index.Remove(o.ids.At(uint32(slot)), slot)
}

// Free frees the slot of a removed ask.
func (o *Asks) Free(slot Slot) {
	r := o.rows.Peek(slot)
	if r.Grouped {
		*o.members.Edit(uint32(slot)) = Member{}
	}
	if o.movable.At(uint32(slot)) {
		*o.movable.Edit(uint32(slot)) = false
	}
	o.SetWalltime(slot, Walltime{})
	o.SetTold(slot, Told{})
	o.forgetPreempted(slot)
	if r.Atomic != 0 {
		o.SetSlice(slot, 0)
	}
	o.rows.Free(slot)
	o.ids.Set(uint32(slot), "")
}

// SetPriority changes the priority of an ask.
func (o *Asks) SetPriority(slot Slot, priority int32) { o.rows.Edit(slot).Priority = priority }

// SetClass changes the class of an ask.
func (o *Asks) SetClass(slot Slot, class int32) { o.rows.Edit(slot).Class = class }

// SetAtomic makes an ask a member of an atomic gang.
func (o *Asks) SetAtomic(slot Slot, gang int32) { o.rows.Edit(slot).Atomic = gang }

// SetSlice makes an ask a member of a slice of its gang, or of none.
func (o *Asks) SetSlice(slot Slot, number int32) {
	if o.View().Slice(slot) != number {
		*o.slices.Edit(uint32(slot)) = number
	}
}

// SetHold records how an ask holds a node.
func (o *Asks) SetHold(slot Slot, h hold.State, node int32) {
	r := o.rows.Edit(slot)
	r.Hold, r.HoldOn = h, node
}

// Protect sets what protects an ask from preemption.
func (o *Asks) Protect(slot Slot, originator, notPreemptable bool) {
	r := o.rows.Edit(slot)
	r.Originator, r.NotPreemptable = originator, notPreemptable
}

// MarkMovable records that an ask, once allocated, may be moved to another node. Few asks may, so their rows do not say it.
func (o *Asks) MarkMovable(slot Slot) { *o.movable.Edit(uint32(slot)) = true }

// MarkLeaving records that the release of an allocation was decided.
func (o *Asks) MarkLeaving(slot Slot) { o.rows.Edit(slot).Leaving = true }

// MarkObserved records that the preemption of an ask was reported.
func (o *Asks) MarkObserved(slot Slot) { o.rows.Edit(slot).Observed = true }

// Renumber sets the number and the time of a submission to those of a restored one.
func (o *Asks) Renumber(slot Slot, seq uint64, created time.Duration) {
	r := o.rows.Edit(slot)
	r.Seq, r.Created = seq, created
}

// SetReplacing records whether a placeholder is leaving so that a task can replace it.
func (o *Asks) SetReplacing(slot Slot, replacing bool) {
	o.members.Edit(uint32(slot)).Replacing = replacing
}

// SetNoPlaceholderFits records that no placeholder is large enough for a task.
func (o *Asks) SetNoPlaceholderFits(slot Slot) { o.members.Edit(uint32(slot)).NoPlaceholderFits = true }

// View returns a read-only view.
func (o *Asks) View() View { return View{o} }
