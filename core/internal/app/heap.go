package app

import (
	"math"
	"time"
)

// askHeap orders the pending asks of a group by priority, then by the keys of a policy, then by submission. Beside it the
// asks are in a second heap by submission, which tells the oldest.
type askHeap struct {
	group    *askGroup
	keys     *askKeys // nil: priority and submission alone
	entries  []entry
	arrivals []arrival // those of asks that are gone are dropped when they come first
}

// entry carries the first two keys beside the ask, so that most comparisons stay in the heap's memory.
type entry struct {
	priority int32
	key      int64
	ask      *Ask
}

// arrival notes that an ask was in the heap. Asks are re-used: one is gone when its number or its group is another's.
type arrival struct {
	seq uint64
	ask *Ask
}

const arity = 4

func (h *askHeap) before(x, y *entry) bool {
	if x.priority != y.priority {
		return x.priority > y.priority
	}
	if x.key != y.key {
		return x.key < y.key
	}
	if h.keys != nil {
		if c := h.keys.compareRest(x.ask.row, y.ask.row); c != 0 {
			return c < 0
		}
	}
	return x.ask.Seq < y.ask.Seq
}

func (h *askHeap) push(e entry) {
	h.entries = append(h.entries, e)
	h.up(len(h.entries) - 1)
	h.arrive(e.ask)
}

// update gives an ask another entry.
func (h *askHeap) update(e entry) {
	i := int(e.ask.place)
	h.entries[i] = e
	h.fix(i)
}

func (h *askHeap) remove(i int) {
	last := len(h.entries) - 1
	h.put(i, h.entries[last])
	h.entries[last] = entry{}
	h.entries = h.entries[:last]
	if i < last {
		h.fix(i)
	}
}

// fix restores the order after entry i changed.
func (h *askHeap) fix(i int) {
	if !h.up(i) {
		h.down(i)
	}
}

func (h *askHeap) up(i int) (moved bool) {
	e := h.entries[i]
	for i > 0 {
		p := (i - 1) / arity
		if !h.before(&e, &h.entries[p]) {
			break
		}
		h.put(i, h.entries[p])
		i, moved = p, true
	}
	h.put(i, e)
	return moved
}

func (h *askHeap) down(i int) {
	e := h.entries[i]
	for {
		first := i*arity + 1
		if first >= len(h.entries) {
			break
		}
		best := first
		for c := first + 1; c < min(first+arity, len(h.entries)); c++ {
			if h.before(&h.entries[c], &h.entries[best]) {
				best = c
			}
		}
		if !h.before(&h.entries[best], &e) {
			break
		}
		h.put(i, h.entries[best])
		i = best
	}
	h.put(i, e)
}

func (h *askHeap) put(i int, e entry) {
	h.entries[i] = e
	e.ask.place = int32(i)
}

// firstDue returns the first ask in order that is due, or nil.
func (h *askHeap) firstDue(isDue func(*Ask) bool) *Ask {
	var best *entry
	for i := range h.entries {
		e := &h.entries[i]
		if (best == nil || h.before(e, best)) && isDue(e.ask) {
			if i == 0 {
				return e.ask
			}
			best = e
		}
	}
	if best == nil {
		return nil
	}
	return best.ask
}

// arrive adds an ask to the heap by submission. Asks mostly come in that order, and then stay where they are appended.
func (h *askHeap) arrive(ask *Ask) {
	h.addArrival(ask)
	if len(h.arrivals) > 2*len(h.entries)+64 { // of asks that are gone, or came again
		h.forget()
		for i := range h.entries {
			h.addArrival(h.entries[i].ask)
		}
	}
}

// forget empties the heap by submission.
func (h *askHeap) forget() {
	clear(h.arrivals)
	h.arrivals = h.arrivals[:0]
}

func (h *askHeap) addArrival(ask *Ask) {
	h.arrivals = append(h.arrivals, arrival{ask.Seq, ask})
	h.raiseArrival(len(h.arrivals) - 1)
}

func (h *askHeap) raiseArrival(i int) {
	x := h.arrivals[i]
	for i > 0 {
		p := (i - 1) / arity
		if h.arrivals[p].seq <= x.seq {
			break
		}
		h.arrivals[i] = h.arrivals[p]
		i = p
	}
	h.arrivals[i] = x
}

func (h *askHeap) has(x arrival) bool { return x.ask.Seq == x.seq && x.ask.group == h.group }

// oldest is when the ask came that was submitted first.
func (h *askHeap) oldest() time.Duration {
	for len(h.arrivals) > 0 {
		if h.has(h.arrivals[0]) {
			return h.arrivals[0].ask.Created
		}
		h.popArrival()
	}
	return math.MaxInt64
}

func (h *askHeap) popArrival() {
	last := len(h.arrivals) - 1
	x := h.arrivals[last]
	h.arrivals[last] = arrival{}
	h.arrivals = h.arrivals[:last]
	if last == 0 {
		return
	}
	i := 0
	for {
		first := i*arity + 1
		if first >= last {
			break
		}
		best := first
		for c := first + 1; c < min(first+arity, last); c++ {
			if h.arrivals[c].seq < h.arrivals[best].seq {
				best = c
			}
		}
		if h.arrivals[best].seq >= x.seq {
			break
		}
		h.arrivals[i] = h.arrivals[best]
		i = best
	}
	h.arrivals[i] = x
}
