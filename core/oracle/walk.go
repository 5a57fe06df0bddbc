package oracle

import "github.com/quern-project/quern/core"

// Cycle makes one allocation after the other, each time from the beginning, until there is none or limit is reached.
func (o *Oracle) Cycle(limit int) int {
	made := 0
	for made != limit && o.allocateOne() {
		made++
	}
	return made
}

// allocateOne makes the allocation whose turn it is and reports whether there was one.
func (o *Oracle) allocateOne() bool {
	return o.fillReservation() || o.walk(o.root)
}

// walk visits the asks in order and allocates the first that a node takes; those passed over may reserve a node.
func (o *Oracle) walk(q *queue) bool {
	if !q.isLeaf() {
		for _, child := range o.childrenInOrder(q) {
			if o.walk(child) {
				return true
			}
		}
		return false
	}
	for _, a := range o.appsInOrder(q) {
		for _, k := range a.pending() {
			if o.tryAsk(k) {
				return true
			}
		}
	}
	return false
}

func (o *Oracle) tryAsk(k *ask) bool {
	if !o.fitsHeadroom(k) {
		return false
	}
	for _, n := range o.nodesInOrder() {
		if o.takes(n, k) && o.mayUse(n, k) {
			o.allocate(k, n)
			return true
		}
	}
	o.reserve(k)
	return false
}

// mayUse reports whether no reservation keeps the ask from the node.
func (o *Oracle) mayUse(n *node, k *ask) bool {
	r := o.reservationOn(n)
	return r == nil || r.ask == k || outranks(k, r.ask)
}

func (o *Oracle) allocate(k *ask, n *node) {
	o.place(k, n)
	o.decide(core.Decision{
		Type: core.Allocation, ID: k.id, App: k.app.id, Queue: k.app.queue.path(), Node: n.id,
		Priority: k.priority, Resources: withoutZeros(k.resources),
	})
	o.unreserve(k)
	o.allocationCame(k.app)
}
