package oracle

import (
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// node is a machine of the cluster.
type node struct {
	id          string
	capacity    resource.Set
	occupied    resource.Set
	attributes  map[string]string
	schedulable bool
	grown       int // event at which its room last grew
}

func (o *Oracle) findNode(id string) *node {
	for _, n := range o.nodes {
		if n.id == id {
			return n
		}
	}
	return nil
}

// allocationsOn lists what runs on the node, in order of allocation.
func (o *Oracle) allocationsOn(n *node) []*ask {
	var on []*ask
	for _, k := range o.everyAsk() {
		if k.node == n {
			on = append(on, k)
		}
	}
	return inAllocationOrder(on)
}

func (o *Oracle) usedOn(n *node) amounts {
	used := amounts{}
	for _, k := range o.allocationsOn(n) {
		used.add(k.resources)
	}
	return used
}

// takenOn sums what runs on the node and what others occupy there.
func (o *Oracle) takenOn(n *node) amounts {
	taken := o.usedOn(n)
	taken.add(n.occupied)
	return taken
}

// roomWhenEmpty is what the node offers once all its allocations are gone.
func (n *node) roomWhenEmpty(typ string) int64 {
	return resource.Sub(valueOf(n.capacity, typ), valueOf(n.occupied, typ))
}

// admits reports whether the node may be used for the ask at all: it is schedulable, the one required, and every
// attribute that the ask names is there with one of the values.
func (n *node) admits(k *ask) bool {
	if !n.schedulable || k.details.Node != "" && k.details.Node != n.id {
		return false
	}
	for name, allowed := range k.details.Constraints {
		value, present := n.attributes[name]
		if !present || !slices.Contains(allowed, value) {
			return false
		}
	}
	return true
}

// fitsEmpty reports whether the node, with its allocations gone, would have room for the ask.
func (n *node) fitsEmpty(k *ask) bool {
	for _, need := range k.resources {
		if need.Value > 0 && n.roomWhenEmpty(need.Type) < need.Value {
			return false
		}
	}
	return true
}

// takes reports whether the node could run the ask now, reservations apart.
func (o *Oracle) takes(n *node, k *ask) bool {
	if !n.admits(k) {
		return false
	}
	used := o.usedOn(n)
	for _, need := range k.resources {
		if need.Value > 0 && resource.Sub(n.roomWhenEmpty(need.Type), used[need.Type]) < need.Value {
			return false
		}
	}
	return true
}

func (o *Oracle) addNode(in *core.Input) {
	if o.findNode(in.ID) != nil {
		o.refuse(core.Decision{Type: core.NodeRejected, ID: in.ID, Reason: core.ReasonDuplicate})
		return
	}
	if o.total().anyPasses(in.Capacity) {
		o.refuse(core.Decision{Type: core.NodeRejected, ID: in.ID, Reason: core.ReasonAmountOverflow})
		return
	}
	o.nodes = append(o.nodes, &node{
		id: in.ID, capacity: in.Capacity, occupied: in.Occupied, attributes: in.Attributes,
		schedulable: !in.Unschedulable, grown: o.event(),
	})
	o.decide(core.Decision{Type: core.NodeAccepted, ID: in.ID})
}

func (o *Oracle) updateNode(in *core.Input) {
	n := o.findNode(in.ID)
	if n == nil {
		o.ignore(in, core.ReasonUnknownNode)
		return
	}
	if o.wouldOverflow(n, in) {
		o.ignore(in, core.ReasonAmountOverflow)
		return
	}
	if in.Capacity != nil {
		if hasMore(in.Capacity, n.capacity) {
			n.grown = o.event()
		}
		n.capacity = in.Capacity
	}
	if in.Occupied != nil {
		if hasMore(n.occupied, in.Occupied) {
			n.grown = o.event()
		}
		n.occupied = in.Occupied
	}
	if in.Attributes != nil {
		n.attributes = in.Attributes
	}
	o.dropHopelessReservations()
}

// wouldOverflow reports whether the cluster's total with the node's new capacity, or what is used on the node with its
// new occupied, is more than can be counted.
func (o *Oracle) wouldOverflow(n *node, in *core.Input) bool {
	others := o.total()
	others.sub(n.capacity)
	return others.anyPasses(in.Capacity) || o.usedOn(n).anyPasses(in.Occupied)
}

// hasMore reports whether a holds more than b of some type.
func hasMore(a, b resource.Set) bool {
	for _, q := range a {
		if q.Value > valueOf(b, q.Type) {
			return true
		}
	}
	return false
}

func (o *Oracle) drainNode(in *core.Input) {
	n := o.findNode(in.ID)
	if n == nil {
		o.ignore(in, core.ReasonUnknownNode)
		return
	}
	n.schedulable = false
	o.dropHopelessReservations()
}

func (o *Oracle) resumeNode(in *core.Input) {
	n := o.findNode(in.ID)
	if n == nil {
		o.ignore(in, core.ReasonUnknownNode)
		return
	}
	if !n.schedulable {
		n.schedulable, n.grown = true, o.event()
	}
}

func (o *Oracle) removeNode(in *core.Input) {
	n := o.findNode(in.ID)
	if n == nil {
		o.ignore(in, core.ReasonUnknownNode)
		return
	}
	if r := o.reservationOn(n); r != nil {
		o.unreserve(r.ask, "")
	}
	if c := o.claimOn(n); c != nil {
		o.lapse(c.ask, core.ReasonNodeGone)
	}
	for _, k := range o.allocationsOn(n) {
		o.leaveNode(k, core.ReasonNodeRemoved)
		o.somethingLeft(k.app)
	}
	o.nodes = slices.DeleteFunc(o.nodes, func(other *node) bool { return other == n })
}
