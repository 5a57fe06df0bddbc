package config

import (
	"bytes"
	"maps"
	"slices"
	"strconv"

	"github.com/quern-project/quern/core/resource"
)

// Print writes the configuration as YAML in normal form: with root and all defaults of the partition, names in lower case, quantities in
// stored units, types and properties sorted. Decode makes an equal configuration from it.
func (c *Config) Print() []byte {
	p := &printer{}
	p.devices(c.Devices)
	p.line(0, "partitions:")
	for _, partition := range c.Partitions {
		p.partition(partition)
	}
	return p.out.Bytes()
}

func (p *printer) partition(c *Partition) {
	p.line(0, "- name: "+plain(c.Name))
	p.rules(c.Rules)
	p.line(1, "nodesortpolicy:")
	p.line(2, "type: "+plain(c.NodeSort.Policy))
	p.line(2, "resourceweights:")
	for _, w := range c.NodeSort.Weights {
		p.line(3, plain(w.Type)+": "+decimal(w.Thousandths))
	}
	p.line(1, "preemption:")
	p.line(2, "enabled: "+strconv.FormatBool(c.PreemptionEnabled))
	if c.PreemptionObserve {
		p.line(2, "observe: true")
	}
	if c.QuotaPreemption {
		p.line(2, "quotapreemptionenabled: true")
	}
	if c.Resolver != ResolveNone {
		p.line(1, "usergroupresolver:")
		p.line(2, "type: "+c.Resolver)
	}
	if len(c.Topology) > 0 {
		p.line(1, "topology:")
	}
	for _, l := range c.Topology {
		p.line(1, "- level: "+plain(l.Name))
		p.line(2, "attribute: "+plain(l.Attribute))
	}
	p.windows(c)
	p.backfill(c.Backfill)
	p.line(1, "queues:")
	p.queue(1, c.Root)
}

type printer struct{ out bytes.Buffer }

func (p *printer) line(indent int, text string) {
	for range indent {
		p.out.WriteString("  ")
	}
	p.out.WriteString(text)
	p.out.WriteByte('\n')
}

func (p *printer) queue(indent int, q *Queue) {
	p.line(indent, "- name: "+plain(q.Name))
	indent++
	if !q.Leaf && len(q.Children) == 0 {
		p.line(indent, "parent: true")
	}
	p.access(indent, "submitacl", q.SubmitACL)
	p.access(indent, "adminacl", q.AdminACL)
	p.settings(indent, &Template{q.MaxApplications, q.Guaranteed, q.Max, q.Properties})
	if q.Template != nil {
		p.line(indent, "childtemplate:")
		p.settings(indent+1, q.Template)
	}
	p.limits(indent, q.Limits)
	if len(q.Children) > 0 {
		p.line(indent, "queues:")
		for _, child := range q.Children {
			p.queue(indent, child)
		}
	}
}

// settings writes the settings that queues and templates have in common.
func (p *printer) settings(indent int, t *Template) {
	p.count(indent, t.MaxApplications)
	if len(t.Guaranteed)+len(t.Max) > 0 {
		p.line(indent, "resources:")
		p.quantities(indent+1, "guaranteed:", t.Guaranteed)
		p.quantities(indent+1, "max:", t.Max)
	}
	if len(t.Properties) > 0 {
		p.line(indent, "properties:")
		for _, name := range slices.Sorted(maps.Keys(t.Properties)) {
			p.line(indent+1, plain(name)+": "+plain(t.Properties[name]))
		}
	}
}

func (p *printer) count(indent int, applications uint64) {
	if applications > 0 {
		p.line(indent, "maxapplications: "+utoa(applications))
	}
}

func (p *printer) quantities(indent int, key string, set resource.Set) {
	if len(set) == 0 {
		return
	}
	p.line(indent, key)
	for _, q := range set {
		p.line(indent+1, plain(q.Type)+": "+q.Format())
	}
}
