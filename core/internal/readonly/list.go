// Package readonly holds lists that owners hand out: their readers cannot write, reorder or clear them.
//
// A List takes the place of a slice in the results of the packages of the state. It costs no memory of its own, and reading an element
// costs the same as reading one of a slice.
package readonly

// List reads a slice that belongs to someone else.
type List[T any] struct{ items []T }

// Of returns the reader of a slice. If elements are pointers or slices, what they lead to can still be changed.
func Of[T any](items []T) List[T] { return List[T]{items} }

// Len returns the number of elements.
func (l List[T]) Len() int { return len(l.items) }

// At returns an element.
func (l List[T]) At(i int) T { return l.items[i] }

// From returns the elements from an index on.
func (l List[T]) From(first int) List[T] { return List[T]{l.items[first:]} }

// All calls yield with each element, in order.
func (l List[T]) All(yield func(T) bool) {
	for _, item := range l.items {
		if !yield(item) {
			return
		}
	}
}

// Clone returns a copy that may be changed.
func (l List[T]) Clone() []T { return append([]T(nil), l.items...) }
