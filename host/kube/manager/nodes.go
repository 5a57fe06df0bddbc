package manager

import (
	"log/slog"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/kube/nodefit"
	"github.com/quern-project/quern/host/kube/translate"
)

// node is a node as it was submitted.
type node struct {
	submitted  *corev1.Node
	since      since
	attributes map[string]string
	occupied   resource.Set
}

// nodeSource is what the API server has of nodes.
type nodeSource interface {
	node(name string) *corev1.Node // nil if it is not there
	podsOn(node string) []*corev1.Pod
}

// podsOfNodes are the pods as the loop has looked at them.
type podsOfNodes interface {
	stays(pod *corev1.Pod) bool           // it was deleted and does not end; the scheduler does not have it
	seenOn(node string) []*corev1.Pod     // in the versions that were looked at last
	nodeLost(node string) (keys []string) // the scheduler has released what it had there
}

// nodes has the scheduler know the nodes of the cluster, with the attributes that asks use and what foreign pods take.
type nodes struct {
	source   nodeSource
	pods     podsOfNodes
	settings *translate.Settings
	filters  Filters                             // nil without scheduler plugins
	send     func(core.Input)                    // puts an input into the next request
	later    func(name string, in time.Duration) // schedules a look at a node
	log      *slog.Logger

	known   map[string]*node
	inUse   nodefit.InUse
	unused  [][]*nodefit.Selector // of asks that have left, not yet taken out of inUse
	changed bool                  // inUse has other attributes than the nodes were submitted with
	stale   map[string]bool       // nodes on which foreign pods have changed
	devices *devices
}

// compare submits the differences of nodes, and adds the pods on nodes that come or go to those that are looked at.
func (s *nodes) compare(names, pods map[string]bool) {
	for _, name := range slices.Sorted(maps.Keys(names)) {
		known, current := s.known[name], s.source.node(name)
		if known != nil && (current == nil || current.UID != known.submitted.UID) {
			s.remove(name, pods)
			known = nil
		}
		switch {
		case current == nil:
		case known == nil:
			s.add(current, pods)
		default:
			s.update(known, current)
		}
	}
}

// add adds a node, with the room that foreign pods occupy. The loop may not have looked at all of them yet, so the room is counted again afterwards.
func (s *nodes) add(current *corev1.Node, pods map[string]bool) {
	n := &node{submitted: current, since: soon, attributes: nodefit.Attributes(current, s.inUse.All())}
	s.known[current.Name] = n
	s.devices.count(current, 1)
	in := translate.NodeChange(nil, current, s.inUse.All())[0]
	on := s.source.podsOn(current.Name)
	n.occupied = s.occupied(current.Name, on).Occupied
	in.Event.(*core.AddNode).Occupied = n.occupied
	s.send(in)
	s.occupancyChanged(current.Name)
	for _, pod := range on {
		pods[translate.Key(pod)] = true
	}
	if s.filters != nil {
		s.filters.Node(nil, current)
	}
}

// update submits what has changed in a node.
func (s *nodes) update(n *node, current *corev1.Node) {
	for _, in := range translate.NodeChange(n.submitted, current, s.inUse.All()) {
		if update, ok := in.Event.(*core.UpdateNode); ok && update.Attributes != nil {
			n.attributes = update.Attributes
		}
		s.send(in)
	}
	if s.filters != nil {
		s.filters.Node(n.submitted, current)
	}
	s.devices.count(n.submitted, -1)
	s.devices.count(current, 1)
	n.submitted = current
}

// remove removes a node; the scheduler releases what it has there.
func (s *nodes) remove(name string, pods map[string]bool) {
	s.send(core.Input{Event: &core.RemoveNode{ID: name}})
	s.forget(name)
	for _, key := range s.pods.nodeLost(name) {
		pods[key] = true
	}
}

func (s *nodes) forget(name string) {
	if s.filters != nil {
		s.filters.Node(s.known[name].submitted, nil)
	}
	s.devices.count(s.known[name].submitted, -1)
	delete(s.known, name)
}

// nodeRetry is how long a node waits that the scheduler has refused.
const nodeRetry = 30 * time.Second

// refused submits a refused node again after a while: its labels or amounts may have changed by then.
func (s *nodes) refused(name, why string) {
	if s.known[name] == nil {
		return
	}
	s.log.Error("the scheduler refuses a node", "node", name, "error", why)
	s.forget(name)
	s.later(name, nodeRetry)
}

// occupied says what pods take on a node that the scheduler has no allocations of.
func (s *nodes) occupied(node string, on []*corev1.Pod) *core.UpdateNode {
	return s.settings.Occupied(node, on, s.pods.stays)
}

// occupancyChanged has what foreign pods take on nodes counted again.
func (s *nodes) occupancyChanged(names ...string) {
	for _, name := range names {
		s.stale[name] = true
	}
}

// refresh submits what pods change in nodes: the attributes that asks use, and the amounts that foreign pods take.
func (s *nodes) refresh() {
	if s.changed {
		s.refreshAttributes()
	}
	for _, name := range slices.Sorted(maps.Keys(s.stale)) {
		n := s.known[name]
		if n == nil {
			continue
		}
		if in := s.occupied(name, s.pods.seenOn(name)); !slices.Equal(in.Occupied, n.occupied) {
			n.occupied = in.Occupied
			s.send(core.Input{Event: in})
		}
	}
	s.changed = false
	clear(s.stale)
}

func (s *nodes) refreshAttributes() {
	all := s.inUse.All()
	for _, name := range slices.Sorted(maps.Keys(s.known)) {
		n := s.known[name]
		if attributes := nodefit.Attributes(n.submitted, all); !maps.Equal(attributes, n.attributes) {
			n.attributes = attributes
			s.send(core.Input{Event: &core.UpdateNode{ID: name, Attributes: attributes}})
		}
	}
}

// use gives nodes the attributes that an ask needs, before it is submitted.
func (s *nodes) use(selectors []*nodefit.Selector) {
	if len(s.inUse.Add(selectors)) > 0 {
		s.changed = true
	}
}

// unuse notes that an ask has left. Asks of its kind may follow, so that its attributes stay for a while.
func (s *nodes) unuse(selectors []*nodefit.Selector) {
	if len(selectors) > 0 {
		s.unused = append(s.unused, selectors)
	}
}

// sweep takes the attributes from nodes that no ask needs any more.
func (s *nodes) sweep() {
	for _, selectors := range s.unused {
		if len(s.inUse.Remove(selectors)) > 0 {
			s.changed = true
		}
	}
	s.unused = nil
	s.refresh()
}
