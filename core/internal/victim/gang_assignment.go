package victim

import (
	"math"
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// startAssignment restarts the enumeration of assignments at the first node of the first member.
func (s *GangSearch) startAssignment() {
	s.at, s.first = append(s.at[:0], 0), s.first[:0]
	s.steps = 1
}

// assign puts the next member on a node.
func (s *GangSearch) assign(i int32) {
	s.row(s.load, i).Add(s.q.Members[len(s.nodeOf)].Class().Demand())
	s.nodeOf = append(s.nodeOf, i)
	if s.count[i]++; s.count[i] == 1 {
		at, _ := slices.BinarySearch(s.on, i)
		s.on = slices.Insert(s.on, at, i)
	}
}

// inSlice reports whether a member may be on a node as far as its slice is concerned, of which the members before it are assigned.
func (s *GangSearch) inSlice(member int, i int32) bool {
	size := s.q.SliceSize
	if size == 0 {
		return true
	}
	d := s.domains[i]
	return d >= 0 && (member%size == 0 || s.domains[s.nodeOf[member-member%size]] == d)
}

// nextInSlice returns the index of the first place, from the given one on, that the slice of a member permits.
func (s *GangSearch) nextInSlice(member int, places []int32, from int32) int32 {
	for int(from) < len(places) && !s.inSlice(member, places[from]) {
		from++
	}
	return from
}

// unassign removes the last member from its node.
func (s *GangSearch) unassign() {
	last := len(s.nodeOf) - 1
	i := s.nodeOf[last]
	s.nodeOf = s.nodeOf[:last]
	s.unload(i, s.q.Members[last].Class().Demand())
	if s.count[i]--; s.count[i] == 0 {
		at, _ := slices.BinarySearch(s.on, i)
		s.on = slices.Delete(s.on, at, at+1)
	}
}

// unload subtracts a demand from a node's load. A sum that had saturated is computed again from the members that are left.
func (s *GangSearch) unload(i int32, demand resource.Amounts) {
	load := s.row(s.load, i)
	if !slices.Contains(load, math.MaxInt64) {
		load.Sub(demand)
		return
	}
	clear(load)
	for m, n := range s.nodeOf {
		if n == i {
			load.Add(s.q.Members[m].Class().Demand())
		}
	}
}

// unassignTo removes members from their nodes until so many are left.
func (s *GangSearch) unassignTo(left int) {
	for len(s.nodeOf) > left {
		s.unassign()
	}
}

// row returns the row of a node in a table of amounts.
func (s *GangSearch) row(rows []int64, i int32) resource.Vec {
	return resource.Vec(rows[int(i)*s.width : (int(i)+1)*s.width])
}
