package table

// Column holds a value without pointers for each number from 0, such as the slot of a node. A value that was never set is zero, and pages
// of such values take no room. Make one with NewColumn; it belongs to one goroutine.
type Column[R comparable] struct{ values array[R] }

// NewColumn makes a column of zeros. It panics if values hold pointers.
func NewColumn[R comparable]() *Column[R] { return &Column[R]{newArray[R](shiftOf[R](pageBytes))} }

// At returns a value.
func (c *Column[R]) At(i uint32) (value R) {
	if number := int(i >> c.values.shift); number < len(c.values.pages) && c.values.pages[number].items != nil {
		value = c.values.at(i)
	}
	return value
}

// Edit returns a value to change. The pointer ends at the next Edit or Freeze of the column.
func (c *Column[R]) Edit(i uint32) *R {
	if missing := int(i>>c.values.shift) + 1 - len(c.values.pages); missing > 0 {
		c.values.growEmpty(missing)
	}
	return c.values.edit(i)
}

// Freeze returns the column as it is now, in a time that does not depend on its length.
func (c *Column[R]) Freeze() FrozenColumn[R] { return FrozenColumn[R]{Column[R]{c.values.freeze()}} }

// FrozenColumn is a column at one moment. It never changes, so any goroutines may read it.
type FrozenColumn[R comparable] struct{ c Column[R] }

// At returns a value.
func (f *FrozenColumn[R]) At(i uint32) R { return f.c.At(i) }

// Fork returns a column that begins with the values of the frozen one.
func (f *FrozenColumn[R]) Fork() *Column[R] { return &Column[R]{f.c.values.fork()} }
