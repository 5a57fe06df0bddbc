package victim

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// victimSets enumerates sets of victims for one assignment, depth first. It extends a set by the choices after its last
// one, and stops if the set frees enough, or if all further choices together could not.
type victimSets struct {
	needs    []gangNeed
	possible []choice
	victims  []victim   // of all choices, in their order
	rows     []int32    // by victim: row of its node, or elsewhere
	units    takenUnits // those of the possible victims
	after    [][]int64  // after[i]: the amounts that possible[i:] free of each need; one row more than choices
	have     [][]int64  // by number of choices: the amounts available for each need
	picked   []int      // the choices of the current set
	set      []victim   // their victims
	next     []int      // by number of choices: the next one to add
}

// choice is a victim, or a gang that leaves as a whole.
type choice struct {
	from, to int        // indices of its victims
	of       *takenUnit // the innermost unit of a victim, or the one that leaves as a whole; nil for a victim that belongs to none
	whole    bool
}

// elsewhere is the row of a node that no member may use.
const elsewhere = -2

// allows reports whether the current set may be extended by a choice (law 8).
func (x *victimSets) allows(c *choice) bool {
	if c.whole {
		return c.of.restMayLeave(x.victims[c.from:c.to])
	}
	return c.of.allows(x.victims[c.from:c.to])
}

// count counts a choice or, with -1, takes it back.
func (x *victimSets) count(c *choice, sign int) {
	if c.whole {
		c.of.end(x.victims[c.from:c.to], sign)
	} else {
		c.of.add(x.victims[c.from:c.to], sign)
	}
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
	x.possible, x.victims, x.rows = x.possible[:0], x.victims[:0], x.rows[:0]
	x.units, x.set, x.picked, x.next, x.have = x.units[:0], x.set[:0], x.picked[:0], x.next[:0], x.have[:0]
	s.listUnits(from)
	s.addWholeUnits()
	for _, i := range from {
		s.eachPossible(i, func(v victim) { s.addVictim(v, i) })
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

// eachPossible calls yield with each possible victim on the node in a row that is not fixed.
func (s *GangSearch) eachPossible(row int32, yield func(v victim)) {
	for a := s.f.oldest(s.nodes[row]); !a.IsNone(); a = a.NextOnNode() {
		if v := victimOf(a); possibleVictim(a) && s.p.preemptable(&v) && !s.fixed.has(a) {
			yield(v)
		}
	}
}

// listUnits lists the units that have a possible victim on some nodes.
func (s *GangSearch) listUnits(rows []int32) {
	for _, i := range rows {
		s.eachPossible(i, func(v victim) {
			s.takenUnit(&v)
		})
	}
}

// addVictim adds a choice of one victim, unless its gang has no surplus.
func (s *GangSearch) addVictim(v victim, row int32) {
	x := &s.sets
	of := s.takenUnit(&v)
	if of != nil && !of.spares() {
		return
	}
	x.victims, x.rows = append(x.victims, v), append(x.rows, row)
	x.addChoice(1, of, false)
}

// addChoice makes a choice of the last victims.
func (x *victimSets) addChoice(victims int, of *takenUnit, whole bool) {
	x.possible = append(x.possible, choice{from: len(x.victims) - victims, to: len(x.victims), of: of, whole: whole})
}

// takenUnit returns what the set takes of the innermost unit of a victim, or nil if it belongs to none.
func (s *GangSearch) takenUnit(v *victim) *takenUnit {
	return s.sets.units.of(s.p.unitOf(v), func(member *victim) bool { return s.fixed.has(member.ask) })
}

// addWholeUnits adds the gangs that may leave as a whole.
func (s *GangSearch) addWholeUnits() {
	x := &s.sets
	for _, u := range x.units {
		if !u.whole {
			continue
		}
		for _, v := range u.members {
			if !s.fixed.has(v.ask) {
				x.victims, x.rows = append(x.victims, v), append(x.rows, s.rowOf(v.ask.Node()))
			}
		}
		x.addChoice(len(u.members)-u.fixed, u, true)
	}
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
		if v := victimOf(a); possibleVictim(a) && s.p.preemptable(&v) {
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

// addFreed adds the amounts that a choice frees of each need.
func (x *victimSets) addFreed(p *problem, have []int64, c *choice) {
	for j := c.from; j < c.to; j++ {
		v, on := &x.victims[j], x.rows[j]
		for i := range x.needs {
			n := &x.needs[i]
			if n.node == on || n.node < 0 && p.leaves[v.leaf].meets <= n.meets {
				have[i] = resource.Add(have[i], v.class.Demand().At(n.lane))
			}
		}
	}
}

// sumUp computes for each choice how much it and all later ones free.
func (x *victimSets) sumUp(p *problem) {
	rows := make([]int64, (len(x.possible)+1)*len(x.needs))
	x.after = x.after[:0]
	for i := range len(x.possible) + 1 {
		x.after = append(x.after, rows[i*len(x.needs):(i+1)*len(x.needs)])
	}
	for i := len(x.possible) - 1; i >= 0; i-- {
		copy(x.after[i], x.after[i+1])
		x.addFreed(p, x.after[i], &x.possible[i])
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

// enter considers the current set. If it is not enough, it may be extended by the choices from the given one on.
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

// pop removes the last choice of the set, if there is one.
func (x *victimSets) pop() {
	x.have = x.have[:len(x.have)-1]
	if last := len(x.picked) - 1; last >= 0 {
		c := &x.possible[x.picked[last]]
		x.count(c, -1)
		x.picked, x.set = x.picked[:last], x.set[:len(x.set)-(c.to-c.from)]
	}
}

// stepSet extends the set by the next choice, or backtracks by one.
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
	c := &x.possible[i]
	if !x.allows(c) {
		return
	}
	have := slices.Clone(x.have[len(x.have)-1])
	x.addFreed(&s.p, have, c)
	x.count(c, 1)
	x.have, x.picked, x.set = append(x.have, have), append(x.picked, i), append(x.set, x.victims[c.from:c.to]...)
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
	if len(f.list) > 0 && s.p.Elastic {
		set.harm.lasting = s.p.lasting(slices.Concat(f.list, x.set))
	}
	if set.harm.ended = f.ended; len(x.units) > 0 {
		set.harm.ended = s.p.ended(slices.Concat(f.list, x.set))
	}
	room, freed := make(resource.Vec, s.width), make(resource.Vec, s.width)
	switch last := s.nodeOf[len(s.nodeOf)-1]; {
	case len(f.list) > 0:
		set.harm.top = max(set.harm.top, f.top)
		room.Add(f.room.Amounts())
		freed.Add(f.freed.Amounts())
		if s.count[last] == 1 {
			s.addRoom(room, last)
			freed.Add(s.row(f.freedOn, last).Amounts())
		}
	default:
		for _, i := range s.on {
			s.addRoom(room, i)
		}
	}
	for _, i := range x.picked {
		for j := x.possible[i].from; j < x.possible[i].to; j++ {
			if row := x.rows[j]; row != elsewhere && s.count[row] > 0 {
				freed.Add(x.victims[j].class.Demand())
			}
		}
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
