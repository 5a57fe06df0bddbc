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

// reservation keeps a node for an ask that waits.
type reservation struct {
	ask  *ask
	node *node
	made time.Duration
}

func (o *Oracle) reservationOn(n *node) *reservation {
	for _, r := range o.reservations {
		if r.node == n {
			return r
		}
	}
	return nil
}

func (o *Oracle) reservationIn(leaf *queue) *reservation {
	for _, r := range o.reservations {
		if r.ask.app.queue == leaf {
			return r
		}
	}
	return nil
}

// mayTakeRoom reports whether no ordinary reservation keeps the ask from the node's room.
func (o *Oracle) mayTakeRoom(n *node, k *ask) bool {
	r := o.reservationOn(n)
	return r == nil || r.ask == k || outranks(k, r.ask)
}

// fillReservation allocates the first reservation that can be filled and may be. One whose node a pending ask of
// higher effective priority could take is left to the walk.
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
		if k.node == nil && o.claimOf(k) == nil && outranks(k, r.ask) && o.couldTake(k, r.node) {
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
	delay := o.settings.ReservationDelay
	if delay <= 0 || o.now-k.submitted < delay || o.reservationIn(leaf) != nil || o.now < leaf.bannedUntil {
		return
	}
	best := o.bestToReserve(k)
	if best == nil {
		return
	}
	o.reservations = append(o.reservations, &reservation{ask: k, node: best, made: o.now})
	o.decide(core.Decision{Type: core.Reservation, ID: k.id, Node: best.id})
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

// unreserve ends the ask's reservation, if it has one.
func (o *Oracle) unreserve(k *ask) {
	for i, r := range o.reservations {
		if r.ask == k {
			o.reservations = slices.Delete(o.reservations, i, i+1)
			o.decide(core.Decision{Type: core.Unreservation, ID: k.id, Node: r.node.id})
			return
		}
	}
}

// dropHopelessReservations ends those whose node, even empty, would not take the ask any more.
func (o *Oracle) dropHopelessReservations() {
	for _, r := range slices.Clone(o.reservations) {
		if !r.node.admits(r.ask) || !r.node.fitsEmpty(r.ask) {
			o.unreserve(r.ask)
		}
	}
}
