package app

import (
	"math"
	"slices"
	"time"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/demandrow"
	"github.com/quern-project/quern/core/internal/state/asks"
)

// askGroup holds the pending asks of one class in one application: if its first ask cannot be allocated, none of them can. The members
// of a waiting gang form a group too, since they are allocated together. Asks with a reservation have a group of their own,
// since only they may use the reserved node. So do repairs of gangs, which come first, surplus asks, which come last, and asks with a claim, which are allocated on the claimed node or not at all.
//
// If asks are ordered by submission, a group has a FIFO list for each priority. A heap replaces the lists if a policy module orders
// asks, if there are many priorities, or if an ask returns to the middle of a long list.
type askGroup struct {
	in        *reader
	class     class.Class
	standing  standing
	tasks     *taskGroup // nil unless standing is waitsForGang
	role      role       // of its asks in their gangs
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
	nextSpare *askGroup  // in askGroups.spare
}

// priorityList holds the pending asks of one group with one priority, in order of submission.
type priorityList struct {
	priority int32
	newest   uint64        // at least the Seq of every ask in it, so that a newer one is appended without reading the last
	seq      uint64        // of the first ask
	came     time.Duration // Created of the first ask
	asks     list
}

// listLimit is the largest number of lists of a group, which are found by a scan. A heap replaces more lists.
const listLimit = 8

// listsAtOnce is the number of lists for which a full group gets memory, since asks with a second priority often come with a third.
const listsAtOnce = 3

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
	r := a.Row()
	return a.order().standingOf(&r)
}

func (o *order) standingOf(r *asks.Ask) standing {
	switch {
	case o.standing != ordinary:
		return o.standing
	case r.Hold.IsClaimed():
		return claims
	case r.Hold.IsReserved():
		return reserves
	}
	return ordinary
}

// begin prepares an empty group for a class.
func (g *askGroup) begin(in *reader, c class.Class, h standing, t *taskGroup, of role) {
	g.in, g.tasks, g.gang, g.role = in, t, nil, of
	g.class, g.standing, g.suspended, g.failed, g.changed, g.inHeap, g.blockedBy = c, h, false, 0, 0, false, 0
	if g.lists == nil {
		g.lists = g.one[:0]
	}
	if g.heap != nil {
		g.heap.outOfOrder.clear()
	}
}

// rank is the first key of the group, by which it is sorted in its application: its priority, then its role.
func (g *askGroup) rank() int64 { return rankOf(g.priority(), g.role) }

// rankOf returns the first sort key of asks, and of applications by their first ask: a higher priority is less, and of equal ones a
// smaller role.
func rankOf(priority int32, r role) int64 { return -3*int64(priority) + int64(r) }

// number identifies the group in the orders of its asks.
func (g *askGroup) number() uint32 { return uint32(g.slot) + 1 }

// group returns the group of an ask, or nil if the ask is not sorted in.
func (a *application) group(ask Ask) *askGroup {
	switch number := ask.order().group; {
	case number == 0:
		return nil
	case a.groups == nil:
		return &a.onlyGroup
	default:
		return a.groups.slots.Items[number-1]
	}
}

func (a Ask) group() *askGroup { return a.App().group(a) }

func (g *askGroup) empty() bool {
	if g.inHeap {
		return len(g.heap.asks.entries) == 0
	}
	return len(g.lists) == 0
}

// head returns the first ask of a group that is not empty.
func (g *askGroup) head() Ask {
	if g.inHeap {
		return Ask{g.in, g.heap.asks.entries[0].ask}
	}
	return Ask{g.in, g.lists[0].asks.first}
}

// priority returns the priority of the first ask of a group that is not empty.
func (g *askGroup) priority() int32 {
	if g.inHeap {
		return g.heap.asks.entries[0].priority
	}
	return g.lists[0].priority
}

// seq returns the number of submission of the first ask of a group that is not empty.
func (g *askGroup) seq() uint64 {
	if g.inHeap {
		return g.in.rows.Seq(g.heap.asks.entries[0].ask)
	}
	return g.lists[0].seq
}

