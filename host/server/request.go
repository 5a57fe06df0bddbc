package server

import (
	"context"
	"errors"
	"time"

	"github.com/quern-project/quern/core"
)

// Errors that requests are refused with. Nothing of a refused request was applied, except with ErrUndecided.
var (
	ErrBusy        = errors.New("too many requests wait")
	ErrStoreFailed = errors.New("the store cannot write: the host is read-only until it can")
	// ErrUndecided is of a request that was applied: its inputs are durable, but not the decisions that they bring.
	ErrUndecided = errors.New("the inputs are durable and take effect, but the store cannot write their decisions: send them again only with the same idempotency key")
	ErrStopping  = errors.New("the host is stopping")
	ErrKeyReused = errors.New("the idempotency key has been used with other inputs")
	ErrTooLarge  = errors.New("there are too many inputs for one request")
	// ErrConfigChanged refuses a request whose IfConfig does not hold.
	ErrConfigChanged = errors.New("the configuration has changed since the one that this change is based on")
)

// Request is a list of inputs that is applied as a whole at one time, with nothing in between.
type Request struct {
	// Inputs are stamped by the loop. The events must not be changed afterwards: readers' schedulers may apply them later.
	Inputs []core.Input
	// Key makes a repeat harmless: within a day the same key gets the first answer. Empty: there is none.
	Key string
	// Applied names the file that a config.set is the text of, so that it is not applied again unless it changed. Empty: none.
	Applied Applied
	// IfConfig is the tag of the configuration that has to be in force when the loop comes to the request. Empty: any may be.
	IfConfig string
	// Registers says whose resource managers are from now on. There must be an input beside it.
	Registers []Registration
	// Durable asks for an answer as soon as the inputs are durable, without decisions.
	Durable bool
	// Omits has inputs left out that have too many names, in place of refusing the request. It is not for requests with keys.
	Omits bool
	// By is who sends the request. Idempotency keys of one user are not those of another.
	By Actor

	announces bool // it may tell of policy modules: it is the host's own
	patient   bool // it waits for its decisions as long as the store cannot write them
}

// Applied is a configuration file as it was put in force.
type Applied struct {
	File   string `json:"applied"`
	SHA256 string `json:"sha256"`
}

// Answer is the result of a request.
type Answer struct {
	First, Last uint64 // numbers of its inputs, from 1
	At          time.Duration
	Batch       uint64       // in which they are durable
	Refused     bool         // whether an input was, by decision
	Decisions   []Decision   // those that its inputs brought, or that name what they name at that time
	Omitted     []*NameError // inputs that were left out
}

// waiting is a request on its way through the loop.
type waiting struct {
	*Request
	lines  []byte // its inputs, without a time
	digest string // of them, where there is a key
	// What answers it: decisions, and their seqs; the seqs alone where it repeats another request. Both belong to the loop until
	// the request is finished.
	brought []Decision
	refused bool // one of its inputs was
	seqs    []uint64
	answer  Answer
	passage Passage
	done    chan error // gets one value

	rewitnesses bool // the scheduler is shown its built-in policies before the inputs
	undecided   bool // it was answered with ErrUndecided
}

// prepare writes the lines of a request.
func (w *waiting) prepare() (err error) {
	if w.lines, err = encode(w.Inputs); err == nil && w.Key != "" {
		own := *w.Request
		own.Key = w.By.key(w.Key)
		w.Request, w.digest = &own, digestOf(w.lines)
	}
	return err
}

// finish answers a request.
func (w *waiting) finish(err error) { w.done <- err }

// Submit hands in a request and waits until it is answered. The error is one of those above, or the context's: then the request may
// still be applied.
func (s *Source) Submit(ctx context.Context, r *Request) (Answer, error) {
	t, err := s.Enqueue(ctx, r)
	if err != nil {
		return Answer{}, err
	}
	return t.Wait(ctx)
}

// Ticket is a request that was handed in.
type Ticket struct {
	request *waiting
	source  *Source
	passage Passage // as it was handed in
}

// Enqueue hands in a request without waiting. Requests of a source are applied in the order in which they were handed in.
func (s *Source) Enqueue(ctx context.Context, r *Request) (*Ticket, error) {
	w := &waiting{Request: r, passage: Passage{Inputs: len(r.Inputs), Arrived: time.Now()}, done: make(chan error, 1)}
	p := w.passage // the loop may have w soon
	if err := s.enqueue(w); err != nil {
		p.Answered = time.Now()
		s.intake.observer.Answered(ctx, p, err)
		s.intake.audit(r, &Answer{}, err)
		return nil, err
	}
	return &Ticket{request: w, source: s, passage: p}, nil
}

// EnqueueWait is Enqueue, once there is room in the source's queue.
func (s *Source) EnqueueWait(ctx context.Context, r *Request) (*Ticket, error) {
	for {
		t, err := s.Enqueue(ctx, r)
		if !errors.Is(err, ErrBusy) {
			s.signal() // others may wait, and there may be room for them, too
			return t, err
		}
		select {
		case <-s.room:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (s *Source) enqueue(w *waiting) error {
	if s.intake.guarded && !w.announces && announces(w.Inputs) {
		return ErrAnnounced
	}
	if err := w.prepare(); err != nil {
		return err
	}
	return s.intake.put(s, w)
}

// Wait waits until a request is answered; it is to be called once. The error is as that of Submit.
func (t *Ticket) Wait(ctx context.Context) (Answer, error) {
	w, p := t.request, t.passage
	var given Answer
	var err error
	select {
	case err = <-w.done:
		p = w.passage
		if err == nil {
			err = w.complete(t.source.record)
		}
		given = w.answer
	case <-ctx.Done():
		err = ctx.Err()
	}
	p.Answered = time.Now()
	t.source.intake.observer.Answered(ctx, p, err)
	t.source.intake.audit(w.Request, &given, err)
	return given, err
}

// complete gives an answer its decisions.
func (w *waiting) complete(record Record) (err error) {
	if w.Durable {
		return nil
	}
	w.answer.Refused = w.refused
	if w.answer.Decisions = w.brought; len(w.brought) < len(w.seqs) {
		w.answer.Decisions, err = readDecisions(record, w.seqs)
	}
	return err
}
