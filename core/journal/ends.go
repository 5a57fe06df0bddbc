package journal

import (
	"container/heap"
	"time"
)

// ends knows when allocations end by themselves: those with a run time, and victims. An ID is here from its ask on
// until the allocation is gone, however it goes, so that a later holder of the ID inherits nothing.
type ends struct {
	byID  map[string]*life
	byApp map[string]*life // the first of a list through next: those of one application
	due   lifeHeap         // those with an end; none is dead
	order map[string]uint64
	made  uint64 // allocations so far, restored ones included
}

// life is an ask or allocation that will end by itself.
type life struct {
	id, app    string
	run        time.Duration
	end        time.Duration
	order      uint64 // of allocation
	place      int    // in the heap; -1: no end yet, since it is pending
	prev, next *life  // of the same application
}

func newEnds() ends {
	return ends{byID: map[string]*life{}, byApp: map[string]*life{}, order: map[string]uint64{}}
}

// expect notes the run time of an ask.
func (e *ends) expect(id, app string, run time.Duration) {
	l := &life{id: id, app: app, run: run, place: -1}
	e.byID[id] = l
	if l.next = e.byApp[app]; l.next != nil {
		l.next.prev = l
	}
	e.byApp[app] = l
}

// allocated starts the clock of an allocation.
func (e *ends) allocated(id string, at time.Duration) {
	e.made++
	e.order[id] = e.made
	if l := e.byID[id]; l != nil {
		e.endAt(l, after(at, l.run))
	}
}

// preempted lets a victim end at a time, or sooner when its run time says so.
func (e *ends) preempted(id string, at time.Duration) {
	l := e.byID[id]
	if l == nil {
		e.expect(id, "", 0)
		l = e.byID[id]
	} else if l.place >= 0 && l.end <= at {
		return
	}
	e.endAt(l, at)
}

func (e *ends) endAt(l *life, at time.Duration) {
	l.end, l.order = at, e.order[l.id]
	if l.place < 0 {
		heap.Push(&e.due, l)
		return
	}
	heap.Fix(&e.due, l.place)
}

// gone forgets an ask or an allocation.
func (e *ends) gone(id string) {
	delete(e.order, id)
	l := e.byID[id]
	if l == nil {
		return
	}
	delete(e.byID, id)
	if l.place >= 0 {
		heap.Remove(&e.due, l.place)
	}
	if l.next != nil {
		l.next.prev = l.prev
	}
	switch {
	case l.prev != nil:
		l.prev.next = l.next
	case l.next != nil:
		e.byApp[l.app] = l.next
	default:
		delete(e.byApp, l.app)
	}
}

// appGone forgets what is left of an application: its pending asks.
func (e *ends) appGone(app string) {
	for l := e.byApp[app]; l != nil; l = e.byApp[app] {
		e.gone(l.id)
	}
}

// next returns the earliest end.
func (e *ends) next() (time.Duration, bool) {
	if len(e.due) == 0 {
		return 0, false
	}
	return e.due[0].end, true
}

// pop returns an allocation that ends by now, in order of allocation within one time, and forgets its end.
func (e *ends) pop(now time.Duration) (string, bool) {
	if len(e.due) == 0 || e.due[0].end > now {
		return "", false
	}
	id := e.due[0].id
	e.gone(id)
	return id, true
}

// after adds a duration to a time, up to the end of time.
func after(at, d time.Duration) time.Duration {
	if sum := at + d; sum >= at {
		return sum
	}
	return never
}

// lifeHeap is a container/heap by end, then order of allocation.
type lifeHeap []*life

func (h lifeHeap) Len() int { return len(h) }

func (h lifeHeap) Less(i, j int) bool {
	if h[i].end != h[j].end {
		return h[i].end < h[j].end
	}
	return h[i].order < h[j].order
}

func (h lifeHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].place, h[j].place = i, j
}

// Push implements heap.Interface.
func (h *lifeHeap) Push(x any) {
	l := x.(*life)
	l.place = len(*h)
	*h = append(*h, l)
}

// Pop implements heap.Interface.
func (h *lifeHeap) Pop() any {
	last := len(*h) - 1
	l := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	l.place = -1
	return l
}
