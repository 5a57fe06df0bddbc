package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/replay"
)

// modules are the policies that were built, as a host has them.
type modules struct {
	policies *replay.Policies
	dir      string
	serving  map[string]bool
	built    map[string]bool
}

// openModules proves the shipped policies, with the settings that they ship with. What is refused is told to out.
func openModules(ctx context.Context, root string, out io.Writer) (*modules, error) {
	dir, err := os.MkdirTemp("", "quern-gallery-")
	if err != nil {
		return nil, err
	}
	m := &modules{dir: dir, serving: map[string]bool{}, built: map[string]bool{}}
	for _, name := range shipped {
		err := stage(dir, root, name)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, errors.Join(err, os.RemoveAll(dir))
		}
		m.built[name] = err == nil
	}
	if m.policies, err = replay.OpenPolicies(ctx, replay.PolicyOptions{Dir: dir, Cache: filepath.Join(dir, ".cache")}, out); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	for _, announced := range m.policies.Announced() {
		m.serving[announced.Name] = true
	}
	return m, nil
}

// missing says why a policy cannot be run, nothing where it can.
func (m *modules) missing(name string) string {
	switch {
	case builtIn(name) || m.serving[name]:
		return ""
	case m.built[name]:
		return "it is refused"
	}
	return fmt.Sprintf("build/policies/%s.wasm is not there: plugins/build.sh", name)
}

// scheduler makes a scheduler that knows the modules; the one made before may not be used any more.
func (m *modules) scheduler(ctx context.Context) *scheduler.Scheduler {
	s := m.policies.Scheduler(ctx)
	s.Advance(0)
	inputs := m.policies.Inputs()
	for i := range inputs {
		s.Apply(&inputs[i])
	}
	return s
}

func (m *modules) close(ctx context.Context) error {
	return errors.Join(m.policies.Close(ctx), os.RemoveAll(m.dir))
}
