package oracle

import (
	"slices"

	"github.com/quern-project/quern/core"
)

// progress is the result of a step of the cycle.
type progress int

const (
	nothing   progress = iota // the next step may try
	allocated                 // an ask was allocated; the cycle restarts
	displaced                 // a reservation or claim of another ask has ended; the cycle restarts
)

// Cycle runs the cycles of all partitions, one after the other.
func (o *Oracle) Cycle(limit int) int {
	made := 0
	if limit != 0 {
		if o.overran = o.endOverruns(); o.overran {
			return 0
		}
		o.judgeGangs()
	}
	for _, p := range o.partitions {
		if limit < 0 {
			made += p.cycle(limit)
		} else {
			made += p.cycle(max(0, limit-made))
		}
	}
	return made
}

// cycle makes allocations one by one, each time from the start of the order, until there is none or the limit is reached. Asks preempt one
// at a time, and only if no ask can be allocated.
func (p *partition) cycle(limit int) int {
	p.made = 0
	defer p.updateOverQuota() // changes of the last allocation count from now on
	for limit < 0 || p.made < limit {
		p.quotaRounds()
		p.endBarredByWindows()
		p.endBarredAccumulation()
		p.endBarredReservations()
		p.lapseResting()
		switch p.allocateOne() {
		case nothing:
			if !p.preemptOne(p.root) {
				p.tellPlans()
				return p.made
			}
		}
	}
	return p.made
}

// allocateOne makes the next allocation, if there is one.
func (p *partition) allocateOne() progress {
	if p.allocateClaim() || p.fillReservation() || p.allocateReplacement() {
		return allocated
	}
	if p.replaceOne(p.root) {
		return displaced
	}
	if p.accumulating != nil {
		p.accumulating.moved = false
	}
	step := p.walkOnce()
	if step == nothing && p.accumulating != nil && (p.accumulating.moved || p.heldIsBarred()) {
		return displaced // reservations may have to end beside what is held now; or one was made after the gang's turn and keeps its room
	}
	return step
}

// heldIsBarred reports whether what is held for a gang does not fit any more.
func (p *partition) heldIsBarred() bool {
	if p.accumulating == nil {
		return false
	}
	members := p.members(p.accumulating.gang.app, p.accumulating.gang)
	return len(members) > 0 && asSeen(p, members[0], func() bool { return !p.heldStillFits(members) })
}

// walkOnce is one walk, which plans if the partition does.
func (p *partition) walkOnce() progress {
	if p.plans() {
		return p.planAndWalk()
	}
	p.planned, p.outOfReach = nil, nil
	return p.walk(p.root)
}

// walk visits the asks in scheduling order and allocates the first that a node takes. Asks before it may make reservations.
func (p *partition) walk(q *queue) progress {
	if !q.isLeaf() {
		for _, child := range p.childrenInOrder(q) {
			if step := p.walk(child); step != nothing {
				return step
			}
		}
		return nothing
	}
	for _, k := range p.asksInOrder(q) {
		if !p.mayWalk(k) || !p.isOrdinary(k) {
			continue
		}
		if step := p.tryAsk(k); step != nothing {
			return step
		}
	}
	return nothing
}

func (p *partition) tryAsk(k *ask) progress {
	if k.waitingGang() != nil {
		return p.tryGang(k)
	}
	n := asSeen(p, k, func() *node { return p.nodeFor(k) })
	switch {
	case n != nil:
		devices := asSeen(p, k, func() []core.PlacedDevices { return p.chooseDevices(n, k) })
		p.overtake(k)
		p.allocate(k, n, devices)
		return allocated
	case p.claimOf(k) != nil:
		return nothing
	case k.details.Node != "":
		return asSeen(p, k, func() progress { return p.hold(k) })
	}
	asSeen(p, k, func() progress {
		if p.plans() && !slices.Contains(p.outOfReach, k) {
			return nothing
		}
		p.reserve(k)
		return nothing
	})
	return nothing
}

// nodeFor returns the first node in order that takes the ask now, or nil.
func (p *partition) nodeFor(k *ask) *node {
	if !p.fitsHeadroomWithClaim(k) {
		return nil
	}
	for _, n := range p.nodesInOrder(k) {
		if p.takes(n, k) && p.mayUse(n, k) && p.leavesPlans(n, k) {
			return n
		}
	}
	return nil
}

// mayUse reports whether neither a claim nor a reservation of another ask bars the ask from the node.
func (p *partition) mayUse(n *node, k *ask) bool { return p.claimOn(n) == nil && p.mayTakeRoom(n, k) }

func (p *partition) allocate(k *ask, n *node, devices []core.PlacedDevices) {
	p.announceAllocation(k, n, devices)
	p.allocationAdded(k)
	p.memberAllocated(k)
}

// announceAllocation allocates an ask and records the decision, without updating the state of its application.
func (p *partition) announceAllocation(k *ask, n *node, devices []core.PlacedDevices) {
	p.place(k, n, devices)
	p.memberPlaced(k, false)
	p.joinSlice(k)
	p.made++
	p.decide(core.Decision{
		Type: core.Allocation, ID: k.id, App: k.app.id, Queue: k.app.queue.path(), Node: n.id,
		Priority: k.priority, Resources: withoutZeros(k.resources), Devices: k.devices, Submission: k.number,
	})
	p.allocations = append(p.allocations, pastAllocation{at: p.now, seen: seenAtRoot(k)})
	p.unreserve(k, "")
	p.dropHeld(k)
	if p.claimOf(k) != nil {
		p.lapse(k, core.ReasonElsewhere)
	}
}
