package csvfile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/host/importing"
)

// level is a level of the topology that the journal's configuration gets.
type level struct {
	Level     string `toml:"level"`
	Attribute string `toml:"attribute"`
}

func (c *checker) topology(levels []level) {
	for i, l := range levels {
		key := fmt.Sprintf("topology[%d]", i+1)
		switch {
		case l.Level == "":
			c.add(key+".level", "the name of the level", "none")
		case l.Level == config.NodeLevel:
			c.add(key+".level", "a name other than node, the level of single nodes", fmt.Sprintf("%q", l.Level))
		case slices.ContainsFunc(levels[:i], func(before level) bool { return before.Level == l.Level }):
			c.add(key+".level", "each level once", fmt.Sprintf("%q again", l.Level))
		}
		if l.Attribute == "" {
			c.add(key+".attribute", "an attribute of nodes", "none")
		}
	}
}

// giveTopology gives the levels of the mapping to a sink.
func (m *Mapping) giveTopology(sink *importing.Sink) {
	for _, l := range m.Topology {
		sink.Queues.Topology = append(sink.Queues.Topology, config.Level{Name: l.Level, Attribute: l.Attribute})
	}
}

// topology reads in which level of the topology the asks of a row have to, or should be placed.
func (r *row) topology(required, preferred *bound) core.Topology {
	t := core.Topology{Required: r.level(required), Preferred: r.level(preferred)}
	if t.Required != "" && t.Preferred != "" {
		r.fail(preferred, preferred.at, "either "+required.key+" or "+preferred.key, t.Preferred)
	}
	return t
}

// level reads the name of a level. Without a topology in the mapping, the user has one elsewhere.
func (r *row) level(f *bound) string {
	text := r.text(f)
	if text == "" || text == config.NodeLevel {
		return text
	}
	names := make([]string, 0, len(r.m.Topology)+1)
	for _, l := range r.m.Topology {
		if l.Level == text {
			return text
		}
		names = append(names, l.Level)
	}
	if len(names) == 0 {
		r.sink.Changed(1, "row", "level of a topology that the mapping does not have; the queue configuration has to")
		return text
	}
	r.fail(f, f.at, "a level of the topology: "+strings.Join(append(names, config.NodeLevel), ", "), text)
	return ""
}
