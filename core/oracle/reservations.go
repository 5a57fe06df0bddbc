package oracle

import (
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// A reservation lasts for reservationLife; when it expires its leaf makes none for as long again.
const (
	reservationLife = 30 * time.Second
	reservationBan  = 30 * time.Second
)

// reservation keeps a node for an ask that waits. One for an ask with a required node is a hold: see holds.go.
type reservation struct {
	ask  *ask
	node *node
	made time.Duration
}

// isHold reports whether the node is the one that the ask requires.
func (r *reservation) isHold() bool { return r.ask.details.Node != "" }

func (o *Oracle) reservationOn(n *node) *reservation {
	for _, r := range o.reservations {
		if r.node == n {
			return r
		}
	}
	return nil
}

// reservationIn is the leaf's ordinary reservation; holds do not count.
func (o *Oracle) reservationIn(leaf *queue) *reservation {
	for _, r := range o.reservations {
		if !r.isHold() && r.ask.app.queue == leaf {
			return r
		}
	}
	return nil
}

// mayTakeRoom reports whether no reservation keeps the ask from the node's room: higher effective priority passes over
// an ordinary one; over a hold, it must be an ask that requires the node, too.
func (o *Oracle) mayTakeRoom(n *node, k *ask) bool {
	r := o.reservationOn(n)
	return r == nil || r.ask == k || outranks(k, r.ask) && (!r.isHold() || k.details.Node == n.id)
}

// fillReservation allocates the first reservation that can be filled and may be. One whose node another pending ask could
// take regardless is left to the walk.
func (o *Oracle) fillReservation() bool {
	for _, r := range o.reservations {
		if o.claimOn(r.node) == nil && o.couldTake(r.ask, r.node) && !o.isContested(r) {
			o.allocate(r.ask, r.node)
			return true
		}
	}
	return false
}

func (o *Oracle) isContested(r *reservation) bool {
	for _, k := range o.everyAsk() {
		if k.node == nil && k != r.ask && o.claimOf(k) == nil && o.mayTakeRoom(r.node, k) && o.couldTake(k, r.node) {
			return true
		}
	}
	return false
}

func (o *Oracle) couldTake(k *ask, n *node) bool {
	return o.eligible(k.app) && o.fitsHeadroom(k) && o.takes(n, k)
}

// reserve keeps a node for an ask that the walk has reached and no node takes, if it may have one and there is one.
func (o *Oracle) reserve(k *ask) {
	leaf := k.app.queue
	if !o.isDue(k) || o.reservationIn(leaf) != nil || o.now < leaf.bannedUntil || !o.fitsToReserve(k) {
		return
	}
	if best := o.bestToReserve(k); best != nil {
		o.makeReservation(k, best)
	}
}

// isDue reports whether the ask has waited long enough for a reservation.
func (o *Oracle) isDue(k *ask) bool {
	delay := o.settings.ReservationDelay
	return delay > 0 && o.now >= k.submitted+delay
}

// fitsToReserve reports whether headroom lets the ask reserve. To one that was overtaken the cluster's total is no bar.
func (o *Oracle) fitsToReserve(k *ask) bool {
	return o.fitsHeadroom(k) || o.isOvertaken(k) && o.fitsHeadroomBelowRoot(k)
}

func (o *Oracle) makeReservation(k *ask, n *node) {
	o.reservations = append(o.reservations, &reservation{ask: k, node: n, made: o.now})
	o.decide(core.Decision{Type: core.Reservation, ID: k.id, Node: n.id})
}

// bestToReserve gives the node that has the least left over once the ask alone runs on it; nil when none fits.
func (o *Oracle) bestToReserve(k *ask) *node {
	nodes := slices.Clone(o.nodes)
	slices.SortFunc(nodes, func(a, b *node) int { return strings.Compare(a.id, b.id) })
	var best *node
	for _, n := range nodes {
		if o.reservationOn(n) != nil || o.claimOn(n) != nil || !n.admits(k) || !n.fitsEmpty(k) || n.grown < k.app.queue.expired {
			continue
		}
		if best == nil || o.leftOver(n, k) < o.leftOver(best, k) {
			best = n
		}
	}
	return best
}

// leftOver is what the empty node keeps beside the ask, as the dominant share of the cluster.
func (o *Oracle) leftOver(n *node, k *ask) int64 {
	var largest int64
	total := o.total()
	for _, q := range n.capacity {
		left := resource.Sub(n.roomWhenEmpty(q.Type), valueOf(k.resources, q.Type))
		largest = max(largest, resource.Share(left, total[q.Type]))
	}
	return largest
}

// unreserve ends the ask's reservation, if it has one; most ends have no reason.
func (o *Oracle) unreserve(k *ask, why core.Reason) {
	for i, r := range o.reservations {
		if r.ask == k {
			o.reservations = slices.Delete(o.reservations, i, i+1)
			o.decide(core.Decision{Type: core.Unreservation, ID: k.id, Node: r.node.id, Reason: why})
			return
		}
	}
}

// dropHopelessReservations ends the ordinary ones whose node, even empty, would not take the ask any more.
func (o *Oracle) dropHopelessReservations() {
	for _, r := range slices.Clone(o.reservations) {
		if !r.isHold() && (!r.node.admits(r.ask) || !r.node.fitsEmpty(r.ask)) {
			o.unreserve(r.ask, "")
		}
	}
}

// judgeReservations ends, each time the cycle begins anew, the reservations whose application may not be allocated to,
// and the holds that cannot be filled any more.
func (o *Oracle) judgeReservations() {
	for _, r := range slices.Clone(o.reservations) {
		switch {
		case !o.eligible(r.ask.app):
			o.unreserve(r.ask, core.ReasonNotStartable)
		case r.isHold() && !o.mayHold(r.ask, r.node):
			o.unreserve(r.ask, "")
		}
	}
}
