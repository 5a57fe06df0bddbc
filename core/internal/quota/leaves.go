package quota

import (
	"math/bits"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// level is a queue on the path from a leaf to root, with the amounts that it may release of the types with a guarantee.
type level struct {
	above     *level
	surpluses []surplus
}

// surplus is a queue's usage of a type beyond its guarantee, without leaving allocations. It is negative if the queue uses less.
type surplus struct {
	lane   int
	amount int64
}

func (r *round) levelOf(q queues.ID, above *level) *level {
	l := &level{above: above}
	for t := range r.tree.Types() {
		if guaranteed := r.tree.Guaranteed(q, t); guaranteed > 0 {
			l.surpluses = append(l.surpluses, surplus{t, r.tree.StayingUsage(q, t) - guaranteed})
		}
	}
	return l
}

// mayRelease reports whether no queue on the path falls below its guarantee, for the types that an allocation uses, if it is released.
func (l *level) mayRelease(demand resource.Amounts) bool {
	for ; l != nil; l = l.above {
		for _, s := range l.surpluses {
			if d := demand.At(s.lane); d > 0 && s.amount < d {
				return false
			}
		}
	}
	return true
}

// release subtracts an allocation from the surplus of every queue on the path.
func (l *level) release(demand resource.Amounts) {
	for ; l != nil; l = l.above {
		for i := range l.surpluses {
			l.surpluses[i].amount -= demand.At(l.surpluses[i].lane)
		}
	}
}

// leaf is a leaf queue that may release allocations.
type leaf struct {
	*level
	queue      queues.ID
	path       string
	apps       app.Leaf
	remaining  []int64 // its target minus what its victims use
	behind     int64   // upper bound of round.behind
	candidates heap[candidate]
	gangs      []*gang // that may leave as a whole, in order
}

// before puts the leaf that is furthest behind its target first, and among equal ones the first by path.
//
//lint:ignore U1000 heap calls it
func (l *leaf) before(other *leaf) bool {
	return l.behind > other.behind || l.behind == other.behind && l.path < other.path
}

// branch is a queue in the subtree of the queue over its max, with the amounts that it can release.
type branch struct {
	*level
	queue      queues.ID
	releasable []int64
	below      []*branch
	sum        []int64 // of the amounts that the queues below can release
}

// addLeaves divides the excess among the leaves of the queue, as their targets.
func (r *round) addLeaves(q queues.ID, leafOf func(queues.ID) app.Leaf) {
	top := r.branchOf(q, r.levelsAbove(q))
	r.share(top, slices.Clone(r.excess), leafOf)
	r.leaves.order()
}

// levelsAbove returns the levels of a queue's ancestors.
func (r *round) levelsAbove(q queues.ID) *level {
	above := r.tree.Parent(q)
	if above == queues.None {
		return nil
	}
	return r.levelOf(above, r.levelsAbove(above))
}

// branchOf computes the amounts that a queue can release: its usage beyond its guarantee, and of a parent at most the sum of its
// children.
func (r *round) branchOf(q queues.ID, above *level) *branch {
	b := &branch{level: r.levelOf(q, above), queue: q, releasable: make([]int64, len(r.types))}
	for i, t := range r.types {
		b.releasable[i] = max(0, r.tree.StayingUsage(q, t)-max(0, r.tree.Guaranteed(q, t)))
	}
	if r.tree.IsLeaf(q) {
		return b
	}
	b.sum = make([]int64, len(r.types))
	for child := range r.tree.Children(q) {
		c := r.branchOf(child, b.level)
		b.below = append(b.below, c)
		for i := range b.sum {
			b.sum[i] = resource.Add(b.sum[i], c.releasable[i])
		}
	}
	for i := range b.sum {
		b.releasable[i] = min(b.releasable[i], b.sum[i])
	}
	return b
}

// share divides the target of a queue among its children in proportion to the amounts that they can release. It keeps the slice.
func (r *round) share(b *branch, target []int64, leafOf func(queues.ID) app.Leaf) {
	if r.tree.IsLeaf(b.queue) {
		l := &leaf{level: b.level, queue: b.queue, path: r.tree.Path(b.queue), apps: leafOf(b.queue), remaining: target, candidates: make(heap[candidate], 0, r.tree.Allocations(b.queue))}
		l.behind = r.behind(l)
		r.leaves = append(r.leaves, l)
		return
	}
	for _, c := range b.below {
		part := make([]int64, len(target))
		for i := range part {
			if b.sum[i] > 0 {
				part[i] = partOf(target[i], c.releasable[i], b.sum[i])
			}
		}
		r.share(c, part, leafOf)
	}
}

// partOf returns floor(amount * part / whole). The part must be at most the whole.
func partOf(amount, part, whole int64) int64 {
	high, low := bits.Mul64(uint64(amount), uint64(part))
	quotient, _ := bits.Div64(high, low, uint64(whole))
	return int64(quotient)
}

// billionths returns floor(amount * 10^9 / whole). The amount must be from -whole to whole.
func billionths(amount, whole int64) int64 {
	if amount >= 0 {
		return partOf(resource.ShareUnit, amount, whole)
	}
	high, low := bits.Mul64(uint64(-amount), resource.ShareUnit)
	quotient, rest := bits.Div64(high, low, uint64(whole))
	if rest > 0 {
		quotient++
	}
	return -int64(quotient)
}
