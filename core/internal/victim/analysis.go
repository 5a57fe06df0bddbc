package victim

import (
	"math"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/state/nodes"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// Analysis applies each law to a question separately. Package inspect builds explanations from it.
type Analysis struct {
	p    problem
	bars []Bar // by leaf queue; unknown until first computed
}

// Analyze prepares the analysis of a question.
func Analyze(q *Question) *Analysis {
	thorough := *q
	thorough.Thorough = true
	r := &Analysis{}
	r.p.formulate(&thorough)
	return r
}

// Bar is the reason why an allocation cannot be a victim of an ask.
type Bar uint8

// The bars, in the order in which they are checked.
const (
	Free           Bar = iota // it can be a victim
	Leaving                   // it is already leaving
	SameApp                   // law 3
	OnNode                    // it has a required node
	SameQueue                 // it is in the ask's leaf, which does not have the intra-queue option
	Off                       // preemption by guarantees is off for the partition
	OffForAsk                 // preemption by guarantees is off for the ask's queue
	Disabled                  // preemption by guarantees is off for the allocation's queue
	Fenced                    // law 7
	NotEntitled               // law 4
	Priority                  // law 6
	Guaranteed                // laws 2, 5 and 12
	InGang                    // law 8: its gang has no surplus, and another member cannot be a victim
	GangGuaranteed            // laws 2 and 8: its gang has no surplus, and guards forbid all of it
	Spared                    // it has not run long enough
	OverBudget                // the budget of one of its queues permits no more victims now
	GangOverBudget            // law 8: its gang has no surplus, and is larger than the budget of one of its queues
	NumBars                   // the number of bars
)

// Bar returns the reason why an allocation of a leaf cannot be a victim.
func (r *Analysis) Bar(v app.Ask, leaf queues.ID) Bar {
	switch {
	case v.Leaving():
		return Leaving
	case v.App() == r.p.Ask.App():
		return SameApp
	}
	if bar := r.BarOfLike(v.Class(), v.Priority(), leaf); bar != Free {
		return bar
	}
	if r.p.Spared != nil && r.p.Spared(v) {
		return Spared
	}
	like := victimOf(v)
	if u := r.p.unitOf(&like); u != nil && !u.spares() && !u.mayEnd() {
		if u.guarded {
			return r.p.barOfGang(u.members)
		}
		return InGang
	}
	return Free
}

// BarOfLike returns the reason why the allocations of a leaf that have a class and a priority cannot be victims. Leaving allocations,
// those of the ask's application, and members of gangs have reasons of their own, see Bar.
func (r *Analysis) BarOfLike(c class.Class, priority int32, leaf queues.ID) Bar {
	if c.Node() != "" {
		return OnNode
	}
	if bar := r.barOfLeaf(leaf); bar != Free {
		return bar
	}
	switch {
	case int64(priority) > r.p.leaves[leaf].limit:
		return Priority
	case r.p.guardBinds(int32(leaf), c):
		return r.p.barOfGuards(int32(leaf), c)
	}
	return Free
}

// unknown marks a bar that has not been computed.
const unknown Bar = math.MaxUint8

// barOfLeaf returns the reason that holds for all allocations of a leaf, or Free.
func (r *Analysis) barOfLeaf(leaf queues.ID) Bar {
	if r.p.byNode() {
		return Free
	}
	for len(r.bars) <= int(leaf) {
		r.bars = append(r.bars, unknown)
	}
	if r.bars[leaf] == unknown {
		r.bars[leaf] = r.barOfQueues(leaf)
	}
	return r.bars[leaf]
}

func (r *Analysis) barOfQueues(leaf queues.ID) Bar {
	p := &r.p
	if leaf == p.Leaf {
		if p.Queues.Conf(leaf).IntraQueue {
			return Free
		}
		return SameQueue
	}
	switch {
	case !p.Enabled:
		return Off
	case disabled(p.Queues, p.Leaf):
		return OffForAsk
	case disabled(p.Queues, leaf):
		return Disabled
	}
	meet := p.Queues.CommonAncestor(leaf, p.Leaf)
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

// BySurplus reports whether the question is about the right surplus.
func (r *Analysis) BySurplus() bool { return r.p.Surplus }

// Disabled reports whether preemption by guarantees is off for the ask's queue or one of its ancestors.
func (r *Analysis) Disabled() bool { return disabled(r.p.Queues, r.p.Leaf) }

// Entitled reports whether law 4 holds for some meeting queue: inside the ask's preemption fence, and if there were no fence.
func (r *Analysis) Entitled() (inside, beyond bool) {
	return r.p.entitled(r.p.fence), r.p.entitled(len(r.p.path) - 1)
}

// Usage is how much of a type a queue uses by the count of a law, and the guarantee or max that it is compared with.
type Usage struct {
	Queue       queues.ID
	Lane        int
	Used, Bound int64
}

// Law4 lists the guarantees on the ask's path for the types that it needs, with the usage that law 4 counts.
func (r *Analysis) Law4() []Usage {
	var list []Usage
	for _, q := range r.p.path {
		for need := range r.p.Ask.Class().Needs().All {
			if g := r.p.Queues.Guaranteed(q, need.Lane); g > 0 {
				list = append(list, Usage{q, need.Lane, usedOrClaimed(r.p.Queues, q, need.Lane), g})
			}
		}
	}
	return list
}

// Over lists each max that the ask would exceed without victims, with the future usage of the queue.
func (r *Analysis) Over() []Usage {
	var list []Usage
	for _, l := range r.p.overMax {
		q := r.p.path[l.meets]
		list = append(list, Usage{q, l.lane, r.p.Queues.FutureUsage(q, l.lane), r.p.Queues.Max(q, l.lane)})
	}
	return list
}

// Guards lists the guarantees that laws 2 and 5 check for an allocation of a leaf: those below the meeting queue for the types that
// it uses, with the usage of the allocations that are not leaving.
func (r *Analysis) Guards(v app.Ask, leaf queues.ID) []Usage {
	var list []Usage
	tree := r.p.Queues
	meet := tree.CommonAncestor(leaf, r.p.Leaf)
	for q := leaf; q != meet && !r.p.byNode(); q = tree.Parent(q) {
		for need := range v.Class().Needs().All {
			if g := tree.Guaranteed(q, need.Lane); g > 0 {
				list = append(list, Usage{q, need.Lane, tree.StayingUsage(q, need.Lane), g})
			}
		}
	}
	return list
}

// Missing appends the amounts that would still be missing if the allocations in free had left: on the node, with Queue None, and
// below each max of the ask's path.
func (r *Analysis) Missing(list []Usage, nodes nodes.View, n int32, free []app.Ask, leafOf func(app.Ask) queues.ID) []Usage {
	p := &r.p
	for need := range p.Ask.Class().PlainNeeds().All {
		room := nodes.FutureRoom(n, need.Lane)
		for _, v := range free {
			room = resource.Add(room, v.Class().Demand().At(need.Lane))
		}
		if room < need.Min {
			list = append(list, Usage{queues.None, need.Lane, resource.Sub(need.Min, room), 0})
		}
	}
	for _, l := range p.overMax {
		left := l.amount
		for _, v := range free {
			if p.leaves[leafOf(v)].meets <= l.meets {
				left = resource.Sub(left, v.Class().Demand().At(l.lane))
			}
		}
		if left > 0 {
			list = append(list, Usage{p.path[l.meets], l.lane, left, 0})
		}
	}
	return list
}
