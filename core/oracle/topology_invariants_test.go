package oracle_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/oracle"
	"pgregory.net/rapid"
)

// Members that land together land in one domain of the level that they require, and single asks in some domain of it.
func TestTopology_WhatLandsIsInItsDomain(t *testing.T) {
	reached := map[string]int{}
	defer func() { t.Log(reached) }()
	rapid.Check(t, func(t *rapid.T) { landsInItsDomain(t, oracle.New(), reached) })
}

func landsInItsDomain(t *rapid.T, m dumper, reached map[string]int) {
	f := &placeFollower{dumper: m}
	r := &lockstepRun{t: t, scenario: placedScenarios().Draw(t, "scenario"), machines: []dumper{f}, asksByID: map[string]core.Ask{}}
	r.check = func(call string, returns []outcome) {
		decisions := returns[0].decisions
		for i, d := range decisions {
			if d.Type != core.Allocation {
				continue
			}
			said := r.asksByID[d.ID]
			if said.Topology.Required == "" {
				continue
			}
			where := f.values(d.Node, said.Topology.Required)
			if where == nil {
				r.fail("%s: %s is not in a domain of %s", call, d.ID, said.Topology.Required)
			}
			reached["allocations at a required level"]++
			if said.Gang == nil || said.Gang.Fallback || i == 0 {
				continue
			}
			before := decisions[i-1]
			if other := r.asksByID[before.ID]; before.Type == core.Allocation && before.App == d.App && other.Gang != nil && other.Gang.ID == said.Gang.ID {
				reached["members in one domain"]++
				if !slices.Equal(f.values(before.Node, said.Topology.Required), where) {
					r.fail("%s: %s and %s are in two domains of %s", call, before.ID, d.ID, said.Topology.Required)
				}
			}
		}
	}
	r.run()
}

// placeFollower knows the topology and the places of nodes.
type placeFollower struct {
	dumper
	partition *config.Partition
}

// Apply implements core.Machine.
func (f *placeFollower) Apply(in *core.Input) core.Reason {
	if e, ok := in.Event.(*core.SetConfig); ok {
		if c, err := config.Decode([]byte(e.Config), config.Options{}); err == nil {
			f.partition = c.Partitions[0]
		}
	}
	return f.dumper.Apply(in)
}

// values returns what names the domain of a node, or nil.
func (f *placeFollower) values(node, name string) []string {
	level := f.partition.Level(name)
	if level == len(f.partition.Topology) {
		return []string{node}
	}
	named, levels := f.partition.Topology[:level+1], level
	if attribute, is := strings.CutPrefix(name, config.AttributePrefix); is && level < 0 {
		named, levels = []config.Level{{Attribute: attribute}}, 0
	}
	var values []string
	for _, n := range f.Dump().Nodes {
		for i := 0; n.ID == node && i <= levels; i++ {
			value, has := n.Attributes[named[i].Attribute]
			if !has {
				return nil
			}
			values = append(values, value)
		}
	}
	return values
}
