package victim

import (
	"math"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/readonly"
	"github.com/quern-project/quern/core/internal/resumable"
	"github.com/quern-project/quern/core/resource"
)

// gangSteps bounds each phase of a gang's search: the search for room without victims, the search through all assignments and sets
// of victims, and the search for each single member.
const gangSteps = 100_000

// gangWork bounds the whole search member by member. Each node tried for a member counts placeWork; each set of victims counts one
// more than the number of victims that could be added to it. A gang that exceeds the bound gets no victims.
const (
	gangWork  = 25_000_000
	placeWork = 8
)

// GangQuestion describes the members of a gang that have to be placed together, and the cluster.
type GangQuestion struct {
	Question  // the search sets its Ask to the sum of all members
	Members   []app.Ask
	Usable    func(ask app.Ask, node int32) bool // the node meets all requirements of a member except room, and its reservation permits the member
	ClaimedOn func(slot int32) resource.Amounts  // sum of the demands of the asks that claim the node
	Nodes     readonly.List[int32]               // the nodes to search, sorted by ID
	OnlyRoom  bool                               // only find out whether the gang needs no victims (OnlyWaits)
	SliceSize int                                // the members of each slice, in order, must be in one domain; 0 if there are no slices
	DomainOf  func(node int32) int32             // of slices; negative if the node is in none
}

// GangSet is a set of victims for a gang, and the node of each member.
type GangSet struct {
	Nodes       []int32   // by member
	Victims     []app.Ask // in order of allocation
	Approximate bool

	set    Set     // without fixed victims
	on     []int32 // rows of the distinct nodes, ascending
	nodeOf []int32 // by member: row of its node, if all members were assigned together
	last   int32   // row of the last member's node
}

// GangSearch is a resumable search for victims of a gang. Run continues where it stopped. A search is valid until the cluster
// changes. Nodes are identified by rows, numbers in the order of their IDs.
type GangSearch struct {
	f *Finder
	q *GangQuestion
	p problem

	phase     gangPhase
	fitsLater bool // the gang fits without victims once leaving allocations have left
	steps     int
	shapes    []int32   // by member: number of its shape; members of one shape may use the same nodes
	domains   []int32   // by node: its domain, if there are slices
	places    [][]int32 // by shape: rows of the usable nodes, ascending
	nodes     []int32
	rooms     []int64 // a row of amounts for each node: its room once leaving allocations have left
	unclaimed []int64 // the same, minus the demands of asks that claim the node and of members assigned there
	width     int

	priority   int32        // the lowest priority of the members
	demand     resource.Vec // sum over the first members, which the problem is about
	formulated int          // number of those members

	at       []int32 // by depth of the search: next index in the places of that member
	first    []int32 // by member: the first of its places with room, in the phase without victims
	nodeOf   []int32 // by assigned member: row of its node
	on       []int32 // rows of the distinct nodes in nodeOf, ascending
	load     []int64 // a row of amounts for each node: sum of the demands of the members assigned there
	count    []int32 // by node: number of members assigned there
	freeable []int64 // a row of amounts for each summed node: the amounts of all allocations that may be victims of the gang
	summed   []bool
	best     *GangSet
	spare    GangSet // memory for the next candidate
	cost     int     // approximate cost of the current step

	// The sets of victims that are tried for the current assignment.
	inSet   bool
	sets    victimSets
	fixed   fixedVictims
	current int             // in the phase by member: the current member
	work    int             // work done in the phase by member, see gangWork
	rows    map[int32]int32 // by slot of a node that members may use; nil until it is needed
}

type gangPhase uint8

const (
	gangWithoutVictims gangPhase = iota
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
		q.Beside.Add(ask.Class().Demand())
	}
	for _, ask := range q.Members {
		s.priority = min(s.priority, ask.Priority())
	}
	s.formulate(len(q.Members))
	return s
}

// formulate makes the problem of the first members, combined into one ask: all members, or one more than before.
func (s *GangSearch) formulate(members int) {
	if members < s.formulated {
		s.formulated, s.demand = 0, nil
	}
	if s.demand == nil {
		s.demand = make(resource.Vec, s.width)
	}
	for ; s.formulated < members; s.formulated++ {
		s.demand.Add(s.q.Members[s.formulated].Class().Demand())
	}
	s.q.Ask = app.Together(s.q.Members[0].App(), class.Together(slices.Clone(s.demand)), s.priority)
	s.p.ranks = s.f.Ranks
	s.p.formulate(&s.q.Question)
}

