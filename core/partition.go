package core

import (
	"slices"

	"github.com/quern-project/quern/core/internal/inspect"
	"github.com/quern-project/quern/core/internal/preempt"
	"github.com/quern-project/quern/core/internal/schedule"
	"github.com/quern-project/quern/core/internal/state"
)

// partition is the state of one partition with everything that follows it.
type partition struct {
	state      *state.State
	walk       *schedule.Walk
	preemption *preempt.Preemption
	view       *inspect.View
}

// newPartition takes in a state as it is. short says that a search for victims has yet to be finished.
func newPartition(st *state.State, short bool) *partition {
	walk := schedule.New(st)
	preemption := preempt.New(walk, short)
	return &partition{st, walk, preemption, inspect.New(walk, preemption)}
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

// short tells of each partition whether a search has yet to be finished.
func (s *Scheduler) short() []bool {
	s.keepUp()
	list := make([]bool, 0, len(s.partitions))
	for _, p := range s.partitions {
		list = append(list, p.short())
	}
	return list
}

// cut is where a cycle was cut short: the next one goes on from there unless something has changed.
type cut struct {
	at        *partition // nil: nowhere
	partition int        // its index
	end       uint64     // of its log
	faults    uint64     // of policies, when the first of these cycles began
}

// goesOn reports whether there is a search that the next cycle goes on with.
func (c *cut) goesOn() bool { return c.at != nil && c.at.state.LogEnd() == c.end }

// upset reports whether a policy failed in the search that came last. If it was cut short, it cannot go on as though it had not been.
func (p *partition) upset() bool {
	if p.walk.Short() {
		return p.walk.Upset()
	}
	return p.preemption.Upset()
}

// begin starts a cycle's share of steps, for the nodes of gangs and for victims.
func (p *partition) begin(steps int, goesOn bool) {
	p.walk.Begin(steps, goesOn)
	p.preemption.Begin(steps)
}

// stepsLeft is what is left of that share.
func (p *partition) stepsLeft() int { return min(p.walk.StepsLeft(), p.preemption.StepsLeft()) }

// short reports whether a search has yet to be finished.
func (p *partition) short() bool { return p.walk.Short() || p.preemption.Short() }

// logLimit is how many changes are kept within one Cycle before everything that follows them has to read them.
const logLimit = 64

// cycle has queues of the partition give back what they use beyond their max, where that is due, and places what can be placed,
// until limit allocations have been made in this Cycle, n of them elsewhere; it returns how many it made. One that goes on with a
// search that was cut short begins there: what is done again in each of these cycles would ask policies other questions, or in
// another order, than where the search is not cut or cut elsewhere.
func (p *partition) cycle(limit, n int, goesOn bool) (made int) {
	if !goesOn && (limit < 0 || n < limit) {
		p.preemption.QuotaRounds()
	}
	walked := goesOn && !p.walk.GoesOn()
	for done := false; !done && (limit < 0 || n+made < limit); {
		step := schedule.Nothing
		if !walked {
			step = p.walk.Step()
		}
		walked = false
		switch {
		case step == schedule.Allocated:
			made += p.walk.Made()
		case step == schedule.Nothing && (p.walk.Short() || !p.preemption.Step()):
			done = !p.restart()
		}
		if p.state.LogLength() > logLimit {
			p.catchUp()
		}
	}
	if !p.short() {
		p.walk.Sync()
	}
	p.state.EndCycle()
	return made
}

// restart has the walk begin again with the steps that are left, where a policy failed in a search: asks may fare otherwise now. It reports whether
// there are any.
func (p *partition) restart() bool {
	left := p.stepsLeft()
	if !p.upset() || p.short() && left <= 0 {
		return false
	}
	p.begin(left, false)
	return true
}

// catchUp has everything that follows the partition's state take in what changed, and the log forget it.
func (p *partition) catchUp() {
	p.walk.Follow()
	p.preemption.Follow()
	p.view.Follow()
	p.state.FollowCopy()
	p.state.TrimLog()
}
