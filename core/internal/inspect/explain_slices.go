package inspect

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/state"
)

// slicesIn returns how many of the members that are needed fit together in a region, in whole slices, each in one domain of a level. Headroom does
// not count.
func (s *View) slicesIn(r node.Region, members []app.Ask, need, level, size int) (fits int) {
	if rest := need % size; rest != 0 || len(members) < need {
		members = members[:min(need, len(members))]
	}
	var placed []state.Placement
	domains := s.tightestFirst(r, members[0], level, size)
	for unit := range slices.Chunk(members, size) {
		for _, d := range domains {
			if own := s.assumeAllIn(d, unit); len(own) > 0 {
				placed = append(placed, own...)
				break
			}
		}
		if len(placed) >= need {
			break
		}
	}
	s.TakeBack(placed)
	return min(len(placed), need)
}

// assumeAllIn assumes all members in a region, or none of them.
func (s *View) assumeAllIn(r node.Region, members []app.Ask) (placed []state.Placement) {
	for _, m := range members {
		n := s.firstNode(m, r)
		if n == app.NoNode {
			s.TakeBack(placed)
			return nil
		}
		p := state.Placement{Ask: m, Node: n}
		s.Assume(p)
		placed = append(placed, p)
	}
	return placed
}

// tightestFirst returns the domains of a level in a region, those with room for the fewest slices first.
func (s *View) tightestFirst(r node.Region, member app.Ask, level, size int) []node.Region {
	list := s.Nodes().RegionsIn(r, level).Clone()
	rooms := s.Nodes().Rooms(member.Class(), node.Contest{}).InSlices(level, size)
	slices.SortFunc(list, func(a, b node.Region) int {
		return cmp.Or(cmp.Compare(rooms.Of(a), rooms.Of(b)), s.Nodes().CompareNames(a, b))
	})
	return list
}

// sliceDomains describes the room for a slice of a gang that gives no level as a whole, in the domains of the level of its slices.
func (s *View) sliceDomains(g app.AtomicGang, members []app.Ask, level, size int) *explain.GangDomains {
	need := min(size, g.Need())
	e, _ := s.domainsOf(s.Nodes().Regions(level), members[:need], need, func(r node.Region) int { return s.fitsIn(r, members[:need], need) })
	e.Slices = &explain.Slices{Level: g.Row().Topology.Slice.Level, Size: size}
	return e
}
