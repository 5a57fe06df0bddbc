package server

import (
	"context"
	"errors"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/host/store"
)

// The pauses between attempts to write again.
const (
	firstPause = 50 * time.Millisecond
	lastPause  = 5 * time.Second
)

// mostUndecided is how long a request waits for its decisions while the store cannot write them.
const mostUndecided = 2 * time.Second

// reopen tries to have the store write again, with longer and longer pauses. What comes meanwhile is refused, and requests whose decisions
// are not durable are answered within a bound. The error is one after which the server has to end.
func (s *Server) reopen(ctx context.Context, failure error) error {
	s.o.Log.Error("inputs are refused", "error", failure)
	late := instant.Add(s.o.Clock.Now(), mostUndecided)
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		var damage *store.DamageError
		switch err := s.o.Store.Reopen(); {
		case err == nil:
			s.o.Log.Info("the store writes again")
			s.view.fail(nil)
			return nil
		case errors.As(err, &damage):
			s.loop.answerUndecided()
			return err
		}
		if ctx.Err() != nil {
			s.loop.answerUndecided()
			return failure
		}
		s.refuseUntil(ctx, instant.Add(s.o.Clock.Now(), pause), late)
	}
}

// refuseUntil refuses what comes, until a time. From another time on, no request waits for its decisions any more.
func (s *Server) refuseUntil(ctx context.Context, end, late time.Duration) {
	for {
		requests, _ := s.intake.take() // keys that they name are those of requests that were answered
		for _, w := range requests {
			w.finish(ErrStoreFailed)
		}
		now := s.o.Clock.Now()
		if now >= late {
			s.loop.answerUndecided()
		}
		if now >= end || ctx.Err() != nil {
			return
		}
		next := end
		if now < late {
			next = min(end, late)
		}
		s.pause(ctx, next)
	}
}

// pause waits until a time, or until a request waits to be refused.
func (s *Server) pause(ctx context.Context, until time.Duration) {
	wake, stop := s.o.Clock.Wake(until)
	defer stop()
	select {
	case <-wake:
	case <-s.intake.wake:
	case <-ctx.Done():
	}
}

// answerUndecided answers the requests that wait for decisions to become durable, and their repeats. The decisions are published once they
// are. Requests without a client that could repeat them go on waiting.
func (l *loop) answerUndecided() {
	for _, w := range l.awaiting {
		if w.Durable || w.undecided || w.patient || w.Applied.File != "" {
			continue
		}
		w.undecided = true
		w.finish(ErrUndecided)
		if known := l.keys.byKey[w.Key]; w.Key != "" && known != nil {
			for _, r := range known.repeats {
				r.finish(ErrUndecided)
			}
			known.repeats = nil
		}
	}
}
