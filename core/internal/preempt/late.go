package preempt

import (
	"time"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/index"
)

// late orders by time the asks that came to wait for a delay some time after they had come, since they were moved to another
// leaf: the lists of those that wait are in the order of coming. An ask that no longer waits is dropped when its time comes.
type late struct {
	order *index.Index // by time, then by number; nil until there is one
	asks  index.Slots[lateAsk]
	count int64 // of asks so far
}

type lateAsk struct {
	ask *app.Ask
	seq uint64
}

func (l *late) push(ask *app.Ask, due time.Duration) {
	if l.order == nil {
		l.order = index.New(2, 0, 0)
	}
	l.count++
	l.order.Put(l.asks.Take(&lateAsk{ask, ask.Seq}), []int64{int64(due), l.count}, nil)
}

// next is when the first of them that still waits is due.
func (l *late) next() (due time.Duration, ok bool) {
	for l.order != nil && l.order.Len() > 0 {
		slot, _ := l.order.Head()
		if a := l.asks.Items[slot]; a.ask.Seq == a.seq && a.ask.Pending() {
			return time.Duration(l.order.Key(slot)[0]), true
		}
		l.drop(slot)
	}
	return 0, false
}

// pass calls do with those that still wait and are due by a time, and forgets them.
func (l *late) pass(by time.Duration, do func(*app.Ask)) {
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
