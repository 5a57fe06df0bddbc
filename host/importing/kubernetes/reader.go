package kubernetes

import (
	"errors"
	"io"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/importing"
	"github.com/quern-project/quern/host/kubelabels"
)

// Options say how a listing is read.
type Options struct {
	// Schedulers are those whose pods are taken. Pods of others occupy their nodes. Empty: all.
	Schedulers []string
}

// Reader takes listings.
type Reader struct {
	Options
	sink *importing.Sink

	nodes      []*node
	pods       []*pod
	ended      []*pod // that have succeeded
	groups     map[string]*podGroup
	namespaces map[string]*namespace
	classes    map[string]bool // whether pods of a priority class may be preempted
	long       []string        // node affinities with numbers for names
	marked     map[string]bool // node affinities that are attributes of the nodes that meet them
	tainted    []*node         // one for each set of taints, which may be empty
}

// node is what is kept of a node.
type node struct {
	core.AddNode
	labels map[string]string
	taints string // all of them, as text
	all    []taint
	extra  map[string]string // attributes beside the labels
}

// pod is what is kept of a pod.
type pod struct {
	place       importing.Error
	name        string
	namespace   string
	app         string
	queue       string // as the pod names it
	user        string
	groups      []string
	at          time.Duration
	node        string
	resources   resource.Set
	ask         core.Ask
	class       string // of priority
	foreign     string // why it is not taken; empty: it is
	gated       bool
	tolerations []toleration
	selector    map[string]string
	terms       []term
	gang        *gang                 // of its application, if it declares one
	group       string                // the PodGroup, by namespace and name; empty: none
	policy      kubelabels.GangPolicy // of a pod of a group
}

// NewReader makes a reader that gives to a sink.
func NewReader(sink *importing.Sink, o Options) *Reader {
	return &Reader{Options: o, sink: sink, groups: map[string]*podGroup{}, namespaces: map[string]*namespace{}, classes: map[string]bool{}, marked: map[string]bool{}}
}

// Read reads a listing. Errors in it are told to the sink; the error says that reading failed.
func (r *Reader) Read(in io.Reader, file string) error {
	l := &listing{file: file, bytes: countedLines{r: in}, sink: r.sink, take: r.take}
	if err := l.objects(); err != nil && !errors.Is(err, importing.ErrGivenUp) {
		return err
	}
	return nil
}

// take keeps what is needed of an object.
func (r *Reader) take(i *item) error {
	if i.Kind != "" && i.Metadata.Name == "" {
		i.refuse("a name", "", "metadata", "name")
		return nil
	}
	switch i.Kind {
	case "Node":
		if n := i.node(); len(i.errs) == 0 {
			r.nodes = append(r.nodes, n)
		}
	case "Pod":
		r.takePod(i)
	case "Namespace":
		if n := i.namespace(); len(i.errs) == 0 {
			r.namespaces[i.Metadata.Name] = n
		}
	case "PriorityClass":
		may, given, bad := i.metadata().Preemptable()
		i.unreadable(bad)
		if given {
			r.classes[i.Metadata.Name] = may
		}
	case "PodGroup":
		r.takePodGroup(i)
	default:
		r.sink.LeftOut(1, "object", "kind is not Node, Pod, Namespace, PriorityClass or PodGroup")
	}
	return nil
}

// ownTaint is the taint of a node that is cordoned; the journal says that otherwise.
const ownTaint = "node.kubernetes.io/unschedulable"

func (i *item) node() *node {
	n := &node{labels: i.Metadata.Labels}
	n.ID, n.Unschedulable = i.Metadata.Name, i.Spec.Unschedulable
	n.Capacity = i.amounts(i.Status.Allocatable, "status", "allocatable").set()
	n.all = slices.DeleteFunc(i.Spec.Taints, func(t taint) bool { return t.Key == ownTaint || t.Effect == "PreferNoSchedule" })
	n.taints = taintText(n.all)
	return n
}

