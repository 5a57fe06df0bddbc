package state

import (
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
)

// An ask may name the level of an attribute that no level of the topology has. Such a level is made when the first of these asks comes. It is
// no part of the configuration, so a reload keeps it as long as asks name it, and a snapshot has it by its asks.

// mostMade bounds the number of levels that are made, since each costs time for each change of a node.
const mostMade = 64

// mayMakeLevels reports whether the levels that a new ask needs exist, or can be made.
func (s *State) mayMakeLevels(said core.Topology) bool {
	return unmade(s.conf, said.Required) == "" && unmade(s.conf, said.Preferred) == "" || len(s.attributesInUse(s.conf.WithLevels())) < mostMade
}

// makeLevels makes the levels that an ask needs. Those that no ask needs any more are dropped, so the indexes of levels change.
func (s *State) makeLevels(said core.Topology) {
	for _, level := range []string{said.Required, said.Preferred} {
		attribute := unmade(s.conf, level)
		if attribute == "" {
			continue
		}
		s.conf = s.conf.WithLevels(append(s.attributesInUse(s.conf.WithLevels()), attribute)...)
		s.setTopology()
	}
}

// unmade returns the attribute for which a level has to be made, or an empty text if the level exists or names no attribute.
func unmade(c *config.Partition, level string) string {
	attribute, is := strings.CutPrefix(level, config.AttributePrefix)
	if !is || c.Level(level) >= 0 {
		return ""
	}
	return attribute
}

// withMadeLevels returns a configuration with the levels that have to be made for the present asks.
func (s *State) withMadeLevels(c *config.Partition) *config.Partition {
	if s.conf == nil {
		return c
	}
	if attributes := s.attributesInUse(c); len(attributes) > 0 {
		return c.WithLevels(attributes...)
	}
	return c
}

// attributesInUse lists the attributes that asks name and that no level of a configuration has, sorted.
func (s *State) attributesInUse(c *config.Partition) (list []string) {
	for ask := range s.orders.All {
		if ask.Class().Topology().IsNone() {
			continue
		}
		said := saidTopology(ask)
		for _, level := range []string{said.Required, said.Preferred} {
			if attribute := unmade(c, level); attribute != "" && !slices.Contains(list, attribute) {
				list = append(list, attribute)
			}
		}
	}
	slices.Sort(list)
	return list
}
