package policy

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/wasm/module/guest"
)

// Binding answers for one scheduler with the modules of a registry. It is owned by the goroutine that owns the scheduler.
type Binding struct {
	registry *Registry
	ctx      context.Context
	open     map[string]func()        // by name: how to close who answers
	shadows  map[string]*shadowRunner // by name of the acting policy: its shadow
	ended    []Shadow                 // of modules that answer no more
	live     map[*serving]string      // who answers now, shadows too, with the module's name
	repeated map[string]int           // calls that were made twice, of modules that answer no more, by name
	now      time.Duration
	missing  []MissingModule
}

// MissingModule is a module that was announced and cannot be asked.
type MissingModule struct {
	Name   string
	SHA256 string
	Err    error // why; nil: there is no folder of modules
}

// Error says which hash is lacking.
func (l MissingModule) Error() string {
	if l.Err == nil || errors.Is(l.Err, errNoFile) {
		return fmt.Sprintf("policy %q: expected a module with sha256 %s, found none", l.Name, l.SHA256)
	}
	return fmt.Sprintf("policy %q: %v", l.Name, l.Err)
}

// Bind makes a binding. Close it, or the registry.
func (r *Registry) Bind(ctx context.Context) *Binding {
	b := &Binding{registry: r, ctx: ctx, open: map[string]func(){}, shadows: map[string]*shadowRunner{}, live: map[*serving]string{}, repeated: map[string]int{}}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bindings = append(r.bindings, b)
	return b
}

// Evaluator returns the evaluator of a module that a scheduler was told of, found by the hash of its file; nil where there
// is none, which Lacks reports. It closes the previous evaluator of the name.
func (b *Binding) Evaluator(m core.Announcement) policy.Evaluator {
	name := m.Name
	b.end(name)
	if m.SHA256 == "" || b.registry.options.Off {
		return nil // a predicate of the host, or all modules are switched off
	}
	s, err := b.start(m)
	if err == nil && s == nil {
		return nil // what is not pure is served from what was recorded of it
	}
	if err != nil {
		b.missing = append(b.missing, MissingModule{name, m.SHA256, err})
		return nil
	}
	b.open[name] = b.register(name, s)
	return b.shadow(name, &boundedEvaluator{Evaluator: s, binding: b, name: name, sha256: m.SHA256})
}

// end ends who answers under a name, and its shadow.
func (b *Binding) end(name string) {
	if h := b.shadows[name]; h != nil {
		h.close()
		b.ended = append(b.ended, h.reports(name)...)
		delete(b.shadows, name)
	}
	if end := b.open[name]; end != nil {
		end()
		delete(b.open, name)
	}
}

// SetTime tells the scheduler's time, which reports of shadows bear.
func (b *Binding) SetTime(now time.Duration) { b.now = now }

// Repeated is how many calls of each module were made twice, since the first time failed; modules without any are left out.
func (b *Binding) Repeated() map[string]int {
	for _, h := range b.shadows {
		h.catchUp()
	}
	total := maps.Clone(b.repeated)
	for s, name := range b.live {
		total[name] += s.repeats()
	}
	maps.DeleteFunc(total, func(_ string, n int) bool { return n == 0 })
	return total
}

// Shadows reports the results of shadows so far, after they have caught up.
func (b *Binding) Shadows() []Shadow {
	list := slices.Clone(b.ended)
	for _, name := range slices.Sorted(maps.Keys(b.shadows)) {
		h := b.shadows[name]
		h.catchUp()
		list = append(list, h.reports(name)...)
	}
	return list
}

// Lacks lists the modules that were announced and cannot be asked, in the order of their announcement, since the last call.
func (b *Binding) Missing() []MissingModule {
	missing := b.missing
	b.missing = nil
	return missing
}

// Close ends whoever answers.
func (b *Binding) Close() {
	for _, name := range slices.Sorted(maps.Keys(b.open)) {
		b.end(name)
	}
}

// shadow puts the shadow of a module, if there is one, behind who answers.
func (b *Binding) shadow(name string, e policy.Evaluator) policy.Evaluator {
	m, announced := b.registry.shadowOf(name)
	if m == nil {
		return e
	}
	views, err := guest.NewProjections(announced, m.Manifest.Points)
	if err != nil {
		return e // the module was announced without the shadow's columns: an older journal
	}
	h, end := b.follow(m)
	if h == nil {
		return e
	}
	b.shadows[name] = h
	ends := b.open[name]
	b.open[name] = func() { ends(); end() }
	return b.shadowed(e, h, views)
}

// follow starts a shadow, and says how to end it; nil where that cannot be, which the next scan tells, or Lacks.
func (b *Binding) follow(m *module) (*shadowRunner, func()) {
	s, err := b.start(m.announcement(m.Manifest, m.Text))
	if err == nil && s != nil && s.hold != nil {
		if err = s.hold(); err != nil { // here, since the order in which shadows are asked is nobody's
			b.missing = append(b.missing, MissingModule{m.name, m.sha256, err})
			s.end()
		}
	}
	if err != nil || s == nil {
		return nil, nil
	}
	return newShadowRunner(m, s, b.registry.options.Wait, maxLag), b.register(m.name, s)
}

func (b *Binding) shadowed(acting policy.Evaluator, h *shadowRunner, views guest.Projections) policy.Evaluator {
	return &shadowed{acting, h, views, func() time.Duration { return b.now }}
}
