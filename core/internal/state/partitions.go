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

// setConfig installs a configuration in all partitions, or refuses it and changes nothing.
func (c *Shared) setConfig(in *core.SetConfig) {
	o := config.Options{File: cmp.Or(in.File, "config"), Format: config.Format(cmp.Or(in.Format, string(config.YAML))), Policies: c.serves}
	read, err := config.Decode([]byte(in.Config), o)
	if err != nil {
		c.refuseConfig(lines(err))
		return
	}
	kept := c.kept(read.Partitions)
	if refused := append(append(c.refusals(read.Partitions, kept), c.windowRefusals(read.Partitions)...), c.deviceRefusals(read)...); len(refused) > 0 {
		c.refuseConfig(refused)
		return
	}
	warnings := make([]string, 0, len(read.Warnings))
	for _, w := range read.Warnings {
		warnings = append(warnings, w.String())
	}
	c.emit(core.ConfigAccepted).Warnings = warnings
	c.source = core.ConfigSource{Text: in.Config, Format: in.Format, File: in.File}
	c.deviceTypes = read.Devices
	c.install(read.Partitions, kept)
}

// kept returns, for each configured partition, the current partition of the same name, or nil if there is none. If there is exactly one
// partition before and after, it is kept under any name.
func (c *Shared) kept(configured []*config.Partition) []*State {
	kept := make([]*State, len(configured))
	if len(configured) == 1 && len(c.partitions) == 1 {
		kept[0] = c.partitions[0]
		return kept
	}
	for i, conf := range configured {
		kept[i] = c.PartitionNamed(conf.Name)
	}
	return kept
}

// PartitionNamed returns the partition of a name in any case, or nil. The empty name means the first partition.
func (c *Shared) PartitionNamed(name string) *State {
	if name == "" {
		return c.partitions[0]
	}
	name = strings.ToLower(name)
	for _, s := range c.partitions {
		if s.name == name {
			return s
		}
	}
	return nil
}

// refusals lists what the configuration would remove although it is in use: partitions, and queues whose kind would change.
func (c *Shared) refusals(configured []*config.Partition, kept []*State) []string {
	var out []string
	for _, s := range c.partitions {
		i := slices.Index(kept, s)
		switch nodes := s.finder.Sorted().Len(); {
		case i >= 0:
			out = append(out, s.refusals(configured[i].Root)...)
		case nodes > 0 || s.live() > 0:
			out = append(out, fmt.Sprintf("partitions: expected the partition %s, which has %s and %s, found none of this name",
				s.name, explain.Count(nodes, "node"), explain.Count(s.live(), "live application")))
		}
	}
	return out
}

// live returns the number of applications that have not ended.
func (s *State) live() int { return s.Queues().Live(s.Queues().Root()) }

// install installs configurations, each in its kept partition or in a new one.
func (c *Shared) install(configured []*config.Partition, kept []*State) {
	next := slices.Clone(kept)
	for i, conf := range configured {
		if next[i] == nil {
			next[i] = newState(c, conf, i == 0)
		}
	}
	c.partitions = next
	for i, s := range kept {
		if s != nil {
			s.install(configured[i], i == 0)
		}
	}
	for _, s := range c.partitions {
		s.renewWindows()
	}
}

// rename sets the name of a partition. Applications that have ended in it follow the name. Those that ended in a removed partition of the
// new name keep it, whatever this partition is called later.
func (s *State) rename(name string, first bool) {
	was := s.name
	s.name = strings.ToLower(name)
	s.shown = s.name
	if first {
		s.shown = ""
	}
	if was == s.name {
		return
	}
	s.ended = slices.Clone(s.ended) // versions of the state share it
	for i := range s.ended {
		switch e := &s.ended[i]; {
		case e.Partition == s.name:
			e.Former = true
		case e.Partition == was && !e.Former:
			e.Partition = s.name
		}
	}
}
