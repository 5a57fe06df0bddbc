package schedule

import (
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// planOrder reads the pending asks one by one in the order in which the walk would allocate them, if planned asks counted as usage. It is valid
// until anything changes.
type planOrder struct {
	walk   *Walk
	queues map[queues.ID]*plannedQueue
}

// plannedQueue is the position in a queue.
type plannedQueue struct {
	children []queues.ID  // of a parent: those with asks that were not read, in order
	turns    []app.Turn   // of a leaf: those that were not read, in order
	asks     app.InOrder  // of the first turn
	used     resource.Vec // by planned asks that were read; nil: nothing
}

func (s *Walk) newPlanOrder() *planOrder {
	return &planOrder{s, map[queues.ID]*plannedQueue{}}
}

// next returns the next ask below a queue, or none.
func (o *planOrder) next(q queues.ID) app.Ask {
	x := o.open(q)
	for len(x.children) > 0 {
		if ask := o.next(x.children[0]); !ask.IsNone() {
			return ask
		}
		x.children = x.children[1:]
	}
	for len(x.turns) > 0 {
		if ask := x.asks.Next(); !ask.IsNone() {
			return ask
		}
		x.nextTurn()
	}
	return app.Ask{}
}

// open returns the position in a queue, at first the beginning.
func (o *planOrder) open(q queues.ID) *plannedQueue {
	x := o.queues[q]
	if x != nil {
		return x
	}
	x = &plannedQueue{}
	o.queues[q] = x
	s := o.walk
	if !s.order.IsLeaf(q) {
		s.Freshen(q)
		s.order.Each(q, func(child queues.ID) bool { x.children = append(x.children, child); return true })
		return x
	}
	s.FreshenLeaf(s.state.Leaf(q))
	s.state.Leaf(q).Each(func(t app.Turn) bool {
		if t.Eligible() {
			x.turns = append(x.turns, t)
		}
		return true
	})
	if len(x.turns) > 0 {
		x.asks = x.turns[0].InOrder()
	}
	return x
}

func (x *plannedQueue) nextTurn() {
	if x.turns = x.turns[1:]; len(x.turns) > 0 {
		x.asks = x.turns[0].InOrder()
	}
}

// skipLike skips the asks that are like an ask in its application, the last one that was read.
func (o *planOrder) skipLike(ask app.Ask) { o.queues[o.walk.state.QueueOf(ask)].asks.SkipLike(ask) }

// use counts a planned ask as usage of its queues, in the order of those that are read later.
func (o *planOrder) use(ask app.Ask) {
	tree := o.walk.state.Queues()
	for q := o.walk.state.QueueOf(ask); tree.Parent(q) != queues.None; q = tree.Parent(q) {
		parent := tree.Parent(q)
		if !o.walk.order.OrdersByUsage(parent) {
			continue
		}
		x := o.queues[q]
		if x.used == nil {
			x.used = make(resource.Vec, len(o.walk.wide.Total))
		}
		x.used.Add(ask.Class().Demand())
		o.sink(o.queues[parent])
	}
}

// sink moves the first child, which uses more now, to its place.
func (o *planOrder) sink(x *plannedQueue) {
	used := func(q queues.ID) resource.Vec {
		if x := o.queues[q]; x != nil {
			return x.used
		}
		return nil
	}
	first := x.children[0]
	i := 0
	for ; i+1 < len(x.children); i++ {
		if next := x.children[i+1]; o.walk.order.CompareWith(first, used(first), next, used(next), o.walk.wide.Total) <= 0 {
			break
		}
		x.children[i] = x.children[i+1]
	}
	x.children[i] = first
}
