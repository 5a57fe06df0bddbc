package registry

import (
	"fmt"
	"maps"
	"slices"
)

// Unused says, a sentence each and by name, which modules of the registry were never used, and which resource types
// they read that no one named. Asked tells whether a module that decides was asked, or would be; has whether there is a
// resource type of a name.
func (b *Binding) Unused(asked, has func(name string) bool) []string {
	reported := map[string]bool{}
	for _, s := range b.Shadows() {
		reported[s.Name] = true
	}
	b.registry.mu.Lock()
	defer b.registry.mu.Unlock()
	var list []string
	for _, name := range slices.Sorted(maps.Keys(b.registry.current)) {
		m := b.registry.current[name]
		switch of := m.settings.ShadowOf; {
		case of == "" && !asked(name):
			list = append(list, fmt.Sprintf("policy %s was never called: no configuration names it, and it is not a shadow", name))
			continue
		case of != "" && !reported[name]:
			list = append(list, fmt.Sprintf("policy %s was never called: it is the shadow of %s, which was not called either", name, of))
			continue
		}
		for _, typ := range m.types() {
			if !has(typ) {
				list = append(list, fmt.Sprintf("policy %s reads the resource type %q, which no node, ask or queue has", name, typ))
			}
		}
	}
	return list
}

// types lists the resource types that a module's columns name, by name.
func (m *module) types() []string {
	found := map[string]bool{}
	for _, spec := range m.Manifest.Points {
		for _, c := range spec.Columns {
			if typ := c.Type(); typ != "" {
				found[typ] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}
