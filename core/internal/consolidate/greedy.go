package consolidate

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// greedy places one ask after the other, each on the node that takes the fewest moves there. From that node, the largest allocations go first,
// each to the node on which it leaves the least room.
func greedy(p *Problem) (plan Plan, found bool) {
	g := newSearch(p, 1)
	var moved []Move
	for _, ask := range p.Asks {
		best := Plan{}
		node := -1
		for n := range g.free {
			if moves, fits := g.clear(n, &ask, false); fits {
				of := Plan{Moves: moves, shares: p.sharesOf(items(moves))}
				if node < 0 || of.Compare(&best) < 0 {
					best, node = of, n
				}
			}
		}
		if node < 0 {
			return Plan{}, false
		}
		g.clear(node, &ask, true)
		moved, plan.Asks = append(moved, best.Moves...), append(plan.Asks, node)
	}
	slices.SortFunc(moved, func(a, b Move) int { return a.Item - b.Item })
	plan.Moves, plan.shares = moved, p.sharesOf(items(moved))
	return plan, true
}

func items(moves []Move) (list []int) {
	for _, m := range moves {
		list = append(list, m.Item)
	}
	return list
}

// clear moves allocations away from a node until an ask fits there, and places the ask. Unless they are to be kept, it takes the changes back.
func (s *search) clear(n int, ask *Item, keep bool) (moves []Move, fit bool) {
	if !s.Allowed[ask.Shape][n] {
		return nil, false
	}
	list := slices.DeleteFunc(slices.Clone(s.on[n]), func(m int) bool { return slices.Contains(s.moved, m) })
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(s.size(&s.Movable[b]), s.size(&s.Movable[a])) })
	for _, m := range list {
		if fits(ask.Demand, s.free[n]) {
			break
		}
		to := s.tightest(&s.Movable[m], n)
		if to < 0 {
			continue
		}
		s.free[n].Add(s.Movable[m].Demand.Amounts())
		s.free[to].Sub(s.Movable[m].Demand.Amounts())
		moves = append(moves, Move{m, to})
	}
	if fit = fits(ask.Demand, s.free[n]); fit && keep {
		s.free[n].Sub(ask.Demand.Amounts())
		s.moved = append(s.moved, items(moves)...)
		return moves, true
	}
	for _, m := range moves {
		s.free[m.To].Add(s.Movable[m.Item].Demand.Amounts())
		s.free[n].Sub(s.Movable[m.Item].Demand.Amounts())
	}
	return moves, fit
}

// size is the largest share of the cluster that an item needs.
func (s *search) size(it *Item) (most int64) {
	for t, d := range it.Demand {
		most = max(most, resource.Share(d, s.Total[t]))
	}
	return most
}

// tightest returns the node, other than its own, on which an allocation fits and leaves the least room, or -1.
func (s *search) tightest(it *Item, own int) int {
	best, least := -1, int64(0)
	for n := range s.free {
		if n == own || !s.Allowed[it.Shape][n] || !fits(it.Demand, s.free[n]) {
			continue
		}
		rest := int64(0)
		for t, free := range s.free[n] {
			rest = max(rest, resource.Share(free-it.Demand[t], s.Total[t]))
		}
		if best < 0 || rest < least {
			best, least = n, rest
		}
	}
	return best
}
