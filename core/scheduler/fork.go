package scheduler

import (
	"bytes"
	"errors"
	"io"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/state"
)

// Frozen is an immutable version of a scheduler. Any goroutines may fork it, also while the scheduler continues. It asks no policy.
type Frozen struct {
	state *state.Frozen
	ran   bool // as resumePoint.ran
}

// Freeze returns an immutable version of the scheduler. The time does not depend on the numbers of nodes, asks and allocations: version and
// scheduler share their rows, and the scheduler copies a page of rows when it first changes it.
//
// It is refused during an instant: while a search is unfinished, or while decisions or answers have not been taken. Forks would not have
// them.
func (s *Scheduler) Freeze() (*Frozen, error) {
	s.begin("Freeze")
	defer s.end()
	for _, p := range s.partitions {
		if p.search.Unfinished() {
			return nil, errors.New("the scheduler cannot be frozen: a search is unfinished, and the next Cycle resumes it")
		}
	}
	if s.shared.HasDecisions() {
		return nil, errors.New("the scheduler cannot be frozen: Take has not returned the last decisions")
	}
	if s.shared.HasAnswers() {
		return nil, errors.New("the scheduler cannot be frozen: Answered has not returned the last answers of policies")
	}
	return &Frozen{s.shared.Freeze(), s.next.ran}, nil
}

// Fork makes a scheduler that starts with the version and has its own future. It decides as the frozen scheduler would with the same inputs.
// Options.Evaluator must return evaluators of its own, since modules keep rows of one scheduler. Impure modules and host predicates are asked
// again about everything; without an evaluator, their fallbacks answer.
func (f *Frozen) Fork(o core.Options) *Scheduler {
	shared := f.state.Fork(o)
	s := restored(shared, make([]bool, shared.PartitionCount()))
	s.next.ran = f.ran
	return s
}

// Size returns the approximate number of bytes that the version would take if it shared no memory with the scheduler and other versions.
func (f *Frozen) Size() int { return f.state.Size() }

// WriteSnapshot writes the snapshot that the scheduler would have written when it was frozen. Memory does not grow with the number of nodes,
// and by a few bytes for each ask.
func (f *Frozen) WriteSnapshot(to io.Writer) error { return f.state.WriteSnapshot(to) }

// Snapshot returns what WriteSnapshot writes.
func (f *Frozen) Snapshot() []byte {
	var b bytes.Buffer
	_ = f.WriteSnapshot(&b) // writing to memory does not fail
	return b.Bytes()
}
