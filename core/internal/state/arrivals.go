package state

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core/internal/app"
)

// Arrivals lists pending asks in the order of their submission, to find the next one that becomes due for a reservation.
type Arrivals struct {
	asks   app.Asks
	blocks [][]arrival // in order; all blocks but the last are full
	head   int         // number of dropped arrivals in the first block
	spare  []arrival   // an empty block for reuse, or nil
}

type arrival struct {
	seq  uint64
	slot app.Slot
}

// arrivalsBlock is the number of arrivals per block. The list grows and shrinks by blocks, so that arrivals are never moved.
const arrivalsBlock = 256

// waits reports whether an ask is still pending. The Seq is compared because slots are reused.
func (q *Arrivals) waits(a *arrival) bool {
	r := q.asks.At(a.slot).Row()
	return r.Seq == a.seq && r.Node == app.NoNode
}

// Push adds an ask that has just been submitted.
func (q *Arrivals) Push(in app.Asks, slot app.Slot, seq uint64) {
	if n := len(q.blocks) - 1; n < 0 || len(q.blocks[n]) == arrivalsBlock {
		q.makeRoom(in)
	}
	last := &q.blocks[len(q.blocks)-1]
	*last = append(*last, arrival{seq, slot})
}

// makeRoom makes a full list ready for another arrival.
func (q *Arrivals) makeRoom(in app.Asks) {
	q.asks = in
	for first := q.first(); first != nil && !q.waits(first); first = q.first() {
		q.drop()
	}
	if q.full() {
		if q.spare == nil {
			q.spare = make([]arrival, 0, arrivalsBlock)
		}
		q.blocks, q.spare = append(q.blocks, q.spare), nil
	}
}

// full reports whether the last block is full.
func (q *Arrivals) full() bool {
	return len(q.blocks) == 0 || len(q.blocks[len(q.blocks)-1]) == arrivalsBlock
}

// first returns the first arrival in the list, or nil.
func (q *Arrivals) first() *arrival {
	if len(q.blocks) == 0 || q.head == len(q.blocks[0]) {
		return nil
	}
	return &q.blocks[0][q.head]
}

// drop removes the first arrival.
func (q *Arrivals) drop() {
	q.blocks[0][q.head] = arrival{}
	if q.head++; q.head < len(q.blocks[0]) {
		return
	}
	q.head = 0
	if len(q.blocks) == 1 {
		q.blocks[0] = q.blocks[0][:0]
		return
	}
	q.spare = q.blocks[0][:0]
	q.blocks = slices.Delete(q.blocks, 0, 1)
}

// Clear removes all arrivals. The caller knows that none of them is pending.
func (q *Arrivals) Clear() {
	if len(q.blocks) > 0 {
		clear(q.blocks[0])
		q.blocks, q.head = append(q.blocks[:0], q.blocks[0][:0]), 0
	}
}

// Next returns the submission time of the first pending ask that was submitted after a time. It drops all arrivals before it.
func (q *Arrivals) Next(after time.Duration) (time.Duration, bool) {
	for a := q.first(); a != nil; a = q.first() {
		if ask := q.asks.At(a.slot); q.waits(a) && ask.Created() > after {
			return ask.Created(), true
		}
		q.drop()
	}
	return 0, false
}

// Pass calls do with the pending asks that were submitted at a time or before, and removes them.
func (q *Arrivals) Pass(by time.Duration, do func(app.Ask)) {
	for a := q.first(); a != nil; a = q.first() {
		if q.waits(a) {
			ask := q.asks.At(a.slot)
			if ask.Created() > by {
				return
			}
			do(ask)
		}
		q.drop()
	}
}
