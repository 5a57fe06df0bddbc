package config

import (
	"slices"
	"strings"
)

// Level is a level of the topology. Nodes with equal values of its attribute, and of those of all wider levels, are in one domain.
type Level struct {
	Name      string // unique in the partition; never NodeLevel
	Attribute string // of nodes
	made      bool   // for asks that name the attribute; its domains follow from that alone
}

// NodeLevel is the level below all others, at which each node is a domain. It always exists.
const NodeLevel = "node"

// AttributePrefix begins the name of the level of an attribute: of the first level that has this attribute or, if there is none, of one that is
// made for it.
const AttributePrefix = "attribute:"

// Level returns the index of a level of the topology, or its length for NodeLevel. It returns -1 for an unknown level.
func (p *Partition) Level(name string) int {
	if name == NodeLevel {
		return len(p.Topology)
	}
	at := slices.IndexFunc(p.Topology, func(l Level) bool { return l.Name == name })
	if attribute, is := strings.CutPrefix(name, AttributePrefix); is && at < 0 {
		return slices.IndexFunc(p.Topology, func(l Level) bool { return l.Attribute == attribute })
	}
	return at
}

// Nested returns the number of levels that lie in one another. They come before those that are made.
func (p *Partition) Nested() int {
	if made := slices.IndexFunc(p.Topology, func(l Level) bool { return l.made }); made >= 0 {
		return made
	}
	return len(p.Topology)
}

// Wider returns the index of the next wider level, or -1 if only the whole partition is wider.
func (p *Partition) Wider(level int) int {
	switch nested := p.Nested(); {
	case level == len(p.Topology):
		return nested - 1
	case level >= nested:
		return -1
	}
	return level - 1
}

// Path returns the levels whose attributes determine the domains of a level of the topology, from the widest to the level itself. It returns none
// for -1, which stands for the whole partition.
func (p *Partition) Path(level int) []Level {
	if level >= 0 && p.Topology[level].made {
		return p.Topology[level : level+1]
	}
	return p.Topology[:level+1]
}

// LiesBelow reports whether both levels exist and the first lies below the second. An empty text stands for the whole partition, below which
// all levels lie except those that are made.
func (p *Partition) LiesBelow(level, wider string) bool {
	at, above := p.Level(level), -1
	if wider != "" {
		if above = p.Level(wider); above < 0 {
			return false
		}
	}
	return at > above && (at < p.Nested() || at == len(p.Topology))
}

// Attributes lists the attributes of the levels.
func (p *Partition) Attributes() (list []string) {
	for _, l := range p.Topology {
		list = append(list, l.Attribute)
	}
	return list
}

// WithLevels returns the configuration with levels made for some attributes that have none, in place of those that were made before.
func (p *Partition) WithLevels(attributes ...string) *Partition {
	c := *p
	c.Topology = slices.Clip(p.Topology[:p.Nested()])
	for _, a := range attributes {
		c.Topology = append(c.Topology, Level{Name: AttributePrefix + a, Attribute: a, made: true})
	}
	return &c
}
