package policy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/host/policy/process"
	"github.com/quern-project/quern/wasm/guest"
)

// Binding answers for one scheduler with the modules of a registry. It is owned by the goroutine that owns the scheduler.
type Binding struct {
	registry *Registry
	ctx      context.Context
	open     map[string]func()  // by name: how to close who answers
	behind   map[string]*behind // by name of the acting policy: its shadow
	ended    []Shadow           // of modules that answer no more
	now      time.Duration
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
	b := &Binding{registry: r, ctx: ctx, open: map[string]func(){}, behind: map[string]*behind{}}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bindings = append(r.bindings, b)
	return b
}

// Evaluator returns who answers for a module as it was announced, by the hash of its file; nil where nobody can, which
// Lacks tells. Who answered under the name before is closed.
func (b *Binding) Evaluator(name, sha256, manifest string) policy.Evaluator {
	b.end(name)
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
	return b.shadow(name, e)
}

// end ends who answers under a name, and its shadow.
func (b *Binding) end(name string) {
	if h := b.behind[name]; h != nil {
		h.close()
		b.ended = append(b.ended, h.reports(name)...)
		delete(b.behind, name)
	}
	if end := b.open[name]; end != nil {
		end()
		delete(b.open, name)
	}
}

// SetTime tells the scheduler's time, which reports of shadows bear.
func (b *Binding) SetTime(now time.Duration) { b.now = now }

// Shadows reports what came of shadows so far, once they have caught up.
func (b *Binding) Shadows() []Shadow {
	list := slices.Clone(b.ended)
	for _, name := range slices.Sorted(maps.Keys(b.behind)) {
		h := b.behind[name]
		h.catchUp()
		list = append(list, h.reports(name)...)
	}
	return list
}

// Lacks lists the modules that were announced and cannot be asked, in the order of their announcement, since the last call.
func (b *Binding) Lacks() []Lack {
	lacks := b.lacks
	b.lacks = nil
	return lacks
}

// Close ends whoever answers.
func (b *Binding) Close() {
	for _, name := range slices.Sorted(maps.Keys(b.open)) {
		b.end(name)
	}
}

func (b *Binding) employ(name, sha256, manifest string) (policy.Evaluator, func(), error) {
	m, err := policy.ParseManifest(manifest)
	if err != nil {
		return nil, nil, nil // the scheduler refuses it, too, and says so
	}
	if s, own := b.registry.takeReady(name, sha256, m); s != nil {
		views, err := guest.Grind(m, own)
		if err != nil {
			s.end()
			return nil, nil, err
		}
		return views.Before(s.Evaluator), s.end, nil
	}
	if m.Impure {
		return b.employProcess(name, sha256, m)
	}
	limits, err := guest.Announced(m)
	if err != nil {
		return nil, nil, err
	}
	code, err := b.registry.codeOf(b.ctx, name, sha256, limits)
	if err != nil {
		return nil, nil, err
	}
	own, err := guest.OwnPoints(code.Manifest(), m.Configuration)
	if err != nil {
		return nil, nil, err
	}
	views, err := guest.Grind(m, own)
	if err != nil {
		return nil, nil, err
	}
	e, err := code.Evaluator(b.ctx, m.Configuration)
	if err != nil {
		return nil, nil, err
	}
	return views.Before(e), e.Close, nil
}

// shadow puts the shadow of a module, if there is one, behind who answers.
func (b *Binding) shadow(name string, e policy.Evaluator) policy.Evaluator {
	m, announced := b.registry.shadowOf(name)
	if m == nil {
		return e
	}
	views, err := guest.Grind(announced, m.manifest.Points)
	if err != nil {
		return e // the module was announced without the shadow's columns: an older journal
	}
	s, end, err := b.employ(m.name, m.sha256, m.text)
	if err != nil || s == nil {
		return e // the next scan tells what is wrong with it
	}
	h := newBehind(m, s, b.registry.options.Wait, waiting)
	b.behind[name] = h
	ends := b.open[name]
	b.open[name] = func() { ends(); end() }
	return b.shadowed(e, h, views)
}

func (b *Binding) shadowed(acting policy.Evaluator, h *behind, views guest.Lenses) policy.Evaluator {
	return &shadowed{acting, h, views, func() time.Duration { return b.now }}
}

// takeReady hands over who was proven with, if a module is announced as it stands in the folder and nobody has asked yet.
func (r *Registry) takeReady(name, sha256 string, announced *policy.Manifest) (*serving, map[policy.Point]*policy.PointSpec) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.current[name]
	if m == nil || m.ready == nil || m.sha256 != sha256 || !bytes.Equal(m.manifest.Configuration, announced.Configuration) ||
		!bytes.Equal(m.manifest.Limits, announced.Limits) {
		return nil, nil
	}
	s := m.ready
	m.ready = nil
	return s, m.manifest.Points
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
	views, err := guest.Grind(announced, m.manifest.Points)
	if err != nil {
		end()
		return nil, nil, err
	}
	return views.Before(p.Evaluator()), end, nil
}
