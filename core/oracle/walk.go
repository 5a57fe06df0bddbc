package oracle

import "github.com/quern-project/quern/core"

// progress is what a step of the cycle came to.
type progress int

const (
	nothing   progress = iota // the next may try
	allocated                 // an ask has its place; the cycle begins again
	displaced                 // a hold ended what another ask had reserved; the cycle begins again
)

// Cycle makes one allocation after the other, each time from the beginning, until there is none or limit is reached.
// Asks preempt one at a time, and only when nothing can be placed.
func (o *Oracle) Cycle(limit int) int {
	made := 0
	for made != limit {
		o.judgeReservations()
		switch o.allocateOne() {
		case allocated:
			made++
		case nothing:
			if !o.preemptOne(o.root) {
				return made
			}
		}
	}
	return made
}

// allocateOne makes the allocation whose turn it is, if there is one.
func (o *Oracle) allocateOne() progress {
	if o.landClaim() || o.fillReservation() {
		return allocated
	}
	return o.walk(o.root)
}

// walk visits the asks in order and allocates the first that a node takes; those passed over may reserve a node.
func (o *Oracle) walk(q *queue) progress {
	if !q.isLeaf() {
		for _, child := range o.childrenInOrder(q) {
			if p := o.walk(child); p != nothing {
				return p
			}
		}
		return nothing
	}
	for _, a := range o.appsInOrder(q) {
		for _, k := range a.pending() {
			if o.claimOf(k) != nil {
				continue
			}
			if p := o.tryAsk(k); p != nothing {
				return p
			}
		}
	}
	return nothing
}

func (o *Oracle) tryAsk(k *ask) progress {
	n := o.nodeFor(k)
	switch {
	case n != nil:
		o.allocate(k, n)
		return allocated
	case k.details.Node != "":
		return o.hold(k)
	}
	o.reserve(k)
	return nothing
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
		Priority: k.priority, Resources: withoutZeros(k.resources), Submission: k.number,
	})
	o.allocations = append(o.allocations, past{at: o.now, seen: seenAtRoot(k)})
	o.unreserve(k, "")
	o.allocationCame(k.app)
}
