package server

import (
	"context"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/store"
)

// Observer receives the events of a server, for metrics and traces. It must return within microseconds: its caller waits for it.
type Observer interface {
	// Round is called by the loop after each round that wrote something or decided something.
	Round(Round)
	// Answered is called by each goroutine that submits, when its request was answered or refused.
	Answered(context.Context, Passage, error)
	// Published is called with the decisions that readers see from now on, by the goroutine of the view.
	Published([]core.Decision)
}

// Round says what one round did.
type Round struct {
	Requests, Inputs int
	Decisions        int           // made
	Bytes            int           // of the batch; 0: there was none
	Sync             time.Duration // until the batch was durable
	Cycle            time.Duration // in which the scheduler decided
}

// Passage says when a request came to each stage; zero: it did not.
type Passage struct {
	Inputs    int
	Arrived   time.Time // it was submitted
	Taken     time.Time // by a round
	Durable   time.Time // its inputs
	Decided   time.Time // by the scheduler
	Published time.Time // the decisions are durable, too
	Answered  time.Time
}

// Unobserved is an Observer that does nothing.
type Unobserved struct{}

// Round implements Observer.
func (Unobserved) Round(Round) {}

// Answered implements Observer.
func (Unobserved) Answered(context.Context, Passage, error) {}

// Published implements Observer.
func (Unobserved) Published([]core.Decision) {}

// roundWatch times a round of the loop.
type roundWatch struct {
	observer Observer
	round    Round
	seq      uint64 // of the last decision before the round
}

// begin starts a round that serves requests.
func (r *roundWatch) begin(seq uint64, requests []*waiting) {
	r.round, r.seq = Round{Requests: len(requests)}, seq
	now := time.Now()
	for _, w := range requests {
		w.passage.Taken = now
		r.round.Inputs += len(w.Inputs)
	}
}

// end reports the round to the observer, unless it was empty.
func (r *roundWatch) end(seq uint64) {
	r.round.Decisions = int(seq - r.seq)
	if r.round.Bytes > 0 || r.round.Decisions > 0 {
		r.observer.Round(r.round)
	}
}

// synced notes a batch that was begun at a time and is durable now.
func (r *roundWatch) synced(began time.Time, bytes int) {
	r.round.Sync, r.round.Bytes = time.Since(began), bytes
}

// decided notes that the scheduler has decided since a time about requests.
func (r *roundWatch) decided(began time.Time, requests []*waiting) {
	now := time.Now()
	r.round.Cycle += now.Sub(began)
	for _, w := range requests {
		if !w.Durable { // it was answered, and is its sender's
			w.passage.Decided = now
		}
	}
}

// Condition says how a server stands.
type Condition struct {
	Requests, Inputs, Bytes int            // that wait for a round
	Readers                 int            // of decisions
	End                     store.Position // of the record
	Followed                store.Position // as far as the view has come
	Gathered, GatheredBytes int            // handovers that the view has not received; beyond a bound it reads the record instead
	Versions                int            // of the state that readers and snapshots hold
	VersionBytes            int            // that these would take if they shared no memory: they keep at most that
	Oldest                  time.Duration  // for which the oldest of these has been held
	Failure                 error          // why the store does not write; nil: it does
}

// Condition reads how the server stands. It waits neither for the loop nor for readers.
func (s *Server) Condition() Condition {
	c := Condition{Readers: int(s.view.readers.Load()), End: s.o.Store.End()}
	c.Requests, c.Inputs, c.Bytes = s.intake.waits()
	c.Versions, c.VersionBytes, c.Oldest = s.view.versions.Count()
	s.view.told.Lock()
	c.Gathered, c.GatheredBytes = s.view.inbox.Kept()
	c.Followed, c.Failure = s.view.behind.followed, s.view.failure
	s.view.told.Unlock()
	return c
}

// waits counts what waits for a round.
func (i *intake) waits() (requests, inputs, bytes int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, s := range i.sources {
		requests, inputs, bytes = requests+len(s.queue), inputs+s.inputs, bytes+s.bytes
	}
	return requests, inputs, bytes
}
