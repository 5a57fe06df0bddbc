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

// Scheduler is the state machine; make one with New. See the package's documentation for the host's part.
type Scheduler struct {
	shared     *state.Shared
	partitions []*partition   // in the order of the configuration
	index      *inspect.Index // nil: nothing has been listed yet
	next       resumePoint    // where the next Cycle begins
	running    string         // the method that runs, or in which a panic came
}

// New makes a scheduler without nodes or applications, with one leaf queue, root.default.
func New(o core.Options) *Scheduler {
	s := &Scheduler{shared: state.New(o)}
	s.follow()
	return s
}

// Restore makes a scheduler from a snapshot: it goes on as the one that wrote it would have. A snapshot that is damaged,
// of another version, or contradicts itself is refused.
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

// Recall makes a scheduler that goes on from a checkpoint, as Restore does from a snapshot. The options are to be those of
// the scheduler that made it.
func Recall(c *Checkpoint, o core.Options) *Scheduler { return restored(state.Recall(c, o)) }

// restored makes a scheduler of a state. unfinished says which partitions have yet to finish a search.
func restored(shared *state.Shared, unfinished []bool) *Scheduler {
	s := &Scheduler{shared: shared}
	for i, st := range shared.Partitions {
		s.partitions = append(s.partitions, newPartition(st, unfinished[i]))
	}
	return s
}

// Now is the time of the last Advance.
func (s *Scheduler) Now() time.Duration { return s.shared.Now }

// Deadline is when the scheduler next wants an Advance.
func (s *Scheduler) Deadline() (at time.Duration, ok bool) {
	at, ok = s.shared.Deadline()
	return s.sooner(at, ok)
}

// IdleDeadline is the next deadline that anything other than forgetting a terminal application, or a policy that comes
// back, waits for. A replay that runs until the scheduler is idle ends when there is none.
func (s *Scheduler) IdleDeadline() (at time.Duration, ok bool) {
	at, ok = s.shared.NextTimer()
	return s.sooner(at, ok)
}

// sooner brings in the deadlines of asks that wait for a reservation or for victims, and of searches that are unfinished.
func (s *Scheduler) sooner(at time.Duration, ok bool) (time.Duration, bool) {
	s.keepUp()
	for _, p := range s.partitions {
		if due, waits := p.walk.Deadline(); waits {
			at, ok = instant.Sooner(at, ok, due)
		}
		if p.search.Unfinished() {
			at, ok = instant.Sooner(at, ok, s.shared.Now)
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
	if to != s.shared.Now {
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

// Apply takes one input of the present instant. It returns Accepted, or the reason for which the input was refused.
func (s *Scheduler) Apply(in *core.Input) core.Reason {
	s.begin("Apply")
	_, removesPolicy := in.Event.(*core.RemovePolicy)
	if !removesPolicy { // of which there may be very many, one after the other, and each concerns all that waits
		s.keepUp()
	}
	if in.At != s.shared.Now {
		s.broken(2, fmt.Sprintf("an input of %s was applied at %s", in.At, s.shared.Now))
	}
	s.next.reset()
	var refused core.Reason
	switch e := in.Event.(type) {
	case *core.SetState:
		refused = s.collect(e)
	case *core.SetConfig:
		refused = s.shared.Apply(in)
		s.follow()
	case *core.RemovePolicy:
		refused = s.shared.Apply(in)
		s.end() // followers catch up with the next call
		return refused
	default:
		refused = s.shared.Apply(in)
	}
	s.catchUp()
	s.end()
	return refused
}

// Cycle has queues give back what they use beyond their max, where that is due, and places what can be placed, limit allocations
// at most; below 0 there is no limit, and with 0 it does nothing. The last may be a gang, which goes beyond since it is never
// split. Only when nothing more can be
// placed do asks look for victims, one after the other. Where that takes longer than one call should, Deadline stays at
// Now, and the next call resumes it: unless something has come between, as though there had been one call only. A partition is
// done before the next one begins.
func (s *Scheduler) Cycle(limit int) int {
	if limit == 0 {
		return 0
	}
	if s.next.skip() {
		return 0
	}
	s.begin("Cycle")
	n, budget := 0, resumable.Steps(cmp.Or(max(0, s.shared.Options.SearchSteps), defaultSearchSteps))
	first, failures := s.next.take(s.partitions, s.shared.Modules.Faults)
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
		if last := i == len(s.partitions)-1; last && i > 0 && failures != s.shared.Modules.Faults {
			failures, i = s.shared.Modules.Faults, -1 // other policies answer now, in partitions that were done as well
		}
	}
	s.catchUp()
	s.end()
	return n
}

// defaultSearchSteps is how many steps a Cycle may search, if the options name no number: about 5 ms.
const defaultSearchSteps = 500_000

// keepUp has everything that follows the state take in what the last inputs changed, if that was put off.
func (s *Scheduler) keepUp() {
	for _, p := range s.partitions {
		if p.state.LogLength() > 0 {
			p.catchUp()
		}
	}
}

// catchUp has everything that follows the state take in what changed, and the log forget it.
func (s *Scheduler) catchUp() {
	for _, p := range s.partitions {
		p.catchUp()
	}
}

// Take returns the decisions made since the last Take.
func (s *Scheduler) Take() []core.Decision { return s.shared.TakeDecisions() }

// Interrupted is the method in which a panic came; empty: none came. After one the scheduler is not to be asked anything more.
func (s *Scheduler) Interrupted() string { return s.running }

// Answered returns the answers that have to be recorded: what modules that are not pure, and host predicates, answered
// since the last call. They belong in the journal after the inputs of the present instant, as policy.answers.
func (s *Scheduler) Answered() []core.Answers { return s.shared.Answered() }

// Rewitness shows Options.Witness the built-ins in force once more, where it would return something else than before.
// Decisions are unchanged.
func (s *Scheduler) Rewitness() {
	s.begin("Rewitness")
	s.shared.Rewitness()
	s.catchUp()
	s.end()
}

// Snapshot writes the whole state: a line that names the format, its version and a checksum, then JSON. Equal states
// give equal bytes. Decisions that were not taken yet are not part of it.
func (s *Scheduler) Snapshot() []byte { return s.shared.Snapshot(s.unfinished()) }

// Checkpoint remembers the state, as Snapshot does.
func (s *Scheduler) Checkpoint() *Checkpoint { return s.shared.Checkpoint(s.unfinished()) }
