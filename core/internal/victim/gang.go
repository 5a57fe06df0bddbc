package victim

import (
	"math"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/resumable"
	"github.com/quern-project/quern/core/resource"
)

// gangSteps bounds each of a gang's searches: the one for room that others leave, the one through every assignment with every
// set of victims and, where that is not enough, the one for each member.
const gangSteps = 100_000

// gangWork bounds the search member by member as a whole: it counts placeWork for each place of a member, and for each set of
// victims one and those that may be added to it. A gang for which that is not enough takes no victims.
const (
	gangWork  = 25_000_000
	placeWork = 8
)

// GangQuestion is the first members of a gang, which look for victims as a whole, and the cluster around them.
type GangQuestion struct {
	Question  // its ask is set by the search: all members in one
	Members   []*app.Ask
	Usable    func(*app.Ask, *node.Node) bool // the node passes all of a member but its room, and reservations let it
	ClaimedOn func(slot int32) resource.Vec   // what the asks need that have claims on the node
	Nodes     []*node.Node                    // all, by ID
}

// GangSet is where the members of a gang land, and the allocations they take for it.
type GangSet struct {
	Nodes       []*node.Node // by member
	Victims     []*app.Ask   // in order of allocation
	Approximate bool

	set   Set     // without the victims that are fixed
	on    []int32 // the nodes, once each, by ID
	taken []int32 // by member: its node, where all are assigned at once
	last  int32   // of the last member: its node
}

// GangSearch is the search for victims of a gang. It resumes where it stopped, as long as nothing changes.
type GangSearch struct {
	f *Finder
	q *GangQuestion
	p problem

	phase   gangPhase
	waits   bool // it fits once all have left that were told to
	steps   int
	shapes  []int32   // by member: members of one shape may use the same nodes
	places  [][]int32 // by shape: those nodes, by ID
	nodes   []*node.Node
	rooms   []int64 // rows, once all that leave have left
	leaving []int64 // the same, without what the asks with claims need
	width   int

	priority int32        // the lowest of the members
	demand   resource.Vec // what the first members ask for that make the problem
	asked    int          // so many

	at     []int32 // by member: where to look on in its places
	first  []int32 // by member: the first of its places that has room, while it only waits
	taken  []int32 // by member: its node
	on     []int32 // the nodes taken, once each, by ID
	load   []int64 // rows: what the members ask for that are on each node
	count  []int32 // by node: members on it
	most   []int64 // rows: what leaves with all that may be preempted for the gang as a whole, of the nodes that are summed
	summed []bool
	best   *GangSet
	spare  GangSet // memory for the next one
	cost   int     // of the step, about

	// One assignment, and the sets of victims that are tried for it.
	inSet   bool
	picks   victimSets
	fixed   fixedVictims
	current int             // the member that is searched for, where they are searched for one by one
	work    int             // see gangWork
	rowOf   map[int32]int32 // by slot of a node: its row
}

type gangPhase uint8

const (
	gangWaits gangPhase = iota
	gangExact
	gangByMember
	gangDone
)

// NewGangSearch begins a search.
func (f *Finder) NewGangSearch(q *GangQuestion) *GangSearch {
	s := &GangSearch{f: f, q: q, width: len(q.Total), priority: math.MaxInt32}
	f.refresh()
	q.Classes, q.Thorough = nil, true
	q.Beside = make(resource.Vec, s.width)
	for _, ask := range q.Members[:len(q.Members)-1] {
		q.Beside.Add(ask.Class.Demand)
	}
	for _, ask := range q.Members {
		s.priority = min(s.priority, ask.Priority)
	}
	s.formulate(len(q.Members))
	return s
}

// formulate makes the problem of the first so many members as one ask: of all, or of one more than before.
func (s *GangSearch) formulate(members int) {
	if members < s.asked {
		s.asked, s.demand = 0, nil
	}
	if s.demand == nil {
		s.demand = make(resource.Vec, s.width)
	}
	for ; s.asked < members; s.asked++ {
		s.demand.Add(s.q.Members[s.asked].Class.Demand)
	}
	s.q.Ask = app.Together(s.q.Members[0].App, class.Together(slices.Clone(s.demand)), s.priority)
	s.p.ranks = s.f.Ranks
	s.p.formulate(&s.q.Question)
}

