// Package live keeps a live scheduler and a folder of policy modules in step: what comes, changes or goes in the folder is announced
// to the scheduler as inputs, once it was proven and its file is where recovery finds it.
//
// Service is the only way in. It makes what answers for the schedulers of the host: the loop's, which decides, and those that follow
// its record or try something.
package live

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/files/filewatch"
	"github.com/quern-project/quern/host/observe/logging"
	"github.com/quern-project/quern/host/policy/process/sandbox"
	"github.com/quern-project/quern/host/policy/registry"
	"github.com/quern-project/quern/host/server"
)

// Options of a Service.
type Options struct {
	Dir     string           // folder of modules; empty: those that the record names go on
	Archive string           // folder for the modules that the record names; empty: none is kept, which is for a record in memory
	Cache   string           // folder for compiled code; empty: none
	Memory  int64            // of the instances of all modules together, in bytes; 0: the default
	Sandbox *sandbox.Sandbox // confines programs; nil: nothing does
	Log     *slog.Logger
}

// Service keeps the modules of a live scheduler.
type Service struct {
	o        Options
	registry *registry.Registry
	live     *server.Server
	deciding atomic.Pointer[registry.Binding] // of the loop's scheduler

	mu    sync.Mutex      // held while modules are announced
	again map[string]bool // are to be announced although the record has them: their shadows have changed
	first uint64          // batch that was kept when the archive was last looked after
	told  bool            // what the sandbox of programs does
}

// Open reads the folder and proves what is in it. What is refused is logged, and listed by List.
func Open(ctx context.Context, o Options) (*Service, error) {
	s := &Service{o: o, again: map[string]bool{}}
	registry, refused, err := registry.Open(ctx, registry.Options{Dir: o.Dir, Archive: o.Archive, Cache: o.Cache, Memory: o.Memory, Ahead: true,
		Keep: o.Dir != "", Sandbox: o.Sandbox, Log: s.log})
	if err != nil {
		return nil, err
	}
	for _, x := range refused {
		o.Log.Warn(x.Error())
	}
	s.registry = registry
	s.tellSandbox()
	return s, nil
}

// tellSandbox logs what keeps programs in bounds, and what does not, once there is a program.
func (s *Service) tellSandbox() {
	report := s.registry.Sandbox()
	if s.told || len(report) == 0 {
		return
	}
	s.told = true
	var all []any
	for _, p := range report {
		all = append(all, p.Name, p.String())
	}
	s.o.Log.Info("sandbox of the programs of policies", all...)
	if lacks := report.Lacks(); len(lacks) > 0 {
		s.o.Log.Warn("the sandbox of programs is incomplete", "lacks", strings.Join(lacks, "; "))
	}
}

// log writes a line of a module, or of the registry.
func (s *Service) log(name, level, text string) {
	of := map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warning": slog.LevelWarn, "error": slog.LevelError}
	s.o.Log.Log(context.Background(), of[level], text, "policy", name)
}

// Close ends everything that was started. It is for after the server has ended.
func (s *Service) Close(ctx context.Context) error { return s.registry.Close(ctx) }

// Policies makes what answers for one more scheduler. It is for server.Options.
func (s *Service) Policies(decides bool) server.Policies {
	b := s.registry.BindLive(context.Background(), decides)
	if decides {
		s.deciding.Store(b)
	}
	return bound{b, decides}
}

// bound answers for one scheduler.
type bound struct {
	*registry.Binding
	decides bool
}

// Options implements server.Policies.
func (b bound) Options() core.Options {
	o := core.Options{Evaluator: b.Evaluator}
	if b.decides {
		o.Witness = b.Witness
	}
	return o
}

// MissingError says that modules which the record names are not there.
type MissingError struct{ Modules []registry.MissingModule }

func (e *MissingError) Error() string {
	var all error
	for _, m := range e.Modules {
		all = errors.Join(all, m)
	}
	return all.Error()
}

// Missing implements server.Policies.
func (b bound) Missing() error {
	if list := b.Binding.Missing(); len(list) > 0 {
		return &MissingError{list}
	}
	return nil
}

// Begin tells a server that runs of the modules of the folder, as far as its record has others.
func (s *Service) Begin(ctx context.Context, live *server.Server) error {
	s.live = live
	return s.announce(ctx, server.Actor{})
}

