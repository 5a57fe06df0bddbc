package state

import (
	"fmt"
	"time"

	"github.com/quern-project/quern/core/internal/app"
)

// accumulationMemory is the gang for which room is held in a snapshot.
type accumulationMemory struct {
	App, Gang string
	Since     time.Duration
	Held      []heldMemory `json:",omitempty"` // in the order of asks
}

// heldMemory is a member for which room is held, and its node.
type heldMemory struct{ Ask, Node string }

// rememberAccumulation returns the gang for which room is held, or nil if there is none.
func (s *State) rememberAccumulation() *accumulationMemory {
	x := &s.accumulation
	if x.IsNone() {
		return nil
	}
	m := &accumulationMemory{App: x.App.ID(), Gang: x.Gang.Row().ID, Since: x.Since}
	for _, p := range x.held {
		m.Held = append(m.Held, heldMemory{p.Ask.ID(), s.finder.ID(p.Node)})
	}
	return m
}

// accumulation restores the gang for which room is held. Asks and nodes are known. The gang may wait no longer: the next cycle ends that then.
func (r restorer) accumulation() error {
	m := r.m.Accumulation
	if m == nil {
		return nil
	}
	s := r.s
	a := s.orders.AppWithID(m.App)
	if a.IsNone() || atomicGangOf(a, m.Gang).IsNone() || m.Since > r.all.Now {
		return fmt.Errorf("room is held: expected a gang, and a time that is not after the present, found %q of application %q, and %s", m.Gang, m.App, m.Since)
	}
	g := atomicGangOf(a, m.Gang)
	x := Accumulation{App: a, Gang: g, Since: m.Since}
	for _, h := range m.Held {
		p := Placement{Ask: s.orders.Find(h.Ask), Node: s.finder.Find(h.Node)}
		if p.Ask.IsNone() || !p.Ask.Pending() || p.Ask.Atomic() != g || p.Node == app.NoNode || x.holds(p.Ask) {
			return fmt.Errorf("room is held for gang %q: expected pending members, each once, and nodes, found ask %q and node %q", m.Gang, h.Ask, h.Node)
		}
		x.held = append(x.held, p)
	}
	s.accumulation = x
	s.timeAccumulation(r.all.Now)
	s.markHeld()
	return nil
}

// frozenAccumulation is an Accumulation in a Frozen.
type frozenAccumulation struct {
	app   int32
	gang  string
	since time.Duration
	until time.Duration
	held  []frozenHeld
}

type frozenHeld struct {
	ask  app.Slot
	node int32
}

// freezeAccumulation returns the gang for which room is held, or nil if there is none.
func (s *State) freezeAccumulation() *frozenAccumulation {
	x := &s.accumulation
	if x.IsNone() {
		return nil
	}
	f := &frozenAccumulation{app: int32(x.App.Number()), gang: x.Gang.Row().ID, since: x.Since, until: x.Until}
	for _, p := range x.held {
		f.held = append(f.held, frozenHeld{p.Ask.Slot(), p.Node})
	}
	return f
}

// readAccumulation makes the Accumulation of a fork, whose nodes are marked already.
func (s *State) readAccumulation(f *frozenAccumulation) {
	if f == nil {
		return
	}
	a := s.orders.App(f.app)
	s.accumulation = Accumulation{App: a, Gang: atomicGangOf(a, f.gang), Since: f.since, Until: f.until}
	for _, h := range f.held {
		s.accumulation.held = append(s.accumulation.held, Placement{Ask: s.AskAt(h.ask), Node: h.node})
	}
}
