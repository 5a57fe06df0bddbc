package recording

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"

	"github.com/quern-project/quern/core"
	quern "github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/importing/history"
	"github.com/quern-project/quern/host/kube/nodefit"
	"github.com/quern-project/quern/host/kube/translate"
)

// story turns versions of nodes and pods into the inputs of a history. It compares each version with what it has written, so that the
// same version twice writes nothing, whatever was missed in between.
type story struct {
	settings translate.Settings
	lookup   lookup
	write    func(core.Input)

	begun  bool // what comes is written, and not only kept
	nodes  map[string]*node
	pods   map[string]*pod
	byNode map[string]map[string]*pod // by the name of the node, which may be unknown, and by key
	apps   map[string]int             // how many asks and allocations of an application are written
	inUse  nodefit.InUse              // selectors that asks of this part have used

	unsaid   map[string]int // pods with demands that a journal cannot express, by scheduler plugin
	problems int            // labels and annotations that cannot be read
}

// lookup finds what the translation of a pod needs besides the pod; nil: it is not there.
type lookup struct {
	namespace func(name string) *corev1.Namespace
	class     func(name string) *schedulingv1.PriorityClass
}

// forceTag has the scheduler take in an application whatever its queue says.
const forceTag = "application.create.force"

type node struct {
	*corev1.Node
	occupied quern.Set // as written
}

type pod struct {
	*corev1.Pod
	written *corev1.Pod // the version that was last written; nil: none is
	known   translate.Known
	app     string // of the ask or allocation
	counted bool   // what the history does not say of it
}

func newStory(schedulers []string, l lookup, write func(core.Input)) *story {
	if len(schedulers) == 0 {
		schedulers = []string{everyScheduler} // as strip has it
	}
	return &story{settings: translate.Settings{Schedulers: schedulers}, lookup: l, write: write,
		nodes: map[string]*node{}, pods: map[string]*pod{}, byNode: map[string]map[string]*pod{}, unsaid: map[string]int{}}
}

// begin writes what is there, as the first instant of a part.
func (s *story) begin() {
	s.begun, s.apps, s.inUse = true, map[string]int{}, nodefit.InUse{}
	pods := make([]*pod, 0, len(s.pods))
	for _, p := range s.pods {
		p.written, p.known, p.app = nil, translate.Known{}, ""
		switch s.settings.StageOf(p.Pod) {
		case translate.Waiting, translate.Placed:
			pods = append(pods, p)
			s.inUse.Add(nodefit.Of(p.Pod).Selectors) // now, so that nodes have their attributes from the beginning
		case translate.Foreign:
			p.written = p.Pod // with its node
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.nodes)) {
		s.addNode(s.nodes[name])
	}
	slices.SortFunc(pods, func(a, b *pod) int {
		return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), cmp.Compare(translate.Key(a.Pod), translate.Key(b.Pod)))
	})
	for _, p := range pods {
		s.change(p, p.Pod)
	}
}

func (s *story) addNode(n *node) {
	for _, in := range translate.NodeChange(nil, n.Node, s.inUse.All()) {
		n.occupied = s.occupied(n.Name)
		if len(n.occupied) > 0 {
			in.Event.(*core.AddNode).Occupied = n.occupied
		}
		s.write(in)
	}
}

// node takes a version of a node; nil: it is deleted.
func (s *story) node(name string, current *corev1.Node) {
	n := s.nodes[name]
	switch {
	case current == nil && n == nil:
	case current == nil:
		delete(s.nodes, name)
		s.removeNode(n)
	case n == nil:
		n = &node{Node: current}
		s.nodes[name] = n
		if s.begun {
			s.addNode(n)
			s.placeOn(name)
		}
	default:
		old := n.Node
		n.Node = current
		if s.begun {
			s.inputs(translate.NodeChange(old, current, s.inUse.All()))
		}
	}
}

// removeNode ends what runs on a node, as the input does.
func (s *story) removeNode(n *node) {
	if !s.begun {
		return
	}
	s.inputs(translate.NodeChange(n.Node, nil, nil))
	for _, key := range slices.Sorted(maps.Keys(s.byNode[n.Name])) {
		if p := s.byNode[n.Name][key]; p.known.Node != "" {
			s.ended(p)
			p.written = nil
			s.endApp(p.app)
		}
	}
}

// placeOn writes the pods that were bound to a node before it was known.
func (s *story) placeOn(name string) {
	for _, key := range slices.Sorted(maps.Keys(s.byNode[name])) {
		p := s.byNode[name][key]
		s.change(p, p.Pod)
	}
}

// pod takes a version of a pod; nil: it is deleted.
func (s *story) pod(key string, current *corev1.Pod) {
	p := s.pods[key]
	switch {
	case current == nil && p == nil:
		return
	case p == nil:
		p = &pod{}
		s.pods[key] = p
	default:
		s.unindex(key, p)
	}
	if current != nil {
		p.Pod = current
		s.index(key, p)
	} else {
		delete(s.pods, key)
	}
	if s.begun {
		s.change(p, current)
	}
}

