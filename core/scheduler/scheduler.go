package scheduler

import (
	"cmp"
	"fmt"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/inspect"
	"github.com/quern-project/quern/core/internal/resumable"
	"github.com/quern-project/quern/core/internal/state"
)

// Scheduler is the state machine. Make one with New. The package documentation lists the obligations of the host.
type Scheduler struct {
	shared     *state.Shared
	partitions []*partition   // in the order of the configuration
	index      *inspect.Index // nil until the first list
	next       resumePoint    // where the next Cycle begins
	lag        lag            // the inputs that followers of the logs have not read
	running    string         // the method that is running or has panicked; empty if none
}

// New makes a scheduler without nodes and applications, with one leaf queue, root.default.
func New(o core.Options) *Scheduler {
	s := &Scheduler{shared: state.New(o)}
	s.follow()
	return s
}

// Restore makes a scheduler from a snapshot. It continues exactly as the scheduler that wrote the snapshot would. A snapshot that is
// damaged, of another version or contradictory is refused.
func Restore(data []byte, o core.Options) (*Scheduler, error) {
	shared, unfinished, err := state.Restore(data, o)
	if err != nil {
		return nil, err
	}
	s := restored(shared, unfinished)
	if err := s.overdue(); err != nil {
		return nil, err
	}
	return s, nil
}

// restored makes a scheduler from a state. unfinished says for each partition whether a search must be completed.
func restored(shared *state.Shared, unfinished []bool) *Scheduler {
	s := &Scheduler{shared: shared}
	for i := range shared.PartitionCount() {
		s.partitions = append(s.partitions, newPartition(shared.Partition(i), unfinished[i]))
	}
	return s
}

// Now returns the time of the last Advance.
func (s *Scheduler) Now() time.Duration { return s.shared.Now() }

// Deadline returns the time of the next Advance that the scheduler needs even without inputs. ok is false if it needs none.
func (s *Scheduler) Deadline() (at time.Duration, ok bool) {
	at, ok = s.shared.Deadline()
	return s.sooner(at, ok)
}

// IdleDeadline returns the next deadline, without those at which a terminal application expires or a policy's quarantine ends, and without
// windows that come again and for which no ask waits. A replay
// that runs until the scheduler is idle ends if there is none.
func (s *Scheduler) IdleDeadline() (at time.Duration, ok bool) {
	at, ok = s.shared.NextTimer()
	if window, waits := s.shared.IdleWindow(); waits {
		at, ok = instant.Sooner(at, ok, window)
	}
	return s.sooner(at, ok)
}

// sooner adds the deadlines of reservations, preemption delays and unfinished searches.
func (s *Scheduler) sooner(at time.Duration, ok bool) (time.Duration, bool) {
	s.keepUp()
	for _, p := range s.partitions {
		if due, waits := p.walk.Deadline(); waits {
			at, ok = instant.Sooner(at, ok, due)
		}
		if p.search.Unfinished() {
			at, ok = instant.Sooner(at, ok, s.shared.Now())
		}
		if due, waits := p.preemption.Deadline(); waits {
			at, ok = instant.Sooner(at, ok, due)
		}
	}
	return at, ok
}

// Advance sets the clock and fires the timers that are due.
func (s *Scheduler) Advance(to time.Duration) {
	s.begin("Advance")
	s.mayAdvance(to)
	if to != s.shared.Now() {
		s.next.reset()
	}
	s.shared.Advance(to)
	s.catchUp()
	for _, p := range s.partitions {
		p.walk.Advance()
		p.preemption.Advance()
	}
	s.end()
}

// Apply applies one input of the present instant. It returns Accepted, or the reason why the input was refused.
func (s *Scheduler) Apply(in *core.Input) core.Reason {
	s.begin("Apply")
	lag := lagAfter(in.Event)
	if lag == noLag || lag != s.lag {
		s.keepUp()
	}
	if in.At != s.shared.Now() {
		s.broken(2, fmt.Sprintf("an input of %s was applied at %s", in.At, s.shared.Now()))
	}
	s.next.reset()
	var refused core.Reason
	switch e := in.Event.(type) {
	case *core.SetState:
		refused = s.collect(e)
	case *core.SetConfig:
		refused = s.shared.Apply(in)
		s.follow()
	default:
		refused = s.shared.Apply(in)
	}
	switch s.lag = lag; {
	case lag == noLag:
		s.catchUp()
	case lag == ofAdditions && s.logsAreLong():
		s.keepUp()
	}
	s.end()
	return refused
}

