package oracle

import (
	"math"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/resource"
)

// Dump returns the whole state, for comparison with core.Scheduler.
func (o *Oracle) Dump() core.Dump {
	first := o.partitions[0]
	d := core.Dump{Now: o.now, Total: first.total().set(), NodeSort: first.settings.NodeSort.Policy}
	for _, p := range o.partitions {
		if p != first {
			d.Others = append(d.Others, core.PartitionDump{Name: p.name(), Total: p.total().set(), NodeSort: p.settings.NodeSort.Policy})
		}
		p.dumpQueues(&d, p.root)
		nodes := slices.Clone(p.nodes)
		slices.SortFunc(nodes, func(a, b *node) int { return strings.Compare(a.id, b.id) })
		for _, n := range nodes {
			d.Nodes = append(d.Nodes, p.dumpNode(n))
		}
	}
	for _, a := range o.apps {
		d.Applications = append(d.Applications, a.partition.dumpApp(a))
	}
	o.markDump(&d)
	return d
}

func (p *partition) dumpQueues(d *core.Dump, q *queue) {
	d.Queues = append(d.Queues, p.dumpQueue(q))
	children := slices.Clone(q.children)
	slices.SortFunc(children, func(a, b *queue) int { return strings.Compare(a.path(), b.path()) })
	for _, child := range children {
		p.dumpQueues(d, child)
	}
}

func (p *partition) dumpQueue(q *queue) core.QueueDump {
	d := core.QueueDump{
		Partition: p.shownName(), Path: q.path(), Leaf: q.isLeaf(), Dynamic: q.dynamic != nil, State: q.state(),
		Used: p.used(q).set(), Guaranteed: withoutZeros(q.settings.Guaranteed), Max: q.settings.Max,
		Leaving: p.leaving(q).set(), Headroom: p.headroom(q), Pending: p.pending(q).set(),
		Applications: len(p.liveApps(q)), Running: int(p.running(q)), MaxRunning: q.settings.MaxApplications,
		FairShare: p.fairShare(q), AppSort: q.settings.AppSort, Properties: q.settings.Inherited,
	}
	if q.parent == nil {
		d.Max = p.total().set()
	}
	for _, a := range p.liveApps(q) {
		d.PendingAsks += len(a.pending())
		d.Allocations += len(a.allocated())
	}
	d.Priority, d.HasPriority = p.queuePriority(q)
	p.dumpAging(&d, q)
	return d
}

// headroom returns the minimum of max - usage over the queue and its ancestors, for every type that they limit or use. Claims count as
// used. Root limits all types.
func (p *partition) headroom(q *queue) resource.Set {
	types := p.total()
	usage := map[*queue]amounts{}
	for _, at := range q.chain() {
		usage[at] = p.usedOrClaimed(at)
		types.add(at.settings.Max)
		types.addAll(usage[at])
	}
	room := amounts{}
	for typ := range types {
		room[typ] = math.MaxInt64
		for _, at := range q.chain() {
			if limit, set := p.maxOf(at, typ); set {
				room[typ] = min(room[typ], resource.Sub(limit, usage[at][typ]))
			}
		}
	}
	return room.set()
}

func (p *partition) dumpNode(n *node) core.NodeDump {
	d := core.NodeDump{
		Partition: p.shownName(), ID: n.id, Capacity: withoutZeros(n.capacity), Occupied: withoutZeros(n.occupied), Used: p.usedOn(n).set(),
		Attributes: n.attributes, Schedulable: n.schedulable, Utilisation: p.utilisation(n),
	}
	for _, l := range p.settings.Topology[:p.settings.Nested()] {
		value, has := n.attributes[l.Attribute]
		if !has {
			break
		}
		d.Domain = append(d.Domain, core.LevelValue{Level: l.Name, Value: value})
	}
	if r := p.reservationOn(n); r != nil {
		d.Reserved = r.ask.id
	}
	if c := p.claimOn(n); c != nil {
		d.ClaimedBy = c.ask.id
	}
	for _, k := range p.allocationsOn(n) {
		d.Allocations = append(d.Allocations, k.id)
	}
	d.Devices = p.dumpDevices(n)
	return d
}

func (p *partition) dumpApp(a *app) core.AppDump {
	d := core.AppDump{Partition: p.shownName(), ID: a.id, Queue: a.queue.path(), State: a.state, Since: a.since, Submitted: a.submitted}
	if !a.isTerminal() {
		d.Group = a.group()
		d.Preempted = a.preempted
	}
	d.Priority, d.HasPriority = appPriority(a)
	used := amounts{}
	for _, k := range a.allocated() {
		used.add(k.resources)
	}
	d.Used = used.set()
	for _, k := range append(a.pending(), inAllocationOrder(a.allocated())...) {
		dumped := core.AskDump{
			ID: k.id, Priority: k.priority, Resources: withoutZeros(k.resources),
			Submitted: k.submitted, Allocated: k.allocated, Placeholder: k.isPlaceholder(), Leaves: k.isLeaving(),
		}
		dumped.Walltime = k.promise.walltime
		dumped.MinRuntime = k.minRuntime()
		dumped.Preempted = k.preempted
		if ends := k.ends(); ends != instant.Never {
			dumped.Ends = &ends
		}
		if k.node != nil {
			dumped.Node, dumped.Devices = k.node.id, k.devices
		}
		if c := p.claimOf(k); c != nil {
			dumped.Claims = c.node.id
		}
		if k.leavesFor != nil {
			dumped.Leaving = k.leavesFor.id
		}
		d.Asks = append(d.Asks, dumped)
	}
	return d
}
