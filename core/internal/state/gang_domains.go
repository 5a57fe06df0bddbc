package state

import (
	"slices"
	"strconv"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/domain"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/state/claims"
)

// The pending members of a placed gang with a required level wait for its domain: that of its first allocated member that stays. What
// follows from it is their class alone, so each ask is placed, reserves and preempts as if it had been submitted with these constraints.

// gangInApp is a gang with its application.
type gangInApp struct {
	app  app.App
	gang app.AtomicGang
}

// bindLater has the domain of a gang found again, after a change of its members.
func (s *State) bindLater(a app.App, g app.AtomicGang) {
	if r := g.Row(); r.Topology.Required == "" && r.Topology.Slice.Size == 0 {
		return
	}
	if x := (gangInApp{a, g}); !slices.Contains(s.toBind, x) {
		s.toBind = append(s.toBind, x)
	}
}

// bindGangs gives the pending members of changed gangs the class of their domain.
func (s *State) bindGangs() {
	for len(s.toBind) > 0 {
		all := s.toBind
		s.toBind = nil
		for _, x := range all {
			if !x.app.Ended() && x.gang.Row().Members > 0 {
				s.bindGang(x.app, x.gang)
			}
		}
	}
}

// relabel gives a node other attributes, and reports whether that moves it to another domain. Its allocations stay.
func (s *State) relabel(n int32, attributes map[string]string) (moved bool) {
	var before []string
	for _, l := range s.conf.Topology {
		value, has := s.finder.Attribute(n, l.Attribute)
		before = append(before, strconv.FormatBool(has), value)
	}
	s.nodes.Relabel(n, attributes)
	if len(before) > 0 {
		s.finder.Changed(n)
	}
	for i, l := range s.conf.Topology {
		if value, has := s.finder.Attribute(n, l.Attribute); before[2*i] != strconv.FormatBool(has) || before[2*i+1] != value {
			s.bindAll()
			return true
		}
	}
	return false
}

// bindAll finds the domains of all gangs again, after a change of nodes or of the topology.
func (s *State) bindAll() {
	for a := range s.orders.Apps {
		for g := range a.AtomicGangs {
			s.bindLater(a, g)
		}
	}
	slices.SortFunc(s.toBind, func(x, y gangInApp) int { return int(x.gang.Number()) - int(y.gang.Number()) })
	s.bindGangs()
}

func (s *State) bindGang(a app.App, g app.AtomicGang) {
	row := s.edit(a).EditGang(g)
	row.Bound = s.boundTo(a, g)
	switch {
	case row.Pending == 0:
		return
	case isSliced(g):
		s.bindToSlices(a, g)
		return
	}
	for _, ask := range s.PendingOf(a) {
		if ask.Atomic() == g {
			s.placeIn(ask, row.Bound)
		}
	}
}

// boundTo returns the topology of the pending members of a gang.
func (s *State) boundTo(a app.App, g app.AtomicGang) class.Topology {
	row := g.Row()
	if row.Placed && !row.Dissolved { // members of a dissolved gang are asks like any others
		for v := a.FirstPlaced(); !v.IsNone(); v = v.NextOfApp() {
			if v.Atomic() != g || v.Leaving() {
				continue
			}
			if t := s.topologyAt(v.Node(), row.Topology.Required); !t.IsNone() {
				return t
			}
		}
	}
	return s.topologyOf(row.Topology)
}

// topologyAt returns the topology of asks that have to land in the domain of a node, or none if the node is in no domain of the level.
func (s *State) topologyAt(n int32, level string) class.Topology {
	at := s.conf.Level(level)
	if at == len(s.conf.Topology) {
		return s.boundTopology(level, []string{s.finder.ID(n)}, func() []class.Constraint { return []class.Constraint{class.OnNode(s.finder.ID(n))} })
	}
	v := s.finder.Domains()
	if at < 0 || v.Of(n, at) == domain.None {
		return class.Topology{}
	}
	path, levels := v.Path(v.Of(n, at)), s.conf.Path(at)
	return s.boundTopology(level, path, func() (where []class.Constraint) {
		for i, value := range path {
			where = append(where, class.Value(levels[i].Attribute, value))
		}
		return where
	})
}

