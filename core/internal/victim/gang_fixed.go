package victim

import (
	"cmp"
	"math"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/resource"
)

// fixedVictims are those taken for members before, where a gang is searched for member by member. Every set that is compared
// has them, so only what else a set has tells it from another; what they count for is summed up once for each member.
type fixedVictims struct {
	list    []victim     // in order of allocation
	freedOn []int64      // rows: what they free on each node
	freed   resource.Vec // by all
	room    resource.Vec // of the nodes that members before are on
	top     int64        // their highest priority
	over    []int64      // by max that would be exceeded: what they free below it
	taken   []int64      // by guard: what they take from it
	lawful  bool         // they take no more from a guard than it has left
}

// fix makes the best set found for a member that of all members so far.
func (s *GangSearch) fix() {
	f := &s.fixed
	for _, v := range s.best.set.victims {
		f.list = append(f.list, v)
		s.row(f.freedOn, s.rowOf[v.ask.Node]).Add(v.class.Demand)
	}
	slices.SortFunc(f.list, func(a, b victim) int { return cmp.Compare(a.placed, b.placed) })
	s.takeBack(s.current)
	s.take(s.best.last)
}

// sumUpFixed works out for the next member what the fixed victims count for.
func (s *GangSearch) sumUpFixed() {
	f, p := &s.fixed, &s.p
	f.freed, f.room, f.top, f.lawful = make(resource.Vec, s.width), make(resource.Vec, s.width), math.MinInt64, true
	f.over, f.taken = make([]int64, len(p.overMax)), make([]int64, len(p.guards))
	for i := range f.list {
		v := &f.list[i]
		f.freed.Add(v.class.Demand)
		f.top = max(f.top, v.prio)
		for k, over := range p.overMax {
			if p.leaves[v.leaf].meets <= over.meets {
				f.over[k] = resource.Add(f.over[k], v.class.Demand[over.lane])
			}
		}
		for _, g := range p.refsOf(v.leaf) {
			f.taken[g] = resource.Add(f.taken[g], v.class.Demand[p.guards[g].lane])
		}
	}
	for g, taken := range f.taken {
		f.lawful = f.lawful && (taken <= 0 || taken <= p.guards[g].slack)
	}
	for _, i := range s.on {
		s.addRoom(f.room, i)
	}
	s.cost += len(f.list) * (2 + len(p.overMax))
}

// addRoom adds what is free on a node.
func (s *GangSearch) addRoom(sum resource.Vec, i int32) {
	for t, room := range s.row(s.rooms, i) {
		sum[t] = resource.Add(sum[t], max(0, room))
	}
}

// has reports whether an allocation is fixed.
func (f *fixedVictims) has(a *app.Ask) bool {
	_, found := slices.BinarySearchFunc(f.list, a.Placed, func(v victim, placed uint64) int { return cmp.Compare(v.placed, placed) })
	return found
}

// spares reports whether a set keeps to the guards together with those that are fixed.
func (f *fixedVictims) spares(p *problem, set []victim) bool {
	if len(f.list) == 0 {
		return p.spared(set)
	}
	for i := range set {
		for _, g := range p.refsOf(set[i].leaf) {
			if freed := resource.Add(f.taken[g], p.against(g, set)); freed > 0 && freed > p.guards[g].slack {
				return false
			}
		}
	}
	return f.lawful
}
