package server

import (
	"context"

	"github.com/quern-project/quern/core"
)

// ReloadFile puts a file that has changed in force while the server runs. It reports false where that was in force before, and has not
// changed since.
func (s *Server) ReloadFile(ctx context.Context, in *core.SetConfig) (applied bool, err error) {
	s.view.mu.Lock()
	last := s.view.memory.applied
	s.view.mu.Unlock()
	r := fileRequest(in, last)
	if r == nil {
		return false, nil
	}
	if _, err := s.CheckConfig(in); err != nil {
		return false, err
	}
	return true, s.Configure(ctx, r)
}
