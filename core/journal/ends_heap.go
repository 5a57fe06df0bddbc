package journal

import "time"

// endHeap is a binary heap by end, then by order of allocation. Each life knows its index. The keys are copied into the heap, since
// following a pointer costs more than a comparison.
type endHeap []dueLife

type dueLife struct {
	end   time.Duration
	order uint64
	life  *life
}

func (a *dueLife) before(b *dueLife) bool {
	return a.end < b.end || a.end == b.end && a.order < b.order
}

func (h *endHeap) push(l *life) {
	*h = append(*h, dueLife{})
	h.up(len(*h)-1, dueLife{l.end, l.order, l})
}

// remove removes the life at an index and clears its index.
func (h *endHeap) remove(i int) {
	last := len(*h) - 1
	(*h)[i].life.place = -1
	moved := (*h)[last]
	(*h)[last] = dueLife{}
	*h = (*h)[:last]
	if i == last {
		return
	}
	if i > 0 && moved.before(&(*h)[(i-1)/2]) {
		h.up(i, moved)
	} else {
		h.down(i, moved)
	}
}

func (h endHeap) set(i int, d dueLife) {
	h[i] = d
	d.life.place = i
}

// up moves the free position i up as necessary, and puts a life there.
func (h endHeap) up(i int, d dueLife) {
	for i > 0 && d.before(&h[(i-1)/2]) {
		h.set(i, h[(i-1)/2])
		i = (i - 1) / 2
	}
	h.set(i, d)
}

// down moves the free position i down as necessary, and puts a life there.
func (h endHeap) down(i int, d dueLife) {
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1].before(&h[child]) {
			child++
		}
		if !h[child].before(&d) {
			break
		}
		h.set(i, h[child])
		i = child
	}
	h.set(i, d)
}
