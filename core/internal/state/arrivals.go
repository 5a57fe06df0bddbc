package state

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core/internal/app"
)

// Arrivals lists pending asks in the order in which they came, to know when the next becomes due for a reservation.
type Arrivals struct {
	blocks [][]arrival // in order, each but the last full
	head   int         // of the first block: what has passed
	spare  []arrival   // a block that has passed, to be the next
}

type arrival struct {
	ask *app.Ask
	seq uint64
}

// arrivalsBlock is how many arrivals are stored together: the list grows and shrinks without being moved.
const arrivalsBlock = 256

// waits reports whether the ask is pending that came: asks are used again.
func (a *arrival) waits() bool { return a.ask.Seq == a.seq && a.ask.Pending() }

// Push adds an ask that came now.
func (q *Arrivals) Push(a *app.Ask) {
	if q.full() {
		for first := q.first(); first != nil && !first.waits(); first = q.first() {
			q.drop()
		}
	}
	if q.full() {
		if q.spare == nil {
			q.spare = make([]arrival, 0, arrivalsBlock)
		}
		q.blocks, q.spare = append(q.blocks, q.spare), nil
	}
	last := &q.blocks[len(q.blocks)-1]
	*last = append(*last, arrival{a, a.Seq})
}

// full reports whether there is no room in the last block.
func (q *Arrivals) full() bool {
	return len(q.blocks) == 0 || len(q.blocks[len(q.blocks)-1]) == arrivalsBlock
}

// first is the first arrival that has not passed, or nil.
func (q *Arrivals) first() *arrival {
	if len(q.blocks) == 0 || q.head == len(q.blocks[0]) {
		return nil
	}
	return &q.blocks[0][q.head]
}

// drop forgets the first arrival.
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

// Clear forgets all arrivals: none of them waits.
func (q *Arrivals) Clear() {
	if len(q.blocks) > 0 {
		clear(q.blocks[0])
		q.blocks, q.head = append(q.blocks[:0], q.blocks[0][:0]), 0
	}
}

// Next is when the first ask that still waits came, after a time.
func (q *Arrivals) Next(after time.Duration) (time.Duration, bool) {
	for a := q.first(); a != nil; a = q.first() {
		if a.waits() && a.ask.Created > after {
			return a.ask.Created, true
		}
		q.drop()
	}
	return 0, false
}

// Pass calls do with those that still wait and came at a time or before, and forgets them.
func (q *Arrivals) Pass(by time.Duration, do func(*app.Ask)) {
	for a := q.first(); a != nil; a = q.first() {
		if a.waits() {
			if a.ask.Created > by {
				return
			}
			do(a.ask)
		}
		q.drop()
	}
}
