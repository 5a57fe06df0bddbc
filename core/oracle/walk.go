package oracle

import "github.com/quern-project/quern/core"

// progress is what a step of the cycle came to.
type progress int

const (
	nothing   progress = iota // the next may try
	allocated                 // an ask has its place; the cycle begins again
	displaced                 // what another ask had has ended; the cycle begins again
)

// Cycle runs that of each partition to its end before the next one's.
func (o *Oracle) Cycle(limit int) int {
	made := 0
	for _, p := range o.partitions {
		if limit < 0 {
			made += p.cycle(limit)
		} else {
			made += p.cycle(max(0, limit-made))
		}
	}
	return made
}

// cycle makes one allocation after the other, each time from the beginning, until there is none or limit is reached.
// Asks preempt one at a time, and only when nothing can be placed.
func (p *partition) cycle(limit int) int {
	p.made = 0
	defer p.noteQuotas() // what the last allocation changed counts from now
	for limit < 0 || p.made < limit {
		p.quotaRounds()
		p.judgeReservations()
		p.lapseResting()
		switch p.allocateOne() {
		case nothing:
			if !p.preemptOne(p.root) {
				return p.made
			}
		}
	}
	return p.made
}

// allocateOne makes the allocation whose turn it is, if there is one.
func (p *partition) allocateOne() progress {
	if p.landClaim() || p.fillReservation() || p.landReplacement() {
		return allocated
	}
	if p.replaceOne(p.root) {
		return displaced
	}
	return p.walk(p.root)
}

// walk visits the asks in order and allocates the first that a node takes; those passed over may reserve a node.
func (p *partition) walk(q *queue) progress {
	if !q.isLeaf() {
		for _, child := range p.childrenInOrder(q) {
			if step := p.walk(child); step != nothing {
				return step
			}
		}
		return nothing
	}
	for _, a := range p.appsInOrder(q) {
		for _, k := range a.pending() {
			if !p.mayWalk(k) || !p.isOrdinary(k) {
				continue
			}
			if step := p.tryAsk(k); step != nothing {
				return step
			}
		}
	}
	return nothing
}

func (p *partition) tryAsk(k *ask) progress {
	if k.waitingGang() != nil {
		return p.tryGang(k)
	}
	n := p.nodeFor(k)
	switch {
	case n != nil:
		p.allocate(k, n)
		return allocated
	case p.claimOf(k) != nil:
		return nothing
	case k.details.Node != "":
		return p.hold(k)
	}
	p.reserve(k)
	return nothing
}

// nodeFor is the first node in order that the ask may go to now; nil when there is none.
func (p *partition) nodeFor(k *ask) *node {
	if !p.isLetIn(k) {
		return nil
	}
	for _, n := range p.nodesInOrder() {
		if p.takes(n, k) && p.mayUse(n, k) {
			return n
		}
	}
	return nil
}

// mayUse reports whether the node is not kept for another ask, by a claim or by a reservation that bars the ask.
func (p *partition) mayUse(n *node, k *ask) bool { return p.claimOn(n) == nil && p.mayTakeRoom(n, k) }

func (p *partition) allocate(k *ask, n *node) {
	p.announceAllocation(k, n)
	p.allocationCame(k)
}

// announceAllocation places an ask without looking at what that means for its application.
func (p *partition) announceAllocation(k *ask, n *node) {
	p.place(k, n)
	p.joined(k)
	p.made++
	p.decide(core.Decision{
		Type: core.Allocation, ID: k.id, App: k.app.id, Queue: k.app.queue.path(), Node: n.id,
		Priority: k.priority, Resources: withoutZeros(k.resources), Submission: k.number,
	})
	p.allocations = append(p.allocations, past{at: p.now, seen: seenAtRoot(k)})
	p.unreserve(k, "")
	if p.claimOf(k) != nil {
		p.lapse(k, core.ReasonElsewhere)
	}
}
