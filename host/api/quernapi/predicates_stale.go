package quernapi

import (
	"context"
	"errors"
	"time"

	"github.com/quern-project/quern/host/api/permission"
	"github.com/quern-project/quern/host/predicates"
	"github.com/quern-project/quern/host/server"
)

// stalePause is after how long the scheduler is told once more that predicates have changed, if it could not be told.
const stalePause = time.Second

// stale are the predicates of an owner that have to be asked again.
type stale struct {
	all   bool
	names map[string]bool
}

// add takes in what a client says has changed; no names: everything.
func (s *stale) add(names []string) {
	s.all = s.all || len(names) == 0
	for _, name := range names {
		if s.names == nil {
			s.names = map[string]bool{}
		}
		s.names[name] = true
	}
}

// askAnew has all predicates asked again first, since another client or none has answered so far, and later those that have changed. A host
// that cannot take inputs is told again: what changes meanwhile is gathered.
func (c *conversation) askAnew(ctx context.Context) error {
	for changed, first := (stale{all: true}), true; ; {
		var again <-chan time.Time
		switch err := c.askStale(ctx, changed); {
		case err == nil && first:
			close(c.ready)
			first, changed = false, stale{}
		case err == nil:
			changed = stale{}
		case errors.Is(err, server.ErrBusy) || errors.Is(err, server.ErrStoreFailed):
			again = time.After(stalePause)
		case ctx.Err() != nil:
			return nil
		default:
			return err
		}
		if !c.gather(ctx, &changed, again) {
			return nil
		}
	}
}

// gather waits until something has changed or, where the scheduler was not told, until it is to be told again. It takes all changes that are
// there, and reports whether the client still is.
func (c *conversation) gather(ctx context.Context, changed *stale, again <-chan time.Time) bool {
	for waits := true; waits; {
		select {
		case names := <-c.changed:
			changed.add(names)
			waits = again != nil
		case <-again:
			waits = false
		case <-ctx.Done():
			return false
		}
	}
	for {
		select {
		case names := <-c.changed:
			changed.add(names)
		default:
			return true
		}
	}
}

// askStale has predicates of the owner asked again.
func (c *conversation) askStale(ctx context.Context, changed stale) error {
	return c.server.AskAnew(ctx, func(predicate string) bool {
		owner, name := predicates.Parts(predicate)
		return owner == c.owner && (changed.all || changed.names[name])
	}, permission.Actor(ctx))
}
