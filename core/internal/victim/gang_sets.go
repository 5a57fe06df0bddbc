package victim

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/resource"
)

// victimSets goes through the sets of victims that may be enough for an assignment: each is extended by the victims behind its
// last until it is, and no further.
type victimSets struct {
	needs    []gangNeed
	possible []victim
	nodes    []int32   // by possible victim: its node
	after    [][]int64 // by possible victim: what those from it on free of each need; one more
	have     [][]int64 // by size of the set: what is there of each need
	set      []victim
	next     []int // by size: the next victim to extend by
}

// gangNeed is so much of a type on a node or, where the node is below 0, below a max.
type gangNeed struct {
	node   int32
	lane   int
	meets  int32
	has    int64
	amount int64
}

// beginSets begins with the sets of victims on some nodes, beside those that are fixed.
func (s *GangSearch) beginSets(from []int32) {
	x := &s.picks
	if s.phase == gangExact && !s.mayHold(from) {
		s.steps++
		s.inSet = false
		return
	}
	s.inSet = true
	x.possible, x.nodes, x.set, x.next, x.have = x.possible[:0], x.nodes[:0], x.set[:0], x.next[:0], x.have[:0]
	for _, i := range from {
		for a := s.f.oldest(s.nodes[i].Slot); a != nil; a = a.Next(app.OnNode) {
			v := victim{a, a.Class, a.Placed, priorityOf(a), int32(a.App.Leaf.ID), protection(a)}
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

// mayHold reports whether each of some nodes has room for its members once all have left that may be preempted. Most
// assignments end here.
func (s *GangSearch) mayHold(nodes []int32) bool {
	for _, i := range nodes {
		if !s.summed[i] {
			s.sumPreemptable(i)
		}
		most, rooms := s.row(s.most, i), s.row(s.rooms, i)
		for t, amount := range s.row(s.load, i) {
			if amount > 0 && resource.Add(rooms[t], most[t]) < amount {
				return false
			}
		}
	}
	return true
}

// sumPreemptable works out what the allocations on a node free that may be preempted for the gang as a whole.
func (s *GangSearch) sumPreemptable(i int32) {
	s.summed[i] = true
	for a := s.f.oldest(s.nodes[i].Slot); a != nil; a = a.Next(app.OnNode) {
		if v := (victim{a, a.Class, a.Placed, priorityOf(a), int32(a.App.Leaf.ID), protection(a)}); possibleVictim(a) && s.p.preemptable(&v) {
			s.row(s.most, i).Add(a.Class.Demand)
		}
	}
}

// findNeeds lists what the members need that are on some nodes, and below the maxima. On other nodes those that are fixed are enough.
func (s *GangSearch) findNeeds(from []int32) {
	x := &s.picks
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

// free counts what a victim frees of each need.
func (x *victimSets) free(p *problem, have []int64, v *victim, on int32) {
	for i := range x.needs {
		n := &x.needs[i]
		if n.node == on || n.node < 0 && p.leaves[v.leaf].meets <= n.meets {
			have[i] = resource.Add(have[i], v.class.Demand[n.lane])
		}
	}
}

// sumUp works out what the victims from each on can free.
func (x *victimSets) sumUp(p *problem) {
	rows := make([]int64, (len(x.possible)+1)*len(x.needs))
	x.after = x.after[:0]
	for i := range len(x.possible) + 1 {
		x.after = append(x.after, rows[i*len(x.needs):(i+1)*len(x.needs)])
	}
	for i := len(x.possible) - 1; i >= 0; i-- {
		copy(x.after[i], x.after[i+1])
		x.free(p, x.after[i], &x.possible[i], x.nodes[i])
	}
}

// enough reports whether a set frees all that is needed, with more beside it if not nil.
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

// enter looks at the set as it is, which may be extended by victims from one on.
func (s *GangSearch) enter(from int) {
	x := &s.picks
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
	x.leave()
	s.inSet = len(x.next) > 0
}

// leave takes the last victim out, if there is one.
func (x *victimSets) leave() {
	x.have = x.have[:len(x.have)-1]
	if len(x.set) > 0 {
		x.set = x.set[:len(x.set)-1]
	}
}

// stepSet extends the set by the next victim, or goes back by one.
func (s *GangSearch) stepSet() {
	x := &s.picks
	top := len(x.next) - 1
	i := x.next[top]
	if i == len(x.possible) {
		x.next = x.next[:top]
		x.leave()
		s.inSet = top > 0
		return
	}
	x.next[top]++
	have := slices.Clone(x.have[len(x.have)-1])
	x.free(&s.p, have, &x.possible[i], x.nodes[i])
	x.have, x.set = append(x.have, have), append(x.set, x.possible[i])
	s.enter(i + 1)
}

// consider keeps a set that is enough, if it is lawful and the best so far.
func (s *GangSearch) consider() {
	x, c := &s.picks, &s.spare
	s.cost += 8*len(x.set) + 4*s.width
	c.set.victims = c.set.victims[:0]
	if len(x.set)+len(s.fixed.list) > 0 {
		s.rate(&c.set)
	}
	if s.best != nil && s.compareToBest(c) >= 0 || !s.fixed.spares(&s.p, x.set) {
		return
	}
	c.last, c.on = s.taken[len(s.taken)-1], append(c.on[:0], s.on...)
	if s.phase == gangExact {
		c.taken = append(c.taken[:0], s.taken...)
	}
	if s.best == nil {
		s.best = &GangSet{}
	}
	*s.best, s.spare = s.spare, *s.best
}

// rate works out the harm of the set that is looked at, together with the victims that are fixed.
func (s *GangSearch) rate(set *Set) {
	x, f := &s.picks, &s.fixed
	s.p.fillHarm(set, x.set)
	room, freed := make(resource.Vec, s.width), make(resource.Vec, s.width)
	switch last := s.taken[len(s.taken)-1]; {
	case len(f.list) > 0:
		set.harm.top = max(set.harm.top, f.top)
		room.Add(f.room)
		freed.Add(f.freed)
		if s.count[last] == 1 {
			s.addRoom(room, last)
		}
	default:
		for _, i := range s.on {
			s.addRoom(room, i)
		}
	}
	for i := range x.set {
		freed.Add(x.set[i].class.Demand)
	}
	set.harm.excess = s.p.excessOf(set.harm.excess[:0], room, freed)
}

// compareToBest puts first what does less harm; equal victims go by the nodes.
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
	return slices.Compare(s.on, s.best.on) // rows are in the order of IDs
}
