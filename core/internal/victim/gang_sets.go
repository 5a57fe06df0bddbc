package victim

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// victimSets enumerates sets of victims for one assignment, depth first. It extends a set by the victims after its last
// one, and stops if the set frees enough, or if all further victims together could not.
type victimSets struct {
	needs    []gangNeed
	possible []victim
	nodes    []int32   // by possible victim: row of its node
	after    [][]int64 // after[i]: the amounts that possible[i:] free of each need; one row more than victims
	have     [][]int64 // by size of the set: the amounts available for each need
	set      []victim
	next     []int // by size of the set: the next victim to add
}

// gangNeed is an amount of a type that is needed on a node or, if node is negative, below a max.
type gangNeed struct {
	node   int32
	lane   int
	meets  int32
	has    int64
	amount int64
}

// beginSets starts the enumeration of sets of victims on the given nodes, in addition to the fixed ones.
func (s *GangSearch) beginSets(from []int32) {
	x := &s.sets
	if s.phase == gangExact && !s.mayFit(from) {
		s.steps++
		s.inSet = false
		return
	}
	s.inSet = true
	x.possible, x.nodes, x.set, x.next, x.have = x.possible[:0], x.nodes[:0], x.set[:0], x.next[:0], x.have[:0]
	for _, i := range from {
		for a := s.f.oldest(s.nodes[i]); !a.IsNone(); a = a.NextOnNode() {
			v := victim{a, a.Class(), a.Placed(), priorityOf(a), int32(a.App().Leaf().ID()), protection(a)}
			if possibleVictim(a) && s.p.preemptable(&v) && !s.fixed.has(a) {
				x.possible, x.nodes = append(x.possible, v), append(x.nodes, i)
			}
		}
	}
	s.findNeeds(from)
	x.sumUp(&s.p)
	first := make([]int64, len(x.needs))
	for i := range x.needs {
		first[i] = x.needs[i].has
	}
	s.cost += 8 + 4*len(x.needs)*(1+len(x.possible)) + len(x.possible)
	x.have = append(x.have, first)
	s.enter(0)
}

// mayFit reports whether each node has room for its members if all possible victims left. Most assignments fail this check.
func (s *GangSearch) mayFit(nodes []int32) bool {
	for _, i := range nodes {
		if !s.summed[i] {
			s.sumPreemptable(i)
		}
		most, rooms := s.row(s.freeable, i), s.row(s.rooms, i)
		for t, amount := range s.row(s.load, i) {
			if amount > 0 && resource.Add(rooms[t], most[t]) < amount {
				return false
			}
		}
	}
	return true
}

// sumPreemptable computes the sum of all possible victims on a node.
func (s *GangSearch) sumPreemptable(i int32) {
	s.summed[i] = true
	for a := s.f.oldest(s.nodes[i]); !a.IsNone(); a = a.NextOnNode() {
		if v := (victim{a, a.Class(), a.Placed(), priorityOf(a), int32(a.App().Leaf().ID()), protection(a)}); possibleVictim(a) && s.p.preemptable(&v) {
			s.row(s.freeable, i).Add(a.Class().Demand())
		}
	}
}

// findNeeds lists the needs of the members on the given nodes, and those below each max. On other nodes, the fixed victims are enough.
func (s *GangSearch) findNeeds(from []int32) {
	x := &s.sets
	x.needs = x.needs[:0]
	for _, i := range from {
		rooms := s.row(s.rooms, i)
		for t, amount := range s.row(s.load, i) {
			if room := rooms[t]; amount > 0 && room < amount {
				if len(s.fixed.list) > 0 {
					room = resource.Add(room, s.row(s.fixed.freedOn, i)[t])
				}
				x.needs = append(x.needs, gangNeed{node: i, lane: t, has: room, amount: amount})
			}
		}
	}
	for k, over := range s.p.overMax {
		n := gangNeed{node: -1, lane: over.lane, meets: over.meets, amount: over.amount}
		if len(s.fixed.list) > 0 {
			n.has = s.fixed.over[k]
		}
		x.needs = append(x.needs, n)
	}
}

// addFreed adds the amounts that a victim on a node frees of each need.
func (x *victimSets) addFreed(p *problem, have []int64, v *victim, on int32) {
	for i := range x.needs {
		n := &x.needs[i]
		if n.node == on || n.node < 0 && p.leaves[v.leaf].meets <= n.meets {
			have[i] = resource.Add(have[i], v.class.Demand().At(n.lane))
		}
	}
}

