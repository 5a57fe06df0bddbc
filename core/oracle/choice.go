package oracle

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/quern-project/quern/core/resource"
)

// choice is a set of victims on a node, with the values by which sets are compared.
type choice struct {
	node        *node
	victims     []*ask
	set         []*victim // the victims, for a gang
	originators int
	optedOut    int
	priorities  []int64 // highest first; placeholders are below all others
	excess      []int64 // shares freed beyond need, largest first
	allocations []int   // in order of allocation
}

// compare orders choices by harm.
func (c *choice) compare(d *choice) int {
	return cmp.Or(c.compareVictims(d), strings.Compare(c.node.id, d.node.id))
}

// compareVictims is compare without the node.
func (c *choice) compareVictims(d *choice) int {
	return cmp.Or(
		cmp.Compare(c.originators, d.originators),
		cmp.Compare(c.optedOut, d.optedOut),
		cmp.Compare(c.priorities[0], d.priorities[0]),
		cmp.Compare(len(c.victims), len(d.victims)),
		slices.Compare(c.priorities, d.priorities),
		slices.Compare(c.excess, d.excess),
		slices.Compare(d.allocations, c.allocations), // younger victims are better
	)
}

// bestOn returns the best of an earlier choice, which may be nil, and all lawful sets of victims on the node that suffice. It leaves out
// sets with a subset that suffices, since they contain unnecessary victims.
func (s *search) bestOn(n *node, best *choice) *choice {
	room, possible := s.roomOnceLeft(n), s.possibleOn(n)
	var extend func(set []*victim, rest []*victim)
	extend = func(set, rest []*victim) {
		if s.suffices(room, set) {
			if c := s.weigh(n, room, set); (best == nil || c.compare(best) < 0) && s.isLawful(set) {
				best = c
			}
			return
		}
		if !s.suffices(room, slices.Concat(set, rest)) {
			return
		}
		for i, v := range rest {
			extend(append(set[:len(set):len(set)], v), rest[i+1:])
		}
	}
	extend(nil, possible)
	return best
}

// suffices reports whether the ask fits the node and every max once the victims and all leaving allocations have left.
func (s *search) suffices(room amounts, victims []*victim) bool {
	for _, need := range s.ask.resources {
		if need.Value <= 0 {
			continue
		}
		if resource.Add(room[need.Type], taken(s.root, need.Type, victims)) < need.Value {
			return false
		}
	}
	return s.withinEveryMax(victims)
}

func (s *search) weigh(n *node, room amounts, victims []*victim) *choice {
	c := &choice{node: n}
	for _, v := range victims {
		c.victims = append(c.victims, v.ask)
		priority := int64(v.priority)
		if v.isPlaceholder() {
			priority = math.MinInt64
		}
		c.priorities = append(c.priorities, priority)
		c.allocations = append(c.allocations, v.allocation)
		if v.details.Originator {
			c.originators++
		}
		if v.details.NotPreemptable {
			c.optedOut++
		}
	}
	slices.SortFunc(c.priorities, func(a, b int64) int { return cmp.Compare(b, a) })
	slices.Sort(c.allocations)
	c.excess = s.excess(room, victims)
	return c
}

// excess lists the amounts that would be free beyond need, for the types that the victims use, as shares of the cluster.
func (s *search) excess(room amounts, victims []*victim) []int64 {
	freed := amounts{}
	for _, v := range victims {
		freed.add(v.resources)
	}
	var shares []int64
	for typ, value := range freed {
		if value > 0 {
			left := resource.Sub(resource.Add(max(0, room[typ]), value), valueOf(s.ask.resources, typ))
			shares = append(shares, resource.Share(left, s.total[typ]))
		}
	}
	slices.SortFunc(shares, func(a, b int64) int { return cmp.Compare(b, a) })
	return shares
}
