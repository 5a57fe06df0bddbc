package table

// Records holds a value for each number from 0. A value is set as a whole and never changes afterwards, so it may contain strings, slices and
// maps, which all versions share. Reading copies the value, so hot facts belong in a Table. Make it with NewRecords. It has a single owner
// and does not lock.
type Records[T any] struct{ c Column[*T] }

// NewRecords makes a column of zero values.
func NewRecords[T any]() *Records[T] { return &Records[T]{Column[*T]{newArray[*T]()}} }

// At returns a value. The caller must not change what its slices and maps contain.
func (r *Records[T]) At(i uint32) (value T) {
	if p := r.c.At(i); p != nil {
		value = *p
	}
	return value
}

// Set sets a value, which the caller must not change afterwards. nil sets the zero value.
func (r *Records[T]) Set(i uint32, value *T) { *r.c.Edit(i) = value }

// Freeze returns an immutable version of the column, in constant time.
func (r *Records[T]) Freeze() FrozenRecords[T] { return FrozenRecords[T]{r.c.Freeze()} }

// FrozenRecords is a version of a column. It never changes, so any goroutines may read it.
type FrozenRecords[T any] struct{ c FrozenColumn[*T] }

// At returns a value. The caller must not change what its slices and maps contain.
func (f *FrozenRecords[T]) At(i uint32) T {
	r := Records[T]{f.c.c}
	return r.At(i)
}

// Fork returns a column that starts with the values of the version.
func (f *FrozenRecords[T]) Fork() *Records[T] { return &Records[T]{*f.c.Fork()} }
