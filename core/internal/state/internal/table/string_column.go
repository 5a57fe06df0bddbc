package table

// StringColumn holds a string for each number from 0, such as the slot of an ask. Strings that were never set are empty. Unlike Texts, it
// returns them without a copy, so it serves the IDs that decisions contain. Make one with NewStringColumn. It has a single owner; it does
// not lock.
type StringColumn struct{ c Column[string] }

// NewStringColumn makes a column of empty strings.
func NewStringColumn() *StringColumn { return &StringColumn{Column[string]{newArray[string]()}} }

// At returns a string.
func (s *StringColumn) At(i uint32) string { return s.c.At(i) }

// Set sets a string. The empty string frees the memory of the former one.
func (s *StringColumn) Set(i uint32, text string) { *s.c.Edit(i) = text }

// Freeze returns an immutable version of the column, in constant time.
func (s *StringColumn) Freeze() FrozenStringColumn { return FrozenStringColumn{s.c.Freeze()} }

// FrozenStringColumn is a version of a column. It never changes, so any goroutines may read it.
type FrozenStringColumn struct{ c FrozenColumn[string] }

// At returns a string.
func (f *FrozenStringColumn) At(i uint32) string { return f.c.At(i) }

// Fork returns a column that starts with the strings of the version.
func (f *FrozenStringColumn) Fork() *StringColumn { return &StringColumn{*f.c.Fork()} }
