package victim

import (
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// sumUpHarm computes the harm of a set that was found member by member, which includes that of the victims of earlier members.
func (s *GangSearch) sumUpHarm() {
	set, on := &s.best.set, slices.Clone(s.best.nodeOf)
	slices.Sort(on)
	on = slices.Compact(on)
	list := slices.Clone(set.victims)
	s.p.fillHarm(set, list)
	set.harm.ended = s.p.ended(list)
	room, freed := make(resource.Vec, s.width), make(resource.Vec, s.width)
	for _, i := range on {
		s.addRoom(room, i)
	}
	for i := range list {
		if _, has := slices.BinarySearch(on, s.rowOf(list[i].ask.Node())); has {
			freed.Add(list[i].class.Demand())
		}
	}
	set.harm.excess = s.p.excessOf(set.harm.excess[:0], room, freed)
}

// Compare compares sets that searches on different nodes have found, by harm and then by their nodes.
func (a *GangSet) Compare(b *GangSet, compareNodes func(x, y int32) int) int {
	if harm := a.set.compare(&b.set); harm != 0 {
		return harm
	}
	return slices.CompareFunc(a.distinct(compareNodes), b.distinct(compareNodes), compareNodes)
}

// distinct returns the nodes of the members, each once, in order.
func (a *GangSet) distinct(compare func(x, y int32) int) []int32 {
	list := slices.Clone(a.Nodes)
	slices.SortFunc(list, compare)
	return slices.Compact(list)
}
