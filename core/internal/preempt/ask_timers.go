package preempt

import (
	"time"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/index"
)

// askTimers orders asks by an instant. One that holds no longer is dropped when it gets to the front.
type askTimers struct {
	holds func(ask app.Ask, at time.Duration) bool // asks that have ended are not passed to it
	order *index.Index                             // by instant, then by order of arrival; nil until the first ask
	asks  index.Slots[timedAsk]
	count int64 // asks so far
}

type timedAsk struct {
	ask app.Ask
	seq uint64
}

func (l *askTimers) push(ask app.Ask, at time.Duration) {
	if l.order == nil {
		l.order = index.New(2, 0, 0)
	}
	l.count++
	l.order.Put(l.asks.Take(&timedAsk{ask, ask.Seq()}), []int64{int64(at), l.count}, nil)
}

// next returns the first instant that still holds.
func (l *askTimers) next() (at time.Duration, ok bool) {
	for l.order != nil && l.order.Len() > 0 {
		slot, _ := l.order.Head()
		at := time.Duration(l.order.Key(slot)[0])
		if a := l.asks.Items[slot]; a.ask.Seq() == a.seq && l.holds(a.ask, at) {
			return at, true
		}
		l.drop(slot)
	}
	return 0, false
}

// pass removes the asks whose instant has come by a time, and calls do with those that still hold.
func (l *askTimers) pass(by time.Duration, do func(app.Ask)) {
	for at, ok := l.next(); ok && at <= by; at, ok = l.next() {
		slot, _ := l.order.Head()
		ask := l.asks.Items[slot].ask
		l.drop(slot)
		do(ask)
	}
}

func (l *askTimers) drop(slot int32) {
	l.order.Remove(slot)
	l.asks.Free(slot)
}

// newLate makes the list of the asks that began to wait out of order of creation, since they were moved to another leaf with their application:
// the lists of type waiting are in order of creation.
func newLate() askTimers {
	return askTimers{holds: func(ask app.Ask, _ time.Duration) bool { return ask.Pending() }}
}
