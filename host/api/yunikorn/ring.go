package yunikorn

// ring keeps the last items of many. They are numbered from 0 in the order in which they came.
type ring[T any] struct {
	most  int
	items []T
	next  uint64 // the number of the item that comes next
}

func newRing[T any](most int) *ring[T] { return &ring[T]{most: most} }

func (r *ring[T]) add(x T) {
	if len(r.items) < r.most {
		r.items = append(r.items, x)
	} else {
		r.items[r.next%uint64(r.most)] = x
	}
	r.next++
}

// first is the number of the oldest item that is kept; without any it is next.
func (r *ring[T]) first() uint64 { return r.next - uint64(len(r.items)) }

// at is an item that is kept.
func (r *ring[T]) at(number uint64) *T { return &r.items[number%uint64(r.most)] }
