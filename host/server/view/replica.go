// Package view holds the scheduler that readers of a live host see, and the versions of it that they keep.
//
// The loop hands over each batch once it is durable. A Replica keeps these and decides them when a reader comes; if many gathered, a version of the
// loop's scheduler replaces it, so that batches between two readers are decided once. Versions counts the states that readers hold and ends slow
// readers. A Replica is guarded by its owner, host/server; Versions guard themselves.
package view

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/store"
)

// Decider decides batches on a scheduler of its own.
type Decider interface {
	Scheduler() *scheduler.Scheduler
	// Freeze returns the present state: the same version until it changes.
	Freeze() (Start, error)
	// Decide receives a batch: it decides the inputs of the batch before, up to the time of this one.
	Decide(b *Batch) error
	// DecideIdle decides the inputs of the last batch, and advances to a time before which nothing is decided.
	DecideIdle(q Quiet) error
}

// Batch is a durable batch.
type Batch struct {
	At      store.Position
	Inputs  []core.Input // decided with the next batch
	Answers []core.Input // of policies, to the inputs of the batch before
	Work    int          // inputs and decisions
}

// Quiet says that nothing was decided since a batch, up to a time: neither about its inputs, nor because of what was due.
type Quiet struct {
	Batch uint64
	Until time.Duration
}

// Start is where a Decider starts: at a version, which lacks the inputs of its last batch.
type Start struct {
	Version *scheduler.Frozen
	At      store.Position
	Open    []core.Input
}

// MostBacklog is how many inputs and decisions a replica lacks before it wants a version. Deciding them takes about as long as a fork of a
// middling cluster, which a reader waits for either way.
const MostBacklog = 2_000

// Replica is the scheduler that readers see. It is brought up to date when a reader comes. Until then it keeps the batches that it lacks.
//
// Versions come without what policies have answered. While there are policies, the replica decides all batches, with the recorded answers.
type Replica[D Decider] struct {
	fork    func(Start) D
	decider D
	start   *Start   // nil: there is a decider. Otherwise it is made from here when a reader comes
	lent    *Loan[D] // nil: the decider of the start is not lent
	backlog []Batch
	work    int // in the backlog

	Most int // the work in the backlog beyond which it wants a version
}

// NewReplica makes a replica that starts with a decider. fork makes one that starts with a version.
func NewReplica[D Decider](decider D, fork func(Start) D) *Replica[D] {
	return &Replica[D]{decider: decider, fork: fork, Most: MostBacklog}
}

// Add adds the next batch. The version is nil, or the state at the batch, without its inputs. If no version can be made, the backlog is decided
// instead once it is long.
func (r *Replica[D]) Add(b Batch, version *scheduler.Frozen, unversioned bool) error {
	r.backlog = append(r.backlog, b)
	r.work += b.Work
	switch {
	case !r.WantsVersion(): // a reader may have come meanwhile
	case version != nil:
		var none D
		r.decider, r.start, r.lent = none, &Start{version, b.At, b.Inputs}, nil
		r.backlog, r.work = nil, 0
	case unversioned:
		_, err := r.CatchUp()
		return err
	}
	return nil
}

// WantsVersion reports whether the backlog is so long that a version is better.
func (r *Replica[D]) WantsVersion() bool { return r.work > r.Most }

// Lacks returns the inputs and decisions in the backlog.
func (r *Replica[D]) Lacks() int { return r.work }

// Present returns a decider that has decided all batches, and a quiet period after the last one.
func (r *Replica[D]) Present(q Quiet) (D, error) {
	d, err := r.CatchUp()
	if err != nil {
		return d, err
	}
	return d, d.DecideIdle(q)
}

// CatchUp decides the backlog.
func (r *Replica[D]) CatchUp() (D, error) {
	if r.start != nil {
		r.decider, r.start, r.lent = r.fork(*r.start), nil, nil
	}
	for i := range r.backlog {
		if err := r.decider.Decide(&r.backlog[i]); err != nil {
			return r.decider, err
		}
	}
	r.backlog, r.work = nil, 0
	return r.decider, nil
}

// Loan is a decider that one reader uses alone.
type Loan[D Decider] struct {
	Decider  D
	Start    Start         // its state
	returned chan struct{} // closed when it is not in use any more
}

// Lend gives a reader the present decider alone. Whoever comes before Return and does not wait for it gets a fork.
func (r *Replica[D]) Lend() (*Loan[D], error) {
	start, err := r.decider.Freeze()
	if err != nil {
		return nil, err
	}
	var none D
	r.lent = &Loan[D]{r.decider, start, make(chan struct{})}
	r.decider, r.start = none, &start
	return r.lent, nil
}

// Return takes back what was lent. It is used again if it is sound and no fork or version has replaced it.
func (r *Replica[D]) Return(l *Loan[D], sound bool) {
	close(l.returned)
	if r.lent != l {
		return
	}
	r.lent = nil
	if sound {
		r.decider, r.start = l.Decider, nil
	}
}

// Lent returns a channel that is closed when the decider is returned; nil: it is not lent, or has been replaced.
func (r *Replica[D]) Lent() <-chan struct{} {
	if r.lent == nil {
		return nil
	}
	return r.lent.returned
}

// Interrupted is the method in which the scheduler has panicked; empty: none.
func (r *Replica[D]) Interrupted() string {
	if r.start != nil {
		return ""
	}
	return r.decider.Scheduler().Interrupted()
}
