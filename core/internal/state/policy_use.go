package state

import (
	"maps"
	"slices"

	"github.com/quern-project/quern/core/policy"
)

// PolicyUse is how a policy that was announced is used.
type PolicyUse struct {
	Name    string
	Calls   uint64 // since it was announced
	InForce bool   // the configuration uses it, by its name or since it serves a point at which all act
}

// PolicyUses lists the policies that exist, by name.
func (s *State) PolicyUses() []PolicyUse {
	var list []PolicyUse
	for _, name := range slices.Sorted(maps.Keys(s.Policies.modules)) {
		m := s.Policies.modules[name]
		if m.gone {
			continue
		}
		u := PolicyUse{Name: name, Calls: m.calls}
		s.eachActing(m, func(a *policy.Acting) { u.InForce = u.InForce || s.inForce(a) })
		list = append(list, u)
	}
	return list
}

// HasType reports whether a node, an ask or a configuration has named a resource type.
func (s *State) HasType(name string) bool {
	_, ok := s.Types.Find(name)
	return ok
}
