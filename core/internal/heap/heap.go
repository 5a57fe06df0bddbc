// Package heap keeps items in a slice so that the first of them is found and removed in logarithmic time.
package heap

// Item is implemented by pointers to the items of a heap.
type Item[T any] interface {
	*T
	// Before reports whether the item comes before another one. Of two that do not, either may come first.
	Before(other *T) bool
}

// Push adds an item to a heap, which may be empty, and returns the heap. No item comes before the first one.
func Push[T any, P Item[T]](heap []T, item T) []T {
	heap = append(heap, item)
	for i := len(heap) - 1; i > 0; {
		above := (i - 1) / 2
		if !P(&heap[i]).Before(&heap[above]) {
			break
		}
		heap[i], heap[above] = heap[above], heap[i]
		i = above
	}
	return heap
}

// Pop removes the first item of a heap, which must not be empty, and returns the rest.
func Pop[T any, P Item[T]](heap []T) (first T, rest []T) {
	var none T
	last := len(heap) - 1
	first, heap[0], heap[last] = heap[0], heap[last], none
	heap = heap[:last]
	for i, below := 0, 1; below < last; below = 2*i + 1 {
		if below+1 < last && P(&heap[below+1]).Before(&heap[below]) {
			below++
		}
		if !P(&heap[below]).Before(&heap[i]) {
			break
		}
		heap[i], heap[below] = heap[below], heap[i]
		i = below
	}
	return first, heap
}
