package index

import "slices"

// Slots assigns small numbers to items, and reuses them. The zero value is empty.
type Slots[T any] struct {
	Items []*T // by slot; nil if the slot is free
	free  []int32
}

// Take assigns a slot to an item.
func (s *Slots[T]) Take(item *T) int32 {
	if n := len(s.free); n > 0 {
		slot := s.free[n-1]
		s.free = s.free[:n-1]
		s.Items[slot] = item
		return slot
	}
	s.Items = append(s.Items, item)
	return int32(len(s.Items) - 1)
}

// Free frees a slot, which must be in use.
func (s *Slots[T]) Free(slot int32) {
	s.Items[slot] = nil
	s.free = append(s.free, slot)
}

// Values assigns small numbers to values, and reuses them. The zero value is empty.
type Values[T any] struct {
	Items []T // by slot; zero if the slot is free
	free  []int32
}

// Take assigns a slot to a value.
func (s *Values[T]) Take(value T) int32 {
	if n := len(s.free); n > 0 {
		slot := s.free[n-1]
		s.free, s.Items[slot] = s.free[:n-1], value
		return slot
	}
	s.Items = append(s.Items, value)
	return int32(len(s.Items) - 1)
}

// Free frees a slot, which must be in use.
func (s *Values[T]) Free(slot int32) {
	var zero T
	s.Items[slot] = zero
	s.free = append(s.free, slot)
}

// Vacant returns slots of the same length and with the same free ones, without items. The caller sets Items of the others.
func (s *Slots[T]) Vacant() Slots[T] { return Slots[T]{make([]*T, len(s.Items)), slices.Clone(s.free)} }
