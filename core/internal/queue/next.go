package queue

import (
	"slices"

	"github.com/quern-project/quern/core/internal/demandrow"
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// maxExclusions is the number of children that Next excludes before it uses the tree. In a long cycle, each stuck child is excluded
// once, and the tree is not needed again. In a cycle with one allocation, the tree finds the child at once.
const maxExclusions = 4

// Next returns the first child of a parent, in order, that passes the search, or None.
func (o *Order) Next(parent queues.ID, s *demandrow.Search) queues.ID {
	return o.parents[parent].next(s)
}

func (c *children) next(s *demandrow.Search) queues.ID {
	if len(c.exclusions) > 0 && c.excludedIn != s.ShrinkEpoch {
		c.includeAgain()
	}
	for excluded := 0; ; excluded++ {
		slot, any := c.first()
		if !any {
			return queues.None
		}
		if s.Pass(c.rows.Of(slot)) {
			return c.bySlot[slot]
		}
		if excluded == 0 && !s.PassRow(&c.order.pending[c.id]) {
			return queues.None
		}
		if excluded == maxExclusions || c.tree != nil && c.stuckIn != s.ShrinkEpoch {
			break
		}
		c.exclude(c.bySlot[slot], s.ShrinkEpoch)
	}
	c.stuckIn = s.ShrinkEpoch
	slot := c.sorted().First(s.Pass, nil)
	if slot == index.None {
		return queues.None
	}
	return c.bySlot[slot]
}

// Fail records that no ask in a queue could be allocated in a shrink epoch.
func (o *Order) Fail(q queues.ID, shrinkEpoch uint64) {
	child := &o.places[q]
	child.failed = shrinkEpoch
	if child.parent != queues.None && child.filed {
		c := o.parents[child.parent]
		c.markEntryStale(q, child)
		c.rows.SetFailed(child.slot, shrinkEpoch)
		if !child.excluded {
			c.exclude(q, shrinkEpoch)
		}
	}
}

// exclude removes a child from the tournament until the next shrink epoch.
func (c *children) exclude(id queues.ID, shrinkEpoch uint64) {
	if c.excludedIn != shrinkEpoch {
		c.includeAgain()
		c.excludedIn = shrinkEpoch
	}
	child := &c.order.places[id]
	child.excluded = true
	c.exclusions = append(c.exclusions, id)
	c.leave(child.slot)
}

// includeAgain returns the excluded children to the tournament, except those that were filed again meanwhile.
func (c *children) includeAgain() {
	for _, id := range c.exclusions {
		if child := &c.order.places[id]; child.excluded {
			child.excluded = false
			c.play(c.contestant(child))
		}
	}
	c.exclusions = c.exclusions[:0]
}

// Each calls yield with the children of a parent that have pending asks, in order.
func (o *Order) Each(parent queues.ID, yield func(queues.ID) bool) {
	c := o.parents[parent]
	c.sorted().Each(func(slot int32) bool { return yield(c.bySlot[slot]) })
}

// Sorts reports whether a queue is in the order of its parent's children: it has pending asks, and has been sorted in.
func (o *Order) Sorts(q queues.ID) bool { return o.places[q].filed }

// ComesBefore compares the places of two children of a parent that have pending asks.
func (o *Order) ComesBefore(a, b queues.ID) bool {
	tree := o.parents[o.places[a].parent].sorted()
	return slices.Compare(tree.Key(o.places[a].slot), tree.Key(o.places[b].slot)) < 0
}

// markEntryStale records that a child's entry in the tree is out of date.
func (c *children) markEntryStale(id queues.ID, child *place) {
	if c.tree != nil && !child.entryStale {
		child.entryStale = true
		c.staleEntries = append(c.staleEntries, id)
	}
}

// sorted returns the up-to-date tree of the children with pending asks.
func (c *children) sorted() *index.Index {
	if c.tree == nil {
		last := 1
		if !c.inOrder {
			last = nameKeys
		}
		keyLen := 1 + c.keyLen + last
		c.tree, c.treeKey = demandrow.NewIndex(keyLen, c.order.types.Width()), make([]int64, keyLen)
		for _, id := range c.bySlot {
			if id != queues.None {
				c.updateEntry(id)
			}
		}
	}
	for _, id := range c.staleEntries {
		c.updateEntry(id)
	}
	c.staleEntries = c.staleEntries[:0]
	return c.tree
}

// updateEntry updates a child's entry in the tree.
func (c *children) updateEntry(id queues.ID) {
	child := &c.order.places[id]
	child.entryStale = false
	if !child.filed {
		if c.tree.Has(child.slot) {
			c.tree.Remove(child.slot)
		}
		return
	}
	if c.byPriority {
		c.treeKey[0] = -int64(c.rows.Priority(child.slot))
	}
	copy(c.treeKey[1:], c.key(child.slot))
	if last := c.treeKey[1+c.keyLen:]; c.inOrder {
		last[0] = int64(child.slot)
	} else {
		putName(last, c.order.nameOf(id))
	}
	c.tree.Put(child.slot, c.treeKey, c.rows.Of(child.slot))
}
