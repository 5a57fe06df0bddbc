package table

import "slices"

// Dense holds values without pointers in one slice, which the first Edit after a freeze copies whole. So its values are found without a
// search for their page, and changed without a comparison of stamps for each. It is for few values that are used all the time, such as those
// of queues: ten thousand of 64 bytes take 0.1 ms to copy. Make one with NewDense. It has a single owner; it does not lock.
type Dense[R comparable] struct {
	values []R
	shared bool
	loan   denseLoan[R]
}

// NewDense makes an empty sequence. It panics if values hold pointers.
func NewDense[R comparable]() *Dense[R] {
	if err := Flat[R](); err != nil {
		panic("table: " + err.Error())
	}
	return &Dense[R]{}
}

// Peek returns all values for reading. The caller must not write to the slice, which is valid until the next Edit or Grow.
func (d *Dense[R]) Peek() []R { return d.values }

// Edit returns all values for changes. The slice is valid until the next Edit, Grow or Freeze.
func (d *Dense[R]) Edit() []R {
	if d.shared || poisoning {
		d.own()
	}
	return d.values
}

func (d *Dense[R]) own() {
	d.lend()
	if d.shared {
		d.values, d.shared = slices.Clone(d.values), false
	}
}

// Grow appends zeros until there are n values.
func (d *Dense[R]) Grow(n int) {
	d.endLoan()
	if missing := n - len(d.values); missing > 0 {
		d.values = append(d.values, make([]R, missing)...)
	}
}

// Freeze returns an immutable version of the values, in constant time.
func (d *Dense[R]) Freeze() FrozenDense[R] {
	d.endLoan()
	d.values, d.shared = slices.Clip(d.values), true
	return FrozenDense[R]{d.values}
}

// FrozenDense is a version of the values of a Dense. It never changes, so any goroutines may read it.
type FrozenDense[R comparable] struct{ values []R }

// Len returns the number of values.
func (f FrozenDense[R]) Len() int { return len(f.values) }

// At returns a value.
func (f FrozenDense[R]) At(i int) R { return f.values[i] }

// Fork returns a sequence that starts with the values of the version.
func (f FrozenDense[R]) Fork() *Dense[R] { return &Dense[R]{values: f.values, shared: true} }
