package state

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"

	"github.com/quern-project/quern/core/internal/state/claims"
)

// MayTake reports whether an ask may be allocated on a reserved node.
func (s *State) MayTake(ask app.Ask, n int32) bool {
	r, _ := s.Reservations().On(n)
	holder := s.AskAt(r.Ask)
	return holder == ask || (holder.Class().Node() == "" || ask.Class().Node() != "") && s.Outranks(ask, holder)
}

// Outranks reports whether an ask has a higher priority than another one, in the view of the lowest common ancestor of their queues.
func (s *State) Outranks(a, b app.Ask) bool {
	p, q, tree := s.QueueOf(a), s.QueueOf(b), s.Queues()
	meet := tree.CommonAncestor(p, q)
	return tree.SeenBy(p, meet, a.Priority()) > tree.SeenBy(q, meet, b.Priority())
}

// Reserve reserves a node for an ask. The reservation expires, unless the ask requires the node.
func (s *State) Reserve(ask app.Ask, n int32) {
	s.counters.Reserved++
	expires := time.Duration(0)
	if ask.Class().Node() == "" {
		expires = reservationPeriod.After(s.now)
	}
	s.holdFor(ask, n, s.counters.Reserved, expires)
	d := s.emit(core.Reservation)
	d.ID, d.Node = ask.ID(), s.finder.ID(n)
}

// holdFor adds a reservation of a node.
func (s *State) holdFor(ask app.Ask, n int32, seq uint64, expires time.Duration) {
	l, required := s.leafOf(ask.App()), ask.Class().Node() != ""
	s.nodes.Reserve(n, required)
	s.asks.SetHold(ask.Slot(), ask.Hold().Reserve(required), n)
	id := s.reservations.Add(claims.Reservation{Seq: seq, ExpiresAt: expires, Ask: ask.Slot(), Node: n, Required: required})
	if required {
		l.required++
	} else {
		l.SetReserved(ask.Slot())
		s.timers.push(timer{at: expires, kind: reservationTimer, seq: seq, ref: s.reservations.Ref(id)})
	}
	s.nodeChanged(n)
	s.edit(ask.App()).UpdateAsk(ask)
	s.askChanged(ReservationMade, ask, n)
}

// Unreserve ends a reservation and emits the decision; reason may be empty. The node is then available to other asks.
func (s *State) Unreserve(ask app.Ask, reason core.Reason) {
	n := ask.HoldOn()
	d := s.emit(core.Unreservation)
	d.ID, d.Node, d.Reason = ask.ID(), s.finder.ID(n), reason
	l := s.leafOf(ask.App())
	if s.finder.Hold(n).IsRequired() {
		l.required--
	} else {
		l.SetReserved(app.NoSlot)
	}
	s.reservations.End(n)
	s.asks.SetHold(ask.Slot(), ask.Hold().Unreserve(), n)
	s.nodes.Unreserve(n)
	s.shrinkEpoch++
	s.nodeOpened(n)
	if ask.Pending() {
		s.edit(ask.App()).UpdateAsk(ask)
	}
	s.askChanged(ReservationEnded, ask, n)
}

// expireReservation ends a reservation whose time is up. Its leaf may not reserve again for banPeriod.
func (s *State) expireReservation(r claims.Reservation) {
	ask := s.AskAt(r.Ask)
	l := s.leafOf(ask.App())
	l.Ban(banPeriod.After(s.now), s.EventNumber())
	s.timers.push(timer{at: l.BannedUntil(), kind: banTimer, seq: r.Seq, leaf: l})
	s.Unreserve(ask, "")
}
