package server

import (
	"context"

	"github.com/quern-project/quern/core/instant"
)

// checksAtOnce is how many configurations are checked at a time: one may take hundreds of megabytes, whoever sends it.
const checksAtOnce = 2

// Checked runs a check of a configuration, or other work that reads whole ones, once few enough others are under way. The error is ErrBusy
// where there was no place for it in the time that a what-if may take, the context's, or that of the check.
func (s *Server) Checked(ctx context.Context, check func() error) error {
	late, stop := s.o.Clock.Wake(instant.Add(s.o.Clock.Now(), whatIfTime))
	defer stop()
	select {
	case s.checks <- struct{}{}:
	case <-late:
		return ErrBusy
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-s.checks }()
	return check()
}
