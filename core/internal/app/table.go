package app

import "hash/maphash"

// Table finds asks by ID. It does what a map would at less cost, since it is asked twice for each new ask and knows the
// hashes of those it holds: growing reads no IDs. The seed of the hash shows nowhere, as that of a map does not.
//
// Slots are probed one after the other from the hash on; an ask that goes has those behind it move up, so a free slot always
// ends a search.
type Table struct {
	seed  maphash.Seed
	slots []tableSlot // a power of two, at most three quarters of them taken
	held  int
}

type tableSlot struct {
	hash uint32
	ask  *Ask // nil: free
}

const minTableSlots = 64

// NewTable makes an empty table.
func NewTable() Table {
	return Table{seed: maphash.MakeSeed(), slots: make([]tableSlot, minTableSlots)}
}

// Len is how many asks it holds.
func (t *Table) Len() int { return t.held }

// Find returns the ask with an ID, or nil.
func (t *Table) Find(id string) *Ask { return t.slots[t.slotOf(id, t.hash(id))].ask }

// Add takes in an ask whose ID no other has.
func (t *Table) Add(ask *Ask) {
	if t.held++; t.held > len(t.slots)/4*3 {
		t.grow()
	}
	t.put(tableSlot{t.hash(ask.ID), ask})
}

// Remove lets an ask go that is in the table.
func (t *Table) Remove(ask *Ask) {
	t.held--
	mask := len(t.slots) - 1
	gap := t.slotOf(ask.ID, t.hash(ask.ID))
	for i := (gap + 1) & mask; t.slots[i].ask != nil; i = (i + 1) & mask {
		if home := int(t.slots[i].hash) & mask; (i-home)&mask >= (i-gap)&mask {
			t.slots[gap] = t.slots[i]
			gap = i
		}
	}
	t.slots[gap] = tableSlot{}
}

// All calls yield with every ask, in no order.
func (t *Table) All(yield func(*Ask) bool) {
	for i := range t.slots {
		if ask := t.slots[i].ask; ask != nil && !yield(ask) {
			return
		}
	}
}

func (t *Table) hash(id string) uint32 { return uint32(maphash.String(t.seed, id)) }

// slotOf is the slot of an ID or, where no ask has it, the free one that ends the search.
func (t *Table) slotOf(id string, hash uint32) int {
	mask := len(t.slots) - 1
	i := int(hash) & mask
	for s := &t.slots[i]; s.ask != nil && (s.hash != hash || s.ask.ID != id); s = &t.slots[i] {
		i = (i + 1) & mask
	}
	return i
}

// put fills the first free slot from the hash on.
func (t *Table) put(s tableSlot) {
	mask := len(t.slots) - 1
	i := int(s.hash) & mask
	for t.slots[i].ask != nil {
		i = (i + 1) & mask
	}
	t.slots[i] = s
}

func (t *Table) grow() {
	old := t.slots
	t.slots = make([]tableSlot, 2*len(old))
	for _, s := range old {
		if s.ask != nil {
			t.put(s)
		}
	}
}
