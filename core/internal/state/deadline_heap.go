package state

// heapItem is implemented by pointers to the items of a heap.
type heapItem[T any] interface {
	*T
	before(other *T) bool
}

// pushItem adds an item to a heap, whose first item comes before all others.
func pushItem[T any, P heapItem[T]](heap []T, item T) []T {
	heap = append(heap, item)
	for i := len(heap) - 1; i > 0; {
		above := (i - 1) / 2
		if !P(&heap[i]).before(&heap[above]) {
			break
		}
		heap[i], heap[above] = heap[above], heap[i]
		i = above
	}
	return heap
}

// popItem removes the first item of a heap, which must not be empty.
func popItem[T any, P heapItem[T]](heap []T) (first T, rest []T) {
	var none T
	last := len(heap) - 1
	first, heap[0], heap[last] = heap[0], heap[last], none
	heap = heap[:last]
	for i, below := 0, 1; below < last; below = 2*i + 1 {
		if below+1 < last && P(&heap[below+1]).before(&heap[below]) {
			below++
		}
		if !P(&heap[below]).before(&heap[i]) {
			break
		}
		heap[i], heap[below] = heap[below], heap[i]
		i = below
	}
	return first, heap
}
