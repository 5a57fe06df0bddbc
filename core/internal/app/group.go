package app

import (
	"math"
	"time"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/pending"
)

// askGroup holds the pending asks of one class in one application: where its first ask cannot be placed, none of them can.
// Those of a waiting gang, which are placed together, have a group as well.
// An ask with a reservation has a group of its own, since it alone may use the node it reserves, and so has an ask with a
// claim, which is allocated on the claimed node or not at all.
//
// Its asks are in FIFO lists, one a priority, where asks are ordered by submission. A heap takes their place for the keys of a
// policy module, for many priorities, and for an ask that comes back to the middle of a long list.
type askGroup struct {
	class     *class.Class
	standing  standing
	tasks     *TaskGroup // of asks that rest; nil for all others
	suspended bool       // the required node is held for none of its asks; not offered until something about the node changes
	inHeap    bool       // the asks are in the heap instead of lists
	unfiled   bool       // in the application's list of groups whose entry in the index is to be updated
	slot      int32      // in the application's index
	failed    uint64
	changed   uint64
	lists     []priorityList // highest priority first, none empty
	one       [1]priorityList
	heap      *askHeap
	asleep    uint64     // the number of the Sleeper by which a limit keeps its asks from being offered; 0: none does
	gang      *gangGroup // nil: its asks are of one class
}

// priorityList is the pending asks of one group and one priority, in the order of submission.
type priorityList struct {
	priority int32
	newest   uint64 // at least the number of every ask in it, so that one that is newer is appended without a look at the last
	asks     List
}

// listLimit is how many lists a group has before a heap takes their place: a list is found by a scan.
const listLimit = 8

// standing says how a pending ask takes part in searches.
type standing uint8

const (
	ordinary standing = iota
	reserves          // it has a reservation
	claims            // it has a claim
	rests             // it waits for its gang, or for the place of a placeholder
	bound             // it waits for the placeholder to leave in whose place it lands
)

func (a *Ask) standing() standing {
	switch {
	case a.Member != nil && a.Member.standing != ordinary:
		return a.Member.standing
	case a.Hold.IsClaimed():
		return claims
	case a.Hold.IsReserved():
		return reserves
	}
	return ordinary
}

// begin makes an empty group ready for a class.
func (g *askGroup) begin(c *class.Class, h standing, t *TaskGroup) {
	g.tasks, g.gang = t, nil
	g.class, g.standing, g.suspended, g.failed, g.changed, g.inHeap, g.asleep = c, h, false, 0, 0, false, 0
	if g.lists == nil {
		g.lists = g.one[:0]
	}
	if g.heap != nil {
		g.heap.late.clear()
	}
}

func (g *askGroup) empty() bool {
	if g.inHeap {
		return len(g.heap.asks.entries) == 0
	}
	return len(g.lists) == 0
}

// head is the first ask of a group that is not empty.
func (g *askGroup) head() *Ask {
	if g.inHeap {
		return g.heap.asks.entries[0].ask
	}
	return g.lists[0].asks.First
}

// each calls yield with every ask.
func (g *askGroup) each(yield func(*Ask) bool) bool {
	if g.inHeap {
		for i := range g.heap.asks.entries {
			if !yield(g.heap.asks.entries[i].ask) {
				return false
			}
		}
		return true
	}
	for i := range g.lists {
		for ask := g.lists[i].asks.First; ask != nil; ask = ask.links[OfApp].next {
			if !yield(ask) {
				return false
			}
		}
	}
	return true
}

// add takes in an ask that the order of submission sorts.
func (g *askGroup) add(ask *Ask) {
	ask.group = g
	if g.inHeap || !g.addToList(ask) {
		g.startHeap(nil).push(entry{priority: ask.Priority, ask: ask})
	}
}

// addToList reports false, and adds nothing, where a heap is better than lists.
func (g *askGroup) addToList(ask *Ask) bool {
	i := 0
	for i < len(g.lists) && g.lists[i].priority > ask.Priority {
		i++
	}
	if i == len(g.lists) || g.lists[i].priority != ask.Priority {
		if len(g.lists) == listLimit {
			return false
		}
		g.lists = append(g.lists, priorityList{})
		copy(g.lists[i+1:], g.lists[i:])
		g.lists[i] = priorityList{priority: ask.Priority}
	}
	if l := &g.lists[i]; ask.Seq > l.newest {
		l.newest = ask.Seq
		l.asks.Append(ask, OfApp)
	} else if !l.asks.insert(ask) {
		return false
	}
	ask.place = ask.Priority
	return true
}

// startHeap has the asks of the group kept in a heap, which orders by a module's keys; nil: by submission.
func (g *askGroup) startHeap(keys *askKeys) *askHeap {
	if g.heap == nil {
		g.heap = &askHeap{group: g, asks: heap{placed: true}}
	}
	if g.inHeap {
		return g.heap
	}
	g.heap.asks.keys, g.inHeap = keys, true
	for i := range g.lists {
		l := &g.lists[i].asks
		for ask := l.First; ask != nil; ask = l.First {
			l.Remove(ask, OfApp)
			g.heap.push(entry{priority: ask.place, ask: ask})
		}
	}
	g.lists = g.lists[:0]
	return g.heap
}

// remove takes an ask out; its priority may have changed already.
func (g *askGroup) remove(ask *Ask) {
	ask.group = nil
	if g.inHeap {
		g.heap.remove(ask)
		return
	}
	i := 0
	for g.lists[i].priority != ask.place {
		i++
	}
	l := &g.lists[i].asks
	l.Remove(ask, OfApp)
	if l.First == nil {
		g.lists = append(g.lists[:i], g.lists[i+1:]...)
	}
}

// describe writes what the group waits for into a row.
func (g *askGroup) describe(r *pending.Row) {
	if g.gang != nil {
		g.gang.describe(r, g.head().Priority)
	} else {
		came, may := g.reservable()
		r.Class(g.class.Bit, g.class.Demand, came, g.head().Priority)
		if !may {
			r.NoReserve()
		}
		if g.hidden() {
			r.Hide()
		}
	}
	r.Failed(g.failed)
	r.SetChanged(g.changed)
}

// hidden reports whether nothing in the group is offered to searches.
func (g *askGroup) hidden() bool { return g.standing >= claims || g.asleep != 0 }

// reservable is when the oldest ask came that may reserve a node; one that requires its node is always due.
func (g *askGroup) reservable() (came time.Duration, may bool) {
	switch {
	case g.standing != ordinary || g.suspended || g.asleep != 0:
		return 0, false
	case g.class.Node != "":
		return pending.Always, true
	default:
		return g.oldest(), true
	}
}

// oldest is when the ask came that was submitted first.
func (g *askGroup) oldest() time.Duration {
	if g.inHeap {
		return g.heap.oldest()
	}
	if len(g.lists) == 1 { // most groups have one priority
		return g.lists[0].asks.First.Created
	}
	came, seq := time.Duration(math.MaxInt64), uint64(math.MaxUint64)
	for i := range g.lists {
		if ask := g.lists[i].asks.First; ask.Seq < seq {
			came, seq = ask.Created, ask.Seq
		}
	}
	return came
}

// firstDue returns the first ask in order that is due, or nil.
func (g *askGroup) firstDue(isDue func(*Ask) bool) *Ask {
	if g.inHeap {
		return g.heap.firstDue(isDue)
	}
	var due *Ask
	g.each(func(ask *Ask) bool {
		if isDue(ask) {
			due = ask
		}
		return due == nil
	})
	return due
}