// Run searches within a budget of steps. done is false if they did not suffice or a policy failed; call Run again to continue. When
// the search is done, the set is nil if the gang needs no victims (OnlyWaits) or none were found.
func (s *GangSearch) Run(budget resumable.Budget) (set *GangSet, done bool, spent int) {
	if s.phase == gangWithoutVictims && s.at == nil {
		if s.p.openLeaves == 0 { // no queue permits victims
			return nil, true, 10
		}
		s.prepare()
		spent = 10 * s.q.Nodes.Len()
	}
	for s.phase != gangDone {
		if q := s.q; q.OnlyRoom && s.phase != gangWithoutVictims {
			return nil, true, spent
		}
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
	if s.best.Approximate {
		s.sumUpHarm()
	}
	for _, v := range s.best.set.victims {
		s.best.Victims = append(s.best.Victims, v.ask)
	}
	for _, i := range s.best.nodeOf {
		s.best.Nodes = append(s.best.Nodes, s.nodes[i])
	}
	return s.best, true, spent
}

// OnlyWaits reports whether the gang needs no victims, since it fits once leaving allocations have left.
func (s *GangSearch) OnlyWaits() bool { return s.fitsLater }

func (s *GangSearch) step() {
	switch s.phase {
	case gangWithoutVictims:
		s.stepWithoutVictims()
	case gangExact:
		s.stepExact()
	case gangByMember:
		s.stepMember()
	}
}

// prepare collects the nodes that members may use, and their room.
func (s *GangSearch) prepare() {
	var first []app.Ask // the first member of each shape
	for _, ask := range s.q.Members {
		i := slices.IndexFunc(first, func(x app.Ask) bool { return x.Class() == ask.Class() && x.Priority() == ask.Priority() })
		if i < 0 {
			i, first = len(first), append(first, ask)
		}
		s.shapes = append(s.shapes, int32(i))
	}
	s.places = make([][]int32, len(first))
	for n := range s.q.Nodes.All {
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
		if s.q.SliceSize > 0 {
			s.domains = append(s.domains, s.q.DomainOf(n))
		}
		claimed := resource.Amounts{}
		if s.f.nodes.Hold(n).IsClaimed() {
			claimed = s.q.ClaimedOn(n)
		}
		for t := range s.width {
			room := s.f.nodes.FutureRoom(n, t)
			s.rooms = append(s.rooms, room)
			if claimed.Len() > 0 {
				room = resource.Sub(room, claimed.At(t))
			}
			s.unclaimed = append(s.unclaimed, room)
		}
	}
	s.load, s.count = make([]int64, len(s.rooms)), make([]int32, len(s.nodes))
	s.freeable, s.summed = make([]int64, len(s.rooms)), make([]bool, len(s.nodes))
	s.startAssignment()
	switch {
	case s.p.askExceedsMax || !s.mayBeEnough():
		s.phase = gangDone
	case len(s.p.overMax) > 0:
		s.beginExact()
	}
}

// mayBeEnough reports whether the total room of all nodes would suffice if all possible victims left.
func (s *GangSearch) mayBeEnough() bool {
	sum := make(resource.Vec, s.width)
	for i, n := range s.nodes {
		for t := range sum {
			sum[t] = resource.Add(sum[t], max(0, s.rooms[i*s.width+t]))
		}
		for a := s.f.oldest(n); !a.IsNone(); a = a.NextOnNode() {
			if v := victimOf(a); possibleVictim(a) && s.p.preemptable(&v) {
				sum.Add(a.Class().Demand())
			}
		}
	}
	return s.p.Ask.Class().Fits(sum)
}

// stepWithoutVictims tries the next node for a member, using only room that will be free without victims.
func (s *GangSearch) stepWithoutVictims() {
	depth := len(s.at) - 1
	demand := s.q.Members[depth].Class()
	places := s.places[s.shapes[depth]]
	for int(s.at[depth]) < len(places) {
		i := places[s.at[depth]]
		s.at[depth]++
		s.cost++
		room := s.row(s.unclaimed, i)
		if !demand.Fits(room) || !s.inSlice(depth, i) {
			continue
		}
		if s.steps++; s.steps > gangSteps {
			s.beginExact()
			return
		}
		if len(s.first) == depth {
			s.first = append(s.first, s.at[depth]-1)
		}
		s.assign(i)
		if len(s.nodeOf) == len(s.q.Members) {
			s.phase, s.fitsLater = gangDone, true
			return
		}
		room.Sub(demand.Demand())
		s.at = append(s.at, s.firstPlace(depth))
		return
	}
	if depth == 0 {
		s.beginExact()
		return
	}
	s.at, s.first = s.at[:depth], s.first[:min(depth, len(s.first))]
	s.backtrack()
}

// firstPlace returns the index of the first place to try for the next member. A member of the same shape finds no room on the places
// that the previous member has skipped, unless it is in another slice.
func (s *GangSearch) firstPlace(before int) int32 {
	if s.shapes[before+1] == s.shapes[before] && s.q.SliceSize == 0 {
		return s.first[before]
	}
	return 0
}

// backtrack unassigns the last member and returns its room.
func (s *GangSearch) backtrack() {
	last := len(s.nodeOf) - 1
	s.row(s.unclaimed, s.nodeOf[last]).Add(s.q.Members[last].Class().Demand())
	s.unassign()
}

// beginExact starts the search through all assignments, on nodes without claims.
func (s *GangSearch) beginExact() {
	s.phase = gangExact
	s.unassignTo(0)
	for i := range s.places {
		s.places[i] = slices.DeleteFunc(s.places[i], func(n int32) bool { return s.f.nodes.Hold(s.nodes[n]).IsClaimed() })
	}
	s.startAssignment()
}

// stepExact tries the next set of victims for the current assignment or, if there is none, the next assignment.
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
	s.unassignTo(depth)
	s.at[depth] = s.nextInSlice(depth, places, s.at[depth])
	if int(s.at[depth]) == len(places) {
		if s.at = s.at[:depth]; depth == 0 {
			s.phase = gangDone
		}
		return
	}
	s.assign(places[s.at[depth]])
	s.at[depth]++
	if s.steps++; s.steps > gangSteps {
		return
	}
	if len(s.nodeOf) == len(s.q.Members) {
		s.beginSets(s.on)
		return
	}
	s.at = append(s.at, 0)
}

