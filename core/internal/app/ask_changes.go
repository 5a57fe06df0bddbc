package app

import (
	"time"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/hold"
)

// NewAsk makes a pending ask with a slot.
func NewAsk(slot Slot, r *Request) Ask {
	a := Ask{&askRow{slot: slot}}
	a.Begin(r)
	return a
}

// NewAsks makes n cleared asks with consecutive slots.
func NewAsks(n int, first Slot) []Ask {
	rows, list := make([]askRow, n), make([]Ask, n)
	for i := range rows {
		rows[i].slot = first + Slot(i)
		list[i] = Ask{&rows[i]}
		list[i].End()
	}
	return list
}

// Begin starts a new request in place of one that has ended. It is pending, without reservation or claim, and keeps the slot.
func (a Ask) Begin(r *Request) {
	*a.askRow = askRow{
		slot: a.slot, node: NoNode, id: r.ID, app: r.App, class: r.Class, seq: r.Seq, priority: r.Priority, created: r.Created,
		originator: r.Originator, noPreemptOthers: r.NoPreemptOthers, notPreemptable: r.NotPreemptable,
	}
}

// End clears a request that has ended.
func (a Ask) End() { *a.askRow = askRow{slot: a.slot, node: NoNode} }

// SetPriority changes the priority. UpdateAsk sorts a pending ask again.
func (a Ask) SetPriority(priority int32) { a.priority = priority }

// SetClass changes the class, while the ask is not pending in its application.
func (a Ask) SetClass(c *class.Class) { a.class = c }

// SetHold records how the ask holds a node.
func (a Ask) SetHold(h hold.State, node int32) { a.hold, a.holdOn = h, node }

// Protect sets what protects an ask from preemption.
func (a Ask) Protect(originator, notPreemptable bool) {
	a.originator, a.notPreemptable = originator, notPreemptable
}

// Place records the allocation on a node, with its number and time.
func (a Ask) Place(node int32, placed uint64, at time.Duration) {
	a.node, a.placed, a.placedAt = node, placed, at
}

// SetAtomic makes the ask a member of an atomic gang.
func (a Ask) SetAtomic(g *AtomicGang) { a.atomic = g }

// MarkLeaving records that the release of an allocation was decided.
func (a Ask) MarkLeaving() { a.leaving = true }

// MarkObserved records that the preemption of an ask was reported.
func (a Ask) MarkObserved() { a.observed = true }

// Renumber sets the number and the time of a submission to those of a restored one.
func (a Ask) Renumber(seq uint64, created time.Duration) { a.seq, a.created = seq, created }
