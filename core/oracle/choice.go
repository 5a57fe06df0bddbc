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
	surplus     bool    // only surplus of elastic gangs may go
	beyond      int     // number of victims that are no surplus of elastic gangs
	ended       int     // number of gangs of which all members leave
	priorities  []int64 // highest first; placeholders are below all others
	excess      []int64 // shares freed beyond need, largest first
	shares      []int64 // of the leaves of the victims by aged usage, largest first
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
		cmp.Compare(c.beyond, d.beyond),
		cmp.Compare(c.priorities[0], d.priorities[0]),
		cmp.Compare(c.ended, d.ended),
		cmp.Compare(len(c.victims), len(d.victims)),
		slices.Compare(c.priorities, d.priorities),
		slices.Compare(c.excess, d.excess),
		slices.Compare(d.shares, c.shares),           // of leaves that have used more
		slices.Compare(d.allocations, c.allocations), // younger victims are better
	)
}

// bestOn returns the best of an earlier choice, which may be nil, and all lawful sets of victims for the node that suffice. A set of which
// a lawful part suffices contains unnecessary victims, but its part always does less harm. So sets that suffice are not extended: if one is
// lawful, it does less harm, and otherwise no larger set is lawful either.
func (s *search) bestOn(n *node, best *choice) *choice {
	room := s.roomOnceLeft(n)
	var extend func(set []*victim, rest [][]*victim)
	extend = func(set []*victim, rest [][]*victim) {
		if s.suffices(n, room, set) {
			if c := s.weigh([]*node{n}, room, set); (best == nil || c.compare(best) < 0) && s.isLawful(set) {
				best = c
			}
			return
		}
		if !s.suffices(n, room, s.all(set, rest)) {
			return
		}
		for i, part := range rest {
			if next := s.extended(set, part); next != nil {
				extend(next, rest[i+1:])
			}
		}
	}
	extend(nil, s.possibleOn(n))
	return best
}

// all returns the set with all parts, whether or not they may be victims together.
func (s *search) all(set []*victim, parts [][]*victim) []*victim {
	all := slices.Clone(set)
	for _, v := range slices.Concat(parts...) {
		if !slices.ContainsFunc(all, func(other *victim) bool { return other.ask == v.ask }) {
			all = append(all, v)
		}
	}
	return all
}

// suffices reports whether the ask fits the node and every max once the victims and all leaving allocations have left.
func (s *search) suffices(n *node, room amounts, victims []*victim) bool {
	there := on(victims, n)
	if !s.fitOnceLeft(n, asksOf(there), s.ask) {
		return false
	}
	for _, need := range s.ask.plain {
		if need.Value <= 0 {
			continue
		}
		if resource.Add(room[need.Type], taken(s.root, need.Type, there)) < need.Value {
			return false
		}
	}
	return s.withinEveryMax(victims)
}

// weigh computes how much harm a set of victims for some nodes does. room is the free room of these nodes, on which alone room counts.
func (s *search) weigh(nodes []*node, room amounts, victims []*victim) *choice {
	c := &choice{node: nodes[0], surplus: s.surplus, beyond: s.beyondSurplus(asksOf(victims)), ended: len(s.ended(asksOf(victims)))}
	for _, v := range victims {
		c.victims = append(c.victims, v.ask)
		priority := int64(v.priority)
		if v.isPlaceholder() {
			priority = math.MinInt64
		}
		c.priorities = append(c.priorities, priority)
		c.allocations = append(c.allocations, v.allocation)
		c.shares = append(c.shares, s.leafShare(v.app.queue))
		if v.details.Originator {
			c.originators++
		}
		if v.details.NotPreemptable {
			c.optedOut++
		}
	}
	slices.SortFunc(c.priorities, func(a, b int64) int { return cmp.Compare(b, a) })
	slices.SortFunc(c.shares, func(a, b int64) int { return cmp.Compare(b, a) })
	slices.Sort(c.allocations)
	c.excess = s.excess(room, on(victims, nodes...))
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

// leafShare returns the largest share of a leaf by the usage that orders it, or 0 if that usage does not age.
func (p *partition) leafShare(leaf *queue) int64 {
	if leaf.parent == nil || leaf.parent.settings.HalfLife == 0 {
		return 0
	}
	return p.agedShare(leaf.parent, leaf)
}
