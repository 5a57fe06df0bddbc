package oracle

import (
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// A reservation lasts for reservationLife. After it has expired, its leaf makes none for the same time.
const (
	reservationLife = 30 * time.Second
	reservationBan  = 30 * time.Second
)

// reservation keeps a node for a pending ask. A reservation of an ask with a required node is a hold, see holds.go.
type reservation struct {
	ask  *ask
	node *node
	made time.Duration
}

// isHold reports whether the node is the one that the ask requires.
func (r *reservation) isHold() bool { return r.ask.details.Node != "" }

func (p *partition) reservationOn(n *node) *reservation {
	for _, r := range p.reservations {
		if r.node == n {
			return r
		}
	}
	return nil
}

// reservationIn returns the leaf's ordinary reservation, which is not a hold, or nil.
func (p *partition) reservationIn(leaf *queue) *reservation {
	for _, r := range p.reservations {
		if !r.isHold() && r.ask.app.queue == leaf {
			return r
		}
	}
	return nil
}

// mayTakeRoom reports whether no reservation keeps the ask from the node's room. An ask of higher effective priority may ignore a
// reservation; to ignore a hold, it must require the node too.
func (p *partition) mayTakeRoom(n *node, k *ask) bool {
	r := p.reservationOn(n)
	return r == nil || r.ask == k || slices.Contains(p.view.ignored, r) || outranks(k, r.ask) && (!r.isHold() || k.details.Node == n.id)
}

// fillReservation allocates the first ask with a reservation whose node takes it. A reservation that another pending ask could ignore is
// left to the scheduling order, and so is that of an ask behind a gang that accumulates.
func (p *partition) fillReservation() bool {
	for _, r := range p.reservations {
		if p.claimOn(r.node) == nil && p.couldTake(r.ask, r.node) && !p.isContested(r) && !p.comesBehind(r.ask) {
			devices := asSeen(p, r.ask, func() []core.PlacedDevices { return p.chooseDevices(r.node, r.ask) })
			p.overtake(r.ask)
			p.allocate(r.ask, r.node, devices)
			return true
		}
	}
	return false
}

func (p *partition) isContested(r *reservation) bool {
	for _, k := range p.ownAsks() {
		if k.node == nil && k != r.ask && p.mayWalk(k) && p.mayTakeRoom(r.node, k) && p.couldTake(k, r.node) {
			return true
		}
	}
	return false
}

func (p *partition) couldTake(k *ask, n *node) bool {
	return p.eligible(k.app) && p.isOrdinary(k) && k.waitingGang() == nil &&
		asSeen(p, k, func() bool {
			return p.fitsHeadroomWithClaim(k) && p.takes(n, k) && (k.details.Node != "" || p.leavesPlans(n, k))
		})
}

// reserve makes a reservation for an ask that no node takes, if it may have one and a node is suitable.
func (p *partition) reserve(k *ask) {
	leaf := k.app.queue
	if !p.isDue(k) || p.reservationIn(leaf) != nil || p.isBanned(leaf) || !p.fitsToReserve(k) {
		return
	}
	if best := p.bestToReserve(k); best != nil {
		p.makeReservation(k, best)
	}
}

// isBanned reports whether a leaf must not make a reservation, since one has expired recently.
func (p *partition) isBanned(leaf *queue) bool { return leaf.expired > 0 && p.now < leaf.bannedUntil }

// isDue reports whether the ask has waited long enough for a reservation.
func (p *partition) isDue(k *ask) bool {
	delay := p.settings.ReservationDelay
	return delay > 0 && p.now >= delay.After(k.submitted)
}

// fitsToReserve reports whether the ask fits headroom for a reservation. The cluster's total does not bar an ask that was overtaken.
func (p *partition) fitsToReserve(k *ask) bool {
	return p.fitsHeadroom(k) || p.isOvertaken(k) && p.fitsHeadroomBelowRoot(k)
}

func (p *partition) makeReservation(k *ask, n *node) {
	p.reservations = append(p.reservations, &reservation{ask: k, node: n, made: p.now})
	p.decide(core.Decision{Type: core.Reservation, ID: k.id, Node: n.id})
}

// bestToReserve returns the node that would have the least left over if the ask alone ran on it, or nil if none fits.
func (p *partition) bestToReserve(k *ask) *node {
	nodes := slices.Clone(p.nodes)
	slices.SortFunc(nodes, func(a, b *node) int { return strings.Compare(a.id, b.id) })
	var best *node
	for _, n := range nodes {
		if p.reservationOn(n) != nil || p.view.keepsFrom(n) || p.claimOn(n) != nil || !p.admits(n, k) || !p.fitsEmpty(n, k) || n.grown < k.app.queue.expired || p.isPlannedOn(n) {
			continue
		}
		if best == nil || p.leftOver(n, k) < p.leftOver(best, k) {
			best = n
		}
	}
	return best
}

// isPlannedOn reports whether an ask that this one does not outrank is planned to start on the node.
func (p *partition) isPlannedOn(n *node) bool {
	return slices.ContainsFunc(p.view.plans, func(pl *plan) bool {
		return slices.ContainsFunc(pl.asks, func(other *ask) bool { return pl.nodes[other] == n })
	})
}

// leftOver returns what the empty node has left over beside the ask, as the dominant share of the cluster.
func (p *partition) leftOver(n *node, k *ask) int64 {
	var largest int64
	total := p.total()
	for _, q := range n.capacity {
		left := resource.Sub(n.roomWhenEmpty(q.Type), valueOf(k.resources, q.Type))
		largest = max(largest, resource.Share(left, total[q.Type]))
	}
	return largest
}

// unreserve ends the ask's reservation, if it has one. The reason may be empty.
func (p *partition) unreserve(k *ask, why core.Reason) {
	for i, r := range p.reservations {
		if r.ask == k {
			p.reservations = slices.Delete(p.reservations, i, i+1)
			p.decide(core.Decision{Type: core.Unreservation, ID: k.id, Node: r.node.id, Reason: why})
			return
		}
	}
}

// dropHopelessReservations ends the ordinary reservations whose node would no longer take the ask, even if it were empty.
func (p *partition) dropHopelessReservations() {
	for _, r := range slices.Clone(p.reservations) {
		if !r.isHold() && (!p.matches(r.node, r.ask) || !p.fitsEmpty(r.node, r.ask)) {
			p.unreserve(r.ask, "")
		}
	}
}

// dropUnreachable ends the ordinary reservations on nodes that are no longer in the domain of their ask.
func (p *partition) dropUnreachable() {
	for _, r := range slices.Clone(p.reservations) {
		if !r.isHold() && !p.inReach(r.node, r.ask) {
			p.unreserve(r.ask, "")
		}
	}
}

// endBarredReservations ends, each time the cycle restarts, the reservations whose application may not get allocations, the holds that can
// no longer be filled, and the ordinary reservations whose ask a max or a limit bars. The cluster's total does not count here.
func (p *partition) endBarredReservations() {
	p.dropUnreachable()
	for _, r := range slices.Clone(p.reservations) {
		switch {
		case !p.eligible(r.ask.app):
			p.unreserve(r.ask, core.ReasonNotStartable)
		case !p.isOrdinary(r.ask), r.ask.waitingGang() != nil, r.isHold() && !p.mayHold(r.ask, r.node):
			p.unreserve(r.ask, "")
		case !r.isHold() && !asSeen(p, r.ask, func() bool { return p.fitsHeadroomBelowRoot(r.ask) }):
			p.unreserve(r.ask, core.ReasonNoHeadroom)
		}
	}
}
