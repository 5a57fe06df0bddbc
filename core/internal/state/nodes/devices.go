package nodes

import "github.com/quern-project/quern/core/internal/device"

// SetDevices gives a node other devices, or says that other parts of them are used. The amounts of the node do not follow: Resize and Occupy set them.
func (o *Nodes) SetDevices(slot int32, devices *device.Node) {
	for int(slot) >= len(o.devices) {
		o.devices = append(o.devices, nil)
	}
	o.devices[slot] = devices
}

// Devices returns the devices of a node and how much of each is used, or nil if the node has none.
func (v View) Devices(slot int32) *device.Node {
	if int(slot) >= len(v.o.devices) {
		return nil
	}
	return v.o.devices[slot]
}

// RoomOf returns the room of a node in a lane, as class.Class.RoomNeeds asks for it.
func (v View) RoomOf(slot int32, t int) int64 {
	if room, ok := v.Devices(slot).Room(t); ok {
		return room
	}
	return v.Free(slot, t)
}
