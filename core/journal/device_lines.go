package journal

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// nodeDevices checks what a line says of the devices of a node.
func (d *Decoder) nodeDevices() {
	for i := range d.values.devices {
		v := &d.values.devices[i]
		list, fault := v.onNode()
		if fault != nil {
			fault.Key = keyDevices.String() + "." + keyText(v.typ) + fault.Key
			d.scan.fault = fault
			return
		}
		d.values.nodeDevices = append(d.values.nodeDevices, core.Devices{Type: v.typ, List: list})
	}
	if d.values.devices != nil && d.values.nodeDevices == nil {
		d.values.nodeDevices = []core.Devices{}
	}
}

// onNode returns the devices that a node has.
func (v *deviceValue) onNode() ([]core.Device, *Error) {
	switch {
	case v.listed:
		return v.list, nil
	case v.seen == 0 && !v.isObject:
		return nil, &Error{Expected: "a list of devices, or an object with their count", Found: "a quantity"}
	case v.seen&^numberedKeys != 0:
		return nil, &Error{Expected: "one of " + numberedKeys.names(), Found: (v.seen &^ numberedKeys).names()}
	case v.seen&deviceCount == 0:
		return nil, &Error{Key: ".count", Expected: "the key, or a list of devices", Found: "none"}
	case v.object.count > core.MostDevices:
		return nil, &Error{Key: ".count", Expected: fmt.Sprintf("at most %d devices", core.MostDevices), Found: strconv.Itoa(v.object.count)}
	}
	list := make([]core.Device, v.object.count)
	for i := range list {
		list[i] = core.Device{ID: strconv.Itoa(i), Memory: v.object.memory, Attributes: v.object.attributes}
	}
	return list, nil
}

// askDevices checks which devices a line asks for. Amounts of devices among the resources, which are a short form of them, are moved.
func (d *Decoder) askDevices(seen keySet) {
	v := &d.values
	var asks []core.DeviceAsk
	for i := range v.devices {
		ask, fault := v.devices[i].asked()
		if fault != nil {
			fault.Key = keyDevices.String() + "." + keyText(v.devices[i].typ) + fault.Key
			d.scan.fault = fault
			return
		}
		asks = append(asks, ask)
	}
	for _, q := range v.ask.Resources {
		if slices.ContainsFunc(asks, func(a core.DeviceAsk) bool { return a.Type == q.Type }) {
			d.scan.fault = &Error{Key: keyResources.String() + "." + keyText(q.Type), Expected: "the type either here or in devices", Found: "it in both"}
			return
		}
	}
	v.ask.Ask.Devices = asks
	if seen.has(keyDevices) && asks == nil {
		v.ask.Ask.Devices = []core.DeviceAsk{}
	}
	d.moveShortDevices()
}

// moveShortDevices moves amounts of devices from the resources of an ask to its devices.
func (d *Decoder) moveShortDevices() {
	v := &d.values
	if !slices.ContainsFunc(v.ask.Resources, func(q resource.Quantity) bool { return q.Milli }) {
		return
	}
	rest := make(resource.Set, 0, len(v.ask.Resources))
	for _, q := range v.ask.Resources {
		if !q.Milli {
			rest = append(rest, q)
			continue
		}
		if q.Value == 0 {
			continue
		}
		ask, ok := core.ShortDevices(q.Type, q.Value)
		if !ok {
			d.scan.fault = &Error{Key: keyResources.String() + "." + keyText(q.Type), Expected: shortForm, Found: strconv.Quote(q.Format())}
			return
		}
		v.ask.Ask.Devices = append(v.ask.Ask.Devices, ask)
	}
	slices.SortFunc(v.ask.Ask.Devices, func(a, b core.DeviceAsk) int { return cmp.Compare(a.Type, b.Type) })
	v.ask.Resources = rest
}

// shortForm is what the amount of an ask for devices may be.
const shortForm = "a share of one device, above 0 and below 1, or a whole number of devices; shares of several devices need an object with count and share"

