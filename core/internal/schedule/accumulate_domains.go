package schedule

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/domain"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/state"
)

// largestPartAt is largestPart for a gang with a level. If the level is required, the part is in the domain of it that takes the most members;
// of several, in the one in which more is held already, and then in the first by name.
func (s *Walk) largestPartAt(first app.Ask, level int, required bool) (part []state.Placement) {
	g := s.accumulating.Gang
	if !required {
		return s.largestPartIn(first, node.In(domain.None))
	}
	x := s.newDomainSearch(first, g)
	s.gangs.placed = s.gangs.placed[:0]
	var best node.Region
	for r := range s.state.Nodes().Regions(level).All {
		most := min(s.mostIn(x, r, x.members), g.Need())
		if most < len(part) || most == 0 || most == len(part) && !s.holdsMore(r, best) {
			continue
		}
		if own := s.largestPartIn(first, r); len(own) > len(part) || len(own) == len(part) && len(own) > 0 && s.holdsMore(r, best) {
			part, best = own, r
		}
	}
	return part
}

// holdsMore reports whether a domain comes before another one that takes as many members.
func (s *Walk) holdsMore(a, b node.Region) bool {
	p, q := s.heldIn(a), s.heldIn(b)
	return p > q || p == q && s.state.Nodes().CompareNames(a, b) < 0
}

// heldIn returns the number of members for which room is held in a region.
func (s *Walk) heldIn(r node.Region) (n int) {
	for p := range s.accumulating.Held().All {
		if s.state.Nodes().Contains(r, p.Node) {
			n++
		}
	}
	return n
}

// largestPartIn is largestPart in a region.
func (s *Walk) largestPartIn(first app.Ask, r node.Region) []state.Placement {
	x := &s.accumulating
	s.headroomOf(x.App)
	s.gangs.placed = s.gangs.placed[:0]
	if x.Gang.Row().Topology.Slice.Size > 0 {
		return s.largestPartInSlices(first, r)
	}
	part := s.inOrder(r, s.newDomainSearch(first, x.Gang).members)
	part = part[:min(len(part), x.Gang.Need())]
	return s.enlarge(part, first, &r)
}

// heldTogether reports whether all room that is held for a gang with a required level is in one domain, and that for each of its slices.
func (s *Walk) heldTogether() bool {
	x := &s.accumulating
	level, required, known := s.state.LevelOf(x.Gang)
	if !known {
		return true
	}
	if required && !s.inOneDomain(level, x.Held().Clone()) {
		return false
	}
	level, size := s.state.SlicesOf(x.Gang)
	if size == 0 {
		return true
	}
	for part := range slices.Chunk(x.Held().Clone(), size) {
		if !s.inOneDomain(level, part) {
			return false
		}
	}
	return true
}

// inOneDomain reports whether all placements are in one domain of a level.
func (s *Walk) inOneDomain(level int, list []state.Placement) bool {
	return !slices.ContainsFunc(list, func(p state.Placement) bool { return !s.state.InOneDomain(level, list[0].Node, p.Node) })
}
