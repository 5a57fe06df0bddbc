package oracle

import "github.com/quern-project/quern/core"

// hold keeps the required node for an ask that the walk has reached, if the ask only waits for room there. The node's
// ordinary reservation gives way, and so does a hold of lower effective priority.
func (o *Oracle) hold(k *ask) progress {
	n := o.findNode(k.details.Node)
	if n == nil || !o.mayHold(k, n) || o.takes(n, k) {
		return nothing
	}
	r := o.reservationOn(n)
	switch {
	case r == nil:
		o.makeReservation(k, n)
		return nothing
	case r.ask == k || r.isHold() && !outranks(k, r.ask):
		return nothing
	}
	o.unreserve(r.ask, core.ReasonRequiredNode)
	o.makeReservation(k, n)
	return displaced
}

// mayHold reports whether the node would take the ask if it were empty, and every max but the cluster's total lets it in.
func (o *Oracle) mayHold(k *ask, n *node) bool {
	return n.admits(k) && n.fitsEmpty(k) && o.fitsHeadroomBelowRoot(k)
}
