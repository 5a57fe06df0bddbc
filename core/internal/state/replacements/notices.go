package replacements

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/internal/table"
)

// Cause is the reason why an allocation that is not a victim leaves.
type Cause uint8

// The causes.
const (
	Replaced  Cause = iota + 1 // a placeholder that a task replaces
	TimedOut                   // a placeholder that is no longer needed, or an allocation that stays after its promised end
	Finished                   // an allocation that its owner is ending
	GangEnded                  // a member of a gang that was broken for too long
)

var reasons = [...]core.Reason{Replaced: core.ReasonReplaced, TimedOut: core.ReasonTimeout, Finished: core.ReasonFinished, GangEnded: core.ReasonGangBroken}

// Reason returns the reason of the allocation's release.
func (c Cause) Reason() core.Reason { return reasons[c] }

// CauseOf returns the cause with a reason, and whether there is one.
func CauseOf(reason core.Reason) (Cause, bool) {
	for c := Replaced; c <= GangEnded; c++ {
		if c.Reason() == reason {
			return c, true
		}
	}
	return 0, false
}

// Notice records that an allocation that is not a victim was asked to leave.
type Notice struct {
	Ask   app.Slot
	Task  app.Slot // the task that waits for it to leave, or NoSlot
	Cause Cause

	text table.ID // the ID of the ask that it leaves for, which may no longer exist
}

// Announce records that an allocation is leaving, for the ask with an ID or, if that is empty, for none.
func (o *Replacements) Announce(ask app.Slot, cause Cause, id string) {
	on := o.noticeOf.Edit(uint32(ask))
	if *on != table.None {
		panic("replacements: the allocation leaves already")
	}
	*on = o.notices.Add(Notice{Ask: ask, Cause: cause, text: o.texts.Add(id)})
}

// Left ends the notice of an allocation that has left, if it has one. A task that waited for it becomes ready.
func (o *Replacements) Left(ask app.Slot) {
	on := o.noticeOf.Edit(uint32(ask))
	id := *on
	if id == table.None {
		return
	}
	*on = table.None
	n := o.notices.At(id)
	o.texts.Free(n.text)
	o.notices.Free(id)
	if n.Task != app.NoSlot {
		waiting := o.replacementOf.At(uint32(n.Task))
		o.rows.Edit(waiting).Placeholder = app.NoSlot
		o.makeReady(waiting)
	}
}

// Notice returns the notice of an allocation, and whether it has one.
func (v View) Notice(ask app.Slot) (Notice, bool) {
	id := v.o.noticeOf.At(uint32(ask))
	return v.o.notices.At(id), id != table.None
}

// For returns the ID of the ask for which an allocation with a notice leaves, or an empty string.
func (v View) For(n Notice) string { return v.o.texts.Text(n.text) }

// Notices returns the number of leaving allocations that are not victims.
func (v View) Notices() int { return v.o.notices.Len() }

// Leaving yields these allocations, in an order without meaning.
func (v View) Leaving(yield func(app.Slot) bool) {
	for _, n := range v.o.notices.All() {
		if !yield(n.Ask) {
			return
		}
	}
}
