package oracle

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// dumpDevices lists the devices of the node with what is free of each.
func (p *partition) dumpDevices(n *node) (all []core.DeviceDump) {
	for _, s := range p.slotsBeside(n, anything) {
		d := core.DeviceDump{
			Type: s.typ, ID: s.ID, Memory: s.Memory, Attributes: s.Attributes, Unhealthy: s.Unhealthy, Gone: s.gone,
			FreeShare: s.freeShare(), FreeMemory: s.freeMemory(),
		}
		for _, k := range p.allocationsOn(n) {
			if contains(k.devices, s.typ, s.ID) {
				d.Allocations++
			}
		}
		all = append(all, d)
	}
	slices.SortStableFunc(all, func(a, b core.DeviceDump) int { return cmp.Compare(a.Type, b.Type) })
	return all
}

// markDump marks the amounts of device types.
func (o *Oracle) markDump(d *core.Dump) {
	mark := func(sets ...*resource.Set) {
		for _, s := range sets {
			*s = o.inThousandths(*s)
		}
	}
	mark(&d.Total)
	for i := range d.Others {
		mark(&d.Others[i].Total)
	}
	for i := range d.Queues {
		q := &d.Queues[i]
		mark(&q.Used, &q.Guaranteed, &q.Max, &q.Headroom, &q.Pending, &q.Leaving)
	}
	for i := range d.Nodes {
		n := &d.Nodes[i]
		mark(&n.Capacity, &n.Occupied, &n.Used)
	}
	for i := range d.Applications {
		a := &d.Applications[i]
		mark(&a.Used)
		for j := range a.Asks {
			mark(&a.Asks[j].Resources)
		}
	}
}
