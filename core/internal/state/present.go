package state

import (
	"cmp"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// Present returns inputs of one instant that rebuild the cluster: policies, the configuration, nodes, applications,
// allocations on their nodes, and pending asks in order of submission. History restarts: the states of applications, and how long asks
// have waited. Reservations, claims and departures are omitted. An application in a queue that the configuration no longer names is refused
// when the inputs are applied.
func (c *Shared) Present() []core.Input {
	m := c.remember(make([]bool, len(c.partitions)))
	for i, p := range m.partitions() {
		c.partitions[i].presentWalltimes(p)
	}
	return m.present(c.others())
}

// others returns the names of the partitions after the first.
func (c *Shared) others() (names []string) {
	for _, s := range c.partitions[1:] {
		names = append(names, s.Name())
	}
	return names
}

// present returns what Present does, for a snapshot whose partitions after the first have the names in others.
func (m *snapshot) present(others []string) (list []core.Input) {
	var removed []core.Input // after the configuration, which may still name them
	for _, p := range m.Modules {
		set := p.Set
		if set.Name == "" { // of a host predicate
			continue
		}
		list = append(list, core.Input{Event: &core.SetPolicy{PolicyModule: set}})
		if p.Gone {
			removed = append(removed, core.Input{Event: &core.RemovePolicy{Name: set.Name}})
		}
	}
	if m.Config.Text != "" {
		list = append(list, core.Input{Event: &core.SetConfig{Config: m.Config.Text, Format: m.Config.Format, File: m.Config.File}})
	}
	list = append(list, removed...)
	for i, p := range m.partitions() {
		list = append(list, p.present(m.Now, others[:i])...)
	}
	for i := range list {
		list[i].At = m.Now
	}
	return list
}

// present returns the inputs of a partition at a time. before holds the names of the partitions up to this one, except the first; it is
// empty for the first.
func (m *partitionMemory) present(now time.Duration, before []string) (list []core.Input) {
	name := ""
	if len(before) > 0 {
		name = before[len(before)-1]
	}
	for _, n := range m.Nodes {
		list = append(list, core.Input{Event: &core.AddNode{ID: n.ID, Partition: name, Capacity: n.Capacity, Occupied: n.Occupied,
			Attributes: n.Attributes, Unschedulable: !n.Schedulable, Devices: n.Devices, OccupiedDevices: n.OccupiedDevices}})
	}
	list = append(list, m.presentWindows(name)...)
	var placed, waiting []*askMemory
	holding := map[string]*resource.Set{}
	for i := range m.Asks {
		k := &m.Asks[i]
		if k.PlacedOn == "" {
			waiting = append(waiting, k)
		} else {
			placed = append(placed, k)
		}
		if k.Ask.Placeholder {
			sum := holding[k.App]
			if sum == nil {
				sum = &resource.Set{}
				holding[k.App] = sum
			}
			*sum = added(*sum, k.Resources)
		}
	}
	for i := range m.Apps {
		list = append(list, m.Apps[i].present(name, holding[m.Apps[i].ID]))
	}
	slices.SortFunc(placed, func(a, b *askMemory) int { return cmp.Compare(a.Placed, b.Placed) })
	for _, k := range append(placed, waiting...) {
		list = append(list, k.present(now))
	}
	return list
}

// added returns the sum of two sets.
func added(a, b resource.Set) resource.Set {
	sum := map[string]int64{}
	for _, q := range append(slices.Clone(a), b...) {
		sum[q.Type] = resource.Add(sum[q.Type], q.Value)
	}
	var list []resource.Quantity
	for _, q := range append(slices.Clone(a), b...) {
		if value, left := sum[q.Type]; left {
			list = append(list, resource.Quantity{Type: q.Type, Value: value, Milli: q.Milli})
			delete(sum, q.Type)
		}
	}
	return resource.NewSet(list...)
}

// present returns an application as it would be submitted. If its gang has formed or failed, the declared placeholders are the remaining
// ones; held is their sum.
func (a *appMemory) present(partition string, held *resource.Set) core.Input {
	app := &core.AddApp{ID: a.ID, Partition: partition, Queue: a.Queue, User: a.User, Groups: a.Groups, Tags: a.Tags, Succeeded: a.succeeded()}
	if g := a.Gang; g != nil {
		ask := g.Ask
		if g.Formed || g.Failed {
			ask = nil
			if held != nil {
				ask = *held
			}
		}
		if len(ask) > 0 {
			app.Placeholders = &core.Placeholders{Ask: ask, Hard: g.Hard, Timeout: g.Timeout}
		}
	}
	return core.Input{Event: app}
}

// succeeded returns the number of succeeded members by atomic gang, or nil if there are none.
func (a *appMemory) succeeded() map[string]int {
	counts := map[string]int{}
	for _, g := range a.Succeeded {
		counts[g.ID] = g.Count
	}
	for _, g := range a.Gangs {
		if g.Succeeded > 0 {
			counts[g.ID] = g.Succeeded
		}
	}
	if len(counts) == 0 {
		return nil
	}
	return counts
}

// present returns an ask as it would be submitted, or restored as an allocation.
func (k *askMemory) present(now time.Duration) core.Input {
	ask := core.AddAsk{ID: k.ID, App: k.App, Resources: withoutAsked(k.Resources, k.Ask.Devices), Ask: k.Ask}
	if k.PlacedOn != "" {
		return core.Input{Event: &core.RestoreAllocation{AddAsk: ask, PlacedOn: k.PlacedOn, Since: k.start(now), PlacedDevices: k.Devices}}
	}
	return core.Input{Event: &ask}
}
