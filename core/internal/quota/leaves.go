package quota

import (
	"math/bits"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/resource"
)

// level is a queue on the way from a leaf to root, with what it may give of the types that it guarantees.
type level struct {
	above  *level
	spares []spare
}

// spare is what a queue uses of a type beyond its guaranteed, all gone that leaves; below 0 where it uses less.
type spare struct {
	lane   int
	amount int64
}

func levelOf(q *queue.Queue, above *level) *level {
	l := &level{above: above}
	for t, promise := range q.Guaranteed {
		if promise != queue.NotGuaranteed && promise > 0 {
			l.spares = append(l.spares, spare{t, q.Stays(t) - promise})
		}
	}
	return l
}

// mayGive reports whether each queue on the way keeps its guaranteed in the types that an allocation uses without it.
func (l *level) mayGive(demand resource.Vec) bool {
	for ; l != nil; l = l.above {
		for _, s := range l.spares {
			if d := demand[s.lane]; d > 0 && s.amount < d {
				return false
			}
		}
	}
	return true
}

// give takes an allocation off every queue on the way.
func (l *level) give(demand resource.Vec) {
	for ; l != nil; l = l.above {
		for i := range l.spares {
			l.spares[i].amount -= demand[l.spares[i].lane]
		}
	}
}

// leaf is a leaf queue that may give.
type leaf struct {
	*level
	path       string
	apps       *app.Leaf
	remaining  []int64 // of its target
	behind     int64   // at least how far it is behind its target
	candidates heap[candidate]
}

// before puts first the leaf that is furthest behind its target, of several the first by path.
//
//lint:ignore U1000 heap calls it
func (l *leaf) before(other *leaf) bool {
	return l.behind > other.behind || l.behind == other.behind && l.path < other.path
}

// branch is a queue within the one that gives, with what it can release.
type branch struct {
	*level
	queue      *queue.Queue
	releasable []int64
	below      []*branch
	sum        []int64 // that they can release
}

// addLeaves divides the excess among the leaves of the queue.
func (r *round) addLeaves(q *queue.Queue, leafOf func(*queue.Queue) *app.Leaf) {
	top := r.branchOf(q, levelsAbove(q))
	r.share(top, slices.Clone(r.excess), leafOf)
	r.leaves.order()
}

// levelsAbove are the levels of the queues above one.
func levelsAbove(q *queue.Queue) *level {
	if q.Parent == nil {
		return nil
	}
	return levelOf(q.Parent, levelsAbove(q.Parent))
}

// branchOf measures what a queue can release: what it uses beyond its guaranteed, and of a parent no more than its children can.
func (r *round) branchOf(q *queue.Queue, above *level) *branch {
	b := &branch{level: levelOf(q, above), queue: q, releasable: make([]int64, len(r.types))}
	for i, t := range r.types {
		b.releasable[i] = max(0, q.Stays(t)-max(0, q.Guaranteed[t]))
	}
	if q.Leaf() {
		return b
	}
	b.sum = make([]int64, len(r.types))
	for _, child := range q.Children() {
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

// share divides the target of a queue among its children by what they can release. The slice is taken over.
func (r *round) share(b *branch, target []int64, leafOf func(*queue.Queue) *app.Leaf) {
	if b.queue.Leaf() {
		l := &leaf{level: b.level, path: b.queue.Path, apps: leafOf(b.queue), remaining: target, candidates: make(heap[candidate], 0, b.queue.Allocations)}
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

// partOf is floor(amount * part / whole), for a part of at most the whole.
func partOf(amount, part, whole int64) int64 {
	high, low := bits.Mul64(uint64(amount), uint64(part))
	quotient, _ := bits.Div64(high, low, uint64(whole))
	return int64(quotient)
}

// billionths is floor(amount * 10^9 / whole), for an amount from -whole to whole.
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
