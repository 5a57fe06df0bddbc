package preempt

import (
	"time"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/index"
)

// late orders asks by the end of their delay. It holds the asks that began to wait out of order of creation, since they were moved to
// another leaf with their application: the lists of type waiting are in order of creation. An ask that is no longer pending is dropped
// when it gets to the front.
type late struct {
	order *index.Index // by due time, then by order of arrival; nil until the first ask
	asks  index.Slots[lateAsk]
	count int64 // asks so far
}

type lateAsk struct {
	ask app.Ask
	seq uint64
}

func (l *late) push(ask app.Ask, due time.Duration) {
	if l.order == nil {
		l.order = index.New(2, 0, 0)
	}
	l.count++
	l.order.Put(l.asks.Take(&lateAsk{ask, ask.Seq()}), []int64{int64(due), l.count}, nil)
}

// next returns the due time of the first ask that is still pending.
func (l *late) next() (due time.Duration, ok bool) {
	for l.order != nil && l.order.Len() > 0 {
		slot, _ := l.order.Head()
		if a := l.asks.Items[slot]; a.ask.Seq() == a.seq && a.ask.Pending() {
			return time.Duration(l.order.Key(slot)[0]), true
		}
		l.drop(slot)
	}
	return 0, false
}

// pass removes the asks that are due by a time, and calls do with those that are still pending.
func (l *late) pass(by time.Duration, do func(app.Ask)) {
	for due, ok := l.next(); ok && due <= by; due, ok = l.next() {
		slot, _ := l.order.Head()
		ask := l.asks.Items[slot].ask
		l.drop(slot)
		do(ask)
	}
}

func (l *late) drop(slot int32) {
	l.order.Remove(slot)
	l.asks.Free(slot)
}
