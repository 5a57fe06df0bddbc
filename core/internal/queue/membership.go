package queue

import (
	"slices"
	"strings"
)

// A child may come or go without its siblings being sorted again: it takes a slot, or leaves it free. Both cost the logarithm
// of their number; only where the slots run out, or most of them are free, all are housed again.

// leastSlots is how many slots a parent keeps whatever the number of its children.
const leastSlots = 16

// byName lists the children of a parent by name. A list that has become stale is mended when it is next read, so that a
// change costs nothing else: who reads it looks at every child.
type byName struct {
	list  []*Queue // by name; some may have gone
	added []*Queue // not in list yet
	gone  int      // in list or added
}

func comparePaths(a, b *Queue) int { return strings.Compare(a.Path, b.Path) }

// Children lists the children by name. The list is the queue's own.
func (q *Queue) Children() []*Queue {
	b := &q.byName
	if len(b.added) == 0 && b.gone == 0 {
		return b.list
	}
	here := make([]*Queue, 0, q.HowMany())
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

// HowMany is the number of children.
func (q *Queue) HowMany() int { return len(q.list) + len(q.added) - q.gone }

// Add gives a parent one more child, made with it as its parent.
func (q *Queue) Add(child *Queue) {
	if q.inOrder || len(q.free) == 0 {
		q.house(q.Children(), q.policy, max(leastSlots, 2*len(q.bySlot)), false)
	}
	q.loosen()
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

// Disown lets a child go in which nothing is left.
func (q *Queue) Disown(child *Queue) {
	for p := q; p != nil; p = p.Parent {
		p.LeavesDue -= child.LeavesDue
	}
	q.gone++
	child.Parent = nil // whatever is still noted of it reaches no queue
	if q.table != nil && !child.Dynamic {
		// A module has always been asked about all children when a drained one went, and recorded answers rely on that.
		q.Adopt(q.Children(), q.policy)
		return
	}
	q.loosen()
	q.vacate(child)
	switch few := q.HowMany(); {
	case len(q.bySlot) > leastSlots && few < len(q.bySlot)/4:
		q.house(q.Children(), q.policy, len(q.bySlot)/2, q.inOrder)
	case q.gone > leastSlots+few:
		q.Children()
	}
}

// loosen has the queue keep no children that may go.
func (q *Queue) loosen() {
	if !q.loose {
		q.loose = true
		clear(q.changedChildren[len(q.changedChildren):cap(q.changedChildren)])
	}
}

// vacate takes a child out of the order.
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

// nameOf is the name of a child.
func (q *Queue) nameOf(child *Queue) string { return child.Path[len(q.Path)+1:] }

// nameKeys is how many numbers hold the longest name of a queue, 64 bytes below 128.
const nameKeys = 8

// putName writes a name as numbers that compare as names do.
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
