package app

import (
	"math"
	"time"
)

// askHeap orders the pending asks of a group by priority, then by the keys of a policy, then by submission.
type askHeap struct {
	group *askGroup
	asks  heap
	// To find the oldest ask, each ask is also in the list arrived, by submission. An ask that returned to the middle of a long list
	// is in the heap outOfOrder instead, from which ended asks are dropped when they come first.
	arrived    list
	outOfOrder heap
}

func (h *askHeap) push(e entry) {
	h.asks.push(e)
	if h.arrived.insert(h.asks.in, e.ask) {
		return
	}
	h.outOfOrder.push(entry{key: int64(h.asks.in.rows.Seq(e.ask)), ask: e.ask})
	if len(h.outOfOrder.entries) > 2*len(h.asks.entries)+64 { // most entries are of removed asks
		h.outOfOrder.clear()
		for i := range h.asks.entries {
			if ask := h.asks.entries[i].ask; !h.arrived.has(h.asks.in, ask) {
				h.outOfOrder.push(entry{key: int64(h.asks.in.rows.Seq(ask)), ask: ask})
			}
		}
	}
}

func (h *askHeap) remove(ask Slot) {
	in := h.asks.in
	h.asks.remove(int(in.order(ask).place))
	if h.arrived.has(in, ask) {
		h.arrived.remove(in, ask)
	}
}

// oldest returns the submission time of the oldest ask. Slots are reused, so an entry of outOfOrder is valid only if its ask
// still has the same Seq and is in this group.
func (h *askHeap) oldest() time.Duration {
	in, first := h.asks.in, h.arrived.first
	for len(h.outOfOrder.entries) > 0 {
		e := &h.outOfOrder.entries[0]
		if ask := (Ask{in, e.ask}); ask.Seq() == uint64(e.key) && ask.group() == h.group {
			if first == NoSlot || ask.Seq() < in.rows.Seq(first) {
				first = e.ask
			}
			break
		}
		h.outOfOrder.remove(0)
	}
	if first == NoSlot {
		return math.MaxInt64
	}
	return in.rows.Created(first)
}

// firstDue returns the first ask in order that is due, or nil.
func (h *askHeap) firstDue(isDue func(Ask) bool) Ask {
	var best *entry
	for i := range h.asks.entries {
		e := &h.asks.entries[i]
		if (best == nil || h.asks.before(e, best)) && isDue(Ask{h.asks.in, e.ask}) {
			if i == 0 {
				return Ask{h.asks.in, e.ask}
			}
			best = e
		}
	}
	if best == nil {
		return Ask{}
	}
	return Ask{h.asks.in, best.ask}
}

// heap is a 4-ary heap of asks. Its first entry is the first in order.
type heap struct {
	in           *reader
	entries      []entry
	tracksPlaces bool     // asks record their index in order.place
	keys         *askKeys // further keys of a module; nil if entries contain all keys
}

// entry holds the first two keys of an ask, so that most comparisons do not read the ask.
type entry struct {
	key      int64
	priority int32
	ask      Slot
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
		one, other := int(h.in.order(x.ask).row)*k.width, int(h.in.order(y.ask).row)*k.width
		for j := 1; j < k.width; j++ {
			p, q := k.keys[one+j], k.keys[other+j]
			if p != q {
				return p < q
			}
		}
	}
	return h.in.rows.Seq(x.ask) < h.in.rows.Seq(y.ask)
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

// replace replaces the entry at an index. It first moves the gap down to a leaf, since most entries belong near the leaves; that
// saves a comparison on each level.
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

// rise puts an entry into the gap at an index, or above.
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
	if h.tracksPlaces {
		h.in.order(e.ask).place = int32(i)
	}
}
