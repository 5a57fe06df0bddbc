// Package preempt decides which asks may take room from running allocations, and when: which are due, in which order they
// search for victims, and what is known to have failed. The search itself is package victim's.
//
// A Preemption follows the state's log of changes as the walk does, and can be rebuilt from the state at any time.
package preempt

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/resumable"
	"github.com/quern-project/quern/core/internal/schedule"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/victim"
)

// Preemption lets asks preempt; make one with New.
type Preemption struct {
	state  *state.State
	walk   *schedule.Walk
	finder *victim.Finder
	dry    *victim.Finder // of dry runs; nil: there was none since what it knows was last forgotten
	cursor state.Cursor

	// stamp grows with everything that may let an ask find victims that could not: what failed at a stamp fails at it.
	// calls grows with that, and when more asks may look for victims.
	stamp, calls uint64
	progress     *resumable.Search  // of the partition's cycle
	spent        uint64             // the calls at which no ask found anything
	failed       map[searchKey]bool // at failedAt
	failedAt     uint64
	waits        []waiting
	late         late
	leaves       []leafSearch // by leaf
	limitsOpened uint64       // the world in which usage or places last fell at a limit
	ranks        ranks
	gang         gangSearch
}

// New makes the preemption of a state beside its walk. progress is how far its cycle has come.
func New(st *state.State, walk *schedule.Walk, progress *resumable.Search) *Preemption {
	s := &Preemption{state: st, walk: walk, progress: progress, failed: map[searchKey]bool{}}
	s.finder = s.newFinder()
	s.finder.PolicyFailed = func() bool { return progress.PolicyFailed(resumable.Victims) }
	s.enforceRanks()
	s.relist()
	s.state.SkipLog(&s.cursor)
	return s
}

func (s *Preemption) newFinder() *victim.Finder {
	return victim.New(s.state.Nodes, s.firstOn, s.state.ClaimedOn)
}

// DryFinder is a search for victims for dry runs. It shares no memory with the search that decides: what that one remembers determines which
// nodes a predicate is asked about next, and a dry run must not change these questions.
func (s *Preemption) DryFinder() *victim.Finder {
	if s.dry == nil {
		s.dry = s.newFinder()
		s.dry.Ranks = s.finder.Ranks
	}
	return s.dry
}

// forget has searches begin from nothing.
func (s *Preemption) forget() {
	s.finder.Reset()
	s.dry = nil
}

// firstOn is the first allocation on the node in a slot.
func (s *Preemption) firstOn(slot int32) *app.Ask { return s.state.OnNode[slot].Placed.First }

func (s *Preemption) leaf(l *state.Leaf) *leafSearch { return &s.leaves[l.ID] }

// mayFindVictims says that something changed that may let an ask find victims: usage, nodes, claims, limits.
func (s *Preemption) mayFindVictims() {
	s.stamp++
	s.calls++
}

// Follow takes in what changed.
func (s *Preemption) Follow() {
	if !s.state.Behind(&s.cursor) {
		return
	}
	changes := s.state.Follow(&s.cursor)
	for i := range changes {
		s.takeIn(&changes[i])
	}
	if s.ranks.stale.follows() {
		for i := range changes {
			s.ranks.stale.takeIn(&changes[i], len(s.ranks.rows))
		}
	}
}

// treeChanged takes in a leaf that came, went, or has other limits.
func (s *Preemption) treeChanged(c *state.Change) {
	l := c.Leaf
	if l == nil {
		return
	}
	s.leaves = state.GrowToLeaf(s.leaves, l)
	switch c.Kind {
	case state.QueueAdded:
		s.leaves[l.ID] = leafSearch{delay: s.delayOf(l)}
	case state.QueueEnded:
		s.leaves[l.ID] = leafSearch{}
	case state.LimitsChanged:
		s.leaves[l.ID].walked = 0
		s.mayFindVictims()
	}
}

func (s *Preemption) takeIn(c *state.Change) {
	switch c.Kind {
	case state.AskPending:
		s.pending(c.Ask, c.Class, c.Leaf)
		s.atomicChanged(c)
	case state.AskGone:
		s.gone(c)
		s.atomicChanged(c)
	case state.AskUpdated:
		s.mayBeDue(c.Leaf)
	case state.ClaimEnded:
		s.mayBeDue(c.Leaf)
		s.mayFindVictims()
	case state.EligibleChanged:
		s.calls++
	case state.LimitOpened:
		s.limitsOpened = s.state.World
		s.calls++
	case state.AppMoved:
		s.leaf(c.Leaf).walked = 0
		s.calls++
	case state.GangChanged:
		s.mayBeDue(c.Leaf)
	case state.ReservationMade, state.ReservationEnded:
		s.leaf(c.Leaf).walked = 0
	case state.AskAllocated:
		s.gone(c)
		s.atomicChanged(c)
		s.ranks.add(c.Ask)
		s.mayFindVictims()
	case state.AllocationMade:
		s.atomicChanged(c)
		s.ranks.add(c.Ask)
		s.mayFindVictims()
	case state.AllocationEnded:
		s.ranks.drop(c.Ask)
	case state.NodeChanged, state.NodeOpened, state.TotalChanged, state.PromisesChanged, state.ClaimMade:
		s.mayFindVictims()
	case state.TypesAdded:
		s.forget()
	case state.QueueAdded, state.QueueEnded, state.LimitsChanged:
		s.forget() // it knows leaves by their IDs
		s.treeChanged(c)
	case state.ConfigChanged:
		s.forget()
		s.enforceRanks()
		s.relist()
	case state.PoliciesChanged:
		s.forget()
		s.enforceRanks()
		s.mayFindVictims()
	}
}

// gone takes in that an ask waits no longer.
func (s *Preemption) gone(c *state.Change) {
	k := s.leaf(c.Leaf)
	if c.Class.Node != "" {
		k.bound--
	}
	if slices.Contains(k.tried, c.Ask) {
		k.walked = 0
	}
}

// pending takes in an ask that waits.
func (s *Preemption) pending(ask *app.Ask, c *class.Class, l *state.Leaf) {
	if c.Node != "" {
		s.leaf(l).bound++
	}
	s.await(ask)
}
