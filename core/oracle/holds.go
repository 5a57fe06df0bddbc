package oracle

import "github.com/quern-project/quern/core"

// hold keeps the required node for an ask that the walk has reached, if the ask only waits for room there. The node's
// ordinary reservation gives way, and so does a hold of lower effective priority.
func (p *partition) hold(k *ask) progress {
	n := p.nodeNamed(k.details.Node)
	if n == nil || !p.mayHold(k, n) || p.takes(n, k) {
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

// mayHold reports whether the node would take the ask if it were empty, and every max but the cluster's total lets it in.
func (p *partition) mayHold(k *ask, n *node) bool {
	return n.admits(k) && n.fitsEmpty(k) && p.fitsHeadroomBelowRoot(k)
}
