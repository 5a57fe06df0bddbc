package app

import (
	"math"
	"time"
)

// askHeap orders the pending asks of a group by priority, then by the keys of a policy, then by submission.
type askHeap struct {
	group *askGroup
	asks  heap
	// Every ask is in the list by submission as well or, where it came back to the middle of a long list, in the heap
	// beside it. There, asks that are gone are dropped when they come first.
	arrived List
	late    heap
}

func (h *askHeap) push(e entry) {
	h.asks.push(e)
	if h.arrived.insert(e.ask) {
		return
	}
	h.late.push(entry{key: int64(e.ask.Seq), ask: e.ask})
	if len(h.late.entries) > 2*len(h.asks.entries)+64 { // of asks that are gone, or came again
		h.late.clear()
		for i := range h.asks.entries {
			if ask := h.asks.entries[i].ask; !h.arrived.has(ask) {
				h.late.push(entry{key: int64(ask.Seq), ask: ask})
			}
		}
	}
}

func (h *askHeap) remove(ask *Ask) {
	h.asks.remove(int(ask.place))
	if h.arrived.has(ask) {
		h.arrived.Remove(ask, OfApp)
	}
}

// oldest is when the ask came that was submitted first. Asks are re-used: one in the heap of late ones is gone when its
// number or its group is another's.
func (h *askHeap) oldest() time.Duration {
	first := h.arrived.First
	for len(h.late.entries) > 0 {
		e := &h.late.entries[0]
		if e.ask.Seq == uint64(e.key) && e.ask.group == h.group {
			if first == nil || e.ask.Seq < first.Seq {
				first = e.ask
			}
			break
		}
		h.late.remove(0)
	}
	if first == nil {
		return math.MaxInt64
	}
	return first.Created
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
	if k := h.keys; k != nil {
		for j := 1; j < k.width; j++ {
			p, q := k.keys[int(x.ask.row)*k.width+j], k.keys[int(y.ask.row)*k.width+j]
			if p != q {
				return p < q
			}
		}
	}
	return x.ask.Seq < y.ask.Seq
}

func (h *heap) push(e entry) {
	h.entries = append(h.entries, e)
	h.rise(len(h.entries)-1, e)
}

func (h *heap) clear() {
	clear(h.entries)
	h.entries = h.entries[:0]
}

func (h *heap) remove(i int) {
	last := len(h.entries) - 1
	e := h.entries[last]
	h.entries[last] = entry{}
	h.entries = h.entries[:last]
	if i < last {
		h.replace(i, e)
	}
}

// replace puts an entry in the place of another. The gap goes down to the end first, since what comes from there mostly
// goes back there: that saves a comparison on each level.
func (h *heap) replace(i int, e entry) {
	for first := i*arity + 1; first < len(h.entries); first = i*arity + 1 {
		best := first
		for c := first + 1; c < min(first+arity, len(h.entries)); c++ {
			if h.before(&h.entries[c], &h.entries[best]) {
				best = c
			}
		}
		h.put(i, h.entries[best])
		i = best
	}
	h.rise(i, e)
}

// rise puts an entry in a gap, or above it.
func (h *heap) rise(i int, e entry) {
	for i > 0 {
		p := (i - 1) / arity
		if !h.before(&e, &h.entries[p]) {
			break
		}
		h.put(i, h.entries[p])
		i = p
	}
	h.put(i, e)
}

func (h *heap) put(i int, e entry) {
	h.entries[i] = e
	if h.placed {
		e.ask.place = int32(i)
	}
}
