package core

import (
	"fmt"
	"time"

	"github.com/quern-project/quern/core/internal/inspect"
	"github.com/quern-project/quern/core/internal/preempt"
	"github.com/quern-project/quern/core/internal/schedule"
	"github.com/quern-project/quern/core/internal/state"
)

// Scheduler is the state machine; make one with New. See the package's documentation for the host's part.
type Scheduler struct {
	state      *state.State
	walk       *schedule.Walk
	preemption *preempt.Preemption
	view       *inspect.View
	running    string // the method that runs, or in which a panic came
}

// logLimit is how many changes are kept within one Cycle before everything that follows them has to read them.
const logLimit = 64

// New makes a scheduler without nodes or applications, with one leaf queue, root.default.
func New(o Options) *Scheduler { return schedulerOf(state.New(o), false) }

// Restore makes a scheduler from a snapshot: it goes on as the one that wrote it would have. A snapshot that is damaged,
// of another version, or contradicts itself is refused.
func Restore(data []byte, o Options) (*Scheduler, error) {
	st, short, err := state.Restore(data, o)
	if err != nil {
		return nil, err
	}
	s := schedulerOf(st, short)
	if at, ok := s.Deadline(); ok && at < st.Now {
		return nil, fmt.Errorf("snapshot: expected no deadline before its time, %s, found one at %s", st.Now, at)
	}
	return s, nil
}

// Recall makes a scheduler that goes on from a checkpoint, as Restore does from a snapshot. The options are to be those of
// the scheduler that made it.
func Recall(c *Checkpoint, o Options) *Scheduler { return schedulerOf(state.Recall(c, o)) }

func schedulerOf(st *state.State, short bool) *Scheduler {
	walk := schedule.New(st)
	preemption := preempt.New(walk, short)
	return &Scheduler{state: st, walk: walk, preemption: preemption, view: inspect.New(walk, preemption)}
}

// Now is the time of the last Advance.
func (s *Scheduler) Now() time.Duration { return s.state.Now }

// Deadline is when the scheduler next wants an Advance.
func (s *Scheduler) Deadline() (at time.Duration, ok bool) {
	at, ok = s.state.Deadline()
	return s.sooner(at, ok)
}

// IdleDeadline is the next deadline that anything other than forgetting a terminal application, or a policy that comes
// back, waits for. A replay that runs until the scheduler is idle ends when there is none.
func (s *Scheduler) IdleDeadline() (at time.Duration, ok bool) {
	at, ok = s.state.NextTimer()
	return s.sooner(at, ok)
}

// sooner brings in the deadlines of asks that wait for a reservation or for victims.
func (s *Scheduler) sooner(at time.Duration, ok bool) (time.Duration, bool) {
	if due, waits := s.walk.Deadline(); waits {
		at, ok = state.Sooner(at, ok, due), true
	}
	if due, waits := s.preemption.Deadline(); waits {
		at, ok = state.Sooner(at, ok, due), true
	}
	return at, ok
}

// Advance sets the clock and fires the timers that are due.
func (s *Scheduler) Advance(to time.Duration) {
	s.begin("Advance")
	s.mayAdvance(to)
	s.state.Advance(to)
	s.catchUp()
	s.walk.Advance()
	s.preemption.Advance()
	s.end()
}

// Apply takes one input of the present instant. It returns Accepted, or the reason for which the input was refused.
func (s *Scheduler) Apply(in *Input) Reason {
	s.begin("Apply")
	if in.At != s.state.Now {
		s.broken(2, fmt.Sprintf("an input of %s was applied at %s", in.At, s.state.Now))
	}
	refused := s.state.Apply(in)
	s.catchUp()
	s.end()
	return refused
}

// Cycle places what can be placed, limit allocations at most; below 0 there is no limit. Only when nothing more can be
// placed do asks look for victims, one after the other. Where that takes longer than one call should, Deadline stays at
// Now, and the next call goes on.
func (s *Scheduler) Cycle(limit int) int {
	s.begin("Cycle")
	s.preemption.Begin()
	n := 0
	for limit < 0 || n < limit {
		if s.walk.Step() {
			n++
		} else if !s.preemption.Step() {
			break
		}
		if s.state.LogLength() > logLimit {
			s.catchUp()
		}
	}
	s.walk.Sync()
	s.catchUp()
	s.end()
	return n
}

// catchUp has everything that follows the state take in what changed, and the log forget it.
func (s *Scheduler) catchUp() {
	s.walk.Follow()
	s.preemption.Follow()
	s.state.TrimLog()
}

// Take returns the decisions made since the last Take.
func (s *Scheduler) Take() []Decision { return s.state.TakeDecisions() }

// Answered returns the answers that have to be recorded: what modules that are not pure, and host predicates, answered
// since the last call. They belong in the journal after the inputs of the present instant, as policy.answers.
func (s *Scheduler) Answered() []Answers { return s.state.Answered() }

// Rewitness shows Options.Witness the built-ins in force once more, where it would return something else than before.
// Decisions are unchanged.
func (s *Scheduler) Rewitness() {
	s.begin("Rewitness")
	s.state.Rewitness()
	s.catchUp()
	s.end()
}

// Snapshot writes the whole state: a line that names the format, its version and a checksum, then JSON. Equal states
// give equal bytes. Decisions that were not taken yet are not part of it.
func (s *Scheduler) Snapshot() []byte { return s.state.Snapshot(s.preemption.Short()) }

// Checkpoint remembers the state, as Snapshot does.
func (s *Scheduler) Checkpoint() *Checkpoint { return s.state.Checkpoint(s.preemption.Short()) }
