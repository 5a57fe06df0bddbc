package scheduler

import (
	"slices"

	"github.com/quern-project/quern/core/internal/inspect"
	"github.com/quern-project/quern/core/internal/preempt"
	"github.com/quern-project/quern/core/internal/resumable"
	"github.com/quern-project/quern/core/internal/schedule"
	"github.com/quern-project/quern/core/internal/state"
)

// partition is the state of one partition and the components that follow its log.
type partition struct {
	state      *state.State
	search     *resumable.Search
	walk       *schedule.Walk
	preemption *preempt.Preemption
	view       *inspect.View
}

// newPartition makes the components of a state. unfinished says that a search must be completed.
func newPartition(st *state.State, unfinished bool) *partition {
	search := resumable.New(resumable.Observed{Changes: st.LogEnd, Failures: func() uint64 { return st.PolicyFaults() }}, unfinished)
	walk := schedule.New(st, search)
	preemption := preempt.New(st, walk, search)
	return &partition{st, search, walk, preemption, inspect.New(st, walk, preemption)}
}

// follow updates the list of partitions after a change of the configuration.
func (s *Scheduler) follow() {
	next := make([]*partition, 0, s.shared.PartitionCount())
	for i := range s.shared.PartitionCount() {
		st := s.shared.Partition(i)
		if i := slices.IndexFunc(s.partitions, func(p *partition) bool { return p.state == st }); i >= 0 {
			next = append(next, s.partitions[i])
		} else {
			next = append(next, newPartition(st, false))
		}
	}
	if s.index != nil && !slices.Equal(next, s.partitions) {
		s.index = nil // the next list builds a new index
		for _, p := range s.partitions {
			p.view.Forget()
		}
	}
	s.partitions = next
}

// partitionOf returns the partition of a state, or the first partition for nil.
func (s *Scheduler) partitionOf(st *state.State) *partition {
	i := slices.IndexFunc(s.partitions, func(p *partition) bool { return p.state == st })
	return s.partitions[max(i, 0)]
}

// unfinished reports for each partition whether a search must be completed.
func (s *Scheduler) unfinished() []bool {
	s.keepUp()
	list := make([]bool, 0, len(s.partitions))
	for _, p := range s.partitions {
		list = append(list, p.search.Unfinished())
	}
	return list
}

// logLimit is the number of changes in a log after which the followers read them, within one Cycle and between inputs that add asks.
const logLimit = 64

// cycle runs the partition's part of a Cycle: queues whose quota round is due release their excess, asks are placed, and then asks
// search for victims. n allocations were made in other partitions in the same Cycle, and limit is for all of them. It returns the
// number of allocations made. If it resumes a search, it does not repeat what came before it: that would change which questions
// policies are asked, or their order, compared to a search that did not stop or stopped elsewhere.
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
		p.walk.TellPlans()
	}
	p.state.EndCycle()
	p.search.End()
	return made
}

// catchUp brings all followers of the partition's log up to date, and truncates the log.
func (p *partition) catchUp() {
	p.walk.Follow()
	p.preemption.Follow()
	p.view.Follow()
	p.state.TrimLog()
}
