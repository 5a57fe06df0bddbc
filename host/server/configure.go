package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
)

// A ConfigError says that a configuration is not in force.
type ConfigError struct {
	File  string
	Cause error
}

func (e *ConfigError) Error() string { return e.Cause.Error() }

// Unwrap returns what is wrong.
func (e *ConfigError) Unwrap() error { return e.Cause }

// ConfigFile reads a config.set that came from a file; nil: that was put in force before, and has not changed since. It is for
// before Run. The error is a *ConfigError with everything that is wrong.
func (s *Server) ConfigFile(in *core.Input) (*Request, error) {
	if _, err := config.Decode([]byte(in.Config), config.Options{File: in.File, Format: config.Format(in.Format), Policies: func(string, string) bool { return true }}); err != nil {
		return nil, &ConfigError{in.File, err}
	}
	sum := sha256.Sum256([]byte(in.Config))
	applied := Applied{File: in.File, SHA256: hex.EncodeToString(sum[:])}
	if applied == s.loop.applied {
		return nil, nil
	}
	nameless := *in
	nameless.File = "" // the record does not keep it
	return &Request{Inputs: []core.Input{nameless}, Applied: applied}, nil
}

// Configure puts a configuration in force. The error is a *ConfigError where the scheduler refuses it.
func (s *Server) Configure(ctx context.Context, r *Request) error {
	source := s.Source()
	defer source.Close()
	given, err := source.Submit(ctx, r)
	if err == nil {
		err = s.view.Await(ctx, given.Batch)
	}
	if err == nil && given.Refused {
		err = &ConfigError{r.Applied.File, fmt.Errorf("%s: the scheduler refuses it: %s", r.Applied.File, bytes.Join(given.Decisions, []byte{' '}))}
	}
	return err
}