// mostBound bounds the number of bound topologies that are kept to be shared.
const mostBound = 4096

// boundTopology returns the topology with the constraints of a domain, the same one while it is kept.
func (s *State) boundTopology(level string, path []string, where func() []class.Constraint) class.Topology {
	key := level
	for _, value := range path {
		key += strconv.Itoa(len(value)) + ":" + value
	}
	key = strconv.Itoa(len(level)) + ":" + key
	t, known := s.bound[key]
	if !known {
		if len(s.bound) >= mostBound || s.bound == nil {
			s.bound = map[string]class.Topology{}
		}
		t = class.Require(level, where()...)
		s.bound[key] = t
	}
	return t
}

// inDomainOfGang reports whether a claim of a gang with a required level is on a node in the domain of the first claim of the gang, and that of a
// gang with slices on a node in the domain of the first claim of its slice.
func (s *State) inDomainOfGang(c claims.Claim) bool {
	g := s.AskAt(c.Ask).Atomic()
	sliceLevel, size := s.SlicesOf(g)
	if size > 0 && sliceLevel == NoLevel {
		return false // a reload has dropped the level of its slices
	}
	level, required, known := s.LevelOf(g)
	if !known {
		return true // the constraints of the class say the rest
	}
	if required && !s.InOneDomain(level, s.Claims().FirstOf(c.Gang).Node, c.Node) {
		return false
	}
	return size == 0 || s.InOneDomain(sliceLevel, s.firstOfSlice(c, size).Node, c.Node)
}

// firstOfSlice returns the first claim of the slice of a claim of a gang.
func (s *State) firstOfSlice(c claims.Claim, size int) (first claims.Claim) {
	i := 0
	for other := range s.Claims().OfGang(c.Gang) {
		if i%size == 0 {
			first = other
		}
		if other.Seq == c.Seq {
			break
		}
		i++
	}
	return first
}

// InOneDomain reports whether two nodes are in one domain of a level, or are one node if there is no such level.
func (s *State) InOneDomain(level int, a, b int32) bool {
	if v := s.finder.Domains(); level < v.Levels() {
		return v.Of(a, level) == v.Of(b, level) && v.Of(a, level) != domain.None
	}
	return a == b
}

// Level returns the index of a level of the topology, or the number of levels for that of single nodes. It returns NoLevel if the level does not exist.
func (s *State) Level(name string) int { return s.conf.Level(name) }

// WiderLevel returns the index of the next wider level, or NoLevel if only the whole partition is wider.
func (s *State) WiderLevel(level int) int { return s.conf.Wider(level) }

// NoLevel is the level of gangs that give none.
const NoLevel = -1

// LevelOf returns the level that a gang requires or prefers, and the number of levels if that is the level of single nodes. It returns NoLevel
// if the gang gives no level, or prefers one that does not exist. known is false if the required level, or that of its slices, does not exist.
func (s *State) LevelOf(g app.AtomicGang) (level int, required, known bool) {
	said := g.Row().Topology
	if said.Slice.Size != 0 {
		if level, _ := s.SlicesOf(g); level == NoLevel {
			return NoLevel, said.Required != "", false
		}
	}
	switch {
	case said.Required != "":
		level = s.conf.Level(said.Required)
		return level, true, level != NoLevel
	case said.Preferred != "":
		return s.conf.Level(said.Preferred), false, true
	}
	return NoLevel, false, true
}

// setTopology puts the levels of the topology in force.
func (s *State) setTopology() {
	var levels []node.Level
	for _, l := range s.conf.Topology {
		levels = append(levels, node.Level{Name: l.Name, Attribute: l.Attribute})
	}
	nested := s.conf.Nested()
	s.finder.SetTopology(levels[:nested], levels[nested:]...)
}
