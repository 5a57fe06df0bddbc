package server

import (
	"context"
	"errors"
	"time"

	"github.com/quern-project/quern/core"
)

// Errors that requests are refused with. Nothing of a refused request was applied.
var (
	ErrBusy        = errors.New("too many requests wait")
	ErrStoreFailed = errors.New("the store cannot write: the host is read-only until it can")
	ErrStopping    = errors.New("the host is stopping")
	ErrKeyReused   = errors.New("the idempotency key came before with other inputs")
	ErrTooLarge    = errors.New("the inputs are too many for one request")
)

// Request is a list of inputs that is applied as a whole at one time, with nothing in between.
type Request struct {
	Inputs []core.Input // the loop stamps them
	// Key makes a repeat harmless: within a day the same key gets the first answer. Empty: there is none.
	Key string
	// Applied names the file that a config.set is the text of, so that it is not applied again unless it changed. Empty: none.
	Applied Applied
	// Durable asks for an answer as soon as the inputs are durable, without decisions.
	Durable bool
	// By is who sends the request. Idempotency keys of one user are not those of another.
	By Actor
}

// Applied is a configuration file as it was put in force.
type Applied struct {
	File   string `json:"applied"`
	SHA256 string `json:"sha256"`
}

// Answer says what became of a request.
type Answer struct {
	First, Last uint64 // numbers of its inputs, from 1
	At          time.Duration
	Batch       uint64   // in which they are durable
	Refused     bool     // whether an input was, by decision
	Decisions   [][]byte // lines of those that its inputs brought, or that name what they name at that time
}

// waiting is a request on its way through the loop.
type waiting struct {
	*Request
	lines  []byte // its inputs, without a time
	digest string // of them, where there is a key
	// What answers it: decisions, and their seqs; the seqs alone where it repeats another request. Both belong to the loop until
	// the request is finished.
	brought [][]byte
	refused bool // one of its inputs was
	seqs    []uint64
	answer  Answer
	passage Passage
	done    chan error // gets one value
}

// finish answers a request.
func (w *waiting) finish(err error) { w.done <- err }

// Submit hands in a request and waits until it is answered. The error is one of those above, or the context's: then the request may
// still be applied.
func (s *Source) Submit(ctx context.Context, r *Request) (Answer, error) {
	p := Passage{Inputs: len(r.Inputs), Arrived: time.Now()}
	a, err := s.submit(ctx, r, &p)
	p.Answered = time.Now()
	s.intake.observer.Answered(ctx, p, err)
	return a, err
}

// submit has a request wait until it is answered, and says how it went there.
func (s *Source) submit(ctx context.Context, r *Request, p *Passage) (Answer, error) {
	w := &waiting{Request: r, passage: *p, done: make(chan error, 1)}
	var err error
	if w.lines, err = encode(r.Inputs); err != nil {
		return Answer{}, err
	}
	if r.Key != "" {
		own := *r
		w.Request, own.Key = &own, r.By.key(r.Key)
		w.digest = digestOf(w.lines)
	}
	if err := s.intake.put(s, w); err != nil {
		return Answer{}, err
	}
	select {
	case err := <-w.done:
		*p = w.passage
		if err == nil {
			err = w.complete(s.record)
		}
		return w.answer, err
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	}
}

// complete gives an answer its decisions.
func (w *waiting) complete(record Record) (err error) {
	if w.Durable {
		return nil
	}
	w.answer.Refused = w.refused
	if w.answer.Decisions = w.brought; len(w.brought) < len(w.seqs) {
		w.answer.Decisions, err = decisionLines(record, w.seqs)
	}
	return err
}
