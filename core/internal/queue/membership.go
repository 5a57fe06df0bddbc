package queue

import (
	"slices"
	"strings"

	"github.com/quern-project/quern/core/internal/state/queues"
)

// Children are added and removed without sorting their siblings: they get a slot, or leave it free. Both take O(log n) for n children.
// The order is rebuilt only if slots run out, or most of them are free.

// leastSlots is the minimum number of slots of a parent.
const leastSlots = 16

// Add adds a new queue to the order of a parent.
func (o *Order) Add(q, parent queues.ID) {
	o.add(q)
	if !o.view.IsLeaf(q) {
		o.newChildren(q, nil, 0, true)
	}
	o.places[q].parent = parent
	o.parents[parent].add(q)
}

// add gives a child a slot.
func (c *children) add(id queues.ID) {
	if c.inOrder || len(c.free) == 0 {
		c = c.order.newChildren(c.id, c.byName(), max(leastSlots, 2*len(c.bySlot)), false)
	}
	last := len(c.free) - 1
	child := &c.order.places[id]
	child.slot, c.free = c.free[last], c.free[:last]
	c.bySlot[child.slot] = id
	c.tournament.putName(child.slot, c.order.nameOf(id))
	if c.table != nil {
		c.table.Touch(child.slot)
	}
	c.order.markInParent(id, child)
}

// Remove removes a queue, which must be empty.
func (o *Order) Remove(q queues.ID) {
	child := o.places[q]
	c := o.parents[child.parent]
	c.vacate(q, &child)
	o.places[q], o.parents[q] = place{}, nil // later changes of it do not reach the tree
	if c.table != nil && !o.view.IsDynamic(q) {
		// The order is made again, since recorded answers contain a call about all children whenever a drained one was removed.
		list := c.byName()
		o.newChildren(c.id, list, len(list), true)
		return
	}
	if few := len(c.bySlot) - len(c.free); len(c.bySlot) > leastSlots && few < len(c.bySlot)/4 {
		o.newChildren(c.id, c.byName(), len(c.bySlot)/2, c.inOrder)
	}
}

// vacate removes a child from the order.
func (c *children) vacate(id queues.ID, child *place) {
	slot := child.slot
	if child.filed {
		c.waiting--
		c.rows.Clear(slot)
		c.leave(slot)
		c.vacated = true
	}
	if c.tree != nil && c.tree.Has(slot) {
		c.tree.Remove(slot)
	}
	is := func(other queues.ID) bool { return other == id }
	if child.changed {
		c.changedChildren = slices.DeleteFunc(c.changedChildren, is)
	}
	if child.excluded {
		c.exclusions = slices.DeleteFunc(c.exclusions, is)
	}
	if child.entryStale {
		c.staleEntries = slices.DeleteFunc(c.staleEntries, is)
	}
	if c.table != nil {
		c.table.Drop(slot)
	}
	c.bySlot[slot] = queues.None
	c.free = append(c.free, slot)
}

// byName lists the children by name.
func (c *children) byName() []queues.ID {
	list := slices.DeleteFunc(slices.Clone(c.bySlot), func(id queues.ID) bool { return id == queues.None })
	if !c.inOrder {
		slices.SortFunc(list, func(a, b queues.ID) int { return strings.Compare(c.order.view.Path(a), c.order.view.Path(b)) })
	}
	return list
}

// nameOf returns the last part of a queue's path.
func (o *Order) nameOf(q queues.ID) string {
	path := o.view.Path(q)
	return path[strings.LastIndexByte(path, '.')+1:]
}

// nameKeys is the number of keys for a queue name, which has at most 64 bytes, all below 128.
const nameKeys = 8

// putName packs a name into keys that compare like names.
func putName(key []int64, name string) {
	for i := range key {
		var packed int64
		for range 8 {
			packed <<= 8
			if name != "" {
				packed |= int64(name[0])
				name = name[1:]
			}
		}
		key[i] = packed
	}
}