// Run searches within about a budget. done is false if that did not suffice; the set is nil if none is needed, or none
// is found.
func (s *GangSearch) Run(budget resumable.Budget) (set *GangSet, done bool, spent int) {
	if s.phase == gangWaits && s.at == nil {
		if s.p.open == 0 { // no queue may lose anything
			return nil, true, 10
		}
		s.prepare()
		spent = 10 * len(s.q.Nodes)
	}
	for s.phase != gangDone {
		if budget.After(spent).Exhausted() || s.f.policyFailed() {
			return nil, false, spent
		}
		s.cost = 4
		s.step()
		spent += s.cost
	}
	if s.best == nil || len(s.best.set.victims) == 0 {
		return nil, true, spent
	}
	for _, v := range s.best.set.victims {
		s.best.Victims = append(s.best.Victims, v.ask)
	}
	for _, i := range s.best.taken {
		s.best.Nodes = append(s.best.Nodes, s.nodes[i])
	}
	return s.best, true, spent
}

// OnlyWaits reports whether the gang fits once all that were told to leave have left: it then needs no victims.
func (s *GangSearch) OnlyWaits() bool { return s.waits }

func (s *GangSearch) step() {
	switch s.phase {
	case gangWaits:
		s.stepWaits()
	case gangExact:
		s.stepExact()
	case gangByMember:
		s.stepMember()
	}
}

// prepare notes the nodes that members may use.
func (s *GangSearch) prepare() {
	var first []*app.Ask // of each shape
	for _, ask := range s.q.Members {
		i := slices.IndexFunc(first, func(x *app.Ask) bool { return x.Class == ask.Class && x.Priority == ask.Priority })
		if i < 0 {
			i, first = len(first), append(first, ask)
		}
		s.shapes = append(s.shapes, int32(i))
	}
	s.places = make([][]int32, len(first))
	for _, n := range s.q.Nodes {
		row := int32(len(s.nodes))
		used := false
		for i, ask := range first {
			if s.q.Usable(ask, n) {
				s.places[i], used = append(s.places[i], row), true
			}
		}
		if !used {
			continue
		}
		s.nodes = append(s.nodes, n)
		claimed := resource.Vec(nil)
		if n.Hold.IsClaimed() {
			claimed = s.q.ClaimedOn(n.Slot)
		}
		for t := range s.width {
			room := n.RoomToBe(t)
			s.rooms = append(s.rooms, room)
			if claimed != nil {
				room = resource.Sub(room, claimed[t])
			}
			s.leaving = append(s.leaving, room)
		}
	}
	s.load, s.count = make([]int64, len(s.rooms)), make([]int32, len(s.nodes))
	s.most, s.summed = make([]int64, len(s.rooms)), make([]bool, len(s.nodes))
	s.startAssignment()
	switch {
	case s.p.never || !s.mayBeEnough():
		s.phase = gangDone
	case len(s.p.overMax) > 0:
		s.beginExact()
	}
}

// mayBeEnough reports whether all nodes had room for the members, if all left that may be preempted.
func (s *GangSearch) mayBeEnough() bool {
	sum := make(resource.Vec, s.width)
	for i, n := range s.nodes {
		for t := range sum {
			sum[t] = resource.Add(sum[t], max(0, s.rooms[i*s.width+t]))
		}
		for a := s.f.oldest(n.Slot); a != nil; a = a.Next(app.OnNode) {
			v := victim{ask: a, prio: priorityOf(a), leaf: int32(a.App.Leaf.ID)}
			if possibleVictim(a) && s.p.preemptable(&v) {
				sum.Add(a.Class.Demand)
			}
		}
	}
	return s.p.Ask.Class.Fits(sum)
}

