package policy

import (
	"context"
	"maps"
	"slices"
)

// sight is what a look at a module's files showed: it tells whether to read them.
type sight struct {
	wasm, settings stamp
}

// look follows links, so that a link that points elsewhere is another file.
func look(c candidate, before sight) sight {
	return sight{stampOf(c.wasm, before.wasm), stampOf(c.settings, before.settings)}
}

// aged is a sight of which the times alone tell a change from now on.
func (s sight) aged() sight { return sight{s.wasm.aged(), s.settings.aged()} }

// Change is what a scheduler has to be told between two cycles: a module exists from now on, or exists no more; or, of a
// built-in, that its shadow is another, which Scheduler.Rewitness takes in.
type Change struct {
	Announcement
	Removed bool
	Builtin bool
}

// Scan looks at the folder again. What is new or changed is proven beside what serves, and takes its place only then;
// what went is removed. Files are read once they have looked the same in two scans, so that one which is still being
// written waits. A refused module changes nothing, and is read again when it has changed.
func (r *Registry) Scan(ctx context.Context) ([]Change, []Refusal, error) {
	list, err := r.candidates()
	if err != nil {
		return nil, nil, err
	}
	there := map[string]bool{}
	var changed []candidate
	for _, c := range list {
		there[c.name] = true
		if r.settled(c) {
			changed = append(changed, c)
		}
	}
	proven, refused := r.proveAll(ctx, changed)
	for _, m := range proven {
		r.swap(m)
	}
	for _, name := range slices.Sorted(maps.Keys(r.seen)) {
		if !there[name] {
			r.remove(name)
		}
	}
	refused = append(refused, r.pair()...)
	return r.changes(), refused, nil
}

// changes tells what is announced now and was not, or was and is not, by name.
func (r *Registry) changes() []Change {
	before := r.told
	r.told = r.state()
	var list []Change
	for _, name := range slices.Sorted(maps.Keys(r.told)) {
		if now := r.told[name]; before[name] != now {
			list = append(list, Change{Announcement: now.Announcement, Builtin: now.builtin})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if _, still := r.told[name]; !still {
			was := before[name]
			list = append(list, Change{was.Announcement, !was.builtin, was.builtin})
		}
	}
	return list
}

// told is what a scheduler was told of a module, and which shadow it was given then: another shadow has it told again.
type told struct {
	Announcement
	shadow, shadowHash string
	builtin            bool
}

// state is what schedulers should know now.
func (r *Registry) state() map[string]told {
	out := map[string]told{}
	for _, a := range r.Announced() {
		t := told{Announcement: a}
		if s, _ := r.shadowOf(a.Name); s != nil {
			t.shadow, t.shadowHash = s.name, s.sha256+s.text
		}
		out[a.Name] = t
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for name, s := range r.builtins {
		out[name] = told{Announcement{Name: name}, s.name, s.sha256 + s.text, true}
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
func (r *Registry) swap(m *module) {
	r.mu.Lock()
	defer r.mu.Unlock()
	old := r.current[m.name]
	if old != nil && old.sha256 == m.sha256 && old.text == m.text && old.settings.ShadowOf == m.settings.ShadowOf {
		m.retire() // touched, not changed
		return
	}
	r.current[m.name] = m
	if old != nil {
		old.retire()
		r.keep(old)
	}
}

// remove lets a module go whose files went.
func (r *Registry) remove(name string) {
	delete(r.seen, name)
	delete(r.moving, name)
	r.mu.Lock()
	defer r.mu.Unlock()
	if m := r.current[name]; m != nil {
		m.retire()
		delete(r.current, name)
		r.keep(m)
	}
}
