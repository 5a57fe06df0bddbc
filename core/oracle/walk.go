package oracle

import "github.com/quern-project/quern/core"

// Cycle makes one allocation after the other, each time from the beginning, until there is none or limit is reached.
// Asks preempt one at a time, and only when nothing can be placed.
func (o *Oracle) Cycle(limit int) int {
	made := 0
	for made != limit {
		o.judgeReservations()
		o.displaced = false
		switch {
		case o.allocateOne():
			made++
		case o.displaced: // who lost a reservation is looked at in its turn
		case !o.preemptOne(o.root):
			return made
		}
	}
	return made
}

// allocateOne makes the allocation whose turn it is and reports whether there was one.
func (o *Oracle) allocateOne() bool {
	return o.landClaim() || o.fillReservation() || o.walk(o.root)
}

// walk visits the asks in order and allocates the first that a node takes; those passed over may reserve a node. It ends
// where a node that is held for an ask takes another's reservation away.
func (o *Oracle) walk(q *queue) bool {
	if !q.isLeaf() {
		for _, child := range o.childrenInOrder(q) {
			if o.walk(child) || o.displaced {
				return !o.displaced
			}
		}
		return false
	}
	for _, a := range o.appsInOrder(q) {
		for _, k := range a.pending() {
			if o.claimOf(k) == nil && (o.tryAsk(k) || o.displaced) {
				return !o.displaced
			}
		}
	}
	return false
}

func (o *Oracle) tryAsk(k *ask) bool {
	if n := o.nodeFor(k); n != nil {
		o.allocate(k, n)
		return true
	}
	o.reserve(k)
	return false
}

// nodeFor is the first node in order that the ask may go to now; nil when there is none.
func (o *Oracle) nodeFor(k *ask) *node {
	if !o.fitsHeadroom(k) {
		return nil
	}
	for _, n := range o.nodesInOrder() {
		if o.takes(n, k) && o.mayUse(n, k) {
			return n
		}
	}
	return nil
}

// mayUse reports whether the node is not kept for another ask, by a claim or by a reservation that bars the ask.
func (o *Oracle) mayUse(n *node, k *ask) bool { return o.claimOn(n) == nil && o.mayTakeRoom(n, k) }

func (o *Oracle) allocate(k *ask, n *node) {
	o.place(k, n)
	o.decide(core.Decision{
		Type: core.Allocation, ID: k.id, App: k.app.id, Queue: k.app.queue.path(), Node: n.id,
		Priority: k.priority, Resources: withoutZeros(k.resources),
	})
	o.allocations = append(o.allocations, past{at: o.now, seen: seenAtRoot(k)})
	o.unreserve(k, "")
	o.allocationCame(k.app)
}
