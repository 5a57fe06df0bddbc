package victim

import (
	"math"
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// startAssignment begins with the first node of the first member.
func (s *GangSearch) startAssignment() {
	s.at, s.first = append(s.at[:0], 0), s.first[:0]
	s.steps = 1
}

// take puts the next member on a node.
func (s *GangSearch) take(i int32) {
	s.row(s.load, i).Add(s.q.Members[len(s.taken)].Class.Demand)
	s.taken = append(s.taken, i)
	if s.count[i]++; s.count[i] == 1 {
		at, _ := slices.BinarySearch(s.on, i)
		s.on = slices.Insert(s.on, at, i)
	}
}

// takeOff takes the last member off its node.
func (s *GangSearch) takeOff() {
	last := len(s.taken) - 1
	i := s.taken[last]
	s.taken = s.taken[:last]
	s.unload(i, s.q.Members[last].Class.Demand)
	if s.count[i]--; s.count[i] == 0 {
		at, _ := slices.BinarySearch(s.on, i)
		s.on = slices.Delete(s.on, at, at+1)
	}
}

// unload takes a demand off a node's load. A sum that was too large to count is made again.
func (s *GangSearch) unload(i int32, demand resource.Vec) {
	load := s.row(s.load, i)
	if !slices.Contains(load, math.MaxInt64) {
		load.Sub(demand)
		return
	}
	clear(load)
	for m, n := range s.taken {
		if n == i {
			load.Add(s.q.Members[m].Class.Demand)
		}
	}
}

// takeBack takes members off their nodes until only so many are on one.
func (s *GangSearch) takeBack(left int) {
	for len(s.taken) > left {
		s.takeOff()
	}
}

// row is what rows hold of a node.
func (s *GangSearch) row(rows []int64, i int32) resource.Vec {
	return resource.Vec(rows[int(i)*s.width : (int(i)+1)*s.width])
}
