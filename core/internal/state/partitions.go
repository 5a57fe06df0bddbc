package state

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/explain"
)

// setConfig puts a configuration in force in all partitions, or refuses it and changes nothing.
func (c *Shared) setConfig(in *core.SetConfig) {
	o := config.Options{File: cmp.Or(in.File, "config"), Format: config.Format(cmp.Or(in.Format, string(config.YAML))), Policies: c.serves}
	read, err := config.Decode([]byte(in.Config), o)
	if err != nil {
		c.refuseConfig(lines(err))
		return
	}
	kept := c.kept(read.Partitions)
	if refused := c.refusals(read.Partitions, kept); len(refused) > 0 {
		c.refuseConfig(refused)
		return
	}
	warnings := make([]string, 0, len(read.Warnings))
	for _, w := range read.Warnings {
		warnings = append(warnings, w.String())
	}
	c.emit(core.ConfigAccepted).Warnings = warnings
	c.Source = core.ConfigSource{Text: in.Config, Format: in.Format, File: in.File}
	c.install(read.Partitions, kept)
}

// kept gives for each configured partition the one of its name, or nil where there is none. Where there is one and will be
// one, that goes on under any name.
func (c *Shared) kept(configured []*config.Partition) []*State {
	kept := make([]*State, len(configured))
	if len(configured) == 1 && len(c.Partitions) == 1 {
		kept[0] = c.Partitions[0]
		return kept
	}
	for i, conf := range configured {
		kept[i] = c.PartitionNamed(conf.Name)
	}
	return kept
}

// PartitionNamed is the partition of a name in any case, the first of the empty name; nil where there is none.
func (c *Shared) PartitionNamed(name string) *State {
	if name == "" {
		return c.Partitions[0]
	}
	name = strings.ToLower(name)
	for _, s := range c.Partitions {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// refusals lists what in use a configuration would take away: partitions, and queues whose kind it would change.
func (c *Shared) refusals(configured []*config.Partition, kept []*State) []string {
	var out []string
	for _, s := range c.Partitions {
		i := slices.Index(kept, s)
		switch nodes := len(s.Nodes.Sorted()); {
		case i >= 0:
			out = append(out, s.refusals(configured[i].Root)...)
		case nodes > 0 || s.Root.Live > 0:
			out = append(out, fmt.Sprintf("partitions: expected the partition %s, which has %s and %s, found none of this name",
				s.Name, explain.Count(nodes, "node"), explain.Count(s.Root.Live, "live application")))
		}
	}
	return out
}

// install puts configurations in force, each in the partition that is kept for it or in a new one.
func (c *Shared) install(configured []*config.Partition, kept []*State) {
	next := slices.Clone(kept)
	for i, conf := range configured {
		if next[i] == nil {
			next[i] = newState(c, conf, i == 0)
		}
	}
	c.Partitions = next
	for i, s := range kept {
		if s != nil {
			s.install(configured[i], i == 0)
		}
	}
}

// rename gives a partition its name. Applications that ended in it keep to it.
func (s *State) rename(name string, first bool) {
	was := s.Name
	s.Name = strings.ToLower(name)
	s.Shown = s.Name
	if first {
		s.Shown = ""
	}
	if was == s.Name {
		return
	}
	for i := range s.Ended {
		if s.Ended[i].Partition == was {
			s.Ended[i].Partition = s.Name
		}
	}
}
