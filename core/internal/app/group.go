package app

import (
	"math"
	"time"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/pending"
)

// askGroup holds the pending asks of one class in one application: if its first ask cannot be allocated, none of them can. The members
// of a waiting gang form a group too, since they are allocated together. Asks with a reservation have a group of their own,
// since only they may use the reserved node. So do asks with a claim, which are allocated on the claimed node or not at all.
//
// If asks are ordered by submission, a group has a FIFO list for each priority. A heap replaces the lists if a policy module orders
// asks, if there are many priorities, or if an ask returns to the middle of a long list.
type askGroup struct {
	class     *class.Class
	standing  standing
	tasks     *TaskGroup // nil unless standing is waitsForGang
	suspended bool       // see App.Suspend
	inHeap    bool       // the asks are in heap, not in lists
	unfiled   bool       // in askGroups.unfiled
	slot      int32      // slot in the application's index
	failed    uint64
	changed   uint64
	lists     []priorityList // highest priority first, none empty
	one       [1]priorityList
	heap      *askHeap
	blockedBy uint64     // number of the Blocked while a limit blocks its asks, or inLimitQueue; 0: not blocked
	gang      *gangGroup // nil unless it is the group of a waiting gang
}

// priorityList holds the pending asks of one group with one priority, in order of submission.
type priorityList struct {
	priority int32
	newest   uint64 // at least the Seq of every ask in it, so that a newer one is appended without reading the last
	asks     List
}

// listLimit is the largest number of lists of a group, which are found by a scan. A heap replaces more lists.
const listLimit = 8

// standing says how a pending ask takes part in searches.
type standing uint8

const (
	ordinary     standing = iota
	reserves              // it has a reservation
	claims                // it has a claim
	waitsForGang          // it waits for its gang to form, or to replace a placeholder
	replacing             // it waits until the placeholder that it replaces has left
)

func (a Ask) standing() standing {
	switch {
	case a.Member() != nil && a.Member().standing != ordinary:
		return a.Member().standing
	case a.Hold().IsClaimed():
		return claims
	case a.Hold().IsReserved():
		return reserves
	}
	return ordinary
}

// begin prepares an empty group for a class.
func (g *askGroup) begin(c *class.Class, h standing, t *TaskGroup) {
	g.tasks, g.gang = t, nil
	g.class, g.standing, g.suspended, g.failed, g.changed, g.inHeap, g.blockedBy = c, h, false, 0, 0, false, 0
	if g.lists == nil {
		g.lists = g.one[:0]
	}
	if g.heap != nil {
		g.heap.outOfOrder.clear()
	}
}

func (g *askGroup) empty() bool {
	if g.inHeap {
		return len(g.heap.asks.entries) == 0
	}
	return len(g.lists) == 0
}

// head returns the first ask of a group that is not empty.
func (g *askGroup) head() Ask {
	if g.inHeap {
		return g.heap.asks.entries[0].ask
	}
	return g.lists[0].asks.First
}

// each calls yield with every ask until it returns false.
func (g *askGroup) each(yield func(Ask) bool) bool {
	if g.inHeap {
		for i := range g.heap.asks.entries {
			if !yield(g.heap.asks.entries[i].ask) {
				return false
			}
		}
		return true
	}
	for i := range g.lists {
		for ask := g.lists[i].asks.First; !ask.IsNone(); ask = ask.links[OfApp].next {
			if !yield(ask) {
				return false
			}
		}
	}
	return true
}

// add adds an ask, if asks are ordered by submission.
func (g *askGroup) add(ask Ask) {
	ask.group = g
	if g.inHeap || !g.addToList(ask) {
		g.startHeap(nil).push(entry{priority: ask.Priority(), ask: ask})
	}
}

// addToList adds an ask to its list. If a heap would be better than lists, it adds nothing and reports false.
func (g *askGroup) addToList(ask Ask) bool {
	i := 0
	for i < len(g.lists) && g.lists[i].priority > ask.Priority() {
		i++
	}
	if i == len(g.lists) || g.lists[i].priority != ask.Priority() {
		if len(g.lists) == listLimit {
			return false
		}
		g.lists = append(g.lists, priorityList{})
		copy(g.lists[i+1:], g.lists[i:])
		g.lists[i] = priorityList{priority: ask.Priority()}
	}
	if l := &g.lists[i]; ask.Seq() > l.newest {
		l.newest = ask.Seq()
		l.asks.Append(ask, OfApp)
	} else if !l.asks.insert(ask) {
		return false
	}
	ask.place = ask.Priority()
	return true
}

// startHeap moves the asks of the group to a heap, ordered by the keys of a module or, if keys is nil, by submission.
func (g *askGroup) startHeap(keys *askKeys) *askHeap {
	if g.heap == nil {
		g.heap = &askHeap{group: g, asks: heap{tracksPlaces: true}}
	}
	if g.inHeap {
		return g.heap
	}
	g.heap.asks.keys, g.inHeap = keys, true
	for i := range g.lists {
		l := &g.lists[i].asks
		for ask := l.First; !ask.IsNone(); ask = l.First {
			l.Remove(ask, OfApp)
			g.heap.push(entry{priority: ask.place, ask: ask})
		}
	}
	g.lists = g.lists[:0]
	return g.heap
}

// remove removes an ask. Its priority may have changed already.
func (g *askGroup) remove(ask Ask) {
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
	if l.First.IsNone() {
		g.lists = append(g.lists[:i], g.lists[i+1:]...)
	}
}

// describe writes the group's demand and state to a row.
func (g *askGroup) describe(r *pending.Row) {
	if g.gang != nil {
		g.gang.describe(r, g.head().Priority())
	} else {
		came, may := g.reservable()
		r.Class(g.class.Bit, g.class.Demand, came, g.head().Priority())
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

// hidden reports whether searches must not allocate the group's asks.
func (g *askGroup) hidden() bool { return g.standing >= claims || g.blockedBy != 0 }

// reservable returns the submission time of the oldest ask that may reserve a node. Asks with a required node are always due.
func (g *askGroup) reservable() (came time.Duration, may bool) {
	switch {
	case g.standing != ordinary || g.suspended || g.blockedBy != 0:
		return 0, false
	case g.class.Node != "":
		return pending.Always, true
	default:
		return g.oldest(), true
	}
}

// oldest returns the submission time of the oldest ask.
func (g *askGroup) oldest() time.Duration {
	if g.inHeap {
		return g.heap.oldest()
	}
	if len(g.lists) == 1 { // most groups have one priority
		return g.lists[0].asks.First.Created()
	}
	came, seq := time.Duration(math.MaxInt64), uint64(math.MaxUint64)
	for i := range g.lists {
		if ask := g.lists[i].asks.First; ask.Seq() < seq {
			came, seq = ask.Created(), ask.Seq()
		}
	}
	return came
}

// firstDue returns the first ask in order that is due, or nil.
func (g *askGroup) firstDue(isDue func(Ask) bool) Ask {
	if g.inHeap {
		return g.heap.firstDue(isDue)
	}
	var due Ask
	g.each(func(ask Ask) bool {
		if isDue(ask) {
			due = ask
		}
		return due.IsNone()
	})
	return due
}
