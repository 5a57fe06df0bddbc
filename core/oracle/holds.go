package oracle

import "github.com/quern-project/quern/core"

// hold reserves the required node for an ask, if the ask only waits for room there. It ends the node's ordinary reservation, or a hold of
// lower effective priority.
func (p *partition) hold(k *ask) progress {
	n := p.nodeNamed(k.details.Node)
	if n == nil || !p.mayHold(k, n) || p.takes(n, k) && p.leavesPlans(n, k) {
		return nothing
	}
	r := p.reservationOn(n)
	switch {
	case r == nil:
		p.makeReservation(k, n)
		return nothing
	case r.ask == k || r.isHold() && !outranks(k, r.ask):
		return nothing
	}
	p.unreserve(r.ask, core.ReasonRequiredNode)
	p.makeReservation(k, n)
	return displaced
}

// mayHold reports whether the ask would fit the empty node, and fits every max except the cluster's total.
func (p *partition) mayHold(k *ask, n *node) bool {
	return p.admits(n, k) && p.fitsEmpty(n, k) && p.fitsHeadroomBelowRoot(k)
}
