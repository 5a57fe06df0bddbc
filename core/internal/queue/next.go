package queue

import (
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/pending"
)

// maxSkips is how many children Next passes over by itself before it looks into the tree. In a long cycle all that are
// stuck are passed over once, and the tree is not needed again; in a cycle of one allocation the tree finds it at once.
const maxSkips = 4

// Next returns the first child, in order, that the search passes, or nil.
func (q *Queue) Next(s *pending.Search) *Queue {
	if len(q.skips) > 0 && q.skippedIn != s.World {
		q.readmit()
	}
	for skipped := 0; ; skipped++ {
		slot, any := q.first()
		if !any {
			return nil
		}
		if s.Pass(q.rows.Of(slot)) {
			return q.Children[slot]
		}
		if skipped == 0 && !s.PassRow(&q.pending) {
			return nil
		}
		if skipped == maxSkips || q.tree != nil && q.stuckIn != s.World {
			break
		}
		q.skip(q.Children[slot], s.World)
	}
	q.stuckIn = s.World
	slot := q.sorted().First(s.Pass, nil)
	if slot == index.None {
		return nil
	}
	return q.Children[slot]
}

// Fail notes that nothing in the queue could be placed in this world.
func (q *Queue) Fail(world uint64) {
	q.failed = world
	if p := q.Parent; p != nil && q.filed {
		p.leaveBehind(q)
		p.rows.SetFailed(q.slot, world)
		if !q.skipped {
			p.skip(q, world)
		}
	}
}

// skip takes a child out of the tournament until the next world.
func (q *Queue) skip(child *Queue, world uint64) {
	if q.skippedIn != world {
		q.readmit()
		q.skippedIn = world
	}
	child.skipped = true
	q.skips = append(q.skips, child)
	q.leave(child.slot)
}

// readmit lets the children compete again that were skipped, unless they do since they were filed.
func (q *Queue) readmit() {
	for i, child := range q.skips {
		if child.skipped {
			child.skipped = false
			q.play(q.contestant(child))
		}
		q.skips[i] = nil
	}
	q.skips = q.skips[:0]
}

// Each calls yield with the children in which something waits, in order.
func (q *Queue) Each(yield func(*Queue) bool) {
	q.sorted().Each(func(slot int32) bool { return yield(q.Children[slot]) })
}

// leaveBehind notes that a child's entry in the tree is out of date.
func (q *Queue) leaveBehind(child *Queue) {
	if q.tree != nil && !child.unfiled {
		child.unfiled = true
		q.behind = append(q.behind, child)
	}
}

// sorted is the tree of the children in which something waits, up to date.
func (q *Queue) sorted() *index.Index {
	if q.tree == nil {
		q.tree, q.treeKey = pending.NewIndex(q.keyLen+2, q.types.Width()), make([]int64, q.keyLen+2)
		for _, child := range q.Children {
			child.unfiled = false
			q.sortIn(child)
		}
	}
	for i, child := range q.behind {
		child.unfiled = false
		q.sortIn(child)
		q.behind[i] = nil
	}
	q.behind = q.behind[:0]
	return q.tree
}

// sortIn brings a child's entry in the tree up to date.
func (q *Queue) sortIn(child *Queue) {
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
	q.treeKey[q.keyLen+1] = int64(child.slot)
	q.tree.Put(child.slot, q.treeKey, q.rows.Of(child.slot))
}
