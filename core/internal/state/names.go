package state

import (
	"maps"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/placement"
	"github.com/quern-project/quern/core/resource"
)

// Names returns, both sorted, the known resource types, and the host
// predicates that asks name or that were called since they were last removed.
func (c *Shared) Names() (types, predicates []string) {
	known, named := map[string]struct{}{}, map[string]struct{}{}
	for id := range c.modules.hosts {
		named[id] = struct{}{}
	}
	for _, s := range c.partitions {
		for i := range s.types.Len() {
			known[s.types.Name(i)] = struct{}{}
		}
		for class := range s.classes.Named {
			if class.Predicate() != "" {
				named[class.Predicate()] = struct{}{}
			}
		}
	}
	return slices.Sorted(maps.Keys(known)), slices.Sorted(maps.Keys(named))
}

// TypesOf calls yield with the resource types that an event names,
// including those in tags that set quotas. It does not read configurations.
func TypesOf(e core.Event, yield func(string) bool) {
	first, second := core.AmountsOf(e)
	sets := []resource.Set{first, second}
	if app, ok := e.(*core.AddApp); ok {
		quota, _ := placement.ReadQuota(app.Tags) // an invalid tag sets nothing
		for _, tagged := range []*resource.Set{quota.Max, quota.Guaranteed} {
			if tagged != nil {
				sets = append(sets, *tagged)
			}
		}
	}
	for _, set := range sets {
		for _, q := range set {
			if !yield(q.Type) {
				return
			}
		}
	}
}
