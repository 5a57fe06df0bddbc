package server

import (
	"context"

	"github.com/quern-project/quern/core"
)

// ConfigFileFault says why a watched configuration file is not in force.
type ConfigFileFault struct {
	File  string `json:"file"`
	Error string `json:"error"` // a line an error
}

// ConfigFileFault is what is wrong with the watched file; nil: nothing is.
func (s *Server) ConfigFileFault() *ConfigFileFault { return s.fileFault.Load() }

// FaultConfigFile notes what is wrong with a watched file; nil: nothing is any more.
func (s *Server) FaultConfigFile(file string, err error) {
	if err == nil {
		s.fileFault.Store(nil)
		return
	}
	s.fileFault.Store(&ConfigFileFault{file, err.Error()})
}

// ReloadFile puts a file that has changed in force while the server runs. It reports false where that was in force before, and has not
// changed since.
func (s *Server) ReloadFile(ctx context.Context, in *core.Input) (applied bool, err error) {
	s.view.mu.Lock()
	last := s.view.follower.applied
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
