package live

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/quern-project/quern/host/policy/registry"
	"github.com/quern-project/quern/host/policy/tool"
	"github.com/quern-project/quern/host/server"
)

// Put writes a module to the folder, if it can be proven, and has it announced. The error may be a registry.Refusal, or
// registry.ErrNoModule.
func (s *Service) Put(ctx context.Context, name string, f registry.Files, by server.Actor) error {
	changes, err := s.registry.Put(ctx, name, f)
	return s.changed(ctx, changes, err, by)
}

// Delete removes a module from the folder, and has that announced. The error may be registry.ErrNoModule.
func (s *Service) Delete(ctx context.Context, name string, by server.Actor) error {
	changes, err := s.registry.Delete(ctx, name)
	return s.changed(ctx, changes, err, by)
}

// Rollback puts the version before in the place of a module; if the files in the folder are refused, the version that serves. The error may
// be a registry.Refusal, registry.ErrNoModule, or ErrNoPrevious if there is no version before.
func (s *Service) Rollback(ctx context.Context, name string, by server.Actor) error {
	var none *tool.NoPreviousError
	var wrong *tool.InputError
	switch _, err := tool.Rollback(s.o.Dir, name); {
	case errors.As(err, &none) && s.has(name):
		return ErrNoPrevious
	case errors.As(err, &wrong):
		return registry.ErrNoModule
	case err != nil:
		return err
	}
	changes, refused, err := s.registry.Rescan(ctx, name)
	for _, x := range refused {
		if x.Name == name {
			err = errors.Join(err, x)
		}
	}
	return s.changed(ctx, changes, err, by)
}

// ErrNoPrevious says that there is no version of a module to roll back to.
var ErrNoPrevious = errors.New("the folder has no previous version of this module")

// has reports whether the folder has a module, which may be refused.
func (s *Service) has(name string) bool {
	return slices.ContainsFunc(s.registry.List(), func(x registry.Info) bool { return x.Name == name }) ||
		slices.ContainsFunc(s.registry.Refused(), func(x registry.Refusal) bool { return x.Name == name })
}

// changed has announced what has changed in the folder.
func (s *Service) changed(ctx context.Context, list []registry.Change, err error, by server.Actor) error {
	s.take(list)
	if err != nil {
		return err
	}
	return s.announce(ctx, by)
}

func sortedNames[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

// Report says what the folder has, and the results of shadows since the host was started.
type Report struct {
	Serving []registry.Info // alone or as shadows
	Refused []registry.Refusal
	Shadows []registry.Shadow

	Previous []string // the modules of which there is a version before, by name
}

// Report says what the folder has.
func (s *Service) Report() Report {
	r := Report{Serving: s.registry.List(), Refused: s.registry.Refused(), Previous: s.registry.Previous()}
	if b := s.deciding.Load(); b != nil {
		r.Shadows = b.Reports()
	}
	return r
}
