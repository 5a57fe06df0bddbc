package state

import (
	"time"

	"github.com/quern-project/quern/core/internal/app"
)

// Arrivals lists pending asks in the order in which they came, to know when the next becomes due for a reservation.
type Arrivals struct {
	list []arrival
	head int
}

type arrival struct {
	ask *app.Ask
	seq uint64
}

// Push adds an ask that came now.
func (q *Arrivals) Push(a *app.Ask) { q.list = append(q.list, arrival{a, a.Seq}) }

// Next is when the first ask that still waits came, after a time.
func (q *Arrivals) Next(after time.Duration) (time.Duration, bool) {
	for q.head < len(q.list) {
		a := q.list[q.head]
		if a.ask.Seq == a.seq && a.ask.Pending() && a.ask.Created > after {
			return a.ask.Created, true
		}
		q.list[q.head] = arrival{}
		q.head++
	}
	q.list, q.head = q.list[:0], 0
	return 0, false
}

// Trim forgets what has passed, once it is most of the list.
func (q *Arrivals) Trim() {
	if q.head > 1024 && q.head*2 > len(q.list) {
		n := copy(q.list, q.list[q.head:])
		clear(q.list[n:])
		q.list, q.head = q.list[:n], 0
	}
}

// Pass calls do with those that still wait and came at a time or before, and forgets them.
func (q *Arrivals) Pass(by time.Duration, do func(*app.Ask)) {
	for ; q.head < len(q.list); q.head++ {
		a := q.list[q.head]
		if a.ask.Seq == a.seq && a.ask.Pending() {
			if a.ask.Created > by {
				break
			}
			do(a.ask)
		}
		q.list[q.head] = arrival{}
	}
	q.Trim()
}