// stepWaits tries the next node for a member, among what will be free anyway.
func (s *GangSearch) stepWaits() {
	depth := len(s.at) - 1
	demand := s.q.Members[depth].Class
	places := s.places[s.shapes[depth]]
	for int(s.at[depth]) < len(places) {
		i := places[s.at[depth]]
		s.at[depth]++
		s.cost++
		room := s.row(s.leaving, i)
		if !demand.Fits(room) {
			continue
		}
		if s.steps++; s.steps > gangSteps {
			s.beginExact()
			return
		}
		if len(s.first) == depth {
			s.first = append(s.first, s.at[depth]-1)
		}
		s.take(i)
		if len(s.taken) == len(s.q.Members) {
			s.phase, s.waits = gangDone, true
			return
		}
		room.Sub(demand.Demand)
		s.at = append(s.at, s.firstPlace(depth))
		return
	}
	if depth == 0 {
		s.beginExact()
		return
	}
	s.at, s.first = s.at[:depth], s.first[:min(depth, len(s.first))]
	s.undo()
}

// firstPlace is where to begin with the member behind another: where that one has found no room, one like it finds none.
func (s *GangSearch) firstPlace(before int) int32 {
	if s.shapes[before+1] == s.shapes[before] {
		return s.first[before]
	}
	return 0
}

// undo takes the last member off its node, and gives its room back.
func (s *GangSearch) undo() {
	last := len(s.taken) - 1
	s.row(s.leaving, s.taken[last]).Add(s.q.Members[last].Class.Demand)
	s.takeOff()
}

// beginExact goes over to all assignments, on nodes without claims of others.
func (s *GangSearch) beginExact() {
	s.phase = gangExact
	s.takeBack(0)
	for i := range s.places {
		s.places[i] = slices.DeleteFunc(s.places[i], func(n int32) bool { return s.nodes[n].Hold.IsClaimed() })
	}
	s.startAssignment()
}

// stepExact tries the next set of victims, or the next node for a member.
func (s *GangSearch) stepExact() {
	if s.inSet {
		s.stepSet()
	} else {
		s.nextPlace()
	}
	if s.steps > gangSteps {
		s.beginMembers()
	}
}

func (s *GangSearch) nextPlace() {
	depth := len(s.at) - 1
	places := s.places[s.shapes[depth]]
	s.takeBack(depth)
	if int(s.at[depth]) == len(places) {
		if s.at = s.at[:depth]; depth == 0 {
			s.phase = gangDone
		}
		return
	}
	s.take(places[s.at[depth]])
	s.at[depth]++
	if s.steps++; s.steps > gangSteps {
		return
	}
	if len(s.taken) == len(s.q.Members) {
		s.beginSets(s.on)
		return
	}
	s.at = append(s.at, 0)
}

// beginMembers goes over to one member after the other.
func (s *GangSearch) beginMembers() {
	s.phase, s.inSet, s.current = gangByMember, false, 0
	s.fixed, s.work = fixedVictims{freedOn: make([]int64, len(s.rooms))}, 0
	s.rowOf = map[int32]int32{}
	for i, n := range s.nodes {
		s.rowOf[n.Slot] = int32(i)
	}
	s.takeBack(0)
	s.beginMember()
}

func (s *GangSearch) beginMember() {
	s.best, s.steps = nil, 0
	s.at = append(s.at[:0], 0)
	s.formulate(s.current + 1)
	s.sumUpFixed()
}

// stepMember tries the next set of victims, or the next node, for the member whose turn it is.
func (s *GangSearch) stepMember() {
	places := s.places[s.shapes[s.current]]
	switch {
	case s.work > gangWork:
		s.best, s.phase = nil, gangDone
	case s.inSet && s.steps <= gangSteps:
		s.stepSet()
	case int(s.at[0]) < len(places) && s.steps <= gangSteps:
		s.inSet = false
		s.work += placeWork
		s.takeBack(s.current)
		s.take(places[s.at[0]])
		s.at[0]++
		s.beginSets(s.taken[s.current:])
	case s.best == nil:
		s.phase = gangDone
	default:
		s.inSet = false
		s.fix()
		if s.current++; s.current == len(s.q.Members) {
			s.best.set.victims, s.best.taken, s.best.Approximate, s.phase = s.fixed.list, s.taken, true, gangDone
			return
		}
		s.beginMember()
	}
}
