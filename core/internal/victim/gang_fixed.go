package victim

import (
	"cmp"
	"math"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/resource"
)

// fixedVictims are the victims chosen for earlier members in the search member by member. All sets for the current member include
// them, so sets are compared without them, and their sums are computed only once for each member.
type fixedVictims struct {
	list    []victim     // in order of allocation
	freedOn []int64      // a row of amounts for each node: the amounts that they free there
	freed   resource.Vec // sum of the amounts that they free on the nodes of earlier members
	room    resource.Vec // total room of the nodes of earlier members
	top     int64        // their highest priority
	over    []int64      // by index in overMax: the amount that they free below that max
	taken   []int64      // by guard: the part of its slack that they use
	ended   int          // number of gangs that they end
	lawful  bool         // they stay within the slack of every guard
}

// fix adds the best set for the current member to the fixed victims, and its node to the assignment.
func (s *GangSearch) fix() {
	f := &s.fixed
	for _, v := range s.best.set.victims {
		f.list = append(f.list, v)
		if row := s.rowOf(v.ask.Node()); row != elsewhere {
			s.row(f.freedOn, row).Add(v.class.Demand())
		}
	}
	slices.SortFunc(f.list, func(a, b victim) int { return cmp.Compare(a.placed, b.placed) })
	s.unassignTo(s.current)
	s.assign(s.best.last)
}

// sumUpFixed computes the sums over the fixed victims for the next member's problem.
func (s *GangSearch) sumUpFixed() {
	f, p := &s.fixed, &s.p
	f.freed, f.room, f.top, f.lawful = make(resource.Vec, s.width), make(resource.Vec, s.width), math.MinInt64, true
	f.over, f.taken = make([]int64, len(p.overMax)), make([]int64, len(p.guards))
	for i := range f.list {
		v := &f.list[i]
		if row := s.rowOf(v.ask.Node()); row != elsewhere && s.count[row] > 0 {
			f.freed.Add(v.class.Demand())
		}
		f.top = max(f.top, v.prio)
		for k, over := range p.overMax {
			if p.leaves[v.leaf].meets <= over.meets {
				f.over[k] = resource.Add(f.over[k], v.class.Demand().At(over.lane))
			}
		}
		for _, g := range p.refsOf(v.leaf) {
			f.taken[g] = resource.Add(f.taken[g], p.guards[g].takes(v.class))
		}
	}
	f.ended = p.ended(f.list)
	for g, taken := range f.taken {
		f.lawful = f.lawful && (taken <= 0 || taken <= p.guards[g].slack)
	}
	for _, i := range s.on {
		s.addRoom(f.room, i)
	}
	s.cost += len(f.list) * (2 + len(p.overMax))
}

// addRoom adds the room of a node.
func (s *GangSearch) addRoom(sum resource.Vec, i int32) {
	for t, room := range s.row(s.rooms, i) {
		sum[t] = resource.Add(sum[t], max(0, room))
	}
}

// has reports whether an allocation is fixed.
func (f *fixedVictims) has(a app.Ask) bool {
	_, found := slices.BinarySearchFunc(f.list, a.Placed(), func(v victim, placed uint64) int { return cmp.Compare(v.placed, placed) })
	return found
}

// guardsAllow reports whether a set stays within the slack of every guard together with the fixed victims.
func (f *fixedVictims) guardsAllow(p *problem, set []victim) bool {
	if len(f.list) == 0 {
		return p.guardsAllow(set)
	}
	for i := range set {
		for _, g := range p.refsOf(set[i].leaf) {
			if freed := resource.Add(f.taken[g], p.takenFromGuard(g, set)); freed > 0 && freed > p.guards[g].slack {
				return false
			}
		}
	}
	return f.lawful
}
