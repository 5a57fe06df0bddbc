package core

import "cmp"

// Device is one device of a node, such as a GPU.
type Device struct {
	ID         string            // 1 to 63 of A-Z a-z 0-9 _ . -; unique among the devices of its type on the node
	Memory     int64             `json:",omitempty"` // bytes
	Attributes map[string]string `json:",omitempty"`
	Unhealthy  bool              `json:",omitempty"` // it takes no allocation
}

// Devices are the devices of one type on a node, in their order.
type Devices struct {
	Type string
	List []Device // at most MostDevices
}

// MostDevices is the largest number of devices of one type on a node.
const MostDevices = 64

// WholeDevice is the share of a whole device, in thousandths.
const WholeDevice = 1000

// OccupiedDevice says how much of a device is used outside of the scheduler's allocations.
type OccupiedDevice struct {
	Type   string // empty: the only type of devices on the node that has a device of this ID
	ID     string
	Share  int64 `json:",omitempty"` // thousandths, at most WholeDevice
	Memory int64 `json:",omitempty"` // bytes
}

// DeviceAsk says which devices of one type an ask gets.
type DeviceAsk struct {
	Type   string
	Count  int                 // of different devices of one node; 1 or more
	Share  int64               `json:",omitempty"` // of each device, in thousandths; WholeDevice: devices that nothing else uses
	Memory int64               `json:",omitempty"` // of each device, in bytes
	Where  map[string][]string `json:",omitempty"` // allowed values by attribute of devices; a device must have all of these attributes
	Equal  string              `json:",omitempty"` // an attribute in which all chosen devices agree; empty: none
}

// Valid reports whether the count, the share and the memory are in their ranges, and some of a device is asked for.
func (d *DeviceAsk) Valid() bool {
	return d.Count >= 1 && d.Share >= 0 && d.Share <= WholeDevice && d.Memory >= 0 && d.Share+d.Memory > 0
}

// Amounts returns the amounts that an ask for devices counts as: the sum of the shares in thousandths, and of the memory in bytes. They
// saturate.
func (d *DeviceAsk) Amounts() (share, memory int64) {
	return times(d.Share, d.Count), times(d.Memory, d.Count)
}

// times multiplies an amount of at least 0 with a count, saturating.
func times(amount int64, count int) int64 {
	const most = 1<<63 - 1
	if amount > 0 && int64(count) > most/amount {
		return most
	}
	return amount * int64(count)
}

// PlacedDevices are the devices of one type that an allocation has.
type PlacedDevices struct {
	Type string
	IDs  []string // in the order in which they were chosen
}

// DeviceMemory returns the name of the resource type that counts the memory of a type of devices.
func DeviceMemory(typ string) string { return typ + ".memory" }

// textsOfDevices returns the number of bytes of the texts about devices in an event.
func textsOfDevices(e Event) (n int) {
	switch e := e.(type) {
	case *AddNode:
		return devicesIn(e.Devices, e.OccupiedDevices)
	case *UpdateNode:
		return devicesIn(e.Devices, e.OccupiedDevices)
	case *AddAsk:
		return deviceAsksIn(e.Ask.Devices)
	case *UpdateAsk:
		return deviceAsksIn(e.Devices)
	case *RestoreAllocation:
		for _, placed := range e.PlacedDevices {
			n += len(placed.Type) + 1 + namesIn(placed.IDs)
		}
		return n + deviceAsksIn(e.Ask.Devices)
	default:
		return 0
	}
}

func devicesIn(lists []Devices, occupied []OccupiedDevice) (n int) {
	for _, of := range lists {
		n += len(of.Type) + 1
		for i := range of.List {
			n += len(of.List[i].ID) + 1 + textsIn(of.List[i].Attributes)
		}
	}
	for i := range occupied {
		n += len(occupied[i].Type) + len(occupied[i].ID) + 2
	}
	return n
}

func deviceAsksIn(list []DeviceAsk) (n int) {
	for i := range list {
		n += len(list[i].Type) + 1 + len(list[i].Equal) + listsIn(list[i].Where)
	}
	return n
}

// IsDeviceID reports whether a text may be the ID of a device.
func IsDeviceID(text string) bool {
	if text == "" || len(text) > 63 {
		return false
	}
	for i := range len(text) {
		switch c := text[i]; {
		case 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '_', c == '.', c == '-':
		default:
			return false
		}
	}
	return true
}

// ShortDevices returns the ask that a short form means: a share of one device if it is below 1, or whole devices. ok is false for other amounts.
func ShortDevices(typ string, thousandths int64) (ask DeviceAsk, ok bool) {
	switch count := thousandths / WholeDevice; {
	case thousandths <= 0:
		return ask, false
	case thousandths < WholeDevice:
		return DeviceAsk{Type: typ, Count: 1, Share: thousandths}, true
	case thousandths%WholeDevice != 0 || count > 1<<31-1:
		return ask, false
	default:
		return DeviceAsk{Type: typ, Count: int(count), Share: WholeDevice}, true
	}
}

// CompareOccupied orders what others use of devices, by type and ID.
func CompareOccupied(a, b *OccupiedDevice) int {
	return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.ID, b.ID))
}

// DeviceDump is one device of a node.
type DeviceDump struct {
	Type, ID              string
	Memory                int64             `json:",omitempty"` // bytes
	Attributes            map[string]string `json:",omitempty"`
	Unhealthy             bool              `json:",omitempty"`
	Gone                  bool              `json:",omitempty"` // the node no longer has it, but allocations do
	FreeShare, FreeMemory int64             // thousandths, and bytes
	Allocations           int               // number of allocations that have it
}
