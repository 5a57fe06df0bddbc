package queue

import (
	"slices"

	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/pending"
)

// maxExclusions is the number of children that Next excludes before it uses the tree. In a long cycle, each stuck child is excluded
// once, and the tree is not needed again. In a cycle with one allocation, the tree finds the child at once.
const maxExclusions = 4

// Next returns the first child, in order, that passes the search, or nil.
func (q *Queue) Next(s *pending.Search) *Queue {
	if len(q.exclusions) > 0 && q.excludedIn != s.World {
		q.includeAgain()
	}
	for excluded := 0; ; excluded++ {
		slot, any := q.first()
		if !any {
			return nil
		}
		if s.Pass(q.rows.Of(slot)) {
			return q.bySlot[slot]
		}
		if excluded == 0 && !s.PassRow(&q.pending) {
			return nil
		}
		if excluded == maxExclusions || q.tree != nil && q.stuckIn != s.World {
			break
		}
		q.exclude(q.bySlot[slot], s.World)
	}
	q.stuckIn = s.World
	slot := q.sorted().First(s.Pass, nil)
	if slot == index.None {
		return nil
	}
	return q.bySlot[slot]
}

// Fail records that no ask in the queue could be allocated in a world.
func (q *Queue) Fail(world uint64) {
	q.failed = world
	if p := q.Parent; p != nil && q.filed {
		p.markEntryStale(q)
		p.rows.SetFailed(q.slot, world)
		if !q.excluded {
			p.exclude(q, world)
		}
	}
}

// exclude removes a child from the tournament until the next world.
func (q *Queue) exclude(child *Queue, world uint64) {
	if q.excludedIn != world {
		q.includeAgain()
		q.excludedIn = world
	}
	child.excluded = true
	q.exclusions = append(q.exclusions, child)
	q.leave(child.slot)
}

// includeAgain returns the excluded children to the tournament, except those that were filed again meanwhile.
func (q *Queue) includeAgain() {
	for i, child := range q.exclusions {
		if child.excluded {
			child.excluded = false
			q.play(q.contestant(child))
		}
		q.exclusions[i] = nil
	}
	q.exclusions = q.exclusions[:0]
}

// Each calls yield with the children with pending asks, in order.
func (q *Queue) Each(yield func(*Queue) bool) {
	q.sorted().Each(func(slot int32) bool { return yield(q.bySlot[slot]) })
}

// ComesBefore compares the places of two children with pending asks.
func (q *Queue) ComesBefore(a, b *Queue) bool {
	tree := q.sorted()
	return slices.Compare(tree.Key(a.slot), tree.Key(b.slot)) < 0
}

// markEntryStale records that a child's entry in the tree is out of date.
func (q *Queue) markEntryStale(child *Queue) {
	if q.tree != nil && !child.entryStale {
		child.entryStale = true
		q.staleEntries = append(q.staleEntries, child)
	}
}

// sorted returns the up-to-date tree of the children with pending asks.
func (q *Queue) sorted() *index.Index {
	if q.tree == nil {
		last := 1
		if !q.inOrder {
			last = nameKeys
		}
		keyLen := 1 + q.keyLen + last
		q.tree, q.treeKey = pending.NewIndex(keyLen, q.types.Width()), make([]int64, keyLen)
		for _, child := range q.Children() {
			child.entryStale = false
			q.updateEntry(child)
		}
	}
	for i, child := range q.staleEntries {
		child.entryStale = false
		q.updateEntry(child)
		q.staleEntries[i] = nil
	}
	q.staleEntries = q.staleEntries[:0]
	return q.tree
}

// updateEntry updates a child's entry in the tree.
func (q *Queue) updateEntry(child *Queue) {
	if !child.filed {
		if q.tree.Has(child.slot) {
			q.tree.Remove(child.slot)
		}
		return
	}
	if q.Conf.PrioritySort {
		q.treeKey[0] = -int64(q.rows.Priority(child.slot))
	}
	copy(q.treeKey[1:], q.key(child.slot))
	if last := q.treeKey[1+q.keyLen:]; q.inOrder {
		last[0] = int64(child.slot)
	} else {
		putName(last, q.nameOf(child))
	}
	q.tree.Put(child.slot, q.treeKey, q.rows.Of(child.slot))
}
