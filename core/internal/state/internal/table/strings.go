package table

import "strings"

// Strings holds strings that rows share, each with the number of its holders, and removes a string with its last holder. Unlike Texts, it
// returns a string without allocating, for IDs that many decisions and searches read. Make one with NewStrings. It has a single owner; it
// does not lock.
type Strings struct {
	held  array[heldString]
	index *Index
	free  ID // first of the chain of free positions
}

type heldString struct {
	text    string
	holders uint32
	next    ID
}

// NewStrings makes an empty store.
func NewStrings() *Strings {
	x := &Strings{held: newArray[heldString](), index: NewIndex()}
	x.held.grow() // for None
	return x
}

// Hold adds a holder of a string and returns the string's ID. The ID of the empty string is None, which needs no Release.
func (x *Strings) Hold(s string) ID {
	if s == "" {
		return None
	}
	id := x.Find(s)
	if id != None {
		x.held.edit(uint32(id)).holders++
		return id
	}
	if id = x.free; id == None {
		id = ID(x.held.grow())
	} else {
		x.free = x.held.at(uint32(id)).next
	}
	*x.held.edit(uint32(id)) = heldString{text: strings.Clone(s), holders: 1} // a substring would keep the longer string in memory
	x.index.Add(s, id)
	return id
}

// Release removes a holder of a string.
func (x *Strings) Release(id ID) {
	if id == None {
		return
	}
	h := x.held.edit(uint32(id))
	if h.holders--; h.holders > 0 {
		return
	}
	s := h.text
	*h = heldString{next: x.free}
	x.free = id
	x.index.Remove(s, id)
}

// Find returns the ID of a string that has a holder, or None.
func (x *Strings) Find(s string) ID {
	return x.index.Find(s, func(id ID) bool { return x.String(id) == s })
}

// String returns the string with an ID.
func (x *Strings) String(id ID) string { return x.held.at(uint32(id)).text }

// Len returns the number of strings.
func (x *Strings) Len() int { return x.index.Len() }

// Freeze returns an immutable version of the strings, in constant time.
func (x *Strings) Freeze() FrozenStrings {
	return FrozenStrings{x.held.freeze(), x.index.Freeze(), x.free}
}

// FrozenStrings is a version of strings. It never changes, so any goroutines may read it.
type FrozenStrings struct {
	held  array[heldString]
	index FrozenIndex
	free  ID
}

// Find returns the ID of a string, or None.
func (f *FrozenStrings) Find(s string) ID {
	return f.index.Find(s, func(id ID) bool { return f.String(id) == s })
}

// String returns the string with an ID.
func (f *FrozenStrings) String(id ID) string { return f.held.at(uint32(id)).text }

// Fork returns a store that starts with the strings of the version.
func (f *FrozenStrings) Fork() *Strings { return &Strings{f.held.fork(), f.index.Fork(), f.free} }
