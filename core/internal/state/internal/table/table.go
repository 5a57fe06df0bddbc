package table

import "iter"

// ID identifies a row of a table. IDs are dense, and are reused after rows are freed.
type ID uint32

// None is the ID that no row has.
const None ID = 0

// Ref identifies a row for holders that may outlive it. The ID is in the lower half, the generation of its slot in the upper.
type Ref uint64

// Table holds rows of a type without pointers. Make one with New. A table has a single owner; it does not lock.
type Table[R comparable] struct {
	rows  array[R]
	slots array[slot]
	free  ID // first of the chain of free slots
	live  int
}

// slot has an odd generation while its row is in use. Otherwise it is in the chain of free slots.
type slot struct {
	generation uint32
	next       ID
}

// New makes an empty table. It panics if rows hold pointers.
func New[R comparable]() *Table[R] {
	t := &Table[R]{rows: newFlat[R](), slots: newArray[slot]()}
	t.rows.grow() // for None
	t.slots.grow()
	return t
}

// newFlat makes an array of a type. It panics if the type contains pointers.
func newFlat[R comparable]() array[R] {
	if err := Flat[R](); err != nil {
		panic("table: " + err.Error())
	}
	return newArray[R]()
}

// At returns a copy of a row.
func (t *Table[R]) At(id ID) R { return t.rows.at(uint32(id)) }

// Edit returns a pointer to a row for changes. The pointer is valid until the next Edit, Add, Free or Freeze of the table.
func (t *Table[R]) Edit(id ID) *R { return t.rows.edit(uint32(id)) }

// Add stores a row and returns its ID: that of the row freed last, or a new one.
func (t *Table[R]) Add(row R) ID {
	id := t.free
	if id == None {
		t.rows.grow()
		id = ID(t.slots.grow())
	}
	s := t.slots.edit(uint32(id))
	t.free = s.next
	s.next = None
	s.generation++
	t.live++
	*t.rows.edit(uint32(id)) = row
	return id
}

// Free removes a row. Its ID may be reused at once, and references to it no longer resolve.
func (t *Table[R]) Free(id ID) {
	s := t.slots.edit(uint32(id))
	if s.generation&1 == 0 {
		panic("table: the row is not in use")
	}
	s.generation++
	s.next, t.free = t.free, id
	t.live--
	var zero R
	*t.rows.edit(uint32(id)) = zero
}

// Len returns the number of rows.
func (t *Table[R]) Len() int { return t.live }

// Has reports whether a row with the ID exists.
func (t *Table[R]) Has(id ID) bool {
	return uint32(id) < t.slots.n && t.slots.at(uint32(id)).generation&1 == 1
}

// Ref returns the reference to a row in use.
func (t *Table[R]) Ref(id ID) Ref {
	return Ref(t.slots.at(uint32(id)).generation)<<32 | Ref(id)
}

// Resolve returns the ID of a referenced row, or None if that row was freed.
func (t *Table[R]) Resolve(ref Ref) ID {
	if id := ID(ref); t.Has(id) && t.Ref(id) == ref {
		return id
	}
	return None
}

// All yields the rows in the order of their IDs, which is not the order in which they were added.
func (t *Table[R]) All() iter.Seq2[ID, R] {
	return func(yield func(ID, R) bool) {
		for id := ID(1); uint32(id) < t.slots.n; id++ {
			if t.Has(id) && !yield(id, t.At(id)) {
				return
			}
		}
	}
}

// Peek returns a pointer to a row from which fields are read at once, which is cheaper than At for large rows. It is valid like that of Edit.
// The row must not be changed through it, since other versions may share the page.
func (t *Table[R]) Peek(id ID) *R { return t.rows.peek(uint32(id)) }

// Freeze returns an immutable version of the table, in constant time.
func (t *Table[R]) Freeze() Frozen[R] {
	return Frozen[R]{Table[R]{t.rows.freeze(), t.slots.freeze(), t.free, t.live}}
}

// Frozen is a version of a table. It never changes, so any goroutines may read it.
type Frozen[R comparable] struct{ t Table[R] }

// At returns a copy of a row.
func (f *Frozen[R]) At(id ID) R { return f.t.At(id) }

// Len returns the number of rows.
func (f *Frozen[R]) Len() int { return f.t.Len() }

// Has reports whether a row with the ID exists.
func (f *Frozen[R]) Has(id ID) bool { return f.t.Has(id) }

// Resolve returns the ID of a referenced row, or None if that row was freed.
func (f *Frozen[R]) Resolve(ref Ref) ID { return f.t.Resolve(ref) }

// All yields the rows in the order of their IDs.
func (f *Frozen[R]) All() iter.Seq2[ID, R] { return f.t.All() }

// Fork returns a table that starts with the rows of the version.
func (f *Frozen[R]) Fork() *Table[R] {
	return &Table[R]{f.t.rows.fork(), f.t.slots.fork(), f.t.free, f.t.live}
}
