package schedule

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/hold"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/readonly"
	"github.com/quern-project/quern/core/resource"
)

// shapeRooms is the room for a shape before any member is placed.
type shapeRooms struct {
	shape
	rooms  node.Rooms
	slices node.Slices
	counts bool // slices is known
}

// roomsOf returns the room for an ask in regions.
func (s *Walk) roomsOf(x *domainSearch, ask app.Ask) node.Rooms {
	of := s.shapeOfMember(ask)
	for i := range x.rooms {
		if x.rooms[i].shape == of {
			return x.rooms[i].rooms
		}
	}
	s.trying = ask
	var rooms node.Rooms
	if s.Predicated(of.class) {
		rooms = s.state.Nodes().CountRooms(of.class, s.contest())
	} else {
		rooms = s.state.Nodes().Rooms(of.class, s.contest())
	}
	x.rooms = append(x.rooms, shapeRooms{shape: of, rooms: rooms})
	return rooms
}

// contest returns what trying may take of nodes that are reserved, or on which room is held for a gang.
func (s *Walk) contest() (c node.Contest) {
	x := &s.accumulating
	if s.planning.on {
		c.Nodes = s.grantedNodes(hold.State.IsContested)
		return c
	}
	if s.state.Reservations().Len() == 0 && len(x.onNode) == 0 && !s.state.HasWindows() {
		return c
	}
	add := func(n int32) {
		if !slices.Contains(c.Nodes, n) && s.grants(n) {
			c.Nodes = append(c.Nodes, n)
		}
	}
	if s.state.HasWindows() {
		c.Nodes = s.grantedNodes(hold.State.IsWindowed)
	}
	for r := range s.state.Reservations().All() {
		add(r.Node)
	}
	if x.IsNone() {
		return c
	}
	for p := range x.Held().All {
		add(p.Node)
	}
	if !s.MayUseHeld(s.trying) {
		c.Held = func(n int32) resource.Amounts { return x.onNode[n].Amounts() }
	}
	return c
}

// largest returns the first of the members with the largest share of the cluster's total.
func largest(members []app.Ask, total resource.Vec) (largest app.Ask) {
	most := int64(-1)
	for _, ask := range members {
		share := int64(0)
		for need := range ask.Class().Needs().All {
			share = max(share, resource.Share(need.Min, total[need.Lane]))
		}
		if share > most {
			largest, most = ask, share
		}
	}
	return largest
}

// mostIn returns an upper bound of the number of members that a region takes.
func (s *Walk) mostIn(x *domainSearch, r node.Region, members []app.Ask) int {
	if x.alike {
		return int(min(int64(len(members)), s.roomsOf(x, members[0]).Of(r)))
	}
	most := 0
	for _, kind := range s.shapesOf(members) {
		most += int(min(int64(kind.count), s.roomsOf(x, kind.first).Of(r)))
	}
	return most
}

// shapeCount is a number of members that fit the same nodes.
type shapeCount struct {
	first app.Ask
	count int
}

func (s *Walk) shapesOf(members []app.Ask) (list []shapeCount) {
	for _, ask := range members {
		at := slices.IndexFunc(list, func(k shapeCount) bool {
			return s.shapeOfMember(k.first) == s.shapeOfMember(ask)
		})
		if at < 0 {
			at = len(list)
			list = append(list, shapeCount{first: ask})
		}
		list[at].count++
	}
	return list
}

// candidate is a region that may take enough members.
type candidate struct {
	region node.Region
	bound  int
	room   int64
}

// chooseDomain returns, of the regions that take the most members, at least as many as are needed, the one with the least room and then the
// first by name.
func (s *Walk) chooseDomain(x *domainSearch, regions readonly.List[node.Region], members []app.Ask, need int) (best node.Region, ok bool) {
	if x.alike {
		x.looked += regions.Len()
		return s.chooseForAlike(x, regions, members, need)
	}
	of, kinds := largest(members, s.wide.Total), s.shapesOf(members)
	var list []candidate
	for r := range regions.All {
		c := candidate{region: r, room: s.roomIn(x, of, r)}
		for _, kind := range kinds {
			c.bound += int(min(int64(kind.count), s.roomsOf(x, kind.first).Of(r)))
		}
		if c.bound >= need {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(b.bound-a.bound, s.compare(a.room, b.room, a.region, b.region))
	})
	taken, room := 0, int64(0)
	for _, c := range list {
		if c.bound < taken {
			break
		}
		if c.bound == taken && s.compare(room, c.room, best, c.region) < 0 {
			continue
		}
		n := s.count(x, c.region, members, need)
		if x.stopped {
			return best, false
		}
		if n >= need && (n > taken || n == taken && s.compare(c.room, room, c.region, best) < 0) {
			best, taken, room = c.region, n, c.room
		}
	}
	return best, taken > 0
}

// chooseForAlike is chooseDomain for members that fit the same nodes: a region takes as many as it has room for.
func (s *Walk) chooseForAlike(x *domainSearch, regions readonly.List[node.Region], members []app.Ask, need int) (best node.Region, ok bool) {
	rooms, most := s.roomsOf(x, members[0]), s.mostByHeadroom(members)
	taken, room := int64(0), int64(0)
	for r := range regions.All {
		has, n := rooms.Of(r), int64(0)
		if s.spansSlices(x, r) {
			has = s.roomIn(x, members[0], r)
			n = x.alikeInSlices(has, most)
		} else {
			n = min(has, most)
		}
		if n < int64(need) || n < taken {
			continue
		}
		if n > taken || s.compare(has, room, r, best) < 0 {
			best, taken, room = r, n, has
		}
	}
	return best, taken > 0
}

// mostByHeadroom returns how many of members that fit the same nodes the headroom permits.
func (s *Walk) mostByHeadroom(members []app.Ask) int64 {
	most := int64(len(members))
	for n := range members[0].Class().Needs().All {
		most = min(most, s.gangs.headroom[n.Lane]/n.Min)
	}
	return max(0, most)
}

// compare compares regions a and b by their room, p and q, and then by name.
func (s *Walk) compare(p, q int64, a, b node.Region) int {
	if c := cmp.Compare(p, q); c != 0 {
		return c
	}
	return s.state.Nodes().CompareNames(a, b)
}