// asked returns the devices that an ask gets.
func (v *deviceValue) asked() (ask core.DeviceAsk, fault *Error) {
	o := &v.object
	switch {
	case v.listed:
		return ask, &Error{Expected: "a quantity, or an object about the devices of an ask", Found: "a list"}
	case !v.isObject:
		ask, ok := core.ShortDevices(v.typ, v.short)
		if !ok {
			return ask, &Error{Expected: shortForm, Found: strconv.Quote(resource.Quantity{Value: v.short, Milli: true}.Format())}
		}
		return ask, nil
	case v.seen&^askedKeys != 0:
		return ask, &Error{Expected: "one of " + askedKeys.names(), Found: (v.seen &^ askedKeys).names()}
	}
	ask = core.DeviceAsk{Type: v.typ, Count: 1, Share: o.share, Memory: o.memory, Where: o.where, Equal: o.equal}
	if v.seen&deviceCount != 0 {
		ask.Count = o.count
	}
	if v.seen&deviceShare == 0 && o.memory == 0 {
		ask.Share = core.WholeDevice
	}
	switch {
	case ask.Count == 0:
		return ask, &Error{Key: ".count", Expected: fromOne, Found: "0"}
	case ask.Share == 0 && ask.Memory == 0:
		return ask, &Error{Key: ".share", Expected: "a share above 0, or memory", Found: "0"}
	case ask.Memory > math.MaxInt64/int64(ask.Count):
		return ask, &Error{Key: ".memory", Expected: "at most " + strconv.Itoa(math.MaxInt64) + " bytes for all devices together", Found: "more"}
	}
	return ask, nil
}

// occupiedDevices reads how much of devices others use: an object by ID, or by type and ID.
func (d *Decoder) occupiedDevices() []core.OccupiedDevice {
	list := []core.OccupiedDevice{}
	d.namedMembers("an object of shares by device", func(name string) {
		if d.scan.peek() != '{' || d.beginsUse() {
			list = append(list, d.occupied("", name))
			return
		}
		d.namedMembers("an object of shares by device", func(id string) { list = append(list, d.occupied(name, id)) })
	})
	slices.SortFunc(list, func(a, b core.OccupiedDevice) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// beginsUse reports whether the object that follows has a key of how much of one device is used, and not the ID of a device, as its first key.
func (d *Decoder) beginsUse() bool {
	s := &d.scan
	start := s.pos
	s.expect('{', "an object")
	name, more := s.member(true)
	use := more && deviceKeyOf(string(name))&occupiedKeys != 0
	if s.fault == nil {
		s.pos = start
	}
	return use
}

// occupied reads how much of one device others use.
func (d *Decoder) occupied(typ, id string) core.OccupiedDevice {
	use := core.OccupiedDevice{Type: typ, ID: id}
	if d.scan.fault == nil && !core.IsDeviceID(id) {
		d.scan.refuse("the ID of a device: 1 to 63 of A-Z a-z 0-9 _ . -", excerpt([]byte(id)))
		return use
	}
	if d.scan.peek() == '{' {
		var o deviceObject
		d.deviceObject(&o, occupiedKeys, typ)
		use.Share, use.Memory = o.share, o.memory
		return use
	}
	if use.Share = d.milliQuantity(typ); use.Share > core.WholeDevice {
		d.scan.refuse("a share of at most 1", resource.Quantity{Value: use.Share, Milli: true}.Format())
	}
	return use
}

// placedDevices reads the devices of a restored allocation.
func (d *Decoder) placedDevices() []core.PlacedDevices {
	list := []core.PlacedDevices{}
	d.namedMembers("an object of lists of devices", func(typ string) {
		placed := core.PlacedDevices{Type: typ}
		placed.IDs = array(d, "a list of IDs of devices", func() string {
			id := d.deviceName()
			if d.scan.fault == nil && slices.Contains(placed.IDs, id) {
				d.scan.refuse("each device once", excerpt([]byte(id))+" again")
			}
			placed.IDs = append(placed.IDs, id)
			return id
		})
		list = append(list, placed)
	})
	slices.SortFunc(list, func(a, b core.PlacedDevices) int { return cmp.Compare(a.Type, b.Type) })
	return list
}

// namedMembers reads an object with any keys, each once.
func (d *Decoder) namedMembers(what string, value func(name string)) {
	s := &d.scan
	if !s.expect('{', what) {
		return
	}
	seen := map[string]bool{}
	for first := true; ; first = false {
		text, more := s.member(first)
		if !more {
			return
		}
		name := d.pool.text(text)
		switch {
		case name == "":
			s.refuse("a name that is not empty", `""`)
			return
		case seen[name]:
			d.twice(name)
			return
		case d.crowded(len(seen)):
			return
		}
		seen[name] = true
		if value(name); s.fault != nil {
			s.fault.Key = "." + keyText(name) + s.fault.Key
			return
		}
	}
}
