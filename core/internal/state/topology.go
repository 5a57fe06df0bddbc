package state

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
)

// topologies are those of the shapes of asks, by the levels that they give, so that equal shapes share them.
type topologies map[core.Topology]class.Topology

// rejectLevel refuses an ask that gives an unknown level. It reports whether it did.
func (s *State) rejectLevel(in *core.AddAsk) bool {
	said := in.Ask.Topology
	if !s.mayMakeLevels(said) {
		s.rejectAsk(in, core.ReasonUnknownLevel, fmt.Sprintf("pending and allocated asks name %d other attributes that no level of the topology has", mostMade))
		return true
	}
	s.makeLevels(said)
	for _, level := range []string{said.Required, said.Preferred, said.Slice.Level} {
		if level != "" && s.conf.Level(level) < 0 {
			s.rejectAsk(in, core.ReasonUnknownLevel, fmt.Sprintf("the topology has no level %q", level))
			return true
		}
	}
	if whole := cmp.Or(said.Required, said.Preferred); said.Slice.Size != 0 && !s.conf.LiesBelow(said.Slice.Level, whole) {
		s.rejectAsk(in, core.ReasonUnknownLevel, fmt.Sprintf("level %q of slices does not lie below level %q of the gang", said.Slice.Level, whole))
		return true
	}
	return false
}

// topologyOf returns the topology of asks that give a level. That of slices does not concern single asks.
func (s *State) topologyOf(said core.Topology) class.Topology {
	said.Slice = core.Slice{}
	if said.IsZero() {
		return class.Topology{}
	}
	t := s.topologies[said]
	if t.IsNone() {
		t = makeTopology(s.conf, said)
		if s.topologies == nil {
			s.topologies = topologies{}
		}
		s.topologies[said] = t
	}
	return t
}

// makeTopology makes the topology of asks that give a level. A reload may have removed the level: a required one is of no node then.
func makeTopology(c *config.Partition, said core.Topology) class.Topology {
	if said.Required == "" {
		var attributes []string
		if at := c.Level(said.Preferred); at < len(c.Topology) {
			for _, l := range c.Path(at) {
				attributes = append(attributes, l.Attribute)
			}
		}
		return class.Prefer(said.Preferred, attributes...)
	}
	return class.Require(said.Required, constraintsOfLevel(c, c.Level(said.Required), said.Required)...)
}

// constraintsOfLevel returns the constraints that nodes in a domain of a level meet. If the level does not exist, no node meets them.
func constraintsOfLevel(c *config.Partition, level int, name string) (where []class.Constraint) {
	switch {
	case level < 0:
		where = append(where, class.Constraint{Attribute: name})
	case level < len(c.Topology):
		for _, l := range c.Path(level) {
			where = append(where, class.AnyValue(l.Attribute))
		}
	}
	return where
}

// saidTopology returns the levels that an ask gives.
func saidTopology(ask app.Ask) core.Topology {
	if g := ask.Atomic(); !g.IsNone() {
		return g.Row().Topology
	}
	c := ask.Class()
	return core.Topology{Required: c.Topology().Required(), Preferred: c.Topology().Preferred()}
}

// renewTopologies changes the classes of asks after a reload that has changed the topology.
func (s *State) renewTopologies(before *config.Partition) {
	if before == nil || slices.Equal(before.Topology, s.conf.Topology) {
		return
	}
	s.topologies, s.bound, s.sliceBounds = nil, nil, nil
	var asks []app.Ask
	for ask := range s.orders.All {
		if !ask.Class().Topology().IsNone() {
			asks = append(asks, ask)
		}
	}
	sortBySeq(asks)
	for _, ask := range asks {
		s.placeIn(ask, s.topologyOf(saidTopology(ask)))
	}
	s.bindAll()
}

// placeIn changes the topology of an ask's class.
func (s *State) placeIn(ask app.Ask, t class.Topology) {
	if old := ask.Class(); old.Topology() != t {
		s.reclass(ask, t, old.Walltime())
	}
}

// reclass changes the topology and the walltime of an ask's class. The demand of the ask stays the same.
func (s *State) reclass(ask app.Ask, t class.Topology, walltime time.Duration) {
	old := ask.Class()
	shape := class.Shape{Resources: old.Resources(), Node: old.Node(), Predicate: old.Predicate(), Constraints: map[string][]string{}, Topology: t, Walltime: walltime}
	for c := range old.Own().All {
		shape.Constraints[c.Attribute] = c.Values.Clone()
	}
	if !ask.Pending() {
		s.asks.SetClass(ask.Slot(), s.classOf(&shape).Number())
		s.classes.Release(old)
		return
	}
	s.unpend(ask)
	s.asks.SetClass(ask.Slot(), s.classOf(&shape).Number())
	s.classes.Release(old)
	s.pend(ask)
	s.pendingChanged(ask)
	s.askChanged(AskUpdated, ask, app.NoNode)
	s.lapses, s.rebound = s.lapses || ask.Hold().IsReserved(), s.rebound || ask.Hold().IsClaimed()
}

// topologyFor returns the topology of a new ask: if its gang is placed already, that of the gang's domain.
func (s *State) topologyFor(a app.App, in *core.AddAsk) class.Topology {
	if in.Ask.Gang != nil && !in.Ask.Topology.IsZero() {
		if g := atomicGangOf(a, in.Ask.Gang.ID); !g.IsNone() && !g.Row().Bound.IsNone() {
			return g.Row().Bound
		}
	}
	return s.topologyOf(in.Ask.Topology)
}