func (r *Reader) takePod(i *item) {
	if i.Status.Phase == "Succeeded" || i.Status.Phase == "Failed" {
		r.takeEnded(i)
		return
	}
	m := &i.Metadata
	p := &pod{
		place: importing.Error{File: i.file, Line: i.line, Key: i.name()},
		name:  m.Namespace + "/" + m.Name, namespace: m.Namespace, node: i.Spec.NodeName,
		resources: i.requests().set(), at: i.created(), foreign: r.foreign(i),
		tolerations: i.Spec.Tolerations, selector: i.Spec.NodeSelector, terms: i.Spec.Affinity.NodeAffinity.Required.Terms,
		class: i.Spec.PriorityClassName, gated: len(i.Spec.SchedulingGates) > 0,
		group: i.podGroup(),
	}
	if p.foreign == "" {
		i.belongs(p)
		p.gang = i.gang()
		if p.group != "" {
			p.policy = i.gangPolicy()
		}
		p.ask.Priority, p.ask.NoPreemptOthers = i.priority(), i.Spec.PreemptionPolicy == never
		may, given, bad := i.metadata().Preemptable()
		i.unreadable(bad)
		p.ask.NotPreemptable = !may
		if given {
			p.class = "" // the pod takes precedence over its class
		}
		p.ask.Movable, bad = i.metadata().Movable()
		i.unreadable(bad)
		i.walltime(&p.ask)
		p.ask.TaskGroup, p.ask.Placeholder = i.metadata().TaskGroup(), i.metadata().Placeholder()
		p.ask.Originator = p.gang != nil
		r.unsaid(i)
	}
	if len(i.errs) == 0 {
		r.pods = append(r.pods, p)
	}
}

// never is the policy of pods and PodGroups that preempt no others.
const never = "Never"

// walltime reads how long a pod promises to run at most. At the deadline of its spec, the kubelet ends it.
func (i *item) walltime(ask *core.Ask) {
	said, bad := i.metadata().Walltime()
	i.unreadable(bad)
	switch deadline := i.Spec.ActiveDeadlineSeconds; {
	case said > 0:
		ask.Walltime = said
	case deadline > 0:
		ask.Walltime, ask.Overrun = time.Duration(min(deadline, int64(instant.Never/time.Second)))*time.Second, core.OverrunAllow
	}
}

// takeEnded keeps of a pod that has succeeded which gang it was of. What cannot be read does not matter any more.
func (r *Reader) takeEnded(i *item) {
	r.sink.LeftOut(1, "pod", "ended")
	if i.Status.Phase != "Succeeded" || r.foreign(i) != "" {
		return
	}
	p := &pod{group: i.podGroup()}
	p.ask.TaskGroup = i.metadata().TaskGroup()
	i.belongs(p)
	i.errs = nil
	r.ended = append(r.ended, p)
}

// priority is what admission has worked out of the priority class.
func (i *item) priority() int32 {
	if i.Spec.Priority == nil {
		return 0
	}
	return *i.Spec.Priority
}

// foreign says why a pod is not taken.
func (r *Reader) foreign(i *item) string {
	for _, o := range i.Metadata.OwnerReferences {
		switch o.Kind {
		case "DaemonSet":
			return "of a DaemonSet"
		case "Node":
			return "static, without a scheduler"
		}
	}
	if len(r.Schedulers) > 0 && !slices.Contains(r.Schedulers, i.Spec.SchedulerName) {
		return "of another scheduler"
	}
	return ""
}

// unsaid counts what a journal cannot say of a pod.
func (r *Reader) unsaid(i *item) {
	s := &i.Spec
	if len(s.Affinity.PodAffinity.Required) > 0 || len(s.Affinity.PodAntiAffinity.Required) > 0 {
		r.sink.Changed(1, "pod", "required affinity to other pods ignored")
	}
	if slices.ContainsFunc(s.TopologySpreadConstraints, func(c spreadConstraint) bool { return c.WhenUnsatisfiable == "DoNotSchedule" }) {
		r.sink.Changed(1, "pod", "hard topology spread ignored")
	}
	if slices.ContainsFunc(s.Containers, func(c container) bool {
		return slices.ContainsFunc(c.Ports, func(p port) bool { return p.HostPort != 0 })
	}) {
		r.sink.Changed(1, "pod", "ports on the node ignored")
	}
	if slices.ContainsFunc(s.Volumes, func(v volume) bool { return v.Claim != nil }) {
		r.sink.Changed(1, "pod", "constraints of volumes ignored")
	}
}

// created is when an object was made.
func (i *item) created() time.Duration {
	text := i.Metadata.CreationTimestamp
	t, err := time.Parse(time.RFC3339, text)
	const limit = int64(importing.Farthest / time.Second)
	if err != nil || t.Unix() > limit || t.Unix() < -limit {
		i.refuse("a time such as 2026-03-01T09:00:00Z", text, "metadata", "creationTimestamp")
		return 0
	}
	return time.Duration(t.UnixNano())
}
