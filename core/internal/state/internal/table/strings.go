package table

// Strings holds a string for each number from 0, such as the slot of an ask. Strings that were never set are empty. Unlike Texts, it hands
// them out without a copy, so it serves the IDs that decisions contain. Make one with NewStrings. It has a single owner; it does not lock.
type Strings struct{ c Column[string] }

// NewStrings makes a sequence of empty strings.
func NewStrings() *Strings {
	return &Strings{Column[string]{newArray[string]()}}
}

// At returns a string.
func (s *Strings) At(i uint32) string { return s.c.At(i) }

// Set sets a string. The empty string frees the memory of the former one.
func (s *Strings) Set(i uint32, text string) { *s.c.Edit(i) = text }

// Freeze returns an immutable version of the strings, in constant time.
func (s *Strings) Freeze() FrozenStrings { return FrozenStrings{s.c.Freeze()} }

// FrozenStrings is a version of strings. It never changes, so any goroutines may read it.
type FrozenStrings struct{ c FrozenColumn[string] }

// At returns a string.
func (f *FrozenStrings) At(i uint32) string { return f.c.At(i) }

// Fork returns a sequence that starts with the strings of the version.
func (f *FrozenStrings) Fork() *Strings { return &Strings{*f.c.Fork()} }
