package index

// Slots hands out small numbers for items and takes them back to be used again. The zero value is empty.
type Slots[T any] struct {
	Items []*T // by slot; nil where free
	free  []int32
}

// Take gives an item a slot.
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

// Free takes a slot back that is in use.
func (s *Slots[T]) Free(slot int32) {
	s.Items[slot] = nil
	s.free = append(s.free, slot)
}
