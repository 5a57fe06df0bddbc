package schedule

import (
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/domain"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/state"
)

// roomForGangs reports whether the nodes may have room for the gangs of a shape that start together and need some members each: every gang in one domain of its level, every
// slice in one domain of the level of slices. It is exact for a single gang without slices, and false only if the gangs do not fit.
func (s *Walk) roomForGangs(rooms node.Rooms, of hiddenShape, need int) bool {
	level := s.state.Level(of.class.Topology().Required())
	if level != state.NoLevel && !rooms.Holds(level, int64(need)) {
		return false
	}
	if of.size == 0 && of.gangs == 1 && level != state.NoLevel {
		return true
	}
	unit, units := max(1, int64(need)), rooms.Of // a gang that no longer waits may need none
	if of.size > 0 {
		slice := s.state.Level(of.slice)
		if slice == state.NoLevel {
			return true // a reload has removed it
		}
		unit, units = max(1, int64(need/of.size)), rooms.InSlices(slice, of.size).Of
	}
	gangs, whole := int64(of.gangs), units(node.In(domain.None))
	if level == state.NoLevel || whole < unit*gangs {
		return whole >= unit*gangs
	}
	held := int64(0)
	for r := range s.state.Nodes().Regions(level).All {
		if held += units(r) / unit; held >= gangs {
			return true
		}
	}
	return false
}

// shapeOfSet returns what the gangs of a set have in common, if that is all that decides whether they fit: equal members, as many of them, and the
// same levels.
func (s *Walk) shapeOfSet(set []app.Ask) (of hiddenShape, alike bool) {
	if s.state.AnyModule() {
		return of, false // modules are asked about each try
	}
	for i, first := range set {
		own, ok := s.gangShape(first)
		if !ok || i > 0 && (own != of || first.WaitingGang().Need() != set[0].WaitingGang().Need() || first.Priority() != set[0].Priority()) {
			return of, false
		}
		of = own
	}
	of.gangs = set[0].WaitingGang().Row().SetMin
	return of, true
}

// gangShape returns the shape of the gang of which an ask is the first pending member. ok is false if its members differ.
func (s *Walk) gangShape(first app.Ask) (of hiddenShape, ok bool) {
	g := first.WaitingGang()
	_, _, known := s.state.LevelOf(g)
	of = shapeOf(g, first.Class())
	ok = known && (of.size == 0 || g.Need()%of.size == 0)
	first.App().EachMember(first, func(ask app.Ask) bool {
		ok = ok && ask.Class() == first.Class() && ask.Priority() == first.Priority()
		return ok
	})
	return of, ok
}
