package server

import (
	"context"
	"errors"

	"github.com/quern-project/quern/core/instant"
)

// errLate says that work apart took longer than it may.
var errLate = errors.New("it takes too long")

// apart does work on a scheduler apart, as many at a time as there are places, and for no longer than a what-if may take. The error is ErrBusy
// where no place got free in that time, and errLate where the work took longer. Its context ends when no caller waits for it any more.
func apart[T any](ctx context.Context, s *Server, places chan struct{}, work func(context.Context) (T, error)) (result T, err error) {
	late, stop := s.o.Clock.Wake(instant.Add(s.o.Clock.Now(), whatIfTime))
	defer stop()
	select {
	case places <- struct{}{}:
	case <-late:
		return result, ErrBusy
	case <-ctx.Done():
		return result, ctx.Err()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // what is not waited for ends with its present step
	type answer struct {
		result T
		err    error
	}
	answered := make(chan answer, 1)
	go func() {
		defer func() { <-places }()
		result, err := work(ctx)
		answered <- answer{result, err}
	}()
	select {
	case a := <-answered:
		return a.result, a.err
	case <-late:
		return result, errLate
	case <-ctx.Done():
		return result, ctx.Err()
	}
}
