package registry

import (
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/wasm/module/guest"
)

// Witness puts the shadow of a built-in policy, if there is one, behind it at a point; else it returns the built-in as
// it is. What it returns answers as the built-in does: it is for core.Options.
func (b *Binding) Witness(p policy.Point, acting *policy.Module) *policy.Module {
	name := acting.Name
	m := b.registry.shadowOfBuiltin(name)
	if h := b.shadows[name]; h != nil && h.module != m {
		b.end(name)
	}
	if m == nil || b.role == follows || b.registry.options.Off || m.Manifest.Points[p] == nil {
		return acting
	}
	announced, own, seen, err := projectionsOf(acting, m)
	if err == nil && b.shadows[name] == nil {
		if h := b.follow(m); h != nil {
			b.setShadow(name, h)
		}
	}
	if err != nil || b.shadows[name] == nil {
		return acting // the next scan reports the error
	}
	return &policy.Module{Manifest: *announced, Evaluator: b.shadowed(own.Wrap(acting.Evaluator), b.shadows[name], seen)}
}

// projectionsOf is what a built-in with a shadow declares at a point, and what either of them sees of it.
func projectionsOf(acting *policy.Module, shadow *module) (announced *policy.Manifest, own, seen guest.Projections, err error) {
	if announced, err = beside(acting.Name, acting.Points, shadow.Manifest.Points); err != nil {
		return nil, nil, nil, err
	}
	if own, err = guest.NewProjections(announced, acting.Points); err != nil {
		return nil, nil, nil, err
	}
	seen, err = guest.NewProjections(announced, shadow.Manifest.Points)
	return announced, own, seen, err
}

// builtinPoints are the points at which there is a built-in policy of a name.
func builtinPoints(name string) map[policy.Point]*policy.PointSpec {
	points := map[policy.Point]*policy.PointSpec{}
	for _, p := range policy.Points() {
		if m := policy.Builtin(p, name, nil); m != nil {
			points[p] = m.Points[p]
		}
	}
	return points
}

// shadowOfBuiltin returns the shadow of a built-in policy; nil where there is none.
func (r *Registry) shadowOfBuiltin(name string) *module {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.builtins[name]
}
