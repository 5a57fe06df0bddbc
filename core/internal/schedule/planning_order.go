package schedule

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// planOrder reads the pending asks one by one in the order in which the walk would allocate them, if planned asks counted as usage. Their
// priorities and what is pending count as they are. Make another one after any change of the state.
type planOrder struct {
	walk   *Walk
	queues map[queues.ID]*plannedQueue
}

// plannedQueue is the position in a queue.
type plannedQueue struct {
	children []queues.ID   // of a parent: those with asks that were not read, in order
	turns    []plannedTurn // of a leaf: those that were not read, in order
	used     resource.Vec  // by planned asks that were read; nil: nothing
}

// plannedTurn is the position in a turn.
type plannedTurn struct {
	app.Turn
	asks app.InOrder
	used resource.Vec // by planned asks of the application, or of its user if the usage of users is compared; nil: nothing
	open bool         // asks is the position
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
		if ask := x.turns[0].next(); !ask.IsNone() {
			return ask
		}
		x.turns = x.turns[1:]
	}
	return app.Ask{}
}

func (t *plannedTurn) next() app.Ask {
	if !t.open {
		t.asks, t.open = t.InOrder(), true
	}
	return t.asks.Next()
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
			x.turns = append(x.turns, plannedTurn{Turn: t})
		}
		return true
	})
	return x
}

// skipLike skips the asks that are like an ask in its application, the last one that was read.
func (o *planOrder) skipLike(ask app.Ask) {
	o.queues[o.walk.state.QueueOf(ask)].turns[0].asks.SkipLike(ask)
}

// use counts planned asks, of which the last one that was read is the first, as usage in the order of those that are read later.
func (o *planOrder) use(l *planLoad) {
	tree := o.walk.state.Queues()
	if leaf := l.of.Leaf(); leaf.OrdersByUsage() {
		o.useInLeaf(leaf, l)
	}
	for q := o.walk.state.QueueOf(l.ask); tree.Parent(q) != queues.None; q = tree.Parent(q) {
		parent := tree.Parent(q)
		if !o.walk.order.OrdersByUsage(parent) {
			continue
		}
		x := o.queues[q]
		x.used = o.addUse(x.used, l)
		o.sink(o.queues[parent])
	}
}

// addUse adds what planned asks use to a sum, which may be nil.
func (o *planOrder) addUse(used resource.Vec, l *planLoad) resource.Vec {
	if used == nil {
		used = make(resource.Vec, len(o.walk.wide.Total))
	}
	for i := range l.parts {
		used.Add(l.parts[i].class.Demand())
	}
	return used
}

// useInLeaf sorts the turns of a leaf again, of which the first ones, or those of its user, use more now.
func (o *planOrder) useInLeaf(leaf app.Leaf, l *planLoad) {
	x := o.queues[o.walk.state.QueueOf(l.ask)]
	first := 0 // number of turns before which none uses more
	for i := range x.turns {
		if t := &x.turns[i]; leaf.SharesUsage(t.App, l.of) {
			t.used, first = o.addUse(slices.Clone(t.used), l), i+1
		}
	}
	compare := func(a, b plannedTurn) int { return leaf.CompareWith(a.Turn, a.used, b.Turn, b.used) }
	if first > 1 {
		slices.SortFunc(x.turns, compare)
		return
	}
	for i := 1; i < len(x.turns) && compare(x.turns[i-1], x.turns[i]) > 0; i++ {
		x.turns[i-1], x.turns[i] = x.turns[i], x.turns[i-1]
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
