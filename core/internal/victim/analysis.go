package victim

import (
	"math"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/resource"
)

// Analysis is what each law says of a question, for explanations.
type Analysis struct {
	p    problem
	bars []Bar // of leaves, by ID, as far as they were asked for; unknown: not yet
}

// Analyze applies the laws to a question.
func Analyze(q *Question) *Analysis {
	thorough := *q
	thorough.Thorough = true
	r := &Analysis{}
	r.p.formulate(&thorough)
	return r
}

// Bar is what protects an allocation from an ask.
type Bar uint8

// The bars, in the order in which they are checked.
const (
	Free        Bar = iota // nothing
	Leaving                // it was already told to leave
	SameApp                // law 3
	OnNode                 // it has a required node
	SameQueue              // guarantees do not count within a queue
	Off                    // preemption by guarantees is off for the partition
	OffForAsk              // or for the ask's queue
	Disabled               // or for the allocation's
	Fenced                 // law 7
	NotEntitled            // law 4
	Priority               // law 6
	Guaranteed             // laws 2 and 5, and the exchange as a whole
)

// Bar tells what protects an allocation of a leaf.
func (r *Analysis) Bar(v *app.Ask, leaf *queue.Queue) Bar {
	switch {
	case v.Leaving:
		return Leaving
	case v.App == r.p.Ask.App:
		return SameApp
	}
	return r.BarOfLike(v.Class, v.Priority, leaf)
}

// BarOfLike tells what protects the allocations of a leaf that are of a class and a priority, except those that leave or are of the ask's
// application.
func (r *Analysis) BarOfLike(c *class.Class, priority int32, leaf *queue.Queue) Bar {
	if c.Node != "" {
		return OnNode
	}
	if bar := r.barOfLeaf(leaf); bar != Free {
		return bar
	}
	switch {
	case int64(priority) > r.p.leaves[leaf.ID].limit:
		return Priority
	case r.p.guardBinds(int32(leaf.ID), c):
		return Guaranteed
	}
	return Free
}

// unknown stands for a bar that has not been worked out.
const unknown Bar = math.MaxUint8

// barOfLeaf tells what protects all allocations of a leaf, whatever they are.
func (r *Analysis) barOfLeaf(leaf *queue.Queue) Bar {
	if r.p.byNode() {
		return Free
	}
	for len(r.bars) <= leaf.ID {
		r.bars = append(r.bars, unknown)
	}
	if r.bars[leaf.ID] == unknown {
		r.bars[leaf.ID] = r.barOfQueues(leaf)
	}
	return r.bars[leaf.ID]
}

func (r *Analysis) barOfQueues(leaf *queue.Queue) Bar {
	p := &r.p
	if leaf == p.Leaf {
		if leaf.Conf.IntraQueue {
			return Free
		}
		return SameQueue
	}
	switch {
	case !p.Enabled:
		return Off
	case disabled(p.Leaf):
		return OffForAsk
	case disabled(leaf):
		return Disabled
	}
	meet := queue.CommonAncestor(leaf, p.Leaf)
	for i, q := range p.path {
		if q != meet {
			continue
		}
		if i > p.fence {
			return Fenced
		}
		if !p.law4[i] {
			return NotEntitled
		}
	}
	return Free
}

// Disabled reports whether preemption by guarantees is off for the ask's queue or above.
func (r *Analysis) Disabled() bool { return disabled(r.p.Leaf) }

// Entitled is law 4 inside the fence; beyond reports whether it would hold without the fence.
func (r *Analysis) Entitled() (inside, beyond bool) {
	return r.p.entitled(r.p.fence), r.p.entitled(len(r.p.path) - 1)
}

// Usage is how much of a type a queue uses, as a law counts it, and the bound of that.
type Usage struct {
	Queue       *queue.Queue
	Lane        int
	Used, Bound int64
}

// Law4 lists the guarantees on the ask's path in the types that it needs, with what law 4 counts as used.
func (r *Analysis) Law4() []Usage {
	var list []Usage
	for _, q := range r.p.path {
		for _, need := range r.p.Ask.Class.Needs {
			if g := q.Guaranteed[need.Lane]; g > 0 {
				list = append(list, Usage{q, need.Lane, usedOrClaimed(q, need.Lane), g})
			}
		}
	}
	return list
}

// Over lists the maxima that the ask would exceed without victims, with what will be used.
func (r *Analysis) Over() []Usage {
	var list []Usage
	for _, l := range r.p.overMax {
		q := r.p.path[l.meets]
		list = append(list, Usage{q, l.lane, q.WillUse(l.lane), q.Max[l.lane]})
	}
	return list
}

// Guards lists the guarantees that laws 2 and 5 check for an allocation of a leaf: below the queue where it meets the ask, for
// the types that it uses, with what is used by the allocations that stay.
func (r *Analysis) Guards(v *app.Ask, leaf *queue.Queue) []Usage {
	var list []Usage
	meet := queue.CommonAncestor(leaf, r.p.Leaf)
	for q := leaf; q != meet && !r.p.byNode(); q = q.Parent {
		for _, need := range v.Class.Needs {
			if g := q.Guaranteed[need.Lane]; g > 0 {
				list = append(list, Usage{q, need.Lane, q.Stays(need.Lane), g})
			}
		}
	}
	return list
}

// Missing appends to a list what would still be missing on a node, where Queue is nil, and below maxima, if all allocations had left that
// may be preempted there; free lists them.
func (r *Analysis) Missing(list []Usage, n *node.Node, free []*app.Ask, leafOf func(*app.Ask) *queue.Queue) []Usage {
	p := &r.p
	for _, need := range p.Ask.Class.Needs {
		room := n.RoomToBe(need.Lane)
		for _, v := range free {
			room = resource.Add(room, v.Class.Demand[need.Lane])
		}
		if room < need.Min {
			list = append(list, Usage{nil, need.Lane, resource.Sub(need.Min, room), 0})
		}
	}
	for _, l := range p.overMax {
		left := l.amount
		for _, v := range free {
			if p.leaves[leafOf(v).ID].meets <= l.meets {
				left = resource.Sub(left, v.Class.Demand[l.lane])
			}
		}
		if left > 0 {
			list = append(list, Usage{p.path[l.meets], l.lane, left, 0})
		}
	}
	return list
}
