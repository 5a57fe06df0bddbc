package registry

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
)

// pair puts every shadow behind the policy that it names, and refuses those that cannot be behind it. A module with a
// shadow is announced with the columns of both.
func (r *Registry) pair() []Refusal {
	r.mu.Lock()
	defer r.mu.Unlock()
	var refused []Refusal
	r.builtins = map[string]*module{}
	for _, m := range r.current {
		m.shadow, m.announced = nil, m.announcement(m.Manifest, m.Text)
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
	of := m.settings.ShadowOf
	if points := builtinPoints(of); len(points) > 0 {
		if other := r.builtins[of]; other != nil {
			return taken(of, other)
		}
		if _, err := beside(of, points, m.Manifest.Points); err != nil {
			return err
		}
		r.builtins[of] = m
		return nil
	}
	target := r.current[of]
	switch {
	case target == nil || target.settings.ShadowOf != "":
		return fmt.Errorf("expected a built-in, or a policy of this folder that decides, found %q", of)
	case target.shadow != nil:
		return taken(of, target.shadow)
	}
	both, err := beside(of, target.Manifest.Points, m.Manifest.Points)
	if err != nil {
		return err
	}
	announced := *target.Manifest
	announced.Points = both.Points
	text, err := json.Marshal(&announced)
	if err != nil {
		return err
	}
	target.shadow, target.announced = m, target.announcement(&announced, string(text))
	return nil
}

// announcement is what a scheduler is told of the module with a manifest, which is parsed and as text.
func (m *module) announcement(parsed *policy.Manifest, text string) core.Announcement {
	return core.Announcement{PolicyModule: core.PolicyModule{Name: m.name, SHA256: m.sha256, Manifest: text}, Parsed: parsed}
}

func taken(of string, shadow *module) error {
	return fmt.Errorf("%q already has the shadow %q", of, shadow.name)
}

// beside is what a policy with a shadow declares: at the points of both it has the columns of both.
func beside(name string, acting, shadow map[policy.Point]*policy.PointSpec) (*policy.Manifest, error) {
	both := &policy.Manifest{Name: name, Points: maps.Clone(acting)}
	shared := false
	for _, point := range policy.Points() {
		own, other := acting[point], shadow[point]
		if own == nil || other == nil {
			continue
		}
		if other.Depends == policy.OnAsk && own.Depends != policy.OnAsk {
			return nil, fmt.Errorf("%s: it depends on the ask, and %q does not", point, name)
		}
		shared = true
		wider := *own
		wider.Columns = merged(own.Columns, other.Columns)
		both.Points[point] = &wider
	}
	if !shared {
		return nil, fmt.Errorf("expected a policy that serves a point of this one, found %q", name)
	}
	return both, nil
}

// shadowOf returns the shadow of a module, and what the module is announced with; nil where there is none.
func (r *Registry) shadowOf(name string) (*module, *policy.Manifest) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if m := r.current[name]; m != nil && m.shadow != nil {
		return m.shadow, m.announced.Parsed
	}
	return nil, nil
}

// merged is the columns of a module with those of another that it does not have appended.
func merged(own, other []policy.Column) []policy.Column {
	out := slices.Clone(own)
	for _, c := range other {
		if !slices.ContainsFunc(out, func(o policy.Column) bool { return o.String() == c.String() }) {
			out = append(out, c)
		}
	}
	return out
}
