package state

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core/internal/api"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/queue"
)

// Reservation keeps a node for an ask until it lands there, gives way or, where the ask does not require the node, expires.
type Reservation struct {
	Ask       *app.Ask
	Seq       uint64 // order of reservations
	ExpiresAt time.Duration

	ended bool
}

func (s *State) reservationOf(ask *app.Ask) *Reservation { return s.OnNode[ask.HoldOn].Reservation }

// MayTake reports whether an ask may go to a reserved node.
func (s *State) MayTake(ask *app.Ask, n *node.Node) bool {
	holder := s.OnNode[n.Slot].Reservation.Ask
	return holder == ask || (holder.Class.Node == "" || ask.Class.Node != "") && s.Outranks(ask, holder)
}

// Outranks compares the priorities of two asks as seen just below the lowest common ancestor of their queues.
func (s *State) Outranks(a, b *app.Ask) bool {
	p, q := s.QueueOf(a), s.QueueOf(b)
	meet := queue.CommonAncestor(p, q)
	return p.SeenBy(meet, a.Priority) > q.SeenBy(meet, b.Priority)
}

// Reserve reserves a node for an ask: until it expires or, where the ask requires the node, until the ask lands.
func (s *State) Reserve(ask *app.Ask, n *node.Node) {
	s.Counters.Reserved++
	r := &Reservation{Ask: ask, Seq: s.Counters.Reserved}
	if ask.Class.Node == "" {
		r.ExpiresAt = reservationPeriod.After(s.Now)
	}
	s.holdFor(r, n)
	d := s.emit(api.Reservation)
	d.ID, d.Node = ask.ID, n.ID
}

// holdFor puts a reservation of a node in force.
func (s *State) holdFor(r *Reservation, n *node.Node) {
	ask := r.Ask
	l := s.LeafOf(ask)
	n.Hold = n.Hold.Reserve(ask.Class.Node != "")
	ask.Hold, ask.HoldOn = ask.Hold.Reserve(ask.Class.Node != ""), n.Slot
	s.OnNode[n.Slot].Reservation = r
	s.Reservations = append(s.Reservations, r)
	if n.Hold.IsRequired() {
		s.Holds++
		l.Holds++
	} else {
		l.Reservation = ask
		s.timers.push(timer{at: r.ExpiresAt, kind: reservationTimer, seq: r.Seq, reservation: r})
	}
	s.nodeChanged(n)
	ask.App.UpdateAsk(ask)
	s.askChanged(ReservationMade, ask, n)
}

// Unreserve ends a reservation, for a reason that is worth saying or none; its node is open to all again.
func (s *State) Unreserve(ask *app.Ask, reason api.Reason) {
	n := s.Nodes.At(ask.HoldOn)
	d := s.emit(api.Unreservation)
	d.ID, d.Node, d.Reason = ask.ID, n.ID, reason
	l := s.Leaves[ask.App.Leaf.ID]
	s.Reservations = slices.DeleteFunc(s.Reservations, func(r *Reservation) bool { return r.Ask == ask })
	if n.Hold.IsRequired() {
		s.Holds--
		l.Holds--
	} else {
		l.Reservation = nil
	}
	s.reservationOf(ask).ended = true
	s.OnNode[n.Slot].Reservation = nil
	ask.Hold, n.Hold = ask.Hold.Unreserve(), n.Hold.Unreserve()
	s.World++
	s.nodeOpened(n)
	if ask.Pending() {
		ask.App.UpdateAsk(ask)
	}
	s.askChanged(ReservationEnded, ask, n)
}

// expireReservation ends a reservation that ran out of time; its leaf makes none for a while.
func (s *State) expireReservation(r *Reservation) {
	l := s.LeafOf(r.Ask)
	l.ExpiredAt, l.BannedUntil = s.Moment(), banPeriod.After(s.Now)
	s.timers.push(timer{at: l.BannedUntil, kind: banTimer, seq: r.Seq, leaf: l})
	s.Unreserve(r.Ask, "")
}
