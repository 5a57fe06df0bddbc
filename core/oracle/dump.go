package oracle

import (
	"math"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// Dump is the whole state, for comparison.
func (o *Oracle) Dump() core.Dump {
	d := core.Dump{Now: o.now, Total: o.total().set(), NodeSort: o.settings.NodeSort.Policy}
	o.dumpQueues(&d, o.root)
	nodes := slices.Clone(o.nodes)
	slices.SortFunc(nodes, func(a, b *node) int { return strings.Compare(a.id, b.id) })
	for _, n := range nodes {
		d.Nodes = append(d.Nodes, o.dumpNode(n))
	}
	for _, a := range o.apps {
		d.Applications = append(d.Applications, o.dumpApp(a))
	}
	return d
}

func (o *Oracle) dumpQueues(d *core.Dump, q *queue) {
	d.Queues = append(d.Queues, o.dumpQueue(q))
	children := slices.Clone(q.children)
	slices.SortFunc(children, func(a, b *queue) int { return strings.Compare(a.path(), b.path()) })
	for _, child := range children {
		o.dumpQueues(d, child)
	}
}

func (o *Oracle) dumpQueue(q *queue) core.QueueDump {
	d := core.QueueDump{
		Path: q.path(), Leaf: q.isLeaf(), State: q.state(),
		Used: o.used(q).set(), Guaranteed: withoutZeros(q.settings.Guaranteed), Max: q.settings.Max,
		Leaving: o.leaving(q).set(), Headroom: o.headroom(q), Pending: o.pending(q).set(),
		Applications: len(o.liveApps(q)), Running: int(o.running(q)), MaxRunning: q.settings.MaxApplications,
		FairShare: o.fairShare(q), AppSort: q.settings.AppSort, Properties: q.settings.Inherited,
	}
	if q.parent == nil {
		d.Max = o.total().set()
	}
	for _, a := range o.liveApps(q) {
		d.PendingAsks += len(a.pending())
		d.Allocations += len(a.allocated())
	}
	d.Priority, d.HasPriority = o.queuePriority(q)
	return d
}

// headroom is the least of max - usage on the way to the root, what is kept for claims counting as used, for every type
// that is limited or used there. Root limits them all.
func (o *Oracle) headroom(q *queue) resource.Set {
	types := o.total()
	usage := map[*queue]amounts{}
	for _, at := range q.chain() {
		usage[at] = o.usedOrKept(at)
		types.add(at.settings.Max)
		types.addAll(usage[at])
	}
	room := amounts{}
	for typ := range types {
		room[typ] = math.MaxInt64
		for _, at := range q.chain() {
			if limit, set := o.maxOf(at, typ); set {
				room[typ] = min(room[typ], resource.Sub(limit, usage[at][typ]))
			}
		}
	}
	return room.set()
}

func (o *Oracle) dumpNode(n *node) core.NodeDump {
	d := core.NodeDump{
		ID: n.id, Capacity: withoutZeros(n.capacity), Occupied: withoutZeros(n.occupied), Used: o.usedOn(n).set(),
		Attributes: n.attributes, Schedulable: n.schedulable, Utilisation: o.utilisation(n),
	}
	if r := o.reservationOn(n); r != nil {
		d.Reserved = r.ask.id
	}
	if c := o.claimOn(n); c != nil {
		d.Kept = c.ask.id
	}
	for _, k := range o.allocationsOn(n) {
		d.Allocations = append(d.Allocations, k.id)
	}
	return d
}

func (o *Oracle) dumpApp(a *app) core.AppDump {
	d := core.AppDump{ID: a.id, Queue: a.queue.path(), State: a.state, Submitted: a.submitted}
	d.Priority, d.HasPriority = appPriority(a)
	used := amounts{}
	for _, k := range a.allocated() {
		used.add(k.resources)
	}
	d.Used = used.set()
	for _, k := range append(a.pending(), inAllocationOrder(a.allocated())...) {
		dumped := core.AskDump{
			ID: k.id, Priority: k.priority, Resources: withoutZeros(k.resources),
			Submitted: k.submitted, Allocated: k.allocated,
		}
		if k.node != nil {
			dumped.Node = k.node.id
		}
		if c := o.claimOf(k); c != nil {
			dumped.Kept = c.node.id
		}
		if k.leavesFor != nil {
			dumped.Leaving = k.leavesFor.id
		}
		d.Asks = append(d.Asks, dumped)
	}
	return d
}
