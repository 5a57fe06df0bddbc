package app

import "hash/maphash"

// Table finds asks by ID. It is faster than a map, since it stores the hashes and does not read IDs to grow. The seed of the hash is
// random, but does not affect results.
//
// It uses linear probing. Remove moves later entries up, so a free slot always ends a search.
type Table struct {
	seed  maphash.Seed
	slots []tableSlot // the length is a power of two; at most three quarters are used
	held  int
}

type tableSlot struct {
	hash uint32
	ask  Ask // nil if the slot is free
}

const minTableSlots = 64

// NewTable makes an empty table.
func NewTable() Table {
	return Table{seed: maphash.MakeSeed(), slots: make([]tableSlot, minTableSlots)}
}

// Len returns the number of asks.
func (t *Table) Len() int { return t.held }

// Find returns the ask with an ID, or nil.
func (t *Table) Find(id string) Ask { return t.slots[t.slotOf(id, t.hash(id))].ask }

// Add adds an ask with a new ID.
func (t *Table) Add(ask Ask) {
	if t.held++; t.held > len(t.slots)/4*3 {
		t.grow()
	}
	t.put(tableSlot{t.hash(ask.ID()), ask})
}

// Remove removes an ask, which must be in the table.
func (t *Table) Remove(ask Ask) {
	t.held--
	mask := len(t.slots) - 1
	gap := t.slotOf(ask.ID(), t.hash(ask.ID()))
	for i := (gap + 1) & mask; !t.slots[i].ask.IsNone(); i = (i + 1) & mask {
		if home := int(t.slots[i].hash) & mask; (i-home)&mask >= (i-gap)&mask {
			t.slots[gap] = t.slots[i]
			gap = i
		}
	}
	t.slots[gap] = tableSlot{}
}

// All calls yield with every ask, in no particular order. Callers must sort what depends on it.
func (t *Table) All(yield func(Ask) bool) {
	for i := range t.slots {
		if ask := t.slots[i].ask; !ask.IsNone() && !yield(ask) {
			return
		}
	}
}

func (t *Table) hash(id string) uint32 { return uint32(maphash.String(t.seed, id)) }

// slotOf returns the slot of an ID, or the free slot that ends the search.
func (t *Table) slotOf(id string, hash uint32) int {
	mask := len(t.slots) - 1
	i := int(hash) & mask
	for s := &t.slots[i]; !s.ask.IsNone() && (s.hash != hash || s.ask.ID() != id); s = &t.slots[i] {
		i = (i + 1) & mask
	}
	return i
}

// put stores an entry in the first free slot from its hash on.
func (t *Table) put(s tableSlot) {
	mask := len(t.slots) - 1
	i := int(s.hash) & mask
	for !t.slots[i].ask.IsNone() {
		i = (i + 1) & mask
	}
	t.slots[i] = s
}

func (t *Table) grow() {
	old := t.slots
	t.slots = make([]tableSlot, 2*len(old))
	for _, s := range old {
		if !s.ask.IsNone() {
			t.put(s)
		}
	}
}
