package schedule

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/internal/plan"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// Blocked asks get planned starts, which later asks leave free (the partition key backfill). This file keeps the room of nodes, queues and limits
// as functions of time; planning_pass.go plans the asks one after the other, planning_search.go finds their starts, and planning_place.go places asks beside plans.
//
// Profiles are made when they are first read, and follow the change log from then on. They can be made again from the state at any time.

// planning is the part of a Walk that concerns planned starts.
type planning struct {
	on      bool
	nodes   []nodeRoom                  // by slot
	queues  map[queues.ID]*plan.Profile // of those with a max
	limits  map[limit.Tracker]*plan.Profile
	ends    planEnds
	loads   map[app.Slot]*planLoad     // by the ask, or the first member of a gang
	members map[app.Slot]*planLoad     // by the members of gangs
	tried   map[uint64]triedGang       // by the Seq of the gang
	ranks   map[rank]int               // numbers of loads
	starts  map[startShape][]nodeStart // by node: known earliest starts
	empties map[class.Class]emptyFit   // whether some node, if empty, has room
	placing map[app.Slot]bool          // asks that were allocated with a look at plans, until the log is followed

	grew        uint64 // incremented when room grows at some instant
	epoch       uint64 // incremented when a plan is made, moved or lost
	shrank      bool   // plans may not fit any more
	version     uint32 // of the last change of a node's room
	opened      uint64 // incremented when a node may admit other classes
	doneAt      uint64 // log position at the end of the last complete pass
	doneTime    time.Duration
	done        bool
	stoppedGang bool              // the last cycle stopped while it placed a gang
	order       []app.Ask         // those with plans, in the order of the last pass
	dueAt       time.Duration     // when the next blocked ask without an instant may reserve a node; instant.Never: none
	unreachable map[app.Slot]bool // blocked asks that no instant can be given
	lost        map[app.Slot]bool // asks that have lost their plans for a cause other than their own change
	stopped     *pass             // the pass that the last cycle has not finished
	unmarked    []int32           // nodes that planned asks may no longer use
	overNodes   map[int32]bool    // nodes that are over-committed, so that the total may have less room than other nodes
	mixed       bool              // rooms of queues and limits depend on who leaves and who will land
	lifted      []*planLoad       // plans that the present search does not look at
}

// nodeRoom is the room of a node over time.
type nodeRoom struct {
	*plan.Profile               // nil until it is read
	version       uint32        // of the profile; 0 if it has to be made
	usable        bool          // asks may be placed there
	closed        time.Duration // the node is kept for an ask until then
	claimed       bool          // whoever asks
	signature     nodeSignature
}

// resetPlanning forgets all that follows from the state.
func (s *Walk) resetPlanning() {
	p := &s.planning
	order, grew := p.order, p.grew
	*p = planning{on: s.state.Conf().Backfill.Plans(), grew: grew + 1, shrank: true, dueAt: instant.Never, unmarked: p.unmarked}
	if !p.on {
		for pl := range s.state.Plans().All {
			p.unmarked = append(p.unmarked, pl.Node)
		}
		slices.Sort(p.unmarked)
		for _, ask := range s.plannedInOrder() {
			s.state.LosePlan(ask)
		}
		return
	}
	p.version, p.order = 1, order
	p.overNodes = map[int32]bool{}
	p.queues, p.limits = map[queues.ID]*plan.Profile{}, map[limit.Tracker]*plan.Profile{}
	p.loads, p.ranks, p.members, p.tried = map[app.Slot]*planLoad{}, map[rank]int{}, map[app.Slot]*planLoad{}, map[uint64]triedGang{}
	p.starts, p.empties, p.placing, p.lost, p.unreachable = map[startShape][]nodeStart{}, map[class.Class]emptyFit{}, map[app.Slot]bool{}, map[app.Slot]bool{}, map[app.Slot]bool{}
	for ask := range s.state.Asks().All {
		if !ask.Pending() {
			p.ends.load(ask, s.state.Now())
		}
	}
	for n := range s.state.Nodes().Sorted().All {
		s.noteOver(n)
	}
	if len(order) == 0 {
		p.order = s.plannedInOrder()
	}
	for _, ask := range s.plannedInOrder() {
		l := s.loadOf(ask)
		if l == nil || slices.ContainsFunc(l.parts, func(x planPart) bool { return !s.state.Nodes().Has(x.node) }) {
			s.loseForOthers(ask)
			continue
		}
		s.load(l)
	}
}

func use(r *plan.Profile, c class.Class, from, until time.Duration, more bool) {
	if more {
		r.Use(c.Needs(), from, until)
	} else {
		r.Return(c.Needs(), from, until)
	}
}

// touch records that the room of a node has changed.
func (p *planning) touch(n int32) {
	p.version++
	p.nodes[n].version = p.version
}

