package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/host/policy/process"
	"github.com/quern-project/quern/host/policy/registry"
	"github.com/quern-project/quern/host/policy/wazero"
	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/abi/manifests"
)

// Host holds one policy as the scheduler's host would: proven, with its settings. It is owned by one goroutine. Close it.
type Host struct {
	Subject   *Subject
	Declared  *abi.Manifest     // what the policy says of itself
	Announced core.Announcement // with its settings, as a scheduler is told of it
	Cache     string            // a folder with the compiled code, which goes with the host
	Limits    Limits
	Log       *Log // what the policy writes
	registry  *registry.Registry
}

// Limits are what the settings say, 0 or empty where they do not.
type Limits struct {
	Memory      string `json:"memory"`
	Fuel        int64  `json:"fuel"`
	FuelPerItem int64  `json:"fuel_per_item"`
}

// RefusedError says why the host would not let the policy serve.
type RefusedError struct {
	error
	Log *Log // what the policy wrote until then; may be nil
}

// Unwrap returns the reason.
func (e *RefusedError) Unwrap() error { return e.error }

// Open proves a policy. A RefusedError says what is wrong with it.
func (s *Subject) Open(ctx context.Context, log func(level, text string)) (*Host, error) {
	if s.Broken != nil {
		return nil, &RefusedError{error: s.Broken}
	}
	cache, err := os.MkdirTemp("", "quern-policy-")
	if err != nil {
		return nil, err
	}
	h := &Host{Subject: s, Cache: cache, Log: &Log{}}
	take := func(_, level, text string) {
		h.Log.Add(level, text)
		if log != nil {
			log(level, text)
		}
	}
	registry, refused, err := registry.Open(ctx, registry.Options{Files: []string{s.path()}, Cache: cache, Sandbox: s.Sandbox, Log: take})
	h.registry = registry
	if err == nil && len(refused) > 0 {
		err = &RefusedError{refused[0].Err, h.Log}
	}
	if err == nil {
		err = h.read(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, h.Close(ctx))
	}
	return h, nil
}

func (h *Host) read(ctx context.Context) (err error) {
	announced := h.registry.Announced()
	if len(announced) != 1 {
		return &RefusedError{fmt.Errorf("%s: shadow_of: expected none here, since a shadow makes no decisions", h.Subject.Settings), h.Log}
	}
	h.Announced = announced[0]
	if limits := h.Announced.Parsed.Limits; len(limits) > 0 {
		if err := json.Unmarshal(limits, &h.Limits); err != nil {
			return err
		}
	}
	h.Declared, err = h.declared(ctx)
	return err
}

// declared asks the policy once more what it says of itself, since a scheduler is told less.
func (h *Host) declared(ctx context.Context) (*abi.Manifest, error) {
	s := h.Subject
	if !s.Process {
		runtime, err := h.Runtime(ctx)
		if err != nil {
			return nil, err
		}
		m, err := h.Load(ctx, runtime)
		if err != nil {
			return nil, errors.Join(err, runtime.Close(ctx))
		}
		return m.Manifest(), runtime.Close(ctx)
	}
	p, err := h.Start(ctx, 0)
	if err != nil {
		return nil, err
	}
	m, err := manifests.Parse(p.Manifest())
	return m, errors.Join(err, p.Close())
}

// Start starts one more copy of a process, whatever the settings say of its calls: deadline bounds each, 0: the default.
// Configure it, and close it.
func (h *Host) Start(ctx context.Context, deadline time.Duration) (*process.Process, error) {
	o, err := h.registry.ProcessOptions(h.Subject.Name)
	if err != nil {
		return nil, err
	}
	o.SHA256, o.Deadline, o.Log = h.Subject.SHA256, deadline, h.Log.Add
	return process.Start(ctx, o)
}

// Runtime makes one more runtime, for instances of the module of which the host knows nothing but the log.
func (h *Host) Runtime(ctx context.Context) (*wazero.Runtime, error) {
	return wazero.New(ctx, wazero.Options{Cache: h.Cache, Log: func(_ string, level wazero.Level, text string) { h.Log.Add(level.String(), text) }})
}

// patience is the time that a process has for a call where it is not to be held to its deadline.
const patience = 2 * time.Second

// StartWithoutDeadline is Evaluator for a process, without the deadline of its settings.
func (h *Host) StartWithoutDeadline(ctx context.Context, config []byte) (e policy.Evaluator, end func(), err error) {
	p, err := h.Start(ctx, patience)
	if err != nil {
		return nil, nil, err
	}
	end = func() { _ = p.Close() } // it is killed; its error does not matter
	if err := p.Configure(config); err != nil {
		end()
		return nil, nil, err
	}
	return p.Evaluator(), end, nil
}

// EvaluatorWithoutDeadline makes one more copy with its settings, except the deadline of a process.
func (h *Host) EvaluatorWithoutDeadline(ctx context.Context) (e policy.Evaluator, end func(), err error) {
	if h.Subject.Process {
		return h.StartWithoutDeadline(ctx, h.Announced.Parsed.Configuration)
	}
	return h.Evaluator(ctx)
}

// Load compiles a module with the limits of its settings.
func (h *Host) Load(ctx context.Context, r *wazero.Runtime) (*wazero.Module, error) {
	limits := wazero.Limits{Pages: h.Limits.Pages(), Fuel: h.Limits.Fuel, RowFuel: h.Limits.FuelPerItem}
	return r.Load(ctx, h.Subject.Name, h.Subject.Data, limits)
}

// Pages is the bound of the memory, 64 KiB each; 0: the default. The host has checked the text.
func (l Limits) Pages() uint32 {
	var n uint32
	var unit string
	if _, err := fmt.Sscanf(l.Memory, "%d%s", &n, &unit); err != nil {
		return 0
	}
	if unit == "MiB" {
		n <<= 10
	}
	return n / 64
}

// Evaluator makes one more copy, as the scheduler's host does, with its settings. End it before the host is closed.
func (h *Host) Evaluator(ctx context.Context) (e policy.Evaluator, end func(), err error) {
	b := h.registry.Bind(ctx)
	e = b.Evaluator(h.Announced)
	if e != nil {
		return e, b.Close, nil
	}
	for _, missing := range b.Missing() {
		return nil, nil, missing
	}
	return nil, nil, fmt.Errorf("policy %q: expected an evaluator, found none", h.Announced.Name)
}

// Close ends all that was started.
func (h *Host) Close(ctx context.Context) (err error) {
	if h.registry != nil {
		err = h.registry.Close(ctx)
	}
	return errors.Join(err, os.RemoveAll(h.Cache))
}
