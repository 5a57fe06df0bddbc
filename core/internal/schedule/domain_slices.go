package schedule

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/readonly"
	"github.com/quern-project/quern/core/internal/state"
)

// The members of a gang may be divided into slices, each of which lands in one domain of a level. In regions of that level and of wider ones, whole
// slices are placed; inside a domain of the level, members are.

// sliced describes the slices of a gang.
type sliced struct {
	size  int // number of members of each; 0 if there are no slices
	level int
}

// spansSlices reports whether a region contains domains of the level of the gang's slices, or is one.
func (s *Walk) spansSlices(x *domainSearch, r node.Region) bool {
	return x.slice.size > 0 && s.state.Nodes().Depth(r) <= x.slice.level
}

// roomIn returns the room for an ask in a region: the number of asks or, if the region spans slices, of slices of such asks.
func (s *Walk) roomIn(x *domainSearch, ask app.Ask, r node.Region) int64 {
	rooms := s.roomsOf(x, ask)
	if !s.spansSlices(x, r) {
		return rooms.Of(r)
	}
	at := slices.IndexFunc(x.rooms, func(known shapeRooms) bool { return known.shape == s.shapeOfMember(ask) })
	known := &x.rooms[at]
	if !known.counts {
		known.slices, known.counts = rooms.InSlices(x.slice.level, x.slice.size), true
	}
	return known.slices.Of(r)
}

// divide returns the regions inside a region among which members are dealt out: the domains of the next level and the nodes in none of them. For slices
// on single nodes, these follow the last level.
func (s *Walk) divide(x *domainSearch, r node.Region) (parts readonly.List[node.Region], rest node.Region) {
	if below := s.state.Nodes().RegionsBelow(r); below.Len() > 0 {
		d, _ := r.Domain()
		return below, node.RestOf(d)
	}
	if s.spansSlices(x, r) && s.state.Nodes().Depth(r) < x.slice.level {
		return s.state.Nodes().RegionsIn(r, x.slice.level), node.Nowhere()
	}
	return parts, node.Nowhere()
}

// inWholeSlices returns the members that are tried: those of whole slices. If a need is no multiple of the size, since some members have
// succeeded, it is the first members, as many as are needed.
func (x *domainSearch) inWholeSlices(members []app.Ask, need int) []app.Ask {
	if need%x.slice.size != 0 {
		return members[:min(need, len(members))]
	}
	return members[:len(members)-len(members)%x.slice.size]
}

// takesSlices is takes for a region that spans slices. If too few slices land, only the first members that fit by themselves are tried.
func (s *Walk) takesSlices(x *domainSearch, r node.Region, members []app.Ask, need int) []state.Placement {
	list := s.slicesInOrder(x, r, x.inWholeSlices(members, need))
	if len(list) >= need || x.stopped {
		return list
	}
	alone := s.fitAlone(x, r, members, need)
	if len(alone) < need {
		return nil
	}
	if list = s.slicesInOrder(x, r, alone); len(list) < need {
		return nil
	}
	return list
}

// fitAlone returns the first members that fit some node of a region by themselves, as many as are needed.
func (s *Walk) fitAlone(x *domainSearch, r node.Region, members []app.Ask, need int) []app.Ask {
	if x.tried < len(x.outcomes) {
		x.tried++
		return asksOf(x.outcomes[x.tried-1])
	}
	var list []state.Placement
	for _, ask := range members {
		from := len(s.gangs.placed)
		if s.assumeIn(r, ask) {
			list = append(list, s.gangs.placed[from])
			if s.undo(from); len(list) == need {
				break
			}
		}
	}
	s.progress.Spend(memberSteps * len(members))
	return asksOf(x.record(list))
}

// slicesInOrder returns where the members of slices land in a region: each slice in order in the tightest domain that takes it in addition to
// those before it. A slice that no domain takes is passed over.
func (s *Walk) slicesInOrder(x *domainSearch, r node.Region, members []app.Ask) []state.Placement {
	w := &s.gangs
	from := len(w.placed)
	domains := s.tightestFirst(x, r, members)
	for unit := range slices.Chunk(members, x.slice.size) {
		for _, c := range domains {
			if s.mostIn(x, c.region, unit) < len(unit) {
				continue
			}
			if own := s.takesMembers(x, c.region, unit, len(unit)); len(own) >= len(unit) {
				s.assumeAll(own)
				break
			}
		}
	}
	list := slices.Clone(w.placed[from:])
	s.undo(from)
	if x.stopped {
		return nil
	}
	return list
}

// tightestFirst returns the domains of the slices' level in a region, those with the least room first.
func (s *Walk) tightestFirst(x *domainSearch, r node.Region, members []app.Ask) (list []candidate) {
	if len(members) == 0 {
		return nil
	}
	of := largest(members, s.wide.Total)
	for d := range s.state.Nodes().RegionsIn(r, x.slice.level).All {
		list = append(list, candidate{region: d, room: s.roomIn(x, of, d)})
	}
	slices.SortFunc(list, func(a, b candidate) int { return s.compare(a.room, b.room, a.region, b.region) })
	return list
}

// alikeInSlices returns the number of members that land in whole slices, of members that fit the same nodes: there is room for some slices, and the
// headroom permits some members.
func (x *domainSearch) alikeInSlices(slices, members int64) int64 {
	size := int64(x.slice.size)
	return min(slices, members/size) * size
}

// placeSlices assumes the first members that a domain of the slices' level takes, in whole slices.
func (s *Walk) placeSlices(x *domainSearch, r node.Region, members []app.Ask, need int) bool {
	if x.alike {
		return s.placeInside(x, r, members, need)
	}
	own := first(s.takesSlices(x, r, members, need), need)
	if len(own) < need {
		return false
	}
	from := len(s.gangs.placed)
	if s.placeInside(x, r, asksOf(own), need) || x.stopped {
		return !x.stopped
	}
	s.undo(from)
	return s.assumeAll(own)
}

// largestPartInSlices is largestPartIn for a gang with slices: room is held for whole slices.
func (s *Walk) largestPartInSlices(first app.Ask, r node.Region) []state.Placement {
	g := s.accumulating.Gang
	x := s.newDomainSearch(first, g)
	x.Attempt = s.progress.Attempt(true)
	part := s.slicesInOrder(x, r, x.inWholeSlices(x.members, g.Need()))
	return part[:min(len(part), g.Need())]
}
