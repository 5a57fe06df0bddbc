package config

import (
	"github.com/quern-project/quern/core/internal/access"
	"github.com/quern-project/quern/core/internal/placement"
)

func (p *printer) access(indent int, key string, l *access.List) {
	if l != nil {
		p.line(indent, key+": "+plain(l.String()))
	}
}

func (p *printer) names(indent int, key string, names []string) {
	if len(names) == 0 {
		return
	}
	p.line(indent, key+":")
	for _, name := range names {
		p.line(indent, "- "+plain(name))
	}
}

func (p *printer) limits(indent int, limits []Limit) {
	if len(limits) == 0 {
		return
	}
	p.line(indent, "limits:")
	for i := range limits {
		l := &limits[i]
		p.line(indent, "- limit: "+plain(l.Description))
		p.names(indent+1, "users", l.Users)
		p.names(indent+1, "groups", l.Groups)
		p.quantities(indent+1, "maxresources:", l.MaxResources)
		p.count(indent+1, l.MaxApplications)
	}
}

func (p *printer) rules(rules []*placement.Rule) {
	if len(rules) == 0 {
		return
	}
	p.line(1, "placementrules:")
	for _, r := range rules {
		p.line(1, "- name: "+string(r.Kind))
		p.rule(2, r)
	}
}

// rule writes a rule, except its name.
func (p *printer) rule(indent int, r *placement.Rule) {
	if r.Create {
		p.line(indent, "create: true")
	}
	if r.Value != "" {
		p.line(indent, "value: "+plain(r.Value))
	}
	if f := r.Filter; f != nil {
		p.line(indent, "filter:")
		if f.Deny {
			p.line(indent+1, "type: deny")
		}
		p.names(indent+1, "users", f.Users.Entries())
		p.names(indent+1, "groups", f.Groups.Entries())
	}
	if r.Parent != nil {
		p.line(indent, "parent:")
		p.line(indent+1, "name: "+string(r.Parent.Kind))
		p.rule(indent+1, r.Parent)
	}
}
