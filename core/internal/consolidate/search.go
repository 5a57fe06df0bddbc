package consolidate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quern-project/quern/core/resource"
)

// search tries all plans of a number of moves, depth first: it puts each ask, and then each displaced allocation, on each node in turn. Where
// there is no room, it displaces each smallest sufficient set of allocations that may be moved. Since a plan displaces from a node at least
// what one of these sets contains, no plan with fewer moves is missed.
type search struct {
	*Problem
	free  []resource.Vec // by node, with the current placements
	on    [][]int        // by node: the allocations that may be moved and have not been displaced
	kinds []int          // by node: untouched nodes of one kind are interchangeable
	used  []int          // by node: number of changes in the current plan

	open  []Item // to be placed: the asks, then the displaced allocations
	nodes []int  // by index in open: the node, as far as they are placed
	moved []int  // displaced allocations, in the order of open
	left  int    // number of allocations that may still be displaced
	steps int
	found bool
	best  Plan
}

func newSearch(p *Problem, steps int) *search {
	s := &search{Problem: p, steps: steps, on: make([][]int, len(p.Free)), used: make([]int, len(p.Free)), open: slices.Clone(p.Asks)}
	for _, free := range p.Free {
		s.free = append(s.free, slices.Clone(free))
	}
	for i := range p.Movable {
		n := p.Movable[i].On
		s.on[n] = append(s.on[n], i)
	}
	s.sortIntoKinds()
	return s
}

// sortIntoKinds gives nodes the same kind if they have the same room, allow the same shapes, and hold allocations of the same shapes.
func (s *search) sortIntoKinds() {
	known := map[string]int{}
	for n := range s.free {
		var key strings.Builder
		fmt.Fprint(&key, s.free[n], len(s.on[n]))
		for _, m := range s.on[n] {
			fmt.Fprint(&key, " ", s.Movable[m].Shape)
		}
		for shape := range s.Allowed {
			if s.Allowed[shape][n] {
				fmt.Fprint(&key, "+", shape)
			}
		}
		kind, is := known[key.String()]
		if !is {
			kind = len(known)
			known[key.String()] = kind
		}
		s.kinds = append(s.kinds, kind)
	}
}

func (s *search) exhausted() bool { return s.steps <= 0 }

// place places the open items from an index on. It reports whether it found a plan after the last permitted displacement: other nodes for the
// same items only make plans that are equal or worse.
func (s *search) place(i int) bool {
	if i == len(s.open) {
		return s.record()
	}
	it := s.open[i]
	tried := map[int]bool{} // kinds
	for n := s.firstNode(i); n < len(s.free) && !s.exhausted(); n++ {
		if !s.Allowed[it.Shape][n] || i >= len(s.Asks) && it.On == n {
			continue
		}
		if s.used[n] == 0 {
			if tried[s.kinds[n]] {
				continue
			}
			tried[s.kinds[n]] = true
		}
		s.steps--
		last := s.left == 0
		switch {
		case fits(it.Demand, s.free[n]):
			if s.put(i, n) && last {
				return true
			}
		case !last:
			s.displace(i, n, 0)
		}
	}
	return false
}

// firstNode returns the first node to try for an open item. Of asks of one shape, later ones are on later nodes.
func (s *search) firstNode(i int) int {
	if i > 0 && i < len(s.Asks) && s.open[i].Shape == s.open[i-1].Shape {
		return s.nodes[i-1]
	}
	return 0
}

// put places an open item on a node with room, and then the others.
func (s *search) put(i, n int) bool {
	demand := s.open[i].Demand.Amounts()
	s.free[n].Sub(demand)
	s.used[n]++
	s.nodes = append(s.nodes[:i], n)
	found := s.place(i + 1)
	s.used[n]--
	s.free[n].Add(demand)
	return found
}

// displace displaces allocations of a node, from an index in its list on, until an open item fits, and places the item.
func (s *search) displace(i, n, from int) {
	if fits(s.open[i].Demand, s.free[n]) {
		s.put(i, n)
		return
	}
	if s.left == 0 {
		return
	}
	for at := from; at < len(s.on[n]) && !s.exhausted(); at++ {
		m := s.on[n][at]
		if slices.Contains(s.moved, m) || s.likeBefore(n, at) {
			continue
		}
		s.steps--
		s.take(m, n)
		if !s.worse() {
			s.displace(i, n, at+1)
		}
		s.giveBack(m, n)
	}
}

// likeBefore reports whether an allocation of the same shape comes before on the node that has not been displaced: that one goes first.
func (s *search) likeBefore(n, at int) bool {
	shape := s.Movable[s.on[n][at]].Shape
	return slices.ContainsFunc(s.on[n][:at], func(m int) bool { return s.Movable[m].Shape == shape && !slices.Contains(s.moved, m) })
}

func (s *search) take(m, n int) {
	s.left--
	s.used[n]++
	s.free[n].Add(s.Movable[m].Demand.Amounts())
	s.moved, s.open = append(s.moved, m), append(s.open, s.Movable[m])
}

func (s *search) giveBack(m, n int) {
	s.left++
	s.used[n]--
	s.free[n].Sub(s.Movable[m].Demand.Amounts())
	s.moved, s.open = s.moved[:len(s.moved)-1], s.open[:len(s.open)-1]
}

// worse reports whether every plan with the displaced allocations moves larger amounts than the best one.
func (s *search) worse() bool {
	return s.found && slices.Compare(s.sharesOf(s.moved), s.best.shares) > 0
}

// record makes the current plan the best one if it is better.
func (s *search) record() bool {
	plan := Plan{Asks: slices.Clone(s.nodes[:len(s.Asks)]), shares: s.sharesOf(s.moved)}
	for j, m := range s.moved {
		plan.Moves = append(plan.Moves, Move{m, s.nodes[len(s.Asks)+j]})
	}
	slices.SortFunc(plan.Moves, func(a, b Move) int { return a.Item - b.Item })
	if !s.found || plan.Compare(&s.best) < 0 {
		s.found, s.best = true, plan
	}
	return true
}
