package oracle

import (
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// node is a machine of the cluster.
type node struct {
	id          string
	capacity    resource.Set // with the amounts of devices
	occupied    resource.Set
	attributes  map[string]string
	schedulable bool
	grown       int // event number at which its room last grew

	plain, plainOccupied resource.Set // without the amounts of devices
	devices              []*device    // by type in their order; those that are gone come last
	occupiedDevices      []core.OccupiedDevice
}

func (p *partition) nodeNamed(id string) *node {
	for _, n := range p.nodes {
		if n.id == id {
			return n
		}
	}
	return nil
}

// allocationsOn lists the allocations on the node, in order of allocation.
func (p *partition) allocationsOn(n *node) []*ask {
	var on []*ask
	for _, k := range p.ownAsks() {
		if k.node == n {
			on = append(on, k)
		}
	}
	return inAllocationOrder(on)
}

func (p *partition) usedOn(n *node) amounts {
	used := amounts{}
	for _, k := range p.allocationsOn(n) {
		used.add(k.resources)
	}
	return used
}

// takenOn returns the sum of the allocations on the node and of what others occupy there.
func (p *partition) takenOn(n *node) amounts {
	taken := p.usedOn(n)
	taken.add(n.occupied)
	return taken
}

// roomWhenEmpty returns the free amount of a type if the node had no allocations.
func (n *node) roomWhenEmpty(typ string) int64 {
	return resource.Sub(valueOf(n.capacity, typ), valueOf(n.occupied, typ))
}

// admits reports whether the ask may run on the node: it is schedulable, it is the required node if there is one, it is in the domain that
// the ask requires, it has an allowed value of each attribute that the ask names, and windows let the ask be placed there now.
func (p *partition) admits(n *node, k *ask) bool { return p.matches(n, k) && p.isOpenTo(n, k) }

// matches is admits regardless of windows.
func (p *partition) matches(n *node, k *ask) bool {
	if !n.schedulable || k.details.Node != "" && k.details.Node != n.id || !p.inReach(n, k) {
		return false
	}
	return n.meets(k.details.Constraints)
}

// fitsEmpty reports whether the ask would fit the node if it had no allocations.
func (p *partition) fitsEmpty(n *node, k *ask) bool {
	if _, ok := p.deal(p.slotsBeside(n, func(*ask) bool { return false }), k); !ok {
		return false
	}
	for _, need := range k.plain {
		if need.Value > 0 && n.roomWhenEmpty(need.Type) < need.Value {
			return false
		}
	}
	return true
}

// takes reports whether the node could take the ask now, regardless of ordinary reservations.
func (p *partition) takes(n *node, k *ask) bool {
	return p.admits(n, k) && p.hasRoom(n, k)
}

// hasRoom reports whether the node has room for the ask now.
func (p *partition) hasRoom(n *node, k *ask) bool {
	_, ok := p.devicesNow(n, k)
	return ok && p.hasAmounts(n, k)
}

// hasAmounts is hasRoom without devices.
func (p *partition) hasAmounts(n *node, k *ask) bool {
	used := p.keptOn(n, k)
	for _, need := range k.plain {
		if need.Value > 0 && resource.Sub(n.roomWhenEmpty(need.Type), used[need.Type]) < need.Value {
			return false
		}
	}
	return true
}

func (p *partition) addNode(in *core.AddNode) {
	if p.partitionOfNode(in.ID).nodeNamed(in.ID) != nil {
		p.refuse(core.Decision{Type: core.NodeRejected, ID: in.ID, Reason: core.ReasonDuplicate})
		return
	}
	if why := p.refusesDevices(nil, in.Capacity, in.Occupied, in.Devices, in.OccupiedDevices); why != "" {
		p.refuse(core.Decision{Type: core.NodeRejected, ID: in.ID, Reason: why})
		return
	}
	n := &node{
		id: in.ID, plain: in.Capacity, plainOccupied: in.Occupied, attributes: in.Attributes,
		schedulable: !in.Unschedulable, grown: p.event(),
	}
	p.setDevices(n, in.Devices)
	n.setOccupied(in.OccupiedDevices)
	n.addUp()
	if p.total().anyOverflows(n.capacity) {
		p.refuse(core.Decision{Type: core.NodeRejected, ID: in.ID, Reason: core.ReasonAmountOverflow})
		return
	}
	p.nodes = append(p.nodes, n)
	p.decide(core.Decision{Type: core.NodeAccepted, ID: in.ID})
	p.chooseNodes()
}

func (p *partition) updateNode(in *core.UpdateNode) {
	n := p.nodeNamed(in.ID)
	if n == nil {
		p.ignore(in, core.ReasonUnknownNode)
		return
	}
	if why := p.refusesDevices(n, in.Capacity, in.Occupied, in.Devices, in.OccupiedDevices); why != "" {
		p.ignore(in, why)
		return
	}
	before, slots := *n, p.slotsBeside(n, anything)
	if in.Capacity != nil {
		n.plain = in.Capacity
	}
	if in.Occupied != nil {
		n.plainOccupied = in.Occupied
	}
	p.setDevices(n, in.Devices)
	if in.OccupiedDevices != nil {
		n.setOccupied(in.OccupiedDevices)
	}
	n.addUp()
	if p.overflows(n, &before) {
		*n = before
		p.ignore(in, core.ReasonAmountOverflow)
		return
	}
	if hasMore(n.plain, before.plain) || hasMore(before.plainOccupied, n.plainOccupied) || haveMore(p.slotsBeside(n, anything), slots) {
		n.grown = p.event()
	}
	if in.Attributes != nil {
		n.attributes = in.Attributes
		p.chooseNodes()
	}
	p.dropHopelessReservations()
}

// overflows reports whether the cluster's total with the node's new capacity, or the usage of the node with its new occupied amounts,
// overflows.
func (p *partition) overflows(n, before *node) bool {
	others := amounts{}
	for _, other := range p.nodes {
		if other != n {
			others.add(other.capacity)
		}
	}
	return !slices.Equal(n.capacity, before.capacity) && others.anyOverflows(n.capacity) ||
		!slices.Equal(n.occupied, before.occupied) && p.usedOn(n).anyOverflows(n.occupied)
}

// hasMore reports whether a contains more than b of some type.
func hasMore(a, b resource.Set) bool {
	for _, q := range a {
		if q.Value > valueOf(b, q.Type) {
			return true
		}
	}
	return false
}

func (p *partition) drainNode(in *core.DrainNode) {
	n := p.nodeNamed(in.ID)
	if n == nil {
		p.ignore(in, core.ReasonUnknownNode)
		return
	}
	n.schedulable = false
	p.dropHopelessReservations()
}

func (p *partition) resumeNode(in *core.ResumeNode) {
	n := p.nodeNamed(in.ID)
	if n == nil {
		p.ignore(in, core.ReasonUnknownNode)
		return
	}
	if !n.schedulable {
		n.schedulable, n.grown = true, p.event()
	}
}

func (p *partition) removeNode(in *core.RemoveNode) {
	n := p.nodeNamed(in.ID)
	if n == nil {
		p.ignore(in, core.ReasonUnknownNode)
		return
	}
	if r := p.reservationOn(n); r != nil {
		p.unreserve(r.ask, "")
	}
	if c := p.claimOn(n); c != nil {
		p.lapse(c.ask, core.ReasonNodeGone)
	}
	if p.accumulating != nil {
		for _, held := range p.accumulating.held {
			if held.node == n {
				p.dropHeld(held.ask)
			}
		}
	}
	for _, k := range p.allocationsOn(n) {
		k.lost(core.ReasonNodeRemoved)
		p.leaveNode(k, core.ReasonNodeRemoved)
		p.removed(k.app)
	}
	p.nodes = slices.DeleteFunc(p.nodes, func(other *node) bool { return other == n })
}
