package server

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/host/store"
)

// Options of a server.
type Options struct {
	Store Store
	// Found is what opening the store found.
	Found store.Opened
	Clock Clock
	// Policies makes the evaluators of another scheduler: the loop's, which decides, or one that follows it or answers a what-if. Nil: there are no
	// policy modules.
	Policies func(decides bool) Policies
	Log      *slog.Logger
	// Observer receives the events of the server; nil disables it.
	Observer Observer
	// Watcher receives all steps of the view; nil disables it.
	Watcher Watcher
	// Audit is called after each request was answered or refused, by the goroutine that submitted it. Nil disables it.
	Audit func(*Request, *Answer, error)
	// Retain is how long batches are kept that recovery does not need any more.
	Retain time.Duration
	// Names bounds the names that inputs may bring.
	Names NameLimits
	// SnapshotBatches is after how many batches a snapshot is kept; 0: 100,000.
	SnapshotBatches uint64
	// VerifyView has the view decide everything a second time, and compare each decision. A difference ends the server.
	VerifyView bool
	// MostStall is how long a round may take, or readers see an old state, until the server is not ready; 0: ten seconds.
	MostStall time.Duration
	// MostEnding is how long Run may take to end; 0: nine seconds.
	MostEnding time.Duration
}

// Server is a live scheduler. Make one with New, and have Run drive it.
type Server struct {
	o      Options
	loop   *loop
	view   *View
	intake *intake
	heart  heartbeat

	driven    atomic.Bool // the loop has ended in good order
	rewitness atomic.Bool // a shadow of a built-in policy has changed
	health    *configHealth
	trials    chan struct{} // has a value for each what-if that is decided, and each placement that is looked back at
	forecasts chan struct{} // has a value for each forecast that is made
	checks    chan struct{} // has a value for each configuration that is checked

	placements placements
}

// New recovers the state from the store.
func New(o Options) (*Server, error) {
	if o.Observer == nil {
		o.Observer = Unobserved{}
	}
	s := &Server{o: o, intake: newIntake(o.Observer), trials: make(chan struct{}, whatIfsAtOnce), forecasts: make(chan struct{}, forecastsAtOnce),
		checks: make(chan struct{}, checksAtOnce), health: newConfigHealth()}
	if o.Audit != nil {
		s.intake.audit = o.Audit
	}
	past := newPast(o.Watcher)
	l, f, err := recoverLoop(o.Store, &o.Found, o.policiesOf, past)
	if err != nil {
		return nil, err
	}
	l.watch.observer = o.Observer
	l.names.bound(o.Names)
	l.health = s.health
	s.loop, s.view = l, newView(&o, f)
	s.view.endings, s.view.runTimes, s.view.watcher = past.endings, past.runTimes, past
	l.view = s.view
	l.failing = s.view.fail
	s.intake.guarded, s.view.renew = o.Policies != nil, s.renew
	return s, nil
}

// Source makes a source of requests.
func (s *Server) Source() *Source { return s.intake.source(s.o.Store) }

// SetRetain has batches that recovery does not need any more kept for another time than the options say, from the next snapshot on.
func (s *Server) SetRetain(d time.Duration) { s.view.retain.Store(int64(d)) }

// SetSnapshotBatches has a snapshot kept after another number of batches than the options say.
func (s *Server) SetSnapshotBatches(n uint64) { s.view.every.Store(n) }

// View is what readers see.
func (s *Server) View() *View { return s.view }

// Run drives the loop until the context ends. Then it takes no more requests, finishes those that wait, and keeps a snapshot. The
// error is one that the loop cannot go on from, or says what was not finished in time. That goes on: the store must stay open until the
// process ends.
func (s *Server) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- s.run(ctx, cancel) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	late := time.NewTimer(cmp.Or(s.o.MostEnding, mostEnding))
	defer late.Stop()
	select {
	case err := <-ended:
		return err
	case <-late.C:
		return s.unfinished()
	}
}

// run drives the loop until the context ends, and ends the view.
func (s *Server) run(ctx context.Context, cancel func()) error {
	following := make(chan error, 1)
	go func() {
		following <- s.view.follow()
		cancel() // without a view no request can be answered
	}()
	maintained := make(chan struct{})
	go func() {
		s.view.maintain()
		close(maintained)
	}()
	err := s.drive(ctx)
	s.driven.Store(err == nil)
	cancel()
	defer s.loop.policies.Close()
	defer s.view.policies.Close()
	s.view.stop()
	err = errors.Join(err, <-following)
	<-maintained
	if err == nil {
		err = s.view.keepSnapshot()
	}
	return err
}

// drive goes from round to round.
func (s *Server) drive(ctx context.Context) error {
	stop := context.AfterFunc(ctx, s.intake.close)
	defer stop()
	for {
		requests, more := s.intake.take()
		if ctx.Err() != nil && len(requests) == 0 && !s.loop.pending() {
			return s.loop.end(s.o.Clock.Now())
		}
		mended, err := s.serve(ctx, requests)
		if err != nil {
			return err
		}
		if !more && !mended && !s.loop.pending() {
			s.wait(ctx)
		}
	}
}

// serve makes a round. Where the store fails, it waits until that writes again, and says so.
func (s *Server) serve(ctx context.Context, requests []*waiting) (mended bool, err error) {
	rewitness := s.rewitness.Swap(false)
	if rewitness {
		w, err := s.loop.rewitness()
		if err != nil {
			return false, err
		}
		if w != nil {
			requests = slices.Insert(requests, 0, w)
		}
	}
	s.heart.begin()
	err = s.loop.round(s.o.Clock.Now(), requests)
	s.heart.end()
	if errors.Is(err, ErrStoreFailed) {
		s.rewitness.CompareAndSwap(false, rewitness)
		return true, s.reopen(ctx, err)
	}
	return false, err
}

// wait waits for requests, deadlines or the end.
func (s *Server) wait(ctx context.Context) {
	var due <-chan time.Time
	if at, ok := s.loop.scheduler.Deadline(); ok {
		wake, stop := s.o.Clock.Wake(instant.Add(at, 1))
		defer stop()
		due = wake
	}
	select {
	case <-s.intake.wake:
	case <-due:
	case <-ctx.Done():
	}
}
