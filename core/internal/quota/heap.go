package quota

// heap is a binary heap. Its first entry is before all others.
type heap[T interface{ before(T) bool }] []T

// order turns a list into a heap.
func (h heap[T]) order() {
	for i := len(h)/2 - 1; i >= 0; i-- {
		h.down(i)
	}
}

// down restores the heap after the entry at an index has grown.
func (h heap[T]) down(i int) {
	for {
		c := 2*i + 1
		if c >= len(h) {
			return
		}
		if c+1 < len(h) && h[c+1].before(h[c]) {
			c++
		}
		if !h[c].before(h[i]) {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}

func (h *heap[T]) removeFirst() {
	last := len(*h) - 1
	(*h)[0] = (*h)[last]
	clear((*h)[last:])
	*h = (*h)[:last]
	h.down(0)
}
