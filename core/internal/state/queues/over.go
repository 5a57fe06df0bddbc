package queues

import (
	"time"

	"github.com/quern-project/quern/core/internal/state/internal/table"
)

// Over describes a queue that uses more than its max while preemption by quota is on for it.
type Over struct {
	Since time.Duration
	// Tried is set by a round that could not end the excess. The next round is due only after a change of usage or configuration in
	// the queue.
	Tried   bool
	Again   time.Duration // if Tried: when an allocation has run long enough to be released, so that another round is due; 0: none will
	Noted   bool          // something changed that may end the excess
	Changed bool          // usage or configuration in the queue changed
}

// excess is the row of a queue that is over its max.
type excess struct {
	Over

	queue ID
}

// SetOver records that a queue is over its max, or changes that record.
func (o *Queues) SetOver(id ID, over Over) {
	if at := o.overOf.At(uint32(id)); at != table.None {
		o.over.Edit(at).Over = over
		return
	}
	*o.overOf.Edit(uint32(id)) = o.over.Add(excess{over, id})
}

// EndOver removes the record of a queue, if there is one.
func (o *Queues) EndOver(id ID) {
	if at := o.overOf.At(uint32(id)); at != table.None {
		o.over.Free(at)
		*o.overOf.Edit(uint32(id)) = table.None
	}
}

// AddQuotaVictims adds to the number of victims of a queue's rounds that are still leaving.
func (o *Queues) AddQuotaVictims(id ID, n int) { *o.victims.Edit(uint32(id)) += int32(n) }
