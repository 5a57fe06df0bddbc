package si

import (
	"maps"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

// Allocations that no application of this scheduler has occupy their nodes. The scheduler knows their sum alone, so that in a resync nothing
// says which of them a resource manager has yet to name: streams have no order, and a node takes asks in between. Until the resync ends, a node is
// therefore occupied by what was there before or by what was named since, whichever is more of a type.

// foreign is an allocation that occupies a node.
type foreign struct {
	node *node
	set  resource.Set
	told *siv1.Allocation
}

// addForeign has an allocation occupy its node. One that comes again replaces what it was.
func (s *Service) addForeign(b *batch, own *session, a *siv1.Allocation) {
	key := a.GetAllocationKey()
	set, err := amounts("resourcePerAlloc", a.GetResourcePerAlloc())
	err = checkTexts(&core.AddAsk{ID: key, Resources: set}, a.GetAllocationTags(), err)
	n := s.node(own, a.GetNodeID())
	switch {
	case err != nil:
		own.tellRejected(key, a.GetApplicationID(), refusalText(err))
		return
	case n == nil || n.owner != own:
		own.tellRejected(key, a.GetApplicationID(), unknownNode)
		return
	}
	replaced, again := own.foreign[key]
	switch {
	case again && replaced.node == n:
		n.changeBefore(replaced.set, set)
	case again:
		replaced.leave(key)
		b.add(replaced.node.update())
	}
	own.foreign[key], n.foreign[key] = foreign{n, set, a}, foreign{n, set, a}
	b.add(n.update())
	b.then(func(o *outcome) {
		if reason := o.ignored(core.NodeUpdate, n.id); reason != "" {
			n.dropForeign(key, a)
			own.tellRejected(key, a.GetApplicationID(), reason)
		}
	})
}

// leave takes an allocation from its node, and from what was there before.
func (f foreign) leave(key string) {
	f.node.changeBefore(f.set, nil)
	f.node.dropForeign(key, f.told)
}

// changeBefore has an allocation of what was on a node before be another one: it has changed or ended since it was named.
func (n *node) changeBefore(was, is resource.Set) {
	for i := range n.before {
		q := &n.before[i]
		old, _ := was.Value(q.Type)
		now, _ := is.Value(q.Type)
		q.Value = resource.Add(max(resource.Sub(q.Value, old), 0), now)
	}
}

// dropForeign forgets an allocation, unless it has come again since.
func (n *node) dropForeign(key string, a *siv1.Allocation) {
	for _, all := range []map[string]foreign{n.owner.foreign, n.foreign} {
		if all[key].told == a {
			delete(all, key)
		}
	}
}

// forgetForeign forgets what is foreign on a node.
func (n *node) forgetForeign() {
	for key := range n.foreign {
		delete(n.owner.foreign, key)
	}
	n.foreign, n.before = map[string]foreign{}, nil
}

// beginForeign has a resource manager name the foreign allocations of a node again.
func (n *node) beginForeign() {
	n.before = n.occupied()
	n.foreign = map[string]foreign{}
}

// occupied is what foreign allocations take up on a node.
func (n *node) occupied() resource.Set {
	sum := map[string]int64{}
	for _, f := range n.foreign {
		for _, q := range f.set {
			sum[q.Type] = resource.Add(sum[q.Type], q.Value)
		}
	}
	for _, q := range n.before {
		sum[q.Type] = max(sum[q.Type], q.Value)
	}
	set := make(resource.Set, 0, len(sum))
	for _, typ := range slices.Sorted(maps.Keys(sum)) {
		if sum[typ] > 0 {
			set = append(set, resource.Quantity{Type: typ, Value: sum[typ]})
		}
	}
	return set
}

// update is the input that says what occupies a node.
func (n *node) update() core.Input {
	return core.Input{Event: &core.UpdateNode{ID: n.id, Occupied: n.occupied()}}
}

// ready ends the resync of a node: the resource manager has named all that occupies it.
func (n *node) ready(b *batch) {
	before, drains := n.before, n.drains
	n.before, n.drains = nil, 0
	b.add(n.update())
	b.then(func(o *outcome) {
		if o.err != nil {
			n.before, n.drains = before, drains
		}
	})
}