// beginMembers starts the search member by member, in which the nodes and victims of earlier members are fixed.
func (s *GangSearch) beginMembers() {
	s.phase, s.inSet, s.current = gangByMember, false, 0
	s.fixed, s.work = fixedVictims{freedOn: make([]int64, len(s.rooms))}, 0
	s.unassignTo(0)
	s.beginMember()
}

// rowOf returns the row of a node, or elsewhere.
func (s *GangSearch) rowOf(slot int32) int32 {
	if s.rows == nil {
		s.rows = make(map[int32]int32, len(s.nodes))
		for i, n := range s.nodes {
			s.rows[n] = int32(i)
		}
	}
	if row, has := s.rows[slot]; has {
		return row
	}
	return elsewhere
}

func (s *GangSearch) beginMember() {
	s.best, s.steps = nil, 0
	s.at = append(s.at[:0], 0)
	s.formulate(s.current + 1)
	s.sumUpFixed()
}

// stepMember tries the next set of victims, or the next node, for the current member.
func (s *GangSearch) stepMember() {
	places := s.places[s.shapes[s.current]]
	s.at[0] = s.nextInSlice(s.current, places, s.at[0])
	switch {
	case s.work > gangWork:
		s.best, s.phase = nil, gangDone
	case s.inSet && s.steps <= gangSteps:
		s.stepSet()
	case int(s.at[0]) < len(places) && s.steps <= gangSteps:
		s.inSet = false
		s.work += placeWork
		s.unassignTo(s.current)
		s.assign(places[s.at[0]])
		s.at[0]++
		s.beginSets(s.nodeOf[s.current:])
	case s.best == nil:
		s.phase = gangDone
	default:
		s.inSet = false
		s.fix()
		if s.current++; s.current == len(s.q.Members) {
			s.best.set.victims, s.best.nodeOf, s.best.Approximate, s.phase = s.fixed.list, s.nodeOf, true, gangDone
			return
		}
		s.beginMember()
	}
}
