package config

import (
	"maps"
	"slices"
	"strconv"
)

// windows writes the windows of a partition, and what holds for all of them.
func (p *printer) windows(c *Partition) {
	if c.UnboundedBeforeWindows {
		p.line(1, "window:")
		p.line(2, "unbounded: "+unboundedAllow)
	}
	if len(c.Windows) > 0 {
		p.line(1, "windows:")
	}
	for _, w := range c.Windows {
		p.line(1, "- id: "+plain(w.ID))
		p.line(2, "schedule: "+quoted(w.Schedule))
		p.line(2, "duration: "+w.Duration.String())
		p.names(2, "nodes", w.Nodes)
		if w.Constraints != nil {
			p.constraints(2, w.Constraints)
		}
		if w.Count > 0 {
			p.line(2, "count: "+strconv.Itoa(w.Count))
		}
		p.names(2, "queues", w.Queues)
		p.names(2, "users", w.Users)
		p.names(2, "groups", w.Groups)
	}
}

func (p *printer) constraints(indent int, constraints map[string][]string) {
	if len(constraints) == 0 {
		p.line(indent, "constraints: {}")
		return
	}
	p.line(indent, "constraints:")
	for _, attribute := range slices.Sorted(maps.Keys(constraints)) {
		if values := constraints[attribute]; len(values) > 0 {
			p.names(indent+1, plain(attribute), values)
		} else {
			p.line(indent+1, plain(attribute)+": []")
		}
	}
}
