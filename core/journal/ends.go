package journal

import (
	"time"

	"github.com/quern-project/quern/core/instant"
)

// ends holds when allocations end by themselves: those with a run time, and victims. An ID is in it from its ask on, or without a run
// time from its preemption on, until the allocation has ended for any reason, so that a later ask with the same ID inherits nothing.
// Other allocations are not in it and cost nothing.
type ends struct {
	byID  map[string]*life
	byApp map[string]*life // first of the application's list of those with a run time, linked by next
	due   endHeap          // those that have an end
	made  uint64           // number of allocations so far, including restored ones
	spare []*life
}

// life is an allocation that will end by itself, or an ask with a run time.
type life struct {
	id         string
	app        string // only set if timed
	run        time.Duration
	end        time.Duration
	order      uint64 // position in the order of allocation; see Decision.Placement
	place      int    // index in the heap; -1 without an end
	timed      bool   // it has a run time
	prev, next *life  // of the application's list
}

func newEnds() ends {
	return ends{byID: map[string]*life{}, byApp: map[string]*life{}}
}

// add makes an entry for an ID.
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

// expect records the run time of an ask.
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

// allocated starts the run time of an allocation.
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

// preempted makes a victim end at a time, unless its run time ends before. order is its position in the order of allocation.
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

// gone removes an ask or an allocation.
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

// appGone removes the pending asks of an application that was removed.
func (e *ends) appGone(app string) {
	for l := e.byApp[app]; l != nil; l = e.byApp[app] {
		e.gone(l.id)
	}
}

// pendingGone removes the asks of an application that were never allocated.
func (e *ends) pendingGone(app string) {
	for l := e.byApp[app]; l != nil; {
		next := l.next
		if l.order == 0 {
			e.gone(l.id)
		}
		l = next
	}
}

// next returns the earliest end, or false if there is none.
func (e *ends) next() (time.Duration, bool) {
	if len(e.due) == 0 {
		return 0, false
	}
	return e.due[0].end, true
}

// pop removes the first allocation that ends by now, in order of end and then of allocation, and returns its ID.
func (e *ends) pop(now time.Duration) (string, bool) {
	if len(e.due) == 0 || e.due[0].end > now {
		return "", false
	}
	id := e.due[0].life.id
	e.gone(id)
	return id, true
}
