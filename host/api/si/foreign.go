package si

import (
	"math"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

// foreign is an allocation that no application of this scheduler has: it occupies a node.
type foreign struct {
	node string
	set  resource.Set
	told *siv1.Allocation
}

// addForeign has an allocation occupy its node. One that comes again replaces what it was.
func (s *Service) addForeign(b *batch, own *session, a *siv1.Allocation) {
	key := a.GetAllocationKey()
	set, err := amounts("resourcePerAlloc", a.GetResourcePerAlloc())
	n := s.nodes[a.GetNodeID()]
	switch {
	case err != nil:
		own.tellRejected(key, a.GetApplicationID(), "bad-request: "+err.Error())
		return
	case n == nil || n.owner != own:
		own.tellRejected(key, a.GetApplicationID(), unknownNode)
		return
	}
	before, replaced := own.foreign[key]
	own.foreign[key] = foreign{n.id, set, a}
	if replaced && before.node != n.id {
		s.occupy(b, own, before.node)
	}
	s.occupy(b, own, n.id)
	b.then(func(o *outcome) {
		if reason := o.ignored(core.NodeUpdate, n.id); reason != "" {
			delete(own.foreign, key)
			own.tellRejected(key, a.GetApplicationID(), reason)
		}
	})
}

// removeForeign ends a foreign allocation.
func (s *Service) removeForeign(b *batch, own *session, key string) {
	f := own.foreign[key]
	delete(own.foreign, key)
	s.occupy(b, own, f.node)
}

// forgetForeign forgets what is foreign on a node.
func (s *session) forgetForeign(id string) {
	for key, f := range s.foreign {
		if f.node == id {
			delete(s.foreign, key)
		}
	}
}

// occupy submits what a node's foreign allocations add up to.
func (s *Service) occupy(b *batch, own *session, id string) {
	sum := map[string]int64{}
	for _, f := range own.foreign {
		if f.node != id {
			continue
		}
		for _, q := range f.set {
			sum[q.Type] = min(resource.Add(sum[q.Type], q.Value), math.MaxInt64)
		}
	}
	set := make([]resource.Quantity, 0, len(sum))
	for typ, amount := range sum {
		set = append(set, resource.Quantity{Type: typ, Value: amount})
	}
	b.add(core.Input{Type: core.NodeUpdate, ID: id, Occupied: resource.NewSet(set...)})
}