// each calls yield with every ask until it returns false.
func (g *askGroup) each(yield func(Ask) bool) bool {
	if g.inHeap {
		for i := range g.heap.asks.entries {
			if !yield(Ask{g.in, g.heap.asks.entries[i].ask}) {
				return false
			}
		}
		return true
	}
	for i := range g.lists {
		if !g.lists[i].asks.each(g.in, yield) {
			return false
		}
	}
	return true
}

// add adds an ask, if asks are ordered by submission.
func (g *askGroup) add(slot Slot, r *asks.Ask) {
	o := g.in.order(slot)
	o.group = g.number()
	if g.inHeap || !g.addToList(slot, o, r) {
		g.startHeap(nil).push(entry{priority: r.Priority, ask: slot})
	}
}

// addToList adds an ask to its list. If a heap would be better than lists, it adds nothing and reports false.
func (g *askGroup) addToList(slot Slot, o *order, r *asks.Ask) bool {
	priority := r.Priority
	i := 0
	for i < len(g.lists) && g.lists[i].priority > priority {
		i++
	}
	if i == len(g.lists) || g.lists[i].priority != priority {
		if len(g.lists) == listLimit {
			return false
		}
		if len(g.lists) == cap(g.lists) {
			g.lists = slices.Grow(g.lists, listsAtOnce)
		}
		g.lists = append(g.lists, priorityList{})
		copy(g.lists[i+1:], g.lists[i:])
		g.lists[i] = priorityList{priority: priority}
	}
	l := &g.lists[i]
	if r.Seq > l.newest {
		l.newest = r.Seq
		l.asks.link(g.in, slot, o)
	} else if !l.asks.insert(g.in, slot) {
		return false
	}
	if l.asks.first == slot {
		l.seq, l.came = r.Seq, r.Created
	}
	o.place = priority
	return true
}

// startHeap moves the asks of the group to a heap, ordered by the keys of a module or, if keys is nil, by submission.
func (g *askGroup) startHeap(keys *askKeys) *askHeap {
	if g.heap == nil {
		g.heap = &askHeap{group: g, asks: heap{tracksPlaces: true}}
		g.heap.asks.in, g.heap.outOfOrder.in = g.in, g.in
	}
	if g.inHeap {
		return g.heap
	}
	g.heap.asks.keys, g.inHeap = keys, true
	for i := range g.lists {
		l := &g.lists[i].asks
		for slot := l.first; slot != NoSlot; slot = l.first {
			l.remove(g.in, slot)
			g.heap.push(entry{priority: g.in.order(slot).place, ask: slot})
		}
	}
	g.lists = g.lists[:0]
	return g.heap
}

// remove removes an ask. Its priority may have changed already.
func (g *askGroup) remove(ask Ask) {
	o := ask.order()
	o.group = 0
	if g.inHeap {
		g.heap.remove(ask.slot)
		return
	}
	i := 0
	for g.lists[i].priority != o.place {
		i++
	}
	l := &g.lists[i]
	first := l.asks.first == ask.slot
	l.asks.remove(g.in, ask.slot)
	if l.asks.first == NoSlot {
		g.lists = append(g.lists[:i], g.lists[i+1:]...)
	} else if first {
		var r asks.Ask
		g.in.rows.Read(l.asks.first, &r)
		l.seq, l.came = r.Seq, r.Created
	}
}

// describe writes the group's demand and state to a row.
func (g *askGroup) describe(r *demandrow.Row) {
	if g.gang != nil {
		g.gang.describe(r, g.priority())
	} else {
		came, may := g.reservable()
		r.Class(g.class.Bit(), g.class.Demand(), came, g.priority())
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
	case g.class.Node() != "":
		return demandrow.Always, true
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
		return g.lists[0].came
	}
	came, seq := time.Duration(math.MaxInt64), uint64(math.MaxUint64)
	for i := range g.lists {
		if l := &g.lists[i]; l.seq < seq {
			came, seq = l.came, l.seq
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