// sumUp computes for each victim how much it and all later ones free.
func (x *victimSets) sumUp(p *problem) {
	rows := make([]int64, (len(x.possible)+1)*len(x.needs))
	x.after = x.after[:0]
	for i := range len(x.possible) + 1 {
		x.after = append(x.after, rows[i*len(x.needs):(i+1)*len(x.needs)])
	}
	for i := len(x.possible) - 1; i >= 0; i-- {
		copy(x.after[i], x.after[i+1])
		x.addFreed(p, x.after[i], &x.possible[i], x.nodes[i])
	}
}

// enough reports whether the available amounts, plus more if it is not nil, meet all needs.
func (x *victimSets) enough(have, more []int64) bool {
	for i := range x.needs {
		sum := have[i]
		if more != nil {
			sum = resource.Add(sum, more[i])
		}
		if sum < x.needs[i].amount {
			return false
		}
	}
	return true
}

// enter considers the current set. If it is not enough, it may be extended by the victims from the given one on.
func (s *GangSearch) enter(from int) {
	x := &s.sets
	have := x.have[len(x.have)-1]
	if s.steps++; s.steps <= gangSteps {
		s.work += 1 + len(x.possible) - from
		if x.enough(have, nil) {
			s.consider()
		} else if x.enough(have, x.after[from]) {
			x.next = append(x.next, from)
			return
		}
	}
	x.pop()
	s.inSet = len(x.next) > 0
}

// pop removes the last victim of the set, if there is one.
func (x *victimSets) pop() {
	x.have = x.have[:len(x.have)-1]
	if len(x.set) > 0 {
		x.set = x.set[:len(x.set)-1]
	}
}

// stepSet extends the set by the next victim, or backtracks by one.
func (s *GangSearch) stepSet() {
	x := &s.sets
	top := len(x.next) - 1
	i := x.next[top]
	if i == len(x.possible) {
		x.next = x.next[:top]
		x.pop()
		s.inSet = top > 0
		return
	}
	x.next[top]++
	have := slices.Clone(x.have[len(x.have)-1])
	x.addFreed(&s.p, have, &x.possible[i], x.nodes[i])
	x.have, x.set = append(x.have, have), append(x.set, x.possible[i])
	s.enter(i + 1)
}

// consider makes the current set, which is enough, the best one if it is lawful and does less harm.
func (s *GangSearch) consider() {
	x, c := &s.sets, &s.spare
	s.cost += 8*len(x.set) + 4*s.width
	c.set.victims = c.set.victims[:0]
	if len(x.set)+len(s.fixed.list) > 0 {
		s.computeHarm(&c.set)
	}
	if s.best != nil && s.compareToBest(c) >= 0 || !s.fixed.guardsAllow(&s.p, x.set) {
		return
	}
	c.last, c.on = s.nodeOf[len(s.nodeOf)-1], append(c.on[:0], s.on...)
	if s.phase == gangExact {
		c.nodeOf = append(c.nodeOf[:0], s.nodeOf...)
	}
	if s.best == nil {
		s.best = &GangSet{}
	}
	*s.best, s.spare = s.spare, *s.best
}

// computeHarm computes the harm of the current set together with the fixed victims.
func (s *GangSearch) computeHarm(set *Set) {
	x, f := &s.sets, &s.fixed
	s.p.fillHarm(set, x.set)
	room, freed := make(resource.Vec, s.width), make(resource.Vec, s.width)
	switch last := s.nodeOf[len(s.nodeOf)-1]; {
	case len(f.list) > 0:
		set.harm.top = max(set.harm.top, f.top)
		room.Add(f.room.Amounts())
		freed.Add(f.freed.Amounts())
		if s.count[last] == 1 {
			s.addRoom(room, last)
		}
	default:
		for _, i := range s.on {
			s.addRoom(room, i)
		}
	}
	for i := range x.set {
		freed.Add(x.set[i].class.Demand())
	}
	set.harm.excess = s.p.excessOf(set.harm.excess[:0], room, freed)
}

// compareToBest orders sets by harm, and sets of equal harm by their nodes.
func (s *GangSearch) compareToBest(c *GangSet) int {
	harm, fixed := 0, len(s.fixed.list)
	if x, y := fixed+len(c.set.victims), fixed+len(s.best.set.victims); x == 0 || y == 0 {
		harm = cmp.Compare(x, y)
	} else {
		harm = c.set.compare(&s.best.set)
	}
	if harm != 0 {
		return harm
	}
	return slices.Compare(s.on, s.best.on) // rows are numbered in the order of IDs
}
