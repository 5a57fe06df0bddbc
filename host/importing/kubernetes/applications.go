package kubernetes

import (
	"strings"

	"github.com/quern-project/quern/host/importing"
	"github.com/quern-project/quern/host/kubelabels"
)

// metadata returns the labels and annotations of an object.
func (i *item) metadata() kubelabels.Metadata {
	return kubelabels.Metadata{Labels: i.Metadata.Labels, Annotations: i.Metadata.Annotations}
}

// unreadable notes annotations that cannot be read.
func (i *item) unreadable(problems ...*kubelabels.Problem) {
	for _, p := range problems {
		if p == nil {
			continue
		}
		path := []any{"metadata", "annotations", p.Key}
		if p.Resource != "" {
			path = append(path, p.Resource)
		}
		i.note(&importing.Error{Expected: p.Expected, Found: p.Found}, path)
	}
}

// belongs finds out which application a pod is of, and which queue and user it names.
func (i *item) belongs(p *pod) {
	m := i.metadata()
	switch p.app = m.App(); {
	case p.app != "":
	case p.group != "":
		p.app = p.group
	case m.OfNamespace(i.Spec.SchedulerName):
		p.app = kubelabels.AutogenAppID(i.Metadata.Namespace)
	default:
		p.app = i.Metadata.Namespace + "/" + i.controller()
	}
	p.queue = m.Queue()
	var bad *kubelabels.Problem
	p.user, p.groups, bad = m.User()
	i.unreadable(bad)
}

// controller is the name of what made the pod, or else its own.
func (i *item) controller() string {
	for _, o := range i.Metadata.OwnerReferences {
		if o.Controller {
			return o.Name
		}
	}
	return i.Metadata.Name
}

// namespace is what is kept of a namespace.
type namespace struct {
	parent  string
	amounts importing.QueueAmounts
}

// namespace reads the annotations of a namespace.
func (i *item) namespace() *namespace {
	set, bad := i.metadata().Namespace()
	i.unreadable(bad...)
	n := &namespace{parent: set.Parent}
	n.amounts.Max, n.amounts.Guaranteed, n.amounts.MaxApplications = set.Max, set.Guaranteed, set.MaxApps
	return n
}

// queueOf is the full name of the queue of a pod: what it names itself, else that of its namespace.
func (r *Reader) queueOf(p *pod) (path string, own bool) {
	if p.queue != "" {
		return qualified(p.queue), false
	}
	parent := "root"
	if n := r.namespaces[p.namespace]; n != nil && n.parent != "" {
		parent = qualified(n.parent)
	}
	return parent + "." + importing.Label(p.namespace), true
}

// qualified is a full name of a queue: a name that does not begin at root is one below it.
func qualified(name string) string {
	if lower := strings.ToLower(name); lower == "root" || strings.HasPrefix(lower, "root.") {
		return name
	}
	return "root." + importing.Label(name)
}
