package queue

import (
	"slices"
	"strings"
)

// Children are added and removed without sorting their siblings: they get a slot, or leave it free. Both take O(log n) for n children.
// The order is rebuilt only if slots run out, or most of them are free.

// leastSlots is the minimum number of slots of a parent.
const leastSlots = 16

// byName lists the children of a parent by name. Changes are merged into the list when it is next read. That costs as much as reading
// it.
type byName struct {
	list  []*Queue // by name; some may be removed already
	added []*Queue // not in list yet
	gone  int      // number of removed children in list and added
}

func comparePaths(a, b *Queue) int { return strings.Compare(a.Path, b.Path) }

// Children lists the children by name. The list belongs to the queue and must not be modified.
func (q *Queue) Children() []*Queue {
	b := &q.byName
	if len(b.added) == 0 && b.gone == 0 {
		return b.list
	}
	here := make([]*Queue, 0, q.NumChildren())
	slices.SortFunc(b.added, comparePaths)
	old, added := b.list, b.added
	for len(old)+len(added) > 0 {
		next := &old
		if len(old) == 0 || len(added) > 0 && comparePaths(added[0], old[0]) < 0 {
			next = &added
		}
		if child := (*next)[0]; child.Parent == q {
			here = append(here, child)
		}
		*next = (*next)[1:]
	}
	*b = byName{list: here}
	return here
}

// NumChildren returns the number of children.
func (q *Queue) NumChildren() int { return len(q.list) + len(q.added) - q.gone }

// Add adds a child to a parent. The child must have been made by New with this parent.
func (q *Queue) Add(child *Queue) {
	if q.inOrder || len(q.free) == 0 {
		q.rebuild(q.Children(), q.policy, max(leastSlots, 2*len(q.bySlot)), false)
	}
	q.releaseRemoved()
	last := len(q.free) - 1
	child.slot, q.free = q.free[last], q.free[:last]
	q.bySlot[child.slot] = child
	q.tournament.putName(child.slot, q.nameOf(child))
	q.added = append(q.added, child)
	if q.table != nil {
		q.table.Touch(child.slot)
	}
	child.markInParent()
}

// RemoveChild removes a child, which must be empty.
func (q *Queue) RemoveChild(child *Queue) {
	for p := q; p != nil; p = p.Parent {
		p.LeavesDue -= child.LeavesDue
	}
	q.gone++
	child.Parent = nil // later changes of it do not reach the tree
	if q.table != nil && !child.Dynamic {
		// The order is made again, since recorded answers contain a call about all children whenever a drained one was removed.
		q.Adopt(q.Children(), q.policy)
		return
	}
	q.releaseRemoved()
	q.vacate(child)
	switch few := q.NumChildren(); {
	case len(q.bySlot) > leastSlots && few < len(q.bySlot)/4:
		q.rebuild(q.Children(), q.policy, len(q.bySlot)/2, q.inOrder)
	case q.gone > leastSlots+few:
		q.Children()
	}
}

// releaseRemoved makes lists of children not refer to removed ones, so that their memory is freed.
func (q *Queue) releaseRemoved() {
	if !q.removable {
		q.removable = true
		clear(q.changedChildren[len(q.changedChildren):cap(q.changedChildren)])
	}
}

// vacate removes a child from the order.
func (q *Queue) vacate(child *Queue) {
	slot := child.slot
	if child.filed {
		q.waiting--
		q.rows.Clear(slot)
		q.leave(slot)
		q.vacated = true
	}
	if q.tree != nil && q.tree.Has(slot) {
		q.tree.Remove(slot)
	}
	is := func(c *Queue) bool { return c == child }
	if child.changed {
		q.changedChildren = slices.DeleteFunc(q.changedChildren, is)
	}
	if child.excluded {
		q.exclusions = slices.DeleteFunc(q.exclusions, is)
	}
	if child.entryStale {
		q.staleEntries = slices.DeleteFunc(q.staleEntries, is)
	}
	if q.table != nil {
		q.table.Drop(slot)
	}
	child.filed, child.changed, child.excluded, child.entryStale = false, false, false, false
	q.bySlot[slot] = nil
	q.free = append(q.free, slot)
}

// nameOf returns the name of a child.
func (q *Queue) nameOf(child *Queue) string { return child.Path[len(q.Path)+1:] }

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
