// Package preempt decides which asks may preempt running allocations, and when: which asks are due, in which order they search for
// victims, and which searches are known to fail. Package victim searches.
//
// A Preemption follows the state's change log, like the walk, and can be rebuilt from the state at any time.
package preempt

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/resumable"
	"github.com/quern-project/quern/core/internal/schedule"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/internal/victim"
)

// Preemption preempts allocations for the asks of one partition. Make one with New.
type Preemption struct {
	state  *state.State
	walk   *schedule.Walk
	finder *victim.Finder
	dry    *victim.Finder // finder of dry runs; nil until one is needed, and after forget
	cursor state.Cursor

	// stamp counts the changes that may let an ask find victims: a search that failed at a stamp would fail again at the same stamp.
	// calls counts these changes, and those that let more asks search.
	stamp, calls uint64
	progress     *resumable.Search  // shared with the walk: where the partition's cycle stopped
	spent        uint64             // calls when a complete search found nothing
	failed       map[searchKey]bool // searches that failed at the stamp failedAt
	failedAt     uint64
	waits        []waiting
	late         askTimers
	spared       sparing
	leaves       []leafSearch // by leaf queue
	leavesDue    []int32      // by queue: the number of leaves in it in which an ask may be due
	limitsOpened uint64       // Shrink epoch of the last decrease of usage or of started applications at a limit
	ranks        ranks
	gang         gangSearch
	units        []app.App // applications with a gang that leaves as a unit and has changed
	elastic      elastic
}

// New makes the Preemption of a partition. progress is the resumable search of the partition's cycle.
func New(st *state.State, walk *schedule.Walk, progress *resumable.Search) *Preemption {
	s := &Preemption{state: st, walk: walk, progress: progress, failed: map[searchKey]bool{}}
	s.finder = s.newFinder()
	s.finder.PolicyFailed = func() bool { return progress.PolicyFailed(resumable.Victims) }
	s.enforceRanks()
	s.elastic.any = st.HasElasticGangs()
	s.relist()
	s.state.SkipLog(&s.cursor)
	return s
}

func (s *Preemption) newFinder() *victim.Finder {
	return victim.New(s.state.Nodes(), s.firstOn, s.state.ClaimedOn)
}

// DryFinder returns the victim finder of dry runs. It shares no memory with the finder that decides: the decider's memory determines
// which nodes a predicate is asked about next, and a dry run must not change these questions.
func (s *Preemption) DryFinder() *victim.Finder {
	if s.dry == nil {
		s.dry = s.newFinder()
		s.dry.Ranks = s.finder.Ranks
	}
	s.touchUnits()
	return s.dry
}

// forget discards what earlier searches learned.
func (s *Preemption) forget() {
	s.finder.Reset()
	s.dry = nil
}

// firstOn returns the first allocation on the node in a slot, or nil.
func (s *Preemption) firstOn(slot int32) app.Ask { return s.state.Asks().FirstOn(slot) }

func (s *Preemption) leaf(q queues.ID) *leafSearch { return &s.leaves[q] }

// mayFindVictims records a change that may let an ask find victims: of usage, nodes, claims or limits.
func (s *Preemption) mayFindVictims() {
	s.stamp++
	s.calls++
}

// Follow applies the changes in the log since the last call.
func (s *Preemption) Follow() {
	if !s.state.Behind(&s.cursor) {
		return
	}
	changes := s.state.Follow(&s.cursor)
	for i := range changes.Len() {
		s.takeIn(changes.At(i))
	}
	if s.ranks.stale.follows() {
		for i := range changes.Len() {
			s.ranks.stale.takeIn(changes.At(i), len(s.ranks.rows))
		}
	}
}

// treeChanged handles a queue that was added, has ended, or has other limits.
func (s *Preemption) treeChanged(c state.Change) {
	q, tree := c.Queue(), s.state.Queues()
	s.leaves, s.leavesDue = state.GrowToQueue(s.leaves, q), state.GrowToQueue(s.leavesDue, q)
	switch c.Kind() {
	case state.QueueAdded:
		s.leaves[q], s.leavesDue[q] = leafSearch{}, 0
		if tree.IsLeaf(q) {
			s.leaves[q].delay = s.delayOf(q)
		}
	case state.QueueEnded:
		if !tree.IsRemoved(c.Parent()) { // otherwise the change that removes the parent follows
			s.subtractDue(c.Parent(), s.leavesDue[q])
		}
		s.leaves[q] = leafSearch{}
	case state.LimitsChanged:
		s.leaves[q].walked = 0
		s.mayFindVictims()
	}
}

func (s *Preemption) takeIn(c state.Change) {
	switch c.Kind() {
	case state.AskPending:
		s.pending(c.Ask(), c.Class(), c.Queue(), c.App())
		s.atomicChanged(c)
	case state.AskGone:
		s.gone(c)
		s.atomicChanged(c)
	case state.AskUpdated:
		s.mayBeDue(c.Queue())
	case state.ClaimEnded:
		s.mayBeDue(c.Queue())
		s.mayFindVictims()
	case state.EligibleChanged:
		s.calls++
	case state.LimitOpened:
		s.limitsOpened = s.state.ShrinkEpoch()
		s.calls++
	case state.AppMoved, state.AppTransferred:
		s.leaf(c.Queue()).walked = 0
		s.calls++
		s.moved(c.App())
	case state.GangChanged:
		s.mayBeDue(c.Queue())
	case state.ReservationMade, state.ReservationEnded:
		s.leaf(c.Queue()).walked = 0
	case state.AskAllocated:
		s.gone(c)
		s.atomicChanged(c)
		s.ranks.add(c.Ask())
		s.spare(c.Ask())
		s.mayFindVictims()
	case state.AllocationMade:
		s.atomicChanged(c)
		s.ranks.add(c.Ask())
		s.spare(c.Ask())
		s.mayFindVictims()
	case state.AllocationEnded:
		s.ranks.drop(c.Ask())
	case state.NodeChanged, state.NodeOpened, state.TotalChanged, state.FutureUsageChanged, state.ClaimMade, state.AccumulationChanged, state.BudgetFreed:
		s.mayFindVictims()
	case state.UnitChanged:
		s.unitChanged(c.App())
	case state.ElasticGangAdded:
		s.elasticGangAdded()
	case state.TypesAdded:
		s.forget()
	case state.QueueAdded, state.QueueEnded, state.LimitsChanged:
		s.forget() // the finder knows leaves by their IDs
		s.treeChanged(c)
		if c.Kind() == state.QueueAdded {
			s.queueSpares(c.Queue())
		}
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

// gone handles an ask that is no longer pending.
func (s *Preemption) gone(c state.Change) {
	k := s.leaf(c.Queue())
	if c.Class().Node() != "" {
		k.bound--
	}
	if slices.Contains(k.tried, c.Ask()) {
		k.walked = 0
	}
}

// pending handles an ask that became pending.
func (s *Preemption) pending(ask app.Ask, c class.Class, leaf queues.ID, a app.App) {
	if c.Node() != "" {
		s.leaf(leaf).bound++
	}
	s.await(ask, c, state.QueueOfApp(a))
}
