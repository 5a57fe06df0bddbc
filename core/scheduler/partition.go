package scheduler

import (
	"slices"

	"github.com/quern-project/quern/core/internal/inspect"
	"github.com/quern-project/quern/core/internal/preempt"
	"github.com/quern-project/quern/core/internal/resumable"
	"github.com/quern-project/quern/core/internal/schedule"
	"github.com/quern-project/quern/core/internal/state"
)

// partition is the state of one partition with everything that follows it.
type partition struct {
	state      *state.State
	search     *resumable.Search
	walk       *schedule.Walk
	preemption *preempt.Preemption
	view       *inspect.View
}

// newPartition takes in a state. unfinished says that a search has yet to be finished.
func newPartition(st *state.State, unfinished bool) *partition {
	search := resumable.New(resumable.Observed{Changes: st.LogEnd, Failures: func() uint64 { return st.Modules.Faults }}, unfinished)
	walk := schedule.New(st, search)
	preemption := preempt.New(st, walk, search)
	return &partition{st, search, walk, preemption, inspect.New(st, walk, preemption)}
}

// follow takes in which partitions there are.
func (s *Scheduler) follow() {
	next := make([]*partition, 0, len(s.shared.Partitions))
	for _, st := range s.shared.Partitions {
		if i := slices.IndexFunc(s.partitions, func(p *partition) bool { return p.state == st }); i >= 0 {
			next = append(next, s.partitions[i])
		} else {
			next = append(next, newPartition(st, false))
		}
	}
	if s.index != nil && !slices.Equal(next, s.partitions) {
		s.index = nil // the next list makes another
		for _, p := range s.partitions {
			p.view.Forget()
		}
	}
	s.partitions = next
}

// partitionOf is the partition of a state; the first of nil.
func (s *Scheduler) partitionOf(st *state.State) *partition {
	i := slices.IndexFunc(s.partitions, func(p *partition) bool { return p.state == st })
	return s.partitions[max(i, 0)]
}

// unfinished reports for each partition whether a search has yet to be finished.
func (s *Scheduler) unfinished() []bool {
	s.keepUp()
	list := make([]bool, 0, len(s.partitions))
	for _, p := range s.partitions {
		list = append(list, p.search.Unfinished())
	}
	return list
}

// logLimit is how many changes are kept within one Cycle before everything that follows them has to read them.
const logLimit = 64

// cycle has queues of the partition give back what they use beyond their max, where that is due, and places what can be placed,
// until limit allocations have been made in this Cycle, n of them elsewhere; it returns how many it made. A cycle that resumes a
// search begins there: repeating what comes before it would ask policies other questions, or in another order, than a search that
// did not stop or stopped elsewhere.
func (p *partition) cycle(budget resumable.Budget, limit, n int) (made int) {
	p.search.Begin(budget)
	if p.search.FromStart() && (limit < 0 || n < limit) {
		p.preemption.QuotaRounds()
	}
	for done := false; !done && (limit < 0 || n+made < limit); {
		step := schedule.Nothing
		if !p.search.Resume(resumable.Victims) {
			step = p.walk.Step()
		}
		switch {
		case step == schedule.Allocated:
			made += p.walk.Made()
		case step == schedule.Nothing && (p.search.Unfinished() || !p.preemption.Step()):
			done = !p.search.Restart()
		}
		if p.state.LogLength() > logLimit {
			p.catchUp()
		}
	}
	if !p.search.Unfinished() {
		p.walk.Sync()
	}
	p.state.EndCycle()
	p.search.End()
	return made
}

// catchUp has everything that follows the partition's state take in what changed, and the log forget it.
func (p *partition) catchUp() {
	p.walk.Follow()
	p.preemption.Follow()
	p.view.Follow()
	p.state.FollowCopy()
	p.state.TrimLog()
}
