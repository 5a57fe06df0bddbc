package state

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/readonly"
)

// A gang that waits holds nothing, so a stream of smaller asks behind it could starve it. At most one gang of a partition
// accumulates: room is held for the members that fit already, until all of them do. Package schedule decides for which gang, and what is held.

// Accumulation is the gang for which room is held. The zero value is none.
type Accumulation struct {
	App   app.App
	Gang  app.AtomicGang
	Since time.Duration
	Until time.Duration // when it ends if the gang has not been placed
	held  []Placement
}

// IsNone reports whether no gang accumulates.
func (a *Accumulation) IsNone() bool { return a.Gang.IsNone() }

// Held returns the members for which room is held, each with its node, in the order of asks.
func (a *Accumulation) Held() readonly.List[Placement] { return readonly.Of(a.held) }

// holds reports whether room is held for an ask.
func (a *Accumulation) holds(ask app.Ask) bool {
	return slices.ContainsFunc(a.held, func(p Placement) bool { return p.Ask == ask })
}

// Accumulates reports whether a gang accumulates.
func (s *State) Accumulates() bool { return !s.accumulation.IsNone() }

// Accumulation returns the gang for which room is held. It is valid until the next change.
func (s *State) Accumulation() Accumulation { return s.accumulation }

// Accumulate makes a gang accumulate room. It holds nothing yet.
func (s *State) Accumulate(a app.App, g app.AtomicGang) {
	s.accumulation = Accumulation{App: a, Gang: g, Since: s.now}
	s.timeAccumulation(s.now)
	s.note(AccumulationChanged)
}

// timeAccumulation sets the timer of the gang that accumulates, if there is one. The current time is an argument because a state that is being
// restored has no clock yet.
func (s *State) timeAccumulation(now time.Duration) {
	if x := &s.accumulation; !x.IsNone() {
		x.Until = s.conf.AccumulateFor.After(x.Since)
		if x.Until > now { // otherwise a reload has shortened it, and it ends in the next cycle
			s.timers.push(timer{at: x.Until, kind: accumulationTimer, seq: x.Gang.Row().Seq})
		}
	}
}

// HoldRoom holds room for some members of the gang that accumulates, instead of what has been held.
func (s *State) HoldRoom(list []Placement) {
	s.letGoExcept(list, "")
	for _, p := range list {
		if !slices.Contains(s.accumulation.held, p) {
			d := s.emit(core.Reservation)
			d.ID, d.Node, d.Gang = p.Ask.ID(), s.finder.ID(p.Node), s.accumulation.Gang.Row().ID
		}
	}
	s.accumulation.held = slices.Clone(list)
	s.markHeld()
	s.note(AccumulationChanged)
}

// markHeld marks the nodes on which room is held.
func (s *State) markHeld() {
	for _, p := range s.accumulation.held {
		s.nodes.Accumulate(p.Node, true)
		s.nodeChanged(p.Node)
	}
}

// EndAccumulation lets go of what is held, since the gang that accumulates has been placed, or cannot be.
func (s *State) EndAccumulation(reason core.Reason) {
	s.letGoExcept(nil, reason)
	s.accumulation = Accumulation{}
	s.note(AccumulationChanged)
}

// GiveUpAccumulation ends the accumulation of a gang that has not been placed in time. It does not accumulate again for as long.
func (s *State) GiveUpAccumulation() {
	x := s.accumulation
	s.edit(x.App).EditGang(x.Gang).RestsUntil = s.conf.AccumulateFor.After(s.now)
	s.EndAccumulation(core.ReasonExpired)
}

// letGoExcept lets go of what is held, except for some placements.
func (s *State) letGoExcept(kept []Placement, reason core.Reason) {
	s.letGo(reason, func(p Placement) bool { return !slices.Contains(kept, p) })
}

// letGoOf lets go of the room that is held for a member.
func (s *State) letGoOf(ask app.Ask) {
	if ask.Atomic() == s.accumulation.Gang {
		s.letGo("", func(p Placement) bool { return p.Ask == ask })
	}
}

// heldReshaped records that a member for which room may be held needs other amounts: others may use what it needs no longer.
func (s *State) heldReshaped(ask app.Ask) {
	for _, p := range s.accumulation.held {
		if p.Ask == ask {
			s.shrinkEpoch++
			s.nodeOpened(p.Node)
			s.queuesOpened(QueueOfApp(s.accumulation.App))
			s.note(AccumulationChanged)
		}
	}
}

// letGo lets go of the room that is held by some placements, which other asks may use from now on.
func (s *State) letGo(reason core.Reason, ends func(Placement) bool) {
	x, gone := &s.accumulation, []Placement(nil)
	for _, p := range x.held {
		if ends(p) {
			gone = append(gone, p)
		}
	}
	if len(gone) == 0 {
		return
	}
	slices.SortStableFunc(gone, func(p, q Placement) int {
		if x.App.Before(p.Ask, q.Ask) {
			return -1
		}
		return 1
	})
	x.held = slices.DeleteFunc(slices.Clone(x.held), ends)
	s.shrinkEpoch++
	for _, p := range gone {
		d := s.emit(core.Unreservation)
		d.ID, d.Node, d.Gang, d.Reason = p.Ask.ID(), s.finder.ID(p.Node), x.Gang.Row().ID, reason
		if !slices.ContainsFunc(x.held, func(q Placement) bool { return q.Node == p.Node }) {
			s.nodes.Accumulate(p.Node, false)
		}
		s.nodeOpened(p.Node)
	}
	s.queuesOpened(QueueOfApp(x.App))
	s.note(AccumulationChanged)
}
