// Package consolidate searches for moves of allocations between nodes that make room for asks.
//
// A plan is a set of moves, and a node for each ask, so that everything fits once all moved allocations have left their nodes and started
// again. The best plan has the fewest moves, then moves the least amounts: as shares of the cluster, listed from the largest and compared item
// by item. Ties go to the lower numbers of moved allocations, and then of nodes.
//
// Find is exact for plans of up to ExactMoves moves, unless it runs out of steps. Beyond that, it is greedy, and says that the plan is
// approximate. It knows nothing of queues, since moves do not change their usage, and changes nothing.
package consolidate

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// ExactMoves is the largest number of moves for which every plan is tried.
const ExactMoves = 6

// exactSteps bounds the exact search. A step tries one item on one node.
const exactSteps = 3_000_000

// Item is an ask, or an allocation that may be moved.
type Item struct {
	Demand resource.Vec
	On     int // the node of an allocation
	Shape  int // an index of Problem.Allowed; items of one shape have the same demand
}

// Problem is the room of all nodes, the asks that should fit, and the allocations that may be moved. Nodes are numbered from 0. Other
// allocations only reduce the free amounts.
type Problem struct {
	Free    []resource.Vec // by node; negative if the node is over-committed
	Total   resource.Vec   // of the cluster
	Asks    []Item
	Movable []Item   // in the order of their nodes
	Allowed [][]bool // by shape, then by node
}

// Move is a move of an allocation, by its index in Problem.Movable, to a node.
type Move struct{ Item, To int }

// Plan says which moves make room for the asks.
type Plan struct {
	Moves       []Move // by item
	Asks        []int  // the node of each ask
	Approximate bool   // a better plan may exist
	shares      []int64
}

// Find returns the best plan. found is false if there is none or, if the plan is approximate, none was found.
func Find(p *Problem) (plan Plan, found bool) { return find(p, exactSteps) }

func find(p *Problem, steps int) (plan Plan, found bool) {
	s := newSearch(p, steps)
	for limit := 0; limit <= min(ExactMoves, len(p.Movable)); limit++ {
		s.left = limit
		s.place(0)
		if s.found || s.exhausted() {
			break
		}
	}
	complete := len(p.Movable) <= ExactMoves && !s.exhausted()
	if s.found || complete {
		s.best.Approximate = s.exhausted()
		return s.best, s.found
	}
	plan, found = greedy(p)
	plan.Approximate = true
	return plan, found
}

// Compare orders plans of problems with the same allocations. It is negative if the first is better.
func (a *Plan) Compare(b *Plan) int {
	byItem := func(x, y Move) int { return cmp.Compare(x.Item, y.Item) }
	byNode := func(x, y Move) int { return cmp.Compare(x.To, y.To) }
	return cmp.Or(cmp.Compare(len(a.Moves), len(b.Moves)), slices.Compare(a.shares, b.shares), slices.CompareFunc(a.Moves, b.Moves, byItem),
		slices.Compare(a.Asks, b.Asks), slices.CompareFunc(a.Moves, b.Moves, byNode))
}

// sharesOf returns the shares of the cluster that some allocations use together, from the largest.
func (p *Problem) sharesOf(moved []int) []int64 {
	sum := make(resource.Vec, len(p.Total))
	for _, m := range moved {
		sum.Add(p.Movable[m].Demand.Amounts())
	}
	list := make([]int64, len(sum))
	for t, amount := range sum {
		list[t] = resource.Share(amount, p.Total[t])
	}
	slices.Sort(list)
	slices.Reverse(list)
	return list
}

func fits(demand, free resource.Vec) bool {
	for t, d := range demand {
		if d > 0 && d > free[t] {
			return false
		}
	}
	return true
}