// Cycle first asks allocations to leave that stay after their promised ends. If there are any, it places nothing, and Deadline stays at Now, so
// that a replay can apply the releases before it calls Cycle again. Otherwise, it releases the excess of queues whose quota round is due, places asks, and returns the number of allocations made. It stops after
// limit allocations, or after a gang that exceeds the limit, since a gang is never split. A negative limit means no limit; with 0,
// Cycle does nothing. When nothing more can be placed, asks search for victims, one after the other. If a search is longer than one
// call should be, Deadline stays at Now, and the next call resumes it. Unless there is an input in between, decisions are the same as
// those of one long call. A partition is completed before the next one begins.
func (s *Scheduler) Cycle(limit int) int {
	if limit == 0 {
		return 0
	}
	if s.next.skip() {
		return 0
	}
	s.begin("Cycle")
	if s.shared.EndOverruns() {
		s.partitions[0].search.Stop(resumable.Start)
		s.catchUp()
		s.end()
		return 0
	}
	s.shared.JudgeGangs()
	n, budget := 0, resumable.Steps(cmp.Or(max(0, s.shared.Options().SearchSteps), defaultSearchSteps))
	first, failures := s.next.take(s.partitions, s.shared.PolicyFaults())
	for i := first; i < len(s.partitions); i++ {
		p := s.partitions[i]
		n += p.cycle(budget, limit, n)
		budget = p.search.Budget
		if p.search.Unfinished() {
			s.next.resume(p, failures)
		}
		if p.search.Unfinished() || limit >= 0 && n >= limit {
			break
		}
		if last := i == len(s.partitions)-1; last && i > 0 && failures != s.shared.PolicyFaults() {
			failures, i = s.shared.PolicyFaults(), -1 // other policies answer now, in the completed partitions too
		}
	}
	s.catchUp()
	s.end()
	return n
}

// defaultSearchSteps is the number of steps of a Cycle if the options specify none: about 5 ms.
const defaultSearchSteps = 500_000

// catchUp brings all followers of all partitions up to date.
func (s *Scheduler) catchUp() {
	for _, p := range s.partitions {
		p.catchUp()
	}
}

// Take returns the decisions made since the last Take.
func (s *Scheduler) Take() []core.Decision { return s.shared.TakeDecisions() }

// Interrupted returns the method that has panicked, or an empty string. After a panic, the scheduler must not be used.
func (s *Scheduler) Interrupted() string { return s.running }

// Answered returns the answers of impure modules and host predicates since the last call, which must be recorded. They belong in the
// journal after the inputs of the present instant, as policy.answers.
func (s *Scheduler) Answered() []core.Answers { return s.shared.Answered() }

// RefreshShadows calls Options.Witness again for the built-ins in force, which is necessary when its results change. Decisions are
// unchanged.
func (s *Scheduler) RefreshShadows() {
	s.begin("RefreshShadows")
	s.shared.RefreshShadows()
	s.catchUp()
	s.end()
}

// Snapshot returns the whole state: a line with the format, its version and a checksum, then JSON. Equal states give equal bytes.
// Decisions that were not taken yet are not included.
func (s *Scheduler) Snapshot() []byte { return s.shared.Snapshot(s.unfinished()) }

// Present returns inputs of one instant that rebuild the cluster: policies, the configuration, nodes, applications, allocations on their
// nodes, and pending asks in order of submission. History restarts, and reservations, claims and departures are omitted: the parts of a
// Snapshot add them, as inputs of type core.SetState. An application in a queue that the configuration no longer names is refused when the
// inputs are applied.
func (s *Scheduler) Present() []core.Input { return s.shared.Present() }
