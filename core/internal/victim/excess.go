package victim

import (
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// excess appends the amounts that would be free beyond the ask's need, for the types that the victims use, as shares of the cluster
// from the largest. Victims on other nodes do not count.
func (p *problem) excess(list []int64, s *nodeView, victims []victim) []int64 {
	from := len(list)
	for t, room := range s.room {
		freed := int64(0)
		for i := range victims {
			if s.has(&victims[i]) {
				freed = resource.Add(freed, victims[i].class.Demand().At(t))
			}
		}
		if freed > 0 {
			list = append(list, p.beyond(t, room, freed))
		}
	}
	slices.Sort(list[from:])
	slices.Reverse(list[from:])
	return list
}

// excessOf is excess for the sum of the amounts that victims free.
func (p *problem) excessOf(list []int64, room, freed resource.Vec) []int64 {
	for t, amount := range freed {
		if amount > 0 {
			list = append(list, p.beyond(t, room[t], amount))
		}
	}
	slices.Sort(list)
	slices.Reverse(list)
	return list
}

// beyond returns the amount of a type that would be free beyond the ask's need, as a share of the cluster.
func (p *problem) beyond(t int, room, freed int64) int64 {
	return resource.Share(resource.Sub(resource.Add(max(0, room), freed), p.Ask.Class().Demand().At(t)), p.Total[t])
}

// compareExcess compares two sets by their excess.
func (p *problem) compareExcess(scratch *[]int64, s *nodeView, a []victim, t *nodeView, b []victim) int {
	list := p.excess((*scratch)[:0], s, a)
	n := len(list)
	list = p.excess(list, t, b)
	*scratch = list
	return slices.Compare(list[:n], list[n:])
}

// topShares returns the two largest excess shares of a set, with -1 for none. more reports whether there are further ones.
func (p *problem) topShares(s *nodeView, victims []victim) (top [2]int64, more bool) {
	top = [2]int64{-1, -1}
	types := 0
	for t := range s.room {
		freed := int64(0)
		for i := range victims {
			freed = resource.Add(freed, victims[i].class.Demand().At(t))
		}
		if freed > 0 {
			v := p.beyond(t, s.room[t], freed)
			if v > top[0] {
				v, top[0] = top[0], v
			}
			top[1] = max(top[1], v)
			types++
		}
	}
	return top, types > len(top)
}
