package table

// Column holds a value without pointers for each number from 0, such as the slot of a node. Values that were never set are zero, and pages
// of only such values take no memory. Make one with NewColumn. A column has a single owner; it does not lock.
type Column[R comparable] struct{ values array[R] }

// NewColumn makes a column of zeros. It panics if values hold pointers.
func NewColumn[R comparable]() *Column[R] { return &Column[R]{newFlat[R]()} }

// At returns a value.
func (c *Column[R]) At(i uint32) (value R) {
	if number := int(i >> pageShift); number < len(c.values.pages) {
		if items := c.values.pages[number].items; items != nil {
			value = items[i%pageRows]
		}
	}
	return value
}

// Edit returns a pointer to a value for changes. The pointer is valid until the next Edit or Freeze of the column.
func (c *Column[R]) Edit(i uint32) *R {
	if missing := int(i>>pageShift) + 1 - len(c.values.pages); missing > 0 {
		c.values.growEmpty(missing)
	}
	return c.values.edit(i)
}

// All yields the values that are not zero, in order. Pages of values that were never set cost nothing.
func (c *Column[R]) All(yield func(uint32, R) bool) {
	var zero R
	for number, p := range c.values.pages {
		if p.items == nil {
			continue
		}
		for i, value := range p.items {
			if value != zero && !yield(uint32(number<<pageShift+i), value) {
				return
			}
		}
	}
}

// Freeze returns an immutable version of the column, in constant time.
func (c *Column[R]) Freeze() FrozenColumn[R] { return FrozenColumn[R]{Column[R]{c.values.freeze()}} }

// FrozenColumn is a version of a column. It never changes, so any goroutines may read it.
type FrozenColumn[R comparable] struct{ c Column[R] }

// At returns a value.
func (f *FrozenColumn[R]) At(i uint32) R { return f.c.At(i) }

// Fork returns a column that starts with the values of the version.
func (f *FrozenColumn[R]) Fork() *Column[R] { return &Column[R]{f.c.values.fork()} }