// hints says when something has happened in the folder. Where that is not to be had, the folder is looked at from time to time alone.
func (s *Service) hints() (hints <-chan struct{}, stop func()) {
	w, err := filewatch.NewFolder(s.o.Dir)
	if err != nil {
		s.o.Log.Warn("the folder of policies cannot be read: changes take effect later", "error", err)
		return nil, func() {}
	}
	return w.Changes(), func() { _ = w.Close() } // nothing is watched any more
}

// scanPeriod is how often the folder is looked at, whatever happens.
const scanPeriod = 2 * time.Second

// Run watches the folder until the context ends.
func (s *Service) Run(ctx context.Context) {
	var changes <-chan []registry.Change
	if s.o.Dir != "" {
		hints, stop := s.hints()
		defer stop()
		changes = s.registry.Watch(ctx, scanPeriod, hints)
	}
	again := time.NewTicker(scanPeriod)
	defer again.Stop()
	var trouble logging.Trouble
	for {
		select {
		case <-ctx.Done():
			return
		case list := <-changes:
			s.take(list)
		case <-again.C:
		}
		if err := errors.Join(s.announce(ctx, server.Actor{}), s.prune()); ctx.Err() == nil {
			trouble.Report(s.o.Log, err, "the loaded policies differ from the folder", "the loaded policies are those of the folder again")
		}
	}
}

// take takes in what has changed in the folder.
func (s *Service) take(list []registry.Change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tellSandbox()
	for _, c := range list {
		switch {
		case c.Builtin:
			s.live.RefreshShadows()
		case !c.Removed:
			s.again[c.Name] = true
		}
	}
}

// announce tells the scheduler what the record does not have as the folder does.
func (s *Service) announce(ctx context.Context, by server.Actor) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	inputs, err := s.differences()
	if len(inputs) == 0 {
		return err
	}
	if err := errors.Join(err, s.live.Announce(ctx, inputs, by)); err != nil {
		return fmt.Errorf("policies cannot be announced: %w", err)
	}
	for _, in := range inputs {
		switch e := in.Event.(type) {
		case *core.SetPolicy:
			delete(s.again, e.Name)
			s.o.Log.Info("policy announced", "policy", e.Name, "sha256", e.SHA256)
		case *core.RemovePolicy:
			s.o.Log.Info("policy removed", "policy", e.Name, "sha256", "")
		default:
		}
	}
	return nil
}

// differences are the inputs that make the scheduler know the modules of the folder.
func (s *Service) differences() (inputs []core.Input, err error) {
	known := map[string]core.PolicyModule{}
	s.live.View().Read(func(present *scheduler.Scheduler) {
		for _, u := range present.PolicyUses() {
			known[u.Name] = u.PolicyModule
		}
	})
	stays := map[string]bool{} // its file in the folder is refused: the version before goes on
	for _, x := range s.registry.Refused() {
		stays[x.Name] = true
	}
	for _, a := range s.registry.Announced() {
		stays[a.Name] = true
		if known[a.Name] == a.PolicyModule && !s.again[a.Name] {
			continue
		}
		if e := s.registry.Preserve(a.Name); e != nil {
			err = errors.Join(err, e)
			continue
		}
		inputs = append(inputs, core.Input{Event: &core.SetPolicy{PolicyModule: a.PolicyModule}})
	}
	for _, name := range sortedNames(known) {
		if !stays[name] && s.o.Dir != "" {
			inputs = append(inputs, core.Input{Event: &core.RemovePolicy{Name: name}})
		}
	}
	return inputs, err
}

// prune removes the modules from the archive that neither the record nor a snapshot names any more.
func (s *Service) prune() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := s.live.View().FirstBatch()
	if s.o.Archive == "" || first == s.first {
		return nil
	}
	needed := map[string]bool{}
	for _, m := range s.live.View().Modules() {
		needed[m.SHA256] = true
	}
	for _, a := range s.registry.Announced() {
		needed[a.SHA256] = true
	}
	if err := registry.Prune(s.o.Archive, func(sha256 string) bool { return needed[sha256] }); err != nil {
		return err
	}
	s.first = first
	return nil
}
