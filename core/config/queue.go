package config

import (
	"strings"

	"github.com/quern-project/quern/core/internal/access"
	"github.com/quern-project/quern/core/internal/placement"
)

// scope is the state of reading a queue that its children need.
type scope struct {
	queue           *Queue
	above           *scope
	inheritable     map[string]string // the properties in force that children inherit
	guaranteedBelow map[string]total  // by type: the sum of the guarantees below
	limits          *limitTable       // nil if there are none
}

// newQueue makes a queue without settings of its own, so that all settings in force are inherited or defaults.
func newQueue(name string, parent *Queue) *Queue {
	if parent == nil {
		return &Queue{
			Name: name, Path: name, AppSort: FIFO, QueueSort: Fair, AskSort: FIFO, PrioritySort: true,
			PreemptionPolicy: PreemptionDefault, PreemptionDelay: DefaultPreemptionDelay,
		}
	}
	q := &Queue{
		Name: name, Path: parent.Path + "." + name,
		AppSort: parent.AppSort, QueueSort: parent.QueueSort, AskSort: parent.AskSort, PrioritySort: parent.PrioritySort,
		PreemptionPolicy: PreemptionDefault, PreemptionDelay: parent.PreemptionDelay, IntraQueue: parent.IntraQueue, QuotaDelay: parent.QuotaDelay,
		GangsByMember: parent.GangsByMember, KeepsSurplus: parent.KeepsSurplus, Walltime: parent.Walltime, MinRuntime: parent.MinRuntime,
		HalfLife: parent.HalfLife, OwnLookAhead: parent.OwnLookAhead,
	}
	if parent.PreemptionPolicy == PreemptionDisabled {
		q.PreemptionPolicy = PreemptionDisabled
	}
	return q
}

func (q *Queue) isRoot() bool { return q.Name == q.Path }

// queue reads the fields of a queue into its scope, and then all queues below it.
func (d *decoder) queue(s *scope, v *value) {
	q := s.queue
	mark := len(d.warnings)
	var own queueFields
	fields := d.fields(q.Path, "queues", v)
	for i := range fields {
		f := &fields[i]
		switch f.name {
		case "name":
		case "parent":
			own.parent = d.boolean(q.Path, f.name, f.value, false)
		case "resources":
			own.resources = f.value
		case "maxapplications":
			own.applications = f.at
			q.MaxApplications = d.count(q.Path, f.name, f.value)
		case "properties":
			own.properties = f.value
		case "submitacl":
			q.SubmitACL = d.accessList(q.Path, f)
		case "adminacl":
			q.AdminACL = d.accessList(q.Path, f)
		case "queues":
			own.queues = f.value
		case "childtemplate":
			own.template = f
		case "limits":
			own.limits = f
		default:
			d.unknown(InQueue, q.Path, "", *f)
		}
	}
	d.checkFields(s, &own, mark)
}

// queueFields are the fields of a queue that can be validated only after all of them are read.
type queueFields struct {
	parent                        bool
	resources, properties, queues *value
	template, limits              *field
	applications                  place
}

// checkFields validates these fields, in the order of their dependencies. The warnings of the queue start at mark.
func (d *decoder) checkFields(s *scope, own *queueFields, mark int) {
	q := s.queue
	d.properties(s, own.properties)
	d.checkApplications(s, own.applications)
	resources := d.resources(s, own.resources)
	d.queueLimits(s, own.limits)
	q.Leaf = !own.parent && (own.queues == nil || own.queues.kind != list || len(own.queues.fields) == 0)
	if own.template != nil {
		d.below("childtemplate.", func() { q.Template = d.template(s, own.template.value) })
		if q.Template != nil && q.Leaf && !q.isRoot() {
			d.warn(own.template.at, q.Path, "childtemplate", "it has no effect on a leaf, which has no queues below it")
		}
	}
	sortWarnings(d.warnings[mark:])
	d.children(s, own.queues)
	d.checkGuaranteedSum(s, resources)
}

// children reads the children of a queue, after everything else of it, since they inherit.
func (d *decoder) children(s *scope, queues *value) {
	if queues == nil {
		return
	}
	items := d.items(s.queue.Path, "queues", queues)
	if len(items) == 0 {
		return
	}
	if !d.admitProperties(queues.at, s.queue.Path, len(s.queue.Inherited)) {
		return
	}
	s.inheritable = inheritableFrom(s.queue)
	s.queue.Children = make([]*Queue, 0, len(items))
	seen := make(map[string]place, len(items))
	for _, item := range items {
		name, at := d.name(s.queue.Path, item.value)
		if first, ok := seen[name]; ok && name != "" {
			d.add(at, s.queue.Path+"."+name, "name", "each queue once", "it again, after line "+itoa(first.line))
		}
		seen[name] = at
		if name == "" {
			name = "?" // gives the errors of a queue without a name a path
		}
		child := &scope{queue: newQueue(name, s.queue), above: s}
		if !d.admitQueue(at, child.queue.Path) {
			return
		}
		s.queue.Children = append(s.queue.Children, child.queue)
		d.queue(child, item.value)
	}
}

// name reads the name of a queue, in lower case, and its place. It is "" if there is none.
func (d *decoder) name(parent string, v *value) (string, place) {
	f := v.field("name")
	if f == nil || f.value.kind == null {
		if v.kind == mapping || v.kind == null {
			d.add(v.at, parent, "name", "a name for each queue", "none")
		}
		return "", v.at
	}
	name := d.text(parent, "name", f.value)
	if f.value.kind == scalar && !validName(name, mostName) {
		d.add(f.value.at, parent, "name", "1 to 64 of the characters "+nameCharacters, quote(f.value.text))
	}
	name = strings.ToLower(name)
	if parent == placement.Root && name == placement.Recovery {
		d.add(f.value.at, parent, "name", "another name: "+placement.Recovery+" below root is made when it is needed", quote(f.value.text))
	}
	return name, f.value.at
}

const (
	nameCharacters = "a-z, A-Z, 0-9, _ : # / @ -"
	mostName       = 64
	mostTag        = 317 // maximum length of the name of a label or an annotation in Kubernetes
)

// validName reports whether a name has only the characters of a queue's name, and at most the given length.
func validName(name string, most int) bool {
	for i := 0; i < len(name); i++ {
		if c := name[i]; !bareCharacter(c) && strings.IndexByte(":#/@", c) < 0 {
			return false
		}
	}
	return name != "" && len(name) <= most
}

func (d *decoder) isRoot(v *value) bool {
	f := v.field("name")
	return f != nil && strings.EqualFold(f.value.text, "root")
}

// accessList reads an access list. It returns nil if none is configured.
func (d *decoder) accessList(queue string, f *field) *access.List {
	if f.value.kind == null {
		return nil
	}
	text := d.text(queue, f.name, f.value)
	if f.value.kind != scalar {
		return nil
	}
	d.partition.AccessControl = true
	l, err := access.Parse(text)
	if bad, ok := err.(*access.SyntaxError); ok {
		d.add(f.value.at, queue, f.name, bad.Expected, quote(bad.Found))
	}
	return l
}

// checkApplications compares maxapplications with the nearest one above.
func (d *decoder) checkApplications(s *scope, at place) {
	own := s.queue.MaxApplications
	for a := s.above; a != nil && own > 0; a = a.above {
		if bound := a.queue.MaxApplications; bound > 0 {
			if own > bound {
				d.add(at, s.queue.Path, "maxapplications", "at most "+utoa(bound)+", the bound of "+d.shown(a.queue.Path), utoa(own))
			}
			return
		}
	}
}
