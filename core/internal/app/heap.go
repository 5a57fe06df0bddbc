package app

import (
	"math"
	"time"
)

// askHeap orders the pending asks of a group by priority, then by the keys of a policy, then by submission. A second heap
// beside it orders them by submission alone, which tells the oldest.
type askHeap struct {
	group    *askGroup
	asks     heap
	arrivals heap // asks that are gone are dropped when they come first
}

func (h *askHeap) push(e entry) {
	h.asks.push(e)
	h.arrivals.push(arrival(e.ask))
	if len(h.arrivals.entries) > 2*len(h.asks.entries)+64 { // of asks that are gone, or came again
		h.forgetArrivals()
		for i := range h.asks.entries {
			h.arrivals.push(arrival(h.asks.entries[i].ask))
		}
	}
}

func arrival(ask *Ask) entry { return entry{key: int64(ask.Seq), ask: ask} }

func (h *askHeap) forgetArrivals() {
	clear(h.arrivals.entries)
	h.arrivals.entries = h.arrivals.entries[:0]
}

// oldest is when the ask came that was submitted first. Asks are re-used: one is gone when its number or its group is
// another's.
func (h *askHeap) oldest() time.Duration {
	for len(h.arrivals.entries) > 0 {
		e := &h.arrivals.entries[0]
		if e.ask.Seq == uint64(e.key) && e.ask.group == h.group {
			return e.ask.Created
		}
		h.arrivals.remove(0)
	}
	return math.MaxInt64
}

// firstDue returns the first ask in order that is due, or nil.
func (h *askHeap) firstDue(isDue func(*Ask) bool) *Ask {
	var best *entry
	for i := range h.asks.entries {
		e := &h.asks.entries[i]
		if (best == nil || h.asks.before(e, best)) && isDue(e.ask) {
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

// heap is a heap of asks whose first entry is the first in order.
type heap struct {
	entries []entry
	placed  bool     // asks know their places in it
	keys    *askKeys // nil: entries have all keys
}

// entry carries the first two keys beside the ask, so that most comparisons stay in the heap's memory.
type entry struct {
	priority int32
	key      int64
	ask      *Ask
}

const arity = 4

func (h *heap) before(x, y *entry) bool {
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

func (h *heap) push(e entry) {
	h.entries = append(h.entries, e)
	h.fix(len(h.entries) - 1)
}

func (h *heap) remove(i int) {
	last := len(h.entries) - 1
	h.put(i, h.entries[last])
	h.entries[last] = entry{}
	h.entries = h.entries[:last]
	if i < last {
		h.fix(i)
	}
}

// fix restores the order after entry i changed.
func (h *heap) fix(i int) {
	e := h.entries[i]
	from := i
	for i > 0 {
		p := (i - 1) / arity
		if !h.before(&e, &h.entries[p]) {
			break
		}
		h.put(i, h.entries[p])
		i = p
	}
	for i == from {
		c := h.firstChild(i)
		if c < 0 || !h.before(&h.entries[c], &e) {
			break
		}
		h.put(i, h.entries[c])
		i, from = c, c
	}
	h.put(i, e)
}

// firstChild is the first in order of the entries below one, or -1.
func (h *heap) firstChild(i int) int {
	best := i*arity + 1
	if best >= len(h.entries) {
		return -1
	}
	for c := best + 1; c < min(i*arity+1+arity, len(h.entries)); c++ {
		if h.before(&h.entries[c], &h.entries[best]) {
			best = c
		}
	}
	return best
}

func (h *heap) put(i int, e entry) {
	h.entries[i] = e
	if h.placed {
		e.ask.place = int32(i)
	}
}
