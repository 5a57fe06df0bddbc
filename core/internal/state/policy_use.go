package state

import (
	"maps"
	"slices"
	"time"

	"github.com/quern-project/quern/core/internal/api"
	"github.com/quern-project/quern/core/policy"
)

// PolicyUse is how a policy that was announced is used.
type PolicyUse struct {
	api.PolicyModule               // as it was announced
	Calls            uint64        // since it was announced
	InForce          bool          // the configuration uses it, by its name or since it serves a point at which all act
	Impure           bool          // its answers are recorded
	Points           []string      // that it serves
	Quarantined      bool          // it is in quarantine: its fallback answers
	Until            time.Duration // in quarantine until then
}

// PolicyUses lists the policies that exist, by name.
func (c *Shared) PolicyUses() []PolicyUse {
	var list []PolicyUse
	for _, name := range slices.Sorted(maps.Keys(c.Modules.announced)) {
		m := c.Modules.announced[name]
		if m.gone {
			continue
		}
		u := PolicyUse{PolicyModule: m.set, Calls: m.calls, Impure: m.impure, Quarantined: m.until != 0, Until: m.until}
		for _, p := range policy.Points() {
			if m.Points[p] != nil {
				u.Points = append(u.Points, string(p))
			}
		}
		for _, s := range c.Partitions {
			s.eachActing(m, func(a *policy.Acting) { u.InForce = u.InForce || s.inForce(a) })
		}
		list = append(list, u)
	}
	return list
}

// Predicates lists the host predicates that asks have wanted since they were last removed, by name.
func (c *Shared) Predicates() []string { return slices.Sorted(maps.Keys(c.Modules.hosts)) }

// HasType reports whether a node, an ask or a configuration has named a resource type.
func (c *Shared) HasType(name string) bool {
	return slices.ContainsFunc(c.Partitions, func(s *State) bool {
		_, ok := s.Types.Find(name)
		return ok
	})
}