// followPlanned applies a change to the profiles.
func (s *Walk) followPlanned(c state.Change) {
	p := &s.planning
	switch c.Kind() {
	case state.AskAllocated:
		s.dropLoad(c.Ask().Slot())
		s.allocationLoaded(c)
	case state.AllocationMade:
		s.allocationLoaded(c)
	case state.AllocationEnded:
		s.allocationUnloaded(c)
	case state.AskGone:
		s.dropLoad(c.Ask().Slot())
	case state.AskUpdated:
		if l := p.loaded(c.Ask().Slot()); l != nil {
			s.reload(l)
			p.grew++
			p.shrank = true
		}
	case state.NodeChanged, state.NodeOpened:
		s.nodePlanned(c.Node())
	case state.NodeRemoved:
		p.opened++
		if int(c.Node()) < len(p.nodes) {
			p.nodes[c.Node()] = nodeRoom{}
		}
		for _, ask := range s.plannedInOrder() {
			if l := p.loads[ask.Slot()]; l != nil && l.isOn(c.Node()) {
				s.unload(l)
				s.loseForOthers(ask)
			}
		}
		p.grew++
		p.shrank = true
	case state.ReservationMade, state.ReservationEnded, state.ClaimMade, state.ClaimEnded:
		s.dropShared()
		s.nodePlanned(c.Node())
	case state.PoliciesChanged:
		clear(p.starts)
		clear(p.empties)
		p.grew++
	case state.TypesAdded:
		s.resetPlanning()
	case state.AskPending:
		if l := s.loadOf(c.Ask()); l != nil && p.loaded(c.Ask().Slot()) == nil {
			s.load(l)
			p.shrank = true
		}
	case state.QueueAdded, state.QueueEnded, state.LimitsChanged:
		delete(p.queues, c.Queue())
		p.grew++
		p.shrank = true
	case state.AppTransferred:
		s.appTransferred(c.App())
	}
}

// allocationLoaded counts a new allocation in the profiles.
func (s *Walk) allocationLoaded(c state.Change) {
	p, ask := &s.planning, c.Ask()
	if s.state.AskAt(ask.Slot()).Node() == app.NoNode {
		return
	}
	s.noteOver(c.Node())
	p.ends.load(ask, s.state.Now())
	s.countAllocation(c.App(), c.Class(), c.Node(), p.ends.of(ask.Slot()), c.Queue(), true)
	s.landingsChanged(c.Node())
	if p.placing[ask.Slot()] {
		delete(p.placing, ask.Slot())
	} else {
		p.shrank = true
	}
}

// allocationUnloaded takes an allocation that has ended from the profiles.
func (s *Walk) allocationUnloaded(c state.Change) {
	p, slot := &s.planning, c.Ask().Slot()
	s.noteOver(c.Node())
	until, loaded := p.ends.unload(slot)
	if !loaded {
		return
	}
	s.countAllocation(c.App(), c.Ask().Class(), c.Node(), until, c.Queue(), false)
	s.landingsChanged(c.Node())
	p.grew++
}

// countAllocation adds the room of an allocation to what the profiles that exist say is used from now on, or takes it back.
func (s *Walk) countAllocation(a app.App, of class.Class, n int32, until time.Duration, q queues.ID, more bool) {
	p, now := &s.planning, s.state.Now()
	if int(n) < len(p.nodes) && p.nodes[n].Profile != nil {
		use(p.nodes[n].Profile, of, now, until, more)
		p.touch(n)
	}
	for ; q != queues.None; q = s.state.Queues().Parent(q) {
		if r := p.queues[q]; r != nil {
			use(r, of, now, until, more)
		}
	}
	switch {
	case len(p.limits) == 0:
	case a.Limits().IsNone(): // it may have left its limits with its last allocation
		clear(p.limits)
	default:
		for t := range a.Limits().Trackers().All {
			if r := p.limits[t]; r != nil {
				use(r, of, now, until, more)
			}
		}
	}
}

// appTransferred makes the profiles of queues and limits anew after an application has moved.
func (s *Walk) appTransferred(a app.App) {
	p := &s.planning
	clear(p.queues)
	clear(p.limits)
	for _, l := range p.loads {
		if l.of == a {
			p.ranks[l.rank]--
			if p.ranks[l.rank] == 0 {
				delete(p.ranks, l.rank)
			}
			l.rank = rank{queueOf(a.Leaf()), l.ask.Priority()}
			p.ranks[l.rank]++
		}
	}
	p.grew++
	p.shrank = true
}

// markNodes marks the nodes that planned asks use, so that searches ask whether others may use them now.
func (s *Walk) markNodes() {
	p := &s.planning
	if len(p.unmarked) == 0 {
		return
	}
	used := map[int32]bool{}
	for _, l := range p.loads {
		for i := range l.parts {
			used[l.parts[i].node] = true
		}
	}
	for _, n := range p.unmarked {
		s.state.HoldPlanned(n, used[n])
	}
	p.unmarked = p.unmarked[:0]
}
