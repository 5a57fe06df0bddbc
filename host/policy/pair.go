package policy

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/quern-project/quern/core/policy"
)

// pair puts every shadow behind the module that it names, and refuses those that cannot be behind it. A module with a
// shadow is announced with the columns of both.
func (r *Registry) pair() []Refusal {
	r.mu.Lock()
	defer r.mu.Unlock()
	var refused []Refusal
	for _, m := range r.current {
		m.shadow, m.announced, m.seen = nil, m.manifest, m.text
	}
	for _, name := range slices.Sorted(maps.Keys(r.current)) {
		m := r.current[name]
		if m.settings.ShadowOf == "" {
			continue
		}
		if err := r.attach(m); err != nil {
			refused = append(refused, Refusal{name, fmt.Errorf("%s: shadow_of: %w", m.candidate.settings, err)})
			m.retire()
			delete(r.current, name)
		}
	}
	return refused
}

func (r *Registry) attach(m *module) error {
	target := r.current[m.settings.ShadowOf]
	switch {
	case target == nil || target.settings.ShadowOf != "":
		return fmt.Errorf("expected a policy of this folder that decides, found %q", m.settings.ShadowOf)
	case target.shadow != nil:
		return fmt.Errorf("%q has the shadow %q already", target.name, target.shadow.name)
	}
	both := *target.manifest
	both.Points = maps.Clone(target.manifest.Points)
	shared := false
	for point, spec := range m.manifest.Points {
		acting := both.Points[point]
		if acting == nil {
			continue
		}
		if spec.Depends == policy.OnAsk && acting.Depends != policy.OnAsk {
			return fmt.Errorf("%s: it looks at the ask, and %q does not", point, target.name)
		}
		shared = true
		wider := *acting
		wider.Columns = merged(acting.Columns, spec.Columns)
		both.Points[point] = &wider
	}
	if !shared {
		return fmt.Errorf("expected a policy that serves a point of this one, found %q", target.name)
	}
	text, err := json.Marshal(&both)
	if err != nil {
		return err
	}
	target.shadow, target.announced, target.seen = m, &both, string(text)
	return nil
}

// shadowOf returns the shadow of a module, and what the module is announced with; nil where there is none.
func (r *Registry) shadowOf(name string) (*module, *policy.Manifest) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if m := r.current[name]; m != nil && m.shadow != nil {
		return m.shadow, m.announced
	}
	return nil, nil
}

// merged is the columns of a module with those of another that it lacks behind them.
func merged(own, other []policy.Column) []policy.Column {
	out := slices.Clone(own)
	for _, c := range other {
		if !slices.ContainsFunc(out, func(o policy.Column) bool { return o.String() == c.String() }) {
			out = append(out, c)
		}
	}
	return out
}
