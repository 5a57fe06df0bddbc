package device

import (
	"maps"
	"slices"

	"github.com/quern-project/quern/core"
)

// Has reports whether the node has devices of a type, be they gone.
func (n *Node) Has(typ string) bool { return n.list(typ) != nil }

// Types calls yield with the types of the devices, bytewise, and the number of those that are not gone and have an ID.
func (n *Node) Types(id string) (with []string) {
	if n == nil {
		return nil
	}
	for i := range n.lists {
		l := &n.lists[i]
		if at := l.find(id); at >= 0 && !l.devices[at].gone {
			with = append(with, l.of.Name)
		}
	}
	return with
}

// Lists returns the devices that the node has, as inputs describe them.
func (n *Node) Lists() (lists []core.Devices) {
	if n == nil {
		return nil
	}
	for i := range n.lists {
		l := &n.lists[i]
		of := core.Devices{Type: l.of.Name}
		for j := range l.devices {
			if !l.devices[j].gone {
				of.List = append(of.List, l.devices[j].Device)
			}
		}
		if len(of.List) > 0 {
			lists = append(lists, of)
		}
	}
	return lists
}

// Occupied returns what others use of the devices.
func (n *Node) Occupied() (used []core.OccupiedDevice) {
	if n == nil {
		return nil
	}
	for i := range n.lists {
		l := &n.lists[i]
		for j := range l.devices {
			if d := &l.devices[j]; d.others > 0 || d.othersMemory > 0 {
				used = append(used, core.OccupiedDevice{Type: l.of.Name, ID: d.ID, Share: d.others, Memory: d.othersMemory})
			}
		}
	}
	slices.SortFunc(used, func(a, b core.OccupiedDevice) int { return core.CompareOccupied(&a, &b) })
	return used
}

// Dump returns the state of all devices, in order.
func (n *Node) Dump() (all []core.DeviceDump) {
	if n == nil {
		return nil
	}
	for i := range n.lists {
		l := &n.lists[i]
		for j := range l.devices {
			d := &l.devices[j]
			all = append(all, core.DeviceDump{Type: l.of.Name, ID: d.ID, Memory: d.Memory, Attributes: maps.Clone(d.Attributes), Unhealthy: d.Unhealthy, Gone: d.gone,
				FreeShare: d.freeShare(), FreeMemory: d.freeMemory(), Allocations: int(d.holders)})
		}
	}
	return all
}

// Grew reports whether some device may take more than before, be it new, healthy again, or with other attributes.
func Grew(before, after *Node) bool {
	if after == nil {
		return false
	}
	for i := range after.lists {
		l := &after.lists[i]
		was := before.list(l.of.Name)
		for j := range l.devices {
			d := &l.devices[j]
			if !d.takes() {
				continue
			}
			at := -1
			if was != nil {
				at = was.find(d.ID)
			}
			if at < 0 || d.freeShare() > was.devices[at].freeShare() || d.freeMemory() > was.devices[at].freeMemory() ||
				d.isWhole() && !was.devices[at].isWhole() || !maps.Equal(d.Attributes, was.devices[at].Attributes) {
				return true
			}
		}
	}
	return false
}

// FitsEmpty reports whether there would be devices for an ask if the node had no allocations.
func (n *Node) FitsEmpty(asks []core.DeviceAsk) bool {
	for i := range asks {
		l := n.list(asks[i].Type)
		if l == nil {
			return false
		}
		if asks[i].Equal != "" {
			return n.Empty().Fits(asks)
		}
		count := 0
		for j := range l.devices {
			d := l.devices[j]
			d.share, d.memory, d.holders, d.whole = 0, 0, 0, 0
			if d.fits(&asks[i]) {
				count++
			}
		}
		if count < asks[i].Count {
			return false
		}
	}
	return true
}
