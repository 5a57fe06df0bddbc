package registry

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/wasm/module/guest"
)

// Binding answers for one scheduler with the modules of a registry. It is owned by the goroutine that owns the scheduler.
type Binding struct {
	registry *Registry
	ctx      context.Context
	role     role
	open     map[string]func()             // by name: closes the evaluator
	recorded map[string]*recordedEvaluator // by name, of a live host: those that are no pure functions

	mu      sync.Mutex               // of what follows: of a live host others read it, too
	shadows map[string]*shadowRunner // by name of the acting policy: its shadow
	ended   []Shadow                 // of modules that answer no more
	ending  sync.WaitGroup           // of shadows, of a live host

	live     map[*serving]string // the evaluators in use, shadows included, with the module's name
	repeated map[string]int      // calls that were made twice, of modules that answer no more, by name
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
	b := &Binding{registry: r, ctx: ctx, open: map[string]func(){}, recorded: map[string]*recordedEvaluator{}, shadows: map[string]*shadowRunner{}, live: map[*serving]string{}, repeated: map[string]int{}}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bindings = append(r.bindings, b)
	return b
}

// Evaluator returns the evaluator of a module that a scheduler was told of, found by the hash of its file; nil where there
// is none, which Lacks reports. It closes the previous evaluator of the name.
func (b *Binding) Evaluator(m core.Announcement) policy.Evaluator {
	name := m.Name
	if m.SHA256 == "" {
		return nil // a predicate of the host, which may have the name of a module
	}
	if b.role != alone && m.Parsed.Impure && !b.registry.options.Off {
		return b.evaluateRecorded(m)
	}
	b.end(name)
	if b.registry.options.Off {
		return nil
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

// end ends the evaluator of a name, and its shadow.
func (b *Binding) end(name string) {
	b.endShadow(name)
	if end := b.open[name]; end != nil {
		end()
		delete(b.open, name)
	}
	delete(b.recorded, name)
}

// endShadow ends the shadow of the evaluator of a name.
func (b *Binding) endShadow(name string) {
	h := b.shadows[name]
	if h == nil {
		return
	}
	b.mu.Lock()
	delete(b.shadows, name)
	b.mu.Unlock()
	h.stop()
	end := func() {
		h.close()
		h.release()
		b.mu.Lock()
		defer b.mu.Unlock()
		b.report(h.reports(name))
	}
	if b.role == alone {
		end()
		return
	}
	b.ending.Go(end) // a live scheduler does not wait for a shadow
}

// report takes in the results of a shadow that has ended. Those of one that was before and comes again are one. The mutex is held.
func (b *Binding) report(list []Shadow) {
	for _, s := range list {
		i := slices.IndexFunc(b.ended, func(e Shadow) bool { return e.Name == s.Name && e.Of == s.Of && e.Point == s.Point })
		if b.role == alone || i < 0 {
			b.ended = append(b.ended, s)
			continue
		}
		b.ended[i].add(&s)
	}
}

// setShadow notes the shadow of a policy.
func (b *Binding) setShadow(name string, h *shadowRunner) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shadows[name] = h
}

// Reports lists the results of shadows so far, without those of what they have yet to see. Any goroutine may ask.
func (b *Binding) Reports() []Shadow {
	b.mu.Lock()
	defer b.mu.Unlock()
	sum := Binding{role: b.role, ended: slices.Clone(b.ended)}
	for _, name := range slices.Sorted(maps.Keys(b.shadows)) {
		sum.report(b.shadows[name].reports(name))
	}
	return sum.ended
}

// SetTime sets the scheduler's time, for reports of shadows.
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

// Close ends the module that answers.
func (b *Binding) Close() {
	b.endAll()
	b.ending.Wait()
	r := b.registry
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bindings = slices.DeleteFunc(r.bindings, func(other *Binding) bool { return other == b })
}

func (b *Binding) endAll() {
	for _, name := range slices.Sorted(maps.Keys(b.open)) {
		b.end(name)
	}
	for _, name := range slices.Sorted(maps.Keys(b.shadows)) {
		b.end(name)
	}
}

// shadow puts the shadow of a module, if it has one, behind the evaluator.
func (b *Binding) shadow(name string, e policy.Evaluator) policy.Evaluator {
	m, announced := b.registry.shadowOf(name)
	if m == nil || b.role == follows {
		return e
	}
	views, err := guest.NewProjections(announced, m.Manifest.Points)
	if err != nil {
		return e // the module was announced without the shadow's columns: an older journal
	}
	h := b.follow(m)
	if h == nil {
		return e
	}
	b.setShadow(name, h)
	return b.shadowed(e, h, views)
}

// follow starts a shadow; nil: it cannot start, which the next scan reports, or Lacks.
func (b *Binding) follow(m *module) *shadowRunner {
	s, err := b.start(m.announcement(m.Manifest, m.Text))
	if err == nil && s != nil && s.hold != nil {
		if err = s.hold(); err != nil { // here, since the order of shadows does not matter
			b.missing = append(b.missing, MissingModule{m.name, m.sha256, err})
			s.end()
		}
	}
	if err != nil || s == nil {
		return nil
	}
	h := newShadowRunner(m, s, b.registry.options.Wait, maxLag)
	if h.release = s.end; b.role == alone {
		h.release = b.register(m.name, s)
	}
	return h
}

func (b *Binding) shadowed(acting policy.Evaluator, h *shadowRunner, views guest.Projections) policy.Evaluator {
	return &shadowed{acting, h, views, func() time.Duration { return b.now }, func() bool { return b.role == recovers }}
}
