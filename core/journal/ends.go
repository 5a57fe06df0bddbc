package journal

import (
	"time"

	"github.com/quern-project/quern/core/instant"
)

// ends knows when allocations end by themselves: those with a run time, and victims. An ID is here from its ask on, or
// from its preemption where it has no run time, until the allocation is gone, however it goes, so that a later holder of the
// ID inherits nothing. Allocations that nothing ends are not here, and cost nothing.
type ends struct {
	byID  map[string]*life
	byApp map[string]*life // the first of a list through next: those with a run time, of one application
	due   endHeap          // those with an end; none is dead
	made  uint64           // allocations so far, restored ones included
	spare []*life
}

// life is an allocation, or an ask with a run time.
type life struct {
	id         string
	app        string // of those with a run time
	run        time.Duration
	end        time.Duration
	order      uint64 // of allocation; see Decision.Placement
	place      int    // in the heap; -1: no end yet
	timed      bool   // it has a run time
	prev, next *life  // of the same application
}

func newEnds() ends {
	return ends{byID: map[string]*life{}, byApp: map[string]*life{}}
}

// add makes a life.
func (e *ends) add(id string) *life {
	if len(e.spare) == 0 {
		block := make([]life, 64)
		for i := range block {
			e.spare = append(e.spare, &block[i])
		}
	}
	last := len(e.spare) - 1
	l := e.spare[last]
	e.spare = e.spare[:last]
	*l = life{id: id, place: -1}
	e.byID[id] = l
	return l
}

// expect notes the run time of an ask.
func (e *ends) expect(id, app string, run time.Duration) {
	l := e.add(id)
	l.run, l.timed = run, true
	e.link(l, app)
}

func (e *ends) link(l *life, app string) {
	l.app = app
	if l.next = e.byApp[app]; l.next != nil {
		l.next.prev = l
	}
	e.byApp[app] = l
}

// allocated starts the clock of an allocation.
func (e *ends) allocated(id string, at time.Duration) {
	e.made++
	if len(e.byID) == 0 {
		return
	}
	if l := e.byID[id]; l != nil {
		l.order = e.made
		e.endAt(l, instant.Add(at, l.run))
	}
}

// preempted lets a victim end at a time, or sooner when its run time says so. The order is that of its allocation.
func (e *ends) preempted(id string, at time.Duration, order uint64) {
	l := e.byID[id]
	if l == nil {
		l = e.add(id)
		l.order = order
	}
	if l.place < 0 || at < l.end {
		e.endAt(l, at)
	}
}

func (e *ends) endAt(l *life, at time.Duration) {
	l.end = at
	if l.place >= 0 {
		e.due.remove(l.place)
	}
	e.due.push(l)
}

// gone forgets an ask or an allocation.
func (e *ends) gone(id string) {
	if len(e.byID) == 0 {
		return
	}
	l := e.byID[id]
	if l == nil {
		return
	}
	delete(e.byID, id)
	if l.place >= 0 {
		e.due.remove(l.place)
	}
	if l.timed {
		e.unlink(l)
	}
	e.spare = append(e.spare, l)
}

func (e *ends) unlink(l *life) {
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

// pendingGone forgets the asks of an application that were never allocated.
func (e *ends) pendingGone(app string) {
	for l := e.byApp[app]; l != nil; {
		next := l.next
		if l.order == 0 {
			e.gone(l.id)
		}
		l = next
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
	id := e.due[0].life.id
	e.gone(id)
	return id, true
}
