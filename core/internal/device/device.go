// Package device decides which devices of a node, such as GPUs, an ask gets.
//
// A Node holds the devices of one node, and how much of each is used. It never changes: a change returns another Node, and versions of the state
// share the one that stays. Package state/nodes owns the nodes, and the search for a node reads them.
package device

import (
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// Type is a type of devices of a partition.
type Type struct {
	Name         string
	Lane, Memory int // the indexes of the type, and of the type that counts its memory, in vectors
	Policy       Policy
}

// device is one device, and how much of it allocations and others use.
type device struct {
	core.Device
	gone           bool  // the node no longer has it, but allocations do
	share, memory  int64 // used by allocations
	others         int64 // share used by others
	othersMemory   int64
	holders, whole int32 // number of allocations that have it, and of those that have all of it
}

// takes reports whether the device takes anything at all.
func (d *device) takes() bool {
	return !d.Unhealthy && !d.gone && d.whole == 0 && d.others < core.WholeDevice
}

// freeShare returns the share that is free, in thousandths.
func (d *device) freeShare() int64 {
	if !d.takes() {
		return 0
	}
	return max(0, core.WholeDevice-d.others-d.share)
}

// freeMemory returns the memory that is free, in bytes.
func (d *device) freeMemory() int64 {
	if !d.takes() {
		return 0
	}
	return max(0, resource.Sub(d.Memory, resource.Add(d.othersMemory, d.memory)))
}

// isWhole reports whether nothing is on the device.
func (d *device) isWhole() bool {
	return d.takes() && d.holders == 0 && d.others == 0 && d.othersMemory == 0
}

// fits reports whether an ask may get the device.
func (d *device) fits(ask *core.DeviceAsk) bool {
	if !d.takes() || !d.allowed(ask) {
		return false
	}
	if ask.Share == core.WholeDevice {
		return d.isWhole() && d.Memory >= ask.Memory
	}
	return d.freeShare() >= ask.Share && d.freeMemory() >= ask.Memory
}

// allowed reports whether the device has the attributes that an ask wants.
func (d *device) allowed(ask *core.DeviceAsk) bool {
	if ask.Equal != "" {
		if _, has := d.Attributes[ask.Equal]; !has {
			return false
		}
	}
	for attribute, values := range ask.Where {
		value, has := d.Attributes[attribute]
		if !has || !slices.Contains(values, value) {
			return false
		}
	}
	return true
}

// add counts an allocation on the device, or no longer does.
func (d *device) add(ask *core.DeviceAsk, sign int64) {
	d.share += sign * ask.Share
	d.memory += sign * ask.Memory
	d.holders += int32(sign)
	if ask.Share == core.WholeDevice {
		d.whole += int32(sign)
	}
}

// list holds the devices of one type, in order. Those that are gone come last, by ID.
type list struct {
	of      Type
	devices []device
}

// find returns the index of the device with an ID, or -1.
func (l *list) find(id string) int {
	return slices.IndexFunc(l.devices, func(d device) bool { return d.ID == id })
}

// Node holds the devices of a node. The nil Node has none.
type Node struct {
	lists []list // by name of the type
}

// list returns the devices of a type, or nil.
func (n *Node) list(typ string) *list {
	if n == nil {
		return nil
	}
	for i := range n.lists {
		if n.lists[i].of.Name == typ {
			return &n.lists[i]
		}
	}
	return nil
}

// Fits reports whether there are devices for an ask now.
func (n *Node) Fits(asks []core.DeviceAsk) bool {
	for i := range asks {
		l := n.list(asks[i].Type)
		if l == nil || !l.has(&asks[i]) {
			return false
		}
	}
	return true
}

// has reports whether there are enough devices for an ask.
func (l *list) has(ask *core.DeviceAsk) bool {
	if ask.Equal != "" {
		return l.group(ask, nil) != nil
	}
	count := 0
	for i := range l.devices {
		if l.devices[i].fits(ask) {
			if count++; count >= ask.Count {
				return true
			}
		}
	}
	return false
}

// Room returns the room of the node in the lane of a type, as class.Class.RoomNeeds asks for it, and whether the lane is one of devices: the number of whole
// devices, in thousandths, or the largest free share if none is whole; or the largest free memory.
func (n *Node) Room(lane int) (room int64, ok bool) {
	if n == nil {
		return 0, false
	}
	for i := range n.lists {
		switch l := &n.lists[i]; lane {
		case l.of.Lane:
			return l.shares(), true
		case l.of.Memory:
			for j := range l.devices {
				room = max(room, l.devices[j].freeMemory())
			}
			return room, true
		}
	}
	return 0, false
}

func (l *list) shares() (room int64) {
	whole := int64(0)
	for i := range l.devices {
		d := &l.devices[i]
		if d.isWhole() {
			whole++
		}
		room = max(room, min(core.WholeDevice-1, d.freeShare()))
	}
	if whole > 0 {
		return whole * core.WholeDevice
	}
	return room
}

// Capacity adds the amounts of all devices to a vector, without those that are gone.
func (n *Node) Capacity(to resource.Vec) {
	n.add(to, func(d *device) (share, memory int64) { return core.WholeDevice, d.Memory })
}

// Others adds the amounts that others use of all devices to a vector.
func (n *Node) Others(to resource.Vec) {
	n.add(to, func(d *device) (share, memory int64) { return d.others, d.othersMemory })
}

// add adds amounts of the devices that are not gone to a vector.
func (n *Node) add(to resource.Vec, amounts func(*device) (share, memory int64)) {
	if n == nil {
		return
	}
	for i := range n.lists {
		l := &n.lists[i]
		for j := range l.devices {
			if d := &l.devices[j]; !d.gone {
				share, memory := amounts(d)
				to[l.of.Lane] = resource.Add(to[l.of.Lane], share)
				to[l.of.Memory] = resource.Add(to[l.of.Memory], memory)
			}
		}
	}
}
