package si

import (
	"cmp"
	"maps"
	"slices"

	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

// buildOf is what a resource manager says of itself when it registers.
func buildOf(id string, r *siv1.RegisterResourceManagerRequest) map[string]string {
	build := maps.Clone(r.GetBuildInfo())
	if build == nil {
		build = map[string]string{}
	}
	build["rmId"] = id
	if build["buildVersion"] == "" {
		build["buildVersion"] = r.GetVersion()
	}
	return build
}

// BuildInformation is what the resource managers that have registered since the host was started say of themselves, by their IDs.
func (s *Service) BuildInformation() []map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []map[string]string{}
	for _, id := range slices.Sorted(maps.Keys(s.sessions)) {
		list = append(list, maps.Clone(s.sessions[id].build))
	}
	return list
}

// Foreign lists the allocations that occupy nodes, and that no application of this scheduler has, by node. They are as they were told,
// and must not be changed.
func (s *Service) Foreign() map[string][]*siv1.Allocation {
	s.mu.Lock()
	defer s.mu.Unlock()
	byNode := map[string][]*siv1.Allocation{}
	for _, own := range s.sessions {
		for _, f := range own.foreign {
			byNode[f.node.id] = append(byNode[f.node.id], f.told)
		}
	}
	for _, list := range byNode {
		slices.SortFunc(list, func(a, b *siv1.Allocation) int { return cmp.Compare(a.GetAllocationKey(), b.GetAllocationKey()) })
	}
	return byNode
}

// Told returns asks and allocations as their resource managers told them, by key. They must not be changed. It must not be called while the view is held,
// which is read while messages are taken.
func (s *Service) Told(keys []string) map[string]*siv1.Allocation {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := map[string]*siv1.Allocation{}
	for _, key := range keys {
		if k := s.asks[key]; k != nil {
			found[key] = k.message
		}
	}
	return found
}
