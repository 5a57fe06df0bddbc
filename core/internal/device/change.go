package device

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core"
)

// With returns the node with other devices of a type. Devices that are no longer listed stay until no allocation has them.
func (n *Node) With(of Type, devices []core.Device) *Node {
	next := &list{of: of}
	before := n.list(of.Name)
	for _, d := range devices {
		own := device{Device: d}
		if before != nil {
			if i := before.find(d.ID); i >= 0 {
				own = before.devices[i]
				own.Device, own.gone = d, false
			}
		}
		next.devices = append(next.devices, own)
	}
	if before != nil {
		for _, d := range before.devices {
			if next.find(d.ID) < 0 && d.holders > 0 {
				next.addGone(d)
			}
		}
	}
	return n.replace(*next)
}

// addGone adds a device that the node does not have, after all others that it has.
func (l *list) addGone(d device) {
	d.Device = core.Device{ID: d.ID}
	d.gone, d.others, d.othersMemory = true, 0, 0
	at := slices.IndexFunc(l.devices, func(other device) bool { return other.gone && other.ID > d.ID })
	if at < 0 {
		at = len(l.devices)
	}
	l.devices = slices.Insert(l.devices, at, d)
}

// replace returns the node with another list of a type. An empty one is left out.
func (n *Node) replace(l list) *Node {
	next := &Node{}
	if n != nil {
		next.lists = slices.Clone(n.lists)
	}
	at, found := slices.BinarySearchFunc(next.lists, l.of.Name, func(l list, name string) int { return cmp.Compare(l.of.Name, name) })
	switch {
	case found && len(l.devices) == 0:
		next.lists = slices.Delete(next.lists, at, at+1)
	case found:
		next.lists[at] = l
	case len(l.devices) > 0:
		next.lists = slices.Insert(next.lists, at, l)
	}
	return next
}

// copied returns a copy of the devices of a type.
func (n *Node) copied(of Type) list {
	if old := n.list(of.Name); old != nil {
		return list{of: of, devices: slices.Clone(old.devices)}
	}
	return list{of: of}
}

// Take returns the node with an allocation on some devices. Unknown devices become devices without capacity.
func (n *Node) Take(types []Type, asks []core.DeviceAsk, placed []core.PlacedDevices) *Node {
	return n.count(types, asks, placed, 1)
}

// Release returns the node without an allocation on some devices. Devices that are gone and have no allocation left disappear.
func (n *Node) Release(types []Type, asks []core.DeviceAsk, placed []core.PlacedDevices) *Node {
	return n.count(types, asks, placed, -1)
}

func (n *Node) count(types []Type, asks []core.DeviceAsk, placed []core.PlacedDevices, sign int64) *Node {
	for _, p := range placed {
		ask := askOf(asks, p.Type)
		at := slices.IndexFunc(types, func(of Type) bool { return of.Name == p.Type })
		if ask == nil || at < 0 || len(p.IDs) == 0 {
			continue
		}
		l := n.copied(types[at])
		for _, id := range p.IDs {
			i := l.find(id)
			if i < 0 {
				l.addGone(device{Device: core.Device{ID: id}})
				i = l.find(id)
			}
			l.devices[i].add(ask, sign)
		}
		l.devices = slices.DeleteFunc(l.devices, func(d device) bool { return d.gone && d.holders == 0 })
		n = n.replace(l)
	}
	return n
}

func askOf(asks []core.DeviceAsk, typ string) *core.DeviceAsk {
	for i := range asks {
		if asks[i].Type == typ {
			return &asks[i]
		}
	}
	return nil
}

// Occupy returns the node with other amounts that others use. All devices must have a type; those that the node does not have are ignored.
func (n *Node) Occupy(used []core.OccupiedDevice) *Node {
	if n == nil {
		return nil
	}
	next := &Node{lists: slices.Clone(n.lists)}
	for i := range next.lists {
		l := &next.lists[i]
		l.devices = slices.Clone(l.devices)
		for j := range l.devices {
			l.devices[j].others, l.devices[j].othersMemory = 0, 0
		}
	}
	for _, u := range used {
		l := next.list(u.Type)
		if l == nil {
			continue
		}
		if i := l.find(u.ID); i >= 0 && !l.devices[i].gone {
			l.devices[i].others, l.devices[i].othersMemory = u.Share, u.Memory
		}
	}
	return next
}

// Empty returns the node without allocations.
func (n *Node) Empty() *Node {
	if n == nil {
		return nil
	}
	next := &Node{lists: slices.Clone(n.lists)}
	for i := range next.lists {
		l := &next.lists[i]
		l.devices = slices.DeleteFunc(slices.Clone(l.devices), func(d device) bool { return d.gone })
		for j := range l.devices {
			d := &l.devices[j]
			d.share, d.memory, d.holders, d.whole = 0, 0, 0, 0
		}
	}
	return next
}
