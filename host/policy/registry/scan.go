package registry

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/policy/wazero"
)

// fileState is the state of a module's files at a scan, which decides whether to read them.
type fileState struct {
	wasm, settings stamp
}

// look follows links, so that a link that points elsewhere is another file.
func look(c candidate, before fileState) fileState {
	return fileState{stampOf(c.wasm, before.wasm), stampOf(c.settings, before.settings)}
}

// aged is a state of which only the times are compared from now on.
func (s fileState) aged() fileState { return fileState{s.wasm.aged(), s.settings.aged()} }

// Change is what a host announces to its scheduler between two cycles: a module exists from now on, or no longer. For a
// built-in it means that its shadow has changed: call Scheduler.RefreshShadows.
type Change struct {
	core.PolicyModule
	Removed bool
	Builtin bool
}

// Scan looks at the folder again. What is new or changed is proven beside what serves, and takes its place only then;
// what went is removed. Files are read once they have looked the same in two scans, so that one which is still being
// written waits. A refused module changes nothing, and is read again when it has changed.
func (r *Registry) Scan(ctx context.Context) ([]Change, []Refusal, error) {
	r.scanning.Lock()
	defer r.scanning.Unlock()
	return r.scan(ctx, r.settled)
}

// scan looks at the folder again, and reads what due wants read.
func (r *Registry) scan(ctx context.Context, due func(candidate) bool) ([]Change, []Refusal, error) {
	list, err := r.candidates()
	if err != nil {
		return nil, nil, err
	}
	there := map[string]bool{}
	var changed []candidate
	for _, c := range list {
		there[c.name] = true
		if due(c) {
			changed = append(changed, c)
		}
	}
	proven, refused := r.proveAll(ctx, changed)
	for _, m := range proven {
		if err := r.swap(m); err != nil {
			m.retire()
			refused = append(refused, Refusal{m.name, m.blame(err)})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.seen)) {
		if !there[name] {
			r.remove(name)
		}
	}
	refused = append(refused, r.pair()...)
	r.note(proven, refused)
	return r.changes(), refused, nil
}

// note remembers which modules are refused, until they are proven or go.
func (r *Registry) note(proven []*module, refused []Refusal) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range proven {
		delete(r.refused, m.name)
		r.forgetServing(m.name)
	}
	for _, x := range refused {
		r.refused[x.Name] = x
		if m := r.current[x.Name]; m != nil {
			r.keepServing(m)
		}
	}
}

// Refused lists the modules that do not serve as they stand in the folder, by name. The version before may.
func (r *Registry) Refused() (list []Refusal) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(r.refused)) {
		list = append(list, r.refused[name])
	}
	return list
}

// changes lists the differences between what was announced and what is to be announced now, by name.
func (r *Registry) changes() []Change {
	before := r.announced
	r.announced = r.state()
	var list []Change
	for _, name := range slices.Sorted(maps.Keys(r.announced)) {
		if now := r.announced[name]; before[name] != now {
			list = append(list, Change{PolicyModule: now.module, Builtin: now.builtin})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if _, still := r.announced[name]; !still {
			was := before[name]
			list = append(list, Change{was.module, !was.builtin, was.builtin})
		}
	}
	return list
}

// announced is what was announced of a module and the shadow that it had then: with another shadow it is announced again.
type announced struct {
	module             core.PolicyModule
	shadow, shadowHash string
	builtin            bool
}

// state is what is to be announced now.
func (r *Registry) state() map[string]announced {
	out := map[string]announced{}
	for _, a := range r.Announced() {
		t := announced{module: a.PolicyModule}
		if s, _ := r.shadowOf(a.Name); s != nil {
			t.shadow, t.shadowHash = s.name, s.sha256+s.Text
		}
		out[a.Name] = t
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for name, s := range r.builtins {
		out[name] = announced{core.PolicyModule{Name: name}, s.name, s.sha256 + s.Text, true}
	}
	return out
}

// settled reports whether a module has to be read: it differs from what was last read, and looks as it did in the scan
// before.
func (r *Registry) settled(c candidate) bool {
	before, known := r.seen[c.name]
	now := look(c, before)
	if known && now == before {
		r.seen[c.name] = now.aged()
		delete(r.moving, c.name)
		return false
	}
	if last, waiting := r.moving[c.name]; !waiting || last != now {
		r.moving[c.name] = now
		return false
	}
	delete(r.moving, c.name)
	r.seen[c.name] = now
	return true
}

// swap puts a proven module in the place of what served.
func (r *Registry) swap(m *module) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	old := r.current[m.name]
	if err := r.room(m); err != nil {
		return err
	}
	if old != nil && old.sha256 == m.sha256 && old.Text == m.Text && old.settings.ShadowOf == m.settings.ShadowOf {
		m.retire() // touched, not changed
		return nil
	}
	r.current[m.name] = m
	if old != nil {
		old.retire()
		r.keep(old)
	}
	return nil
}

// room says whether there is memory for a module beside the others, where that is settled before it serves. The mutex is held.
func (r *Registry) room(m *module) error {
	if !r.options.Ahead || m.wasm == "" {
		return nil
	}
	wanted, taken := m.memory(), int64(0)
	for name, other := range r.current {
		if name != m.name {
			taken += other.memory()
		}
	}
	if most := cmp.Or(r.options.Memory, wazero.DefaultMemory); taken+wanted > most {
		return &wazero.MemoryError{Most: most, Taken: taken, Wanted: wanted}
	}
	return nil
}

// memory is what the instances of a module may use for one scheduler, in bytes.
func (m *module) memory() int64 {
	if m.wasm == "" {
		return 0
	}
	limits, err := m.settings.Limits.bounds().Limits()
	if err != nil {
		return 0 // it was proven: they are right
	}
	return wazero.Needs(limits)
}

// remove lets a module go whose files went.
func (r *Registry) remove(name string) {
	delete(r.seen, name)
	delete(r.moving, name)
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.refused, name)
	r.forgetServing(name)
	if m := r.current[name]; m != nil {
		m.retire()
		delete(r.current, name)
		r.keep(m)
	}
}
