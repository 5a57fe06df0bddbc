package state

import (
	"slices"

	"github.com/quern-project/quern/core/internal/api"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/queue"
)

// MayTake reports whether an ask may go to a reserved node.
func (s *State) MayTake(ask *app.Ask, n *node.Node) bool {
	holder := s.OnNode[n.Slot].Holder
	return holder == ask || (holder.Class.Node == "" || ask.Class.Node != "") && s.Outranks(ask, holder)
}

// Outranks compares the priorities of two asks as seen just below the lowest common ancestor of their queues.
func (s *State) Outranks(a, b *app.Ask) bool {
	p, q := s.QueueOf(a), s.QueueOf(b)
	meet := queue.Meet(p, q)
	return p.SeenBy(meet, a.Priority) > q.SeenBy(meet, b.Priority)
}

// Reserve reserves a node for an ask: until it expires or, where the ask requires the node, until the ask lands.
func (s *State) Reserve(ask *app.Ask, n *node.Node) {
	s.Counters.Reserved++
	ask.Reserved = s.Counters.Reserved
	if ask.Class.Node == "" {
		ask.ExpiresAt = s.Now + reservationPeriod
	}
	s.holdFor(ask, n)
	d := s.emit(api.Reservation)
	d.ID, d.Node = ask.ID, n.ID
}

// holdFor reserves a node for an ask whose number and expiry are set.
func (s *State) holdFor(ask *app.Ask, n *node.Node) {
	l := s.LeafOf(ask)
	ask.Reserves = n.Slot
	n.Held, n.Bound = true, ask.Class.Node != ""
	s.OnNode[n.Slot].Holder = ask
	s.Reservations = append(s.Reservations, ask)
	if n.Bound {
		s.Holds++
		l.Holds++
	} else {
		l.Reservation = ask
		s.timers.push(timer{at: ask.ExpiresAt, kind: reservationTimer, seq: ask.Reserved, ask: ask})
	}
	s.nodeChanged(n)
	ask.App.UpdateAsk(ask)
	s.askChanged(ReservationMade, ask, n)
}

// Unreserve ends a reservation, for a reason that is worth saying or none; its node is open to all again.
func (s *State) Unreserve(ask *app.Ask, reason api.Reason) {
	n := s.Nodes.At(ask.Reserves)
	d := s.emit(api.Unreservation)
	d.ID, d.Node, d.Reason = ask.ID, n.ID, reason
	l := s.Leaves[ask.App.Leaf.ID]
	s.Reservations = slices.DeleteFunc(s.Reservations, func(x *app.Ask) bool { return x == ask })
	if n.Bound {
		s.Holds--
		l.Holds--
	} else {
		l.Reservation = nil
	}
	s.OnNode[n.Slot].Holder = nil
	ask.Reserves, ask.Reserved, ask.ExpiresAt = app.NoNode, 0, 0
	n.Held, n.Bound = false, false
	s.World++
	s.nodeOpened(n)
	if ask.Pending() {
		ask.App.UpdateAsk(ask)
	}
	s.askChanged(ReservationEnded, ask, n)
}

// expireReservation ends a reservation that ran out of time; its leaf makes none for a while.
func (s *State) expireReservation(ask *app.Ask) {
	l := s.Leaves[ask.App.Leaf.ID]
	l.ExpiredAt, l.BannedUntil = s.Moment(), s.Now+banPeriod
	s.timers.push(timer{at: l.BannedUntil, kind: banTimer, seq: ask.Reserved, leaf: l})
	s.Unreserve(ask, "")
}
