package state

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/readonly"
)

// The members of a gang may be divided into slices, each of which is in one domain of a level. Members that are placed together form slices in
// order. Each later member joins the first slice that lacks one: while it is pending, its class has the constraints of that slice's domain.

// slice is a slice of a placed gang.
type slice struct {
	node      int32 // of its first member that is there, or NoNode
	there     int   // number of members that are allocated and not leaving, or replace a placeholder
	succeeded int
}

// lacks returns the number of members that are missing.
func (x slice) lacks(size int) int { return max(0, size-x.there-x.succeeded) }

// SlicesOf returns the level and the size of the slices of a gang. The size is 0 if it has none, and the level NoLevel if that does not exist
// or does not lie below the level of the whole gang.
func (s *State) SlicesOf(g app.AtomicGang) (level, size int) {
	said := g.Row().Topology
	if said.Slice.Size == 0 {
		return NoLevel, 0
	}
	if !s.conf.LiesBelow(said.Slice.Level, said.Required) || !s.conf.LiesBelow(said.Slice.Level, said.Preferred) {
		return NoLevel, said.Slice.Size
	}
	return s.conf.Level(said.Slice.Level), said.Slice.Size
}

// isSliced reports whether a gang is placed and has slices.
func isSliced(g app.AtomicGang) bool {
	r := g.Row()
	return r.Topology.Slice.Size != 0 && r.Placed && !r.Dissolved
}

// FormSlices divides members that are about to be allocated together, in order, into slices.
func (s *State) FormSlices(list []Placement) {
	g := list[0].Ask.Atomic()
	size := g.Row().Topology.Slice.Size
	if size == 0 {
		return
	}
	s.edit(list[0].Ask.App()).EditGang(g).SucceededIn = readonly.List[int]{}
	for i := range list {
		s.asks.SetSlice(list[i].Ask.Slot(), int32(i/size)+1)
	}
}

// joinSlice makes a member that has a node a member of the first slice that lacks one and is in the domain of the node or, if there is none, of
// the first slice of which no member is left.
func (s *State) joinSlice(ask app.Ask, n int32) {
	g := ask.Atomic()
	if g.IsNone() || g.Row().Topology.Slice.Size == 0 || s.asks.View().Slice(ask.Slot()) != 0 || n == app.NoNode {
		return
	}
	level, size := s.SlicesOf(g)
	list := s.slices(ask.App(), g)
	at := slices.IndexFunc(list, func(x slice) bool {
		return x.there > 0 && x.lacks(size) > 0 && level != NoLevel && s.InOneDomain(level, x.node, n)
	})
	if at < 0 {
		at = slices.IndexFunc(list, func(x slice) bool { return x.there == 0 && x.lacks(size) > 0 })
	}
	if at < 0 {
		at = len(list)
	}
	s.asks.SetSlice(ask.Slot(), int32(at)+1)
}

// leaveSlice undoes joinSlice for a pending member.
func (s *State) leaveSlice(ask app.Ask) { s.asks.SetSlice(ask.Slot(), 0) }

// slices lists the slices of a placed gang by number.
func (s *State) slices(a app.App, g app.AtomicGang) (list []slice) {
	row := g.Row()
	at := func(number int32) *slice {
		for len(list) < int(number) {
			list = append(list, slice{node: app.NoNode})
		}
		return &list[number-1]
	}
	add := func(ask app.Ask, n int32) {
		number := s.asks.View().Slice(ask.Slot())
		if ask.Atomic() != g || ask.Leaving() || number == 0 {
			return
		}
		x := at(number)
		if x.there++; x.node == app.NoNode {
			x.node = n
		}
	}
	for v := a.FirstPlaced(); !v.IsNone(); v = v.NextOfApp() {
		add(v, v.Node())
	}
	if a.HasGang() {
		for _, task := range s.PendingOf(a) {
			if r, waits := s.Replacements().Of(task.Slot()); waits {
				add(task, r.Node)
			}
		}
	}
	for i := range row.SucceededIn.Len() {
		at(int32(i) + 1).succeeded = row.SucceededIn.At(i)
	}
	return list
}

// succeededInSlice counts a member of a slice that has succeeded.
func (s *State) succeededInSlice(ask app.Ask) {
	number := int(s.asks.View().Slice(ask.Slot()))
	if number == 0 {
		return
	}
	row := s.edit(ask.App()).EditGang(ask.Atomic())
	counts := row.SucceededIn.Clone()
	for len(counts) < number {
		counts = append(counts, 0)
	}
	counts[number-1]++
	row.SucceededIn = readonly.Of(counts)
}

// slicesChanged has the pending members of a gang assigned to its slices again, after a change of them or of their order.
func (s *State) slicesChanged(ask app.Ask) {
	if g := ask.Atomic(); !g.IsNone() && isSliced(g) {
		s.bindLater(ask.App(), g)
	}
}

// bindToSlices gives each pending member the class of the domain of its slice.
func (s *State) bindToSlices(a app.App, g app.AtomicGang) {
	var members []app.Ask
	for _, ask := range s.PendingOf(a) {
		if ask.Atomic() == g && !ask.IsReplacing() {
			members = append(members, ask)
		}
	}
	slices.SortFunc(members, a.Compare)
	size := g.Row().Topology.Slice.Size
	for _, x := range s.slices(a, g) {
		for range min(x.lacks(size), len(members)) {
			s.placeIn(members[0], s.topologyOfSlice(g, x.node))
			members = members[1:]
		}
	}
	for _, ask := range members {
		s.placeIn(ask, s.topologyOfSlice(g, app.NoNode))
	}
}

// topologyOfSlice returns the topology of the pending members of a slice that has a member on a node, or none if that is NoNode: then its domain
// may be any in the domain of the gang.
func (s *State) topologyOfSlice(g app.AtomicGang, n int32) class.Topology {
	row := g.Row()
	level, _ := s.SlicesOf(g)
	of := class.Topology{} // the domain of the slice
	if n != app.NoNode && level != NoLevel {
		of = s.topologyAt(n, row.Topology.Slice.Level)
	}
	if !of.IsNone() && (row.Topology.Required == "" || s.topologyAt(n, row.Topology.Required) == row.Bound) {
		return of
	}
	key := sliceBound{row.Bound, of, level}
	t, known := s.sliceBounds[key]
	if !known {
		if len(s.sliceBounds) >= mostBound || s.sliceBounds == nil {
			s.sliceBounds = map[sliceBound]class.Topology{}
		}
		if of.IsNone() {
			t = row.Bound.With(constraintsOfLevel(s.conf, level, row.Topology.Slice.Level)...)
		} else { // the node has left the domain of the gang
			t = row.Bound.And(of)
		}
		s.sliceBounds[key] = t
	}
	return t
}

// sliceBound is the key of the topology of asks that wait for the domain of a gang and that of a slice, or any domain of a level if there is none.
type sliceBound struct {
	gang, slice class.Topology
	level       int
}
