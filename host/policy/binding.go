package policy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/host/policy/process"
	"github.com/quern-project/quern/host/policy/wazero"
)

// Binding answers for one scheduler with the modules of a registry. It is owned by the goroutine that owns the scheduler.
type Binding struct {
	registry *Registry
	ctx      context.Context
	open     map[string]func() // by name: how to close who answers
	lacks    []Lack
}

// Lack is a module that was announced and cannot be asked.
type Lack struct {
	Name   string
	SHA256 string
	Err    error // why; nil: there is no folder of modules
}

// Error says which hash is lacking.
func (l Lack) Error() string {
	if l.Err == nil || errors.Is(l.Err, errNoFile) {
		return fmt.Sprintf("policy %q: expected a module with sha256 %s, found none", l.Name, l.SHA256)
	}
	return fmt.Sprintf("policy %q: %v", l.Name, l.Err)
}

// Bind makes a binding. Close it, or the registry.
func (r *Registry) Bind(ctx context.Context) *Binding {
	b := &Binding{registry: r, ctx: ctx, open: map[string]func(){}}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bindings = append(r.bindings, b)
	return b
}

// Evaluator returns who answers for a module as it was announced, by the hash of its file; nil where nobody can, which
// Lacks tells. Who answered under the name before is closed.
func (b *Binding) Evaluator(name, sha256, manifest string) policy.Evaluator {
	if end := b.open[name]; end != nil {
		end()
		delete(b.open, name)
	}
	if sha256 == "" || b.registry.options.Off {
		return nil // a predicate of the host, or the switch
	}
	e, end, err := b.employ(name, sha256, manifest)
	if err == nil && e == nil {
		return nil // what is not pure is served from what was recorded of it
	}
	if err != nil {
		b.lacks = append(b.lacks, Lack{name, sha256, err})
		return nil
	}
	b.open[name] = end
	return e
}

// Lacks lists the modules that were announced and cannot be asked, in the order of their announcement, since the last call.
func (b *Binding) Lacks() []Lack {
	lacks := b.lacks
	b.lacks = nil
	return lacks
}

// Close ends whoever answers.
func (b *Binding) Close() {
	for _, end := range b.open {
		end()
	}
	clear(b.open)
}

func (b *Binding) employ(name, sha256, manifest string) (policy.Evaluator, func(), error) {
	if s := b.registry.takeReady(name, sha256, manifest); s != nil {
		return s.Evaluator, s.end, nil
	}
	m, err := policy.ParseManifest(manifest)
	if err != nil {
		return nil, nil, nil // the scheduler refuses it, too, and says so
	}
	if m.Impure {
		return b.employProcess(name, sha256, m)
	}
	limits, err := announced(m)
	if err != nil {
		return nil, nil, err
	}
	code, err := b.registry.codeOf(b.ctx, name, sha256, limits)
	if err != nil {
		return nil, nil, err
	}
	e, err := code.Evaluator(b.ctx, m.Configuration)
	if err != nil {
		return nil, nil, err
	}
	return e, e.Close, nil
}

// takeReady hands over who was proven with, if a module is announced as it stands in the folder and nobody has asked yet.
func (r *Registry) takeReady(name, sha256, manifest string) *serving {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.current[name]
	if m == nil || m.ready == nil || m.sha256 != sha256 || m.text != manifest {
		return nil
	}
	s := m.ready
	m.ready = nil
	return s
}

// announced reads the limits of a manifest.
func announced(m *policy.Manifest) (wazero.Limits, error) {
	var l announcedLimits
	if len(m.Limits) == 0 {
		return wazero.Limits{}, nil
	}
	if err := json.Unmarshal(m.Limits, &l); err != nil {
		return wazero.Limits{}, fmt.Errorf("manifest: limits: %w", err)
	}
	return Limits{Memory: l.Memory, Fuel: l.Fuel, FuelPerItem: l.FuelPerItem}.wasm()
}

// employProcess starts the program of a name, if its file is the one that was announced.
func (b *Binding) employProcess(name, sha256 string, announced *policy.Manifest) (policy.Evaluator, func(), error) {
	b.registry.mu.Lock()
	m := b.registry.current[name]
	b.registry.mu.Unlock()
	if m == nil || m.wasm != "" || !strings.EqualFold(m.sha256, sha256) {
		return nil, nil, nil
	}
	options, err := b.registry.processOptions(m)
	if err != nil {
		return nil, nil, err
	}
	options.SHA256 = sha256
	p, err := process.Start(b.ctx, options)
	if err != nil {
		return nil, nil, err
	}
	end := func() { _ = p.Close() } // it is killed; there is nobody to tell
	if err := p.Configure(announced.Configuration); err != nil {
		end()
		return nil, nil, err
	}
	return p.Evaluator(), end, nil
}
