package class

import (
	"encoding/binary"
	"maps"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/readonly"
)

// Devices returns the devices that an ask of the class gets, by type. They must not be changed.
func (c *class) Devices() []core.DeviceAsk { return c.devices }

// RoomNeeds returns lower bounds of a node's free room. They are Needs but for types of devices, where they are of device.Node.Room: the share of one
// device, or the number of whole devices in thousandths; and the memory of one device.
func (c *class) RoomNeeds() readonly.List[index.Need] { return c.roomNeeds }

// PlainNeeds returns Needs without types of devices, whose room on a node is asked of its devices.
func (c *class) PlainNeeds() readonly.List[index.Need] { return c.plainNeeds }

// RoomNeed returns the bound of RoomNeeds in a lane, or 0 if there is none.
func (c *class) RoomNeed(lane int) int64 {
	if len(c.devices) == 0 {
		return c.demand.At(lane)
	}
	for i := range c.roomNeeds.Len() {
		if need := c.roomNeeds.At(i); need.Lane == lane {
			return need.Min
		}
	}
	return 0
}

// ChecksDevices reports whether a node with the room of RoomNeeds may still lack devices for the class.
func (c *class) ChecksDevices() bool { return c.checksDevices }

// findRoomNeeds derives the needs of nodes from needs and devices.
func (r *registry) findRoomNeeds(c *class) {
	c.roomNeeds, c.plainNeeds = c.needs, c.needs
	if len(c.devices) == 0 {
		return
	}
	var plain []index.Need
	for need := range c.needs.All {
		if _, is := c.deviceOf(r.types.Name(need.Lane)); !is {
			plain = append(plain, need)
		}
	}
	c.plainNeeds = readonly.Of(plain)
	room := slices.Clone(plain)
	for i := range c.devices {
		ask := &c.devices[i]
		share := ask.Share
		if ask.Share == core.WholeDevice {
			share = core.WholeDevice * int64(ask.Count)
		}
		room = r.appendNeed(room, ask.Type, share)
		room = r.appendNeed(room, core.DeviceMemory(ask.Type), ask.Memory)
		c.checksDevices = c.checksDevices || len(ask.Where) > 0 || ask.Equal != "" || ask.Memory > 0 && ask.Share > 0 || ask.Share != core.WholeDevice && ask.Count > 1
	}
	slices.SortFunc(room, func(a, b index.Need) int { return a.Lane - b.Lane })
	c.roomNeeds = readonly.Of(room)
}

func (r *registry) appendNeed(list []index.Need, typ string, amount int64) []index.Need {
	if t, known := r.types.Find(typ); known && amount > 0 {
		list = append(list, index.Need{Lane: t, Min: amount})
	}
	return list
}

// deviceOf returns the ask for devices that a resource type counts: their shares or their memory.
func (c *class) deviceOf(typ string) (ask *core.DeviceAsk, is bool) {
	for i := range c.devices {
		if of := c.devices[i].Type; of == typ || core.DeviceMemory(of) == typ {
			return &c.devices[i], true
		}
	}
	return nil, false
}

// sameDevices reports whether two asks get devices alike.
func sameDevices(a, b []core.DeviceAsk) bool {
	return slices.EqualFunc(a, b, func(a, b core.DeviceAsk) bool {
		return a.Type == b.Type && a.Count == b.Count && a.Share == b.Share && a.Memory == b.Memory && a.Equal == b.Equal &&
			maps.EqualFunc(a.Where, b.Where, slices.Equal[[]string])
	})
}

// appendDevices encodes what asks get of devices.
func appendDevices(buf []byte, devices []core.DeviceAsk) []byte {
	buf = binary.AppendUvarint(buf, uint64(len(devices)))
	for i := range devices {
		d := &devices[i]
		buf = appendText(buf, d.Type)
		buf = binary.AppendUvarint(buf, uint64(d.Count))
		buf = binary.AppendUvarint(buf, uint64(d.Share))
		buf = binary.AppendUvarint(buf, uint64(d.Memory))
		buf = appendText(buf, d.Equal)
		buf = binary.AppendUvarint(buf, uint64(len(d.Where)))
		buf = appendConstraints(buf, sortedConstraints(d.Where))
	}
	return buf
}
