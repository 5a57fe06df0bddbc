package state

import (
	"maps"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
)

// PolicyUses returns the existing policies, by name.
func (c *Shared) PolicyUses() []core.PolicyUse {
	var list []core.PolicyUse
	for _, name := range slices.Sorted(maps.Keys(c.modules.announced)) {
		m := c.modules.announced[name]
		if m.gone {
			continue
		}
		u := core.PolicyUse{PolicyModule: m.set, Calls: m.calls, Impure: m.impure, Quarantined: m.until != 0, Until: m.until}
		for _, p := range policy.Points() {
			if m.Points[p] != nil {
				u.Points = append(u.Points, string(p))
			}
		}
		for _, s := range c.partitions {
			s.eachActing(m, func(a *policy.Acting) { u.InForce = u.InForce || s.inForce(a) })
		}
		list = append(list, u)
	}
	return list
}

// Predicates returns the host predicates that asks have named since they were last removed, by name.
func (c *Shared) Predicates() []string { return slices.Sorted(maps.Keys(c.modules.hosts)) }

// HasType reports whether a node, an ask or a configuration has named a resource type.
func (c *Shared) HasType(name string) bool {
	return slices.ContainsFunc(c.partitions, func(s *State) bool {
		_, ok := s.types.Find(name)
		return ok
	})
}
