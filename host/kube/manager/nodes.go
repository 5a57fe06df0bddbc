package manager

import (
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/kube/nodefit"
	"github.com/quern-project/quern/host/kube/podstate"
	"github.com/quern-project/quern/host/kube/translate"
)

// node is what the scheduler was told of a node.
type node struct {
	told       *corev1.Node
	since      since
	attributes map[string]string
	occupied   resource.Set
}

// nodesChanged compares nodes with what was told of them. The pods on nodes that come or go are to be looked at.
func (r *run) nodesChanged(names, pods map[string]bool) {
	for _, name := range slices.Sorted(maps.Keys(names)) {
		known, current := r.nodes[name], r.cluster.node(name)
		if known != nil && (current == nil || current.UID != known.told.UID) {
			r.nodeGone(name, pods)
			known = nil
		}
		switch {
		case current == nil:
		case known == nil:
			r.nodeCame(current, pods)
		default:
			r.nodeIs(known, current)
		}
	}
}

// nodeCame adds a node, with what foreign pods take on it. Those that the loop has not looked at yet may be gone when it does, so that the node is
// counted again then.
func (r *run) nodeCame(current *corev1.Node, pods map[string]bool) {
	n := &node{told: current, since: soon, attributes: nodefit.Attributes(current, r.inUse.All())}
	r.nodes[current.Name] = n
	r.devices.count(current, 1)
	in := translate.NodeChange(nil, current, r.inUse.All())[0]
	on := r.cluster.podsOn(current.Name)
	n.occupied = r.occupied(current.Name, on).Occupied
	in.Event.(*core.AddNode).Occupied = n.occupied
	r.batch.add(in)
	r.occupancyChanged([]string{current.Name})
	for _, pod := range on {
		pods[translate.Key(pod)] = true
	}
	if r.o.Filters != nil {
		r.o.Filters.Node(nil, current)
	}
}

// nodeIs tells what has changed of a node.
func (r *run) nodeIs(n *node, current *corev1.Node) {
	all := r.inUse.All()
	for _, in := range translate.NodeChange(n.told, current, all) {
		if update, ok := in.Event.(*core.UpdateNode); ok && update.Attributes != nil {
			n.attributes = update.Attributes
		}
		r.batch.add(in)
	}
	if r.o.Filters != nil {
		r.o.Filters.Node(n.told, current)
	}
	r.devices.count(n.told, -1)
	r.devices.count(current, 1)
	n.told = current
}

// nodeGone removes a node; the scheduler releases what it has there.
func (r *run) nodeGone(name string, pods map[string]bool) {
	r.batch.add(core.Input{Event: &core.RemoveNode{ID: name}})
	if r.o.Filters != nil {
		r.o.Filters.Node(r.nodes[name].told, nil)
	}
	r.devices.count(r.nodes[name].told, -1)
	delete(r.nodes, name)
	for key, p := range r.pods {
		if p.state.Placed() && p.node == name || p.told != nil && p.told.Spec.NodeName == name {
			r.forget(p, podstate.Released)
			pods[key] = true
		}
	}
}

// occupied says what pods take on a node that the scheduler has no allocations of.
func (r *run) occupied(node string, on []*corev1.Pod) *core.UpdateNode {
	return r.o.Settings.Occupied(node, on, func(pod *corev1.Pod) bool {
		p := r.pods[translate.Key(pod)]
		return p != nil && p.stays && p.seen != nil && p.seen.UID == pod.UID
	})
}

// seenOn are the pods on a node as they were looked at last: what changes of them is compared with that. Of one that comes and goes between two looks
// nothing would be known.
func (r *run) seenOn(node string) (list []*corev1.Pod) {
	for _, pod := range r.cluster.podsOn(node) {
		if p := r.pods[translate.Key(pod)]; p != nil && p.seen != nil {
			list = append(list, p.seen)
		}
	}
	return list
}

// occupancyChanged has what foreign pods take on nodes counted again.
func (r *run) occupancyChanged(names []string) {
	for _, name := range names {
		r.stale[name] = true
	}
}

// refreshNodes tells what pods have changed of nodes: the attributes that asks use, and what foreign pods take.
func (r *run) refreshNodes() {
	if r.selectorsChanged {
		all := r.inUse.All()
		for _, name := range slices.Sorted(maps.Keys(r.nodes)) {
			n := r.nodes[name]
			if attributes := nodefit.Attributes(n.told, all); !maps.Equal(attributes, n.attributes) {
				n.attributes = attributes
				r.batch.add(core.Input{Event: &core.UpdateNode{ID: name, Attributes: attributes}})
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.stale)) {
		n := r.nodes[name]
		if n == nil {
			continue
		}
		if in := r.occupied(name, r.seenOn(name)); !slices.Equal(in.Occupied, n.occupied) {
			n.occupied = in.Occupied
			r.batch.add(core.Input{Event: in})
		}
	}
	r.selectorsChanged = false
	clear(r.stale)
}

// use gives nodes the attributes that an ask needs, before it is submitted.
func (r *run) use(selectors []*nodefit.Selector) {
	if len(r.inUse.Add(selectors)) > 0 {
		r.selectorsChanged = true
	}
}

// unuse notes that an ask has left. Asks of its kind may follow, so that its attributes stay for a while.
func (r *run) unuse(selectors []*nodefit.Selector) {
	if len(selectors) > 0 {
		r.unused = append(r.unused, selectors)
	}
}

// sweep takes the attributes from nodes that no ask needs any more.
func (r *run) sweep() {
	for _, selectors := range r.unused {
		if len(r.inUse.Remove(selectors)) > 0 {
			r.selectorsChanged = true
		}
	}
	r.unused = nil
	r.refreshNodes()
}

// nodeRetry is how long a node waits that the scheduler has refused.
const nodeRetry = 30 * time.Second

// nodeRefused tells of a node again, after a while: its labels or amounts may have changed by then.
func (r *run) nodeRefused(name, why string) {
	if r.nodes[name] == nil {
		return
	}
	r.log.Error("the scheduler refuses a node", "node", name, "error", why)
	if r.o.Filters != nil {
		r.o.Filters.Node(r.nodes[name].told, nil)
	}
	r.devices.count(r.nodes[name].told, -1)
	delete(r.nodes, name)
	time.AfterFunc(nodeRetry, func() { r.inbox.node(name) })
}
