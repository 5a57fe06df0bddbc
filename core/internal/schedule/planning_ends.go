package schedule

import (
	"cmp"
	"slices"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/heap"
)

// planEnds holds when allocations are expected to leave: at their promised ends, or later if they have stayed beyond these.
type planEnds struct {
	until []time.Duration // by slot; 0 stands for not loaded
	known []bool          // by slot
	heap  []expectedEnd   // soonest first; with some that no longer apply
}

// expectedEnd is an entry of the heap.
type expectedEnd struct {
	at  time.Duration
	ask app.Slot
}

// Before implements heap.Item.
func (x *expectedEnd) Before(other *expectedEnd) bool { return x.at < other.at }

// load records the expected end of an allocation.
func (e *planEnds) load(ask app.Ask, now time.Duration) {
	for int(ask.Slot()) >= len(e.until) {
		e.until, e.known = append(e.until, 0), append(e.known, false)
	}
	at := expectedEndOf(ask, now)
	e.until[ask.Slot()], e.known[ask.Slot()] = at, true
	if at == instant.Never {
		return
	}
	if len(e.heap) > 2*len(e.until)+64 {
		e.heap = slices.DeleteFunc(e.heap, func(x expectedEnd) bool { return !e.applies(x) })
		slices.SortFunc(e.heap, func(a, b expectedEnd) int { return cmp.Compare(a.at, b.at) })
	}
	e.heap = heap.Push(e.heap, expectedEnd{at, ask.Slot()})
}

// of returns the expected end of an allocation that is loaded.
func (e *planEnds) of(slot app.Slot) time.Duration { return e.until[slot] }

// unload forgets an allocation.
func (e *planEnds) unload(slot app.Slot) (until time.Duration, loaded bool) {
	if int(slot) >= len(e.known) || !e.known[slot] {
		return 0, false
	}
	e.known[slot] = false
	return e.until[slot], true
}

func (e *planEnds) applies(x expectedEnd) bool { return e.known[x.ask] && e.until[x.ask] == x.at }

// next returns the first expected end.
func (e *planEnds) next() (first expectedEnd, ok bool) {
	for len(e.heap) > 0 {
		if e.applies(e.heap[0]) {
			return e.heap[0], true
		}
		_, e.heap = heap.Pop(e.heap)
	}
	return expectedEnd{}, false
}

// expectedEndOf returns when an allocation is expected to leave: at its promised end or, once that has passed or the allocation was asked to
// leave, at the first of 1, 2, 4, 8 … minutes after that which is to come.
func expectedEndOf(ask app.Ask, now time.Duration) time.Duration {
	at, told := ask.Ends(), ask.Told()
	switch leaves := ask.Leaving() && told.Known; {
	case leaves:
		at = min(at, told.At)
	case at > now:
		return at
	}
	return instant.Doubled(at, time.Minute, now)
}

// plannedDeadline returns the time at which an allocation that plans rely on should have left, or at which a blocked ask without a plan may
// reserve a node. ok is false if there is none.
func (s *Walk) plannedDeadline() (at time.Duration, ok bool) {
	p := &s.planning
	at, ok = instant.Sooner(0, false, p.dueAt)
	if len(p.loads) == 0 {
		return at, ok
	}
	if e, any := p.ends.next(); any {
		at, ok = instant.Sooner(at, ok, e.at)
	}
	return at, ok
}
