package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/scheduler"
)

// A ConfigError says that a configuration is not in force.
type ConfigError struct {
	File  string
	Cause error // config.Errors where the text is wrong

	Warnings []config.Warning // beside the errors of a text
}

func (e *ConfigError) Error() string { return e.Cause.Error() }

// Unwrap returns what is wrong.
func (e *ConfigError) Unwrap() error { return e.Cause }

// RefusedConfigError says why the scheduler refuses a configuration whose text is right.
type RefusedConfigError struct{ Reasons []string }

func (e *RefusedConfigError) Error() string {
	return "the scheduler refuses it: " + fmt.Sprint(e.Reasons)
}

// ConfigFile reads a config.set that came from a file; nil: that was put in force before, and has not changed since. It is for
// before Run. The error is a *ConfigError with everything that is wrong.
func (s *Server) ConfigFile(in *core.SetConfig) (*Request, error) {
	if _, err := decodeConfig(in, config.Options{Policies: func(string, string) bool { return true }}); err != nil {
		return nil, err
	}
	return fileRequest(in, s.loop.applied), nil
}

func decodeConfig(in *core.SetConfig, o config.Options) (*config.Config, error) {
	o.File, o.Format = cmp.Or(in.File, "config"), config.Format(formatOf(in))
	read, warnings, err := config.Check([]byte(in.Config), o)
	if err != nil {
		return nil, &ConfigError{in.File, err, warnings}
	}
	return read, nil
}

// fileRequest is the request that puts a file in force; nil: the file was applied last.
func fileRequest(in *core.SetConfig, last Applied) *Request {
	applied := Applied{File: in.File, SHA256: SumOf(in.Config)}
	if applied == last {
		return nil
	}
	nameless := *in
	nameless.File = "" // the record does not keep it
	return &Request{Inputs: []core.Input{{Event: &nameless}}, Applied: applied}
}

// Configure puts a configuration in force. The error is a *ConfigError where the scheduler refuses it.
func (s *Server) Configure(ctx context.Context, r *Request) error {
	source := s.Source()
	defer source.Close()
	_, err := s.SetConfig(ctx, source, r)
	var refused *RefusedConfigError
	if errors.As(err, &refused) {
		return &ConfigError{File: r.Applied.File, Cause: fmt.Errorf("%s: %w", r.Applied.File, refused)}
	}
	return err
}

// SetConfig submits a request that has a config.set alone, and waits until the view has it. It returns the configuration that is in
// force then. The error may be a *RefusedConfigError, or ErrConfigChanged.
func (s *Server) SetConfig(ctx context.Context, source *Source, r *Request) (Configuration, error) {
	given, err := source.Submit(ctx, r)
	if err == nil {
		err = s.view.Await(ctx, given.Batch)
	}
	if err != nil {
		return Configuration{}, err
	}
	refused, err := configRefusal(given.Decisions)
	if err != nil {
		return Configuration{}, err
	}
	if refused != nil {
		return Configuration{}, &RefusedConfigError{refused}
	}
	sum := SumOf(r.Inputs[0].Event.(*core.SetConfig).Config)
	list := s.view.Configurations()
	for _, c := range slices.Backward(list) {
		if c.At == given.At && c.SHA256 == sum {
			return c, nil
		}
	}
	return s.view.Configuration(), nil // a repeat of a request whose configuration the history has forgotten
}

// configRefusal returns the errors of a refused configuration, or nil if none of the decisions refuses it.
func configRefusal(list []Decision) ([]string, error) {
	for i := range list {
		d, err := list[i].Value()
		if err != nil {
			return nil, err
		}
		if d.Type == core.ConfigRejected {
			return d.Errors, nil
		}
	}
	return nil, nil
}

// CheckConfig decodes the configuration of a config.set and checks it against the policies and the nodes that exist. Its warnings
// include warnings about implausible names and amounts, which the decision about a configuration does not have. The error is a *ConfigError with
// everything that is wrong.
func (s *Server) CheckConfig(in *core.SetConfig) (*config.Config, error) {
	return decodeConfig(in, s.configOptions())
}

// ConfigWarnings are the warnings about the configuration of a config.set, also where it has errors.
func (s *Server) ConfigWarnings(in *core.SetConfig) []config.Warning {
	o := s.configOptions()
	o.File, o.Format = cmp.Or(in.File, "config"), config.Format(formatOf(in))
	_, warnings, _ := config.Check([]byte(in.Config), o) // who applies it sees the errors
	return warnings
}

// configOptions are those of a configuration for the present policies and nodes.
func (s *Server) configOptions() config.Options {
	var uses []core.PolicyUse
	o := config.Options{Implausible: true}
	s.view.Read(func(present *scheduler.Scheduler) {
		uses = present.PolicyUses()
		o.Types = nodeTypes(present)
	})
	o.Policies = func(point, name string) bool {
		return slices.ContainsFunc(uses, func(u core.PolicyUse) bool { return u.Name == name && slices.Contains(u.Points, point) })
	}
	return o
}

// nodeTypes are the resource types of all nodes, sorted.
func nodeTypes(s *scheduler.Scheduler) []string {
	types := map[string]bool{}
	for _, q := range s.Totals().Queues {
		if q.Depth > 0 {
			continue
		}
		for _, total := range q.Max {
			types[total.Type] = true
		}
	}
	return slices.Sorted(maps.Keys(types))
}

// TryConfig says whether the scheduler would take a configuration that CheckConfig has found right: a *RefusedConfigError where it
// would not. Nothing is kept.
func (s *Server) TryConfig(in *core.SetConfig) error {
	frozen, err := s.view.freeze(func(*follower) {})
	if err != nil {
		return err
	}
	defer frozen.Release()
	trial := frozen.Fork(core.Options{})
	trial.Advance(trial.Now())
	if trial.Apply(&core.Input{At: trial.Now(), Event: in}) == core.Accepted {
		return nil
	}
	for _, d := range trial.Take() {
		if d.Type == core.ConfigRejected {
			return &RefusedConfigError{slices.Clone(d.Errors)}
		}
	}
	return nil
}

// Configuration is the one in force.
func (v *View) Configuration() Configuration {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.memory.history.last()
}

// Configurations lists those that were in force, by number, as far as they are kept.
func (v *View) Configurations() []Configuration {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.memory.history.list)
}
