package victim

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/node"
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
	distinct []int32
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
	s.inSet = true
	x := &s.picks
	x.possible, x.nodes, x.set, x.next, x.have = x.possible[:0], x.nodes[:0], append(x.set[:0], s.fixed...), x.next[:0], x.have[:0]
	x.distinct = s.distinct()
	for _, i := range from {
		for a := s.f.oldest(s.nodes[i].Slot); a != nil; a = a.Next(app.OnNode) {
			v := victim{a, a.Class, a.Placed, priorityOf(a), int32(a.App.Leaf.ID), protection(a)}
			if possibleVictim(a) && s.p.preemptable(&v) && !slices.ContainsFunc(s.fixed, func(w victim) bool { return w.ask == a }) {
				x.possible, x.nodes = append(x.possible, v), append(x.nodes, i)
			}
		}
	}
	s.findNeeds()
	x.sumUp(&s.p)
	first := make([]int64, len(x.needs))
	for i := range x.needs {
		first[i] = x.needs[i].has
	}
	for i := range s.fixed {
		x.free(&s.p, first, &s.fixed[i], s.indexOf(s.fixed[i].ask))
	}
	x.have = append(x.have, first)
	s.enter(0)
}

// indexOf is the index of the node that a victim is on.
func (s *GangSearch) indexOf(a *app.Ask) int32 {
	return int32(slices.IndexFunc(s.nodes, func(n *node.Node) bool { return n.Slot == a.Node }))
}

// findNeeds lists what the members need that are on their nodes.
func (s *GangSearch) findNeeds() {
	x := &s.picks
	x.needs = x.needs[:0]
	for _, i := range x.distinct {
		demand := make(resource.Vec, s.width)
		for m, n := range s.taken {
			if n == i {
				demand.Add(s.q.Members[m].Class.Demand)
			}
		}
		for t, amount := range demand {
			if room := s.rooms[int(i)*s.width+t]; amount > 0 && room < amount {
				x.needs = append(x.needs, gangNeed{node: i, lane: t, has: room, amount: amount})
			}
		}
	}
	for _, over := range s.p.overMax {
		x.needs = append(x.needs, gangNeed{node: -1, lane: over.lane, meets: over.meets, amount: over.amount})
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
	x.after = make([][]int64, len(x.possible)+1)
	x.after[len(x.possible)] = make([]int64, len(x.needs))
	for i := len(x.possible) - 1; i >= 0; i-- {
		x.after[i] = slices.Clone(x.after[i+1])
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
		if x.enough(have, nil) {
			s.consider()
		} else if x.enough(have, x.after[from]) {
			x.next = append(x.next, from)
			return
		}
	}
	x.leave(len(s.fixed))
	s.inSet = len(x.next) > 0
}

// leave takes the last victim out, if the set has more than so many.
func (x *victimSets) leave(fixed int) {
	x.have = x.have[:len(x.have)-1]
	if len(x.set) > fixed {
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
		x.leave(len(s.fixed))
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
	x := &s.picks
	c := &GangSet{}
	room := make(resource.Vec, s.width)
	for _, i := range x.distinct {
		c.ids = append(c.ids, s.nodes[i].ID)
		for t := range room {
			room[t] = resource.Add(room[t], max(0, s.rooms[int(i)*s.width+t]))
		}
	}
	if len(x.set) > 0 {
		s.p.fill(&c.set, &nodeView{room: room}, x.set)
	}
	if s.best != nil && c.compare(s.best) >= 0 || !s.p.spared(x.set) {
		return
	}
	for _, i := range s.taken {
		c.Nodes = append(c.Nodes, s.nodes[i])
	}
	s.best = c
}