// absent are the keys of the pods that are not among those of a list.
func (s *story) absent(there map[string]bool) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(s.pods)), func(key string) bool { return there[key] })
}

func (s *story) index(key string, p *pod) {
	if name := p.Spec.NodeName; name != "" {
		if s.byNode[name] == nil {
			s.byNode[name] = map[string]*pod{}
		}
		s.byNode[name][key] = p
	}
}

func (s *story) unindex(key string, p *pod) {
	on := s.byNode[p.Spec.NodeName]
	if delete(on, key); len(on) == 0 {
		delete(s.byNode, p.Spec.NodeName)
	}
}

// change writes the difference between what was written of a pod and its current version; nil: it is deleted.
func (s *story) change(p *pod, current *corev1.Pod) {
	if current != nil && s.settings.StageOf(current) == translate.Placed && s.nodes[current.Spec.NodeName] == nil {
		current = nil // as if it were not there, until its node is known
	}
	of := cmp.Or(current, p.written)
	if of == nil {
		return
	}
	c := s.context(of)
	id, _ := translate.AppID(of, c)
	p.known.App = s.apps[id] > 0
	e := s.settings.Change(p.written, current, p.known, c)
	p.written = current
	if e.Ask != nil {
		s.use(e.Ask.Selectors)
		s.count(p, &e)
	}
	before := p.app
	for _, in := range e.Inputs {
		s.podInput(p, in)
	}
	s.endApp(before)
	s.endApp(p.app)
	for _, name := range e.Occupied {
		s.occupy(name)
	}
}

// count counts what the history does not say of a pod, when it is first written: later ones, and those of other parts, say the same of it.
func (s *story) count(p *pod, e *translate.Effect) {
	if p.counted {
		return
	}
	p.counted = true
	s.problems += len(e.Problems)
	for _, plugin := range e.Ask.Plugins {
		s.unsaid[plugin]++
	}
}

func (s *story) context(of *corev1.Pod) *translate.Context {
	c := &translate.Context{Namespace: s.lookup.namespace(of.Namespace)}
	if of.Spec.PriorityClassName != "" {
		c.Class = s.lookup.class(of.Spec.PriorityClassName)
	}
	return c
}

// podInput writes one of the inputs that a change of a pod calls for, and keeps account of it.
func (s *story) podInput(p *pod, in core.Input) {
	switch e := in.Event.(type) {
	case *core.AddApp:
		e.Tags[forceTag] = "true" // what happened is not refused in a replay
	case *core.AddAsk:
		s.begins(p, e, translate.Pending, "")
		e.Constraints = maps.Clone(e.Constraints)
		if e.Constraints == nil {
			e.Constraints = map[string][]string{}
		}
		e.Constraints[history.Placement] = []string{history.PlacedByCluster}
	case *core.RestoreAllocation:
		s.begins(p, &e.AddAsk, translate.Allocation, e.PlacedOn)
	case *core.UpdateAsk:
		p.known.Resources = e.Resources
	case *core.RemoveAsk, *core.ReleaseAllocation:
		defer s.ended(p)
	default:
	}
	s.write(in)
}

func (s *story) begins(p *pod, in *core.AddAsk, has translate.Has, node string) {
	p.app = in.App
	p.known = translate.Known{App: true, Has: has, Resources: in.Resources, Node: node}
	s.apps[in.App]++
}

// ended forgets what was written of a pod's ask or allocation.
func (s *story) ended(p *pod) {
	p.known = translate.Known{}
	s.apps[p.app]--
}

// endApp writes the end of an application without asks and allocations.
func (s *story) endApp(id string) {
	if n, there := s.apps[id]; there && n == 0 {
		delete(s.apps, id)
		s.write(core.Input{Event: &core.RemoveApp{ID: id}})
	}
}

// use gives nodes the attributes that an ask requires. They keep them until the part ends, since a workload that is made of the
// history may need them for longer than the cluster did.
func (s *story) use(selectors []*nodefit.Selector) {
	before := s.inUse.All()
	if len(s.inUse.Add(selectors)) == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(s.nodes)) {
		n := s.nodes[name].Node
		if all := nodefit.Attributes(n, s.inUse.All()); !maps.Equal(all, nodefit.Attributes(n, before)) {
			s.write(core.Input{Event: &core.UpdateNode{ID: name, Attributes: all}})
		}
	}
}

// occupy writes the room that the pods which are not recorded take on a node.
func (s *story) occupy(name string) {
	n := s.nodes[name]
	if n == nil {
		return
	}
	if set := s.occupied(name); !slices.Equal(set, n.occupied) {
		n.occupied = set
		s.write(core.Input{Event: &core.UpdateNode{ID: name, Occupied: set}})
	}
}

func (s *story) occupied(name string) quern.Set {
	list := make([]*corev1.Pod, 0, len(s.byNode[name]))
	for _, p := range s.byNode[name] {
		list = append(list, p.Pod)
	}
	return s.settings.Occupied(name, list, nil).Occupied
}

func (s *story) inputs(list []core.Input) {
	for _, in := range list {
		s.write(in)
	}
}
