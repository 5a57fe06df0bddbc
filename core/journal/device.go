package journal

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// deviceKey is a key of an object about the devices of one type.
type deviceKey uint16

const (
	deviceCount deviceKey = 1 << iota
	deviceShare
	deviceMemory
	deviceWhere
	deviceEqual
	deviceProfile
	deviceCapacity
	deviceAttributes
	deviceID
	deviceUnhealthy
	deviceSlots
	deviceProfiles
	deviceGeometry
)

var deviceKeys = []struct {
	key  deviceKey
	name string
}{
	{deviceCount, "count"}, {deviceShare, "share"}, {deviceMemory, "memory"}, {deviceWhere, "where"}, {deviceEqual, "equal"}, {deviceProfile, "profile"},
	{deviceCapacity, "capacity"}, {deviceAttributes, "attributes"}, {deviceID, "id"}, {deviceUnhealthy, "unhealthy"}, {deviceSlots, "slots"},
	{deviceProfiles, "profiles"}, {deviceGeometry, "geometry"},
}

// The keys of the three kinds of objects. Partitions of devices are refused by name.
const (
	askedKeys    = deviceCount | deviceShare | deviceMemory | deviceWhere | deviceEqual | deviceProfile
	numberedKeys = deviceCount | deviceCapacity | deviceAttributes | deviceSlots | deviceProfiles | deviceGeometry
	listedKeys   = deviceID | deviceCapacity | deviceAttributes | deviceUnhealthy | deviceSlots | deviceProfiles | deviceGeometry
	occupiedKeys = deviceShare | deviceMemory | deviceSlots
)

// deviceValue is what a line says of the devices of one type. Its meaning depends on the type of the line.
type deviceValue struct {
	typ      string
	listed   bool          // it is the list of the devices of a node
	list     []core.Device // if listed
	short    int64         // thousandths, if it is neither a list nor an object
	isObject bool
	seen     deviceKey // the keys of an object
	object   deviceObject
}

// deviceObject holds the values of the keys of an object.
type deviceObject struct {
	count      int
	share      int64
	memory     int64
	where      map[string][]string
	equal      string
	id         string
	attributes map[string]string
	unhealthy  bool
}

// devices reads an object of values by type of devices.
func (d *Decoder) devices() []deviceValue {
	values := []deviceValue{}
	d.namedMembers("an object of types of devices", func(typ string) { values = append(values, d.ofDevices(typ)) })
	slices.SortFunc(values, func(a, b deviceValue) int { return cmp.Compare(a.typ, b.typ) })
	return values
}

// ofDevices reads what a line says of the devices of one type: a list, a quantity or an object.
func (d *Decoder) ofDevices(typ string) deviceValue {
	v := deviceValue{typ: typ}
	switch d.scan.peek() {
	case '[':
		v.listed, v.list = true, d.deviceList()
	case '{':
		v.isObject, v.seen = true, d.deviceObject(&v.object, askedKeys|numberedKeys, typ)
	default:
		v.short = d.milliQuantity(typ)
	}
	return v
}

// deviceList reads the devices of one type, in order.
func (d *Decoder) deviceList() []core.Device {
	at := 0
	ids := map[string]bool{}
	return array(d, "a list of devices", func() (device core.Device) {
		at++
		if at > core.MostDevices {
			d.scan.refuse("at most "+strconv.Itoa(core.MostDevices)+" devices", "more")
			return device
		}
		var o deviceObject
		seen := d.deviceObject(&o, listedKeys, "")
		switch {
		case d.scan.fault != nil:
		case seen&deviceID == 0:
			d.scan.fault = &Error{Key: ".id", Expected: "the key, which a device needs", Found: "none"}
		case ids[o.id]:
			d.scan.fault = &Error{Key: ".id", Expected: "each device once", Found: excerpt([]byte(o.id)) + " again"}
		}
		if d.scan.fault != nil {
			d.scan.fault.Key = "[" + strconv.Itoa(at-1) + "]" + d.scan.fault.Key
			return device
		}
		ids[o.id] = true
		return core.Device{ID: o.id, Memory: o.memory, Attributes: o.attributes, Unhealthy: o.unhealthy}
	})
}

// deviceObject reads an object with some of the keys, and returns those that it has. typ is the type of devices for errors.
func (d *Decoder) deviceObject(o *deviceObject, known deviceKey, typ string) (seen deviceKey) {
	s := &d.scan
	if !s.expect('{', "an object about devices") {
		return 0
	}
	for first := true; ; first = false {
		name, more := s.member(first)
		if !more {
			return seen
		}
		text := d.pool.text(name)
		k := deviceKeyOf(text)
		switch {
		case s.fault != nil:
			return seen
		case k&known == 0:
			s.refuse("one of "+known.names(), keyText(text))
			return seen
		case seen&k != 0:
			d.twice(text)
			return seen
		}
		seen |= k
		if d.deviceField(o, k, typ); s.fault != nil {
			s.fault.Key = "." + text + s.fault.Key
			return seen
		}
	}
}

func (d *Decoder) deviceField(o *deviceObject, k deviceKey, typ string) {
	switch k {
	case deviceCount:
		o.count = int(d.integer("an integer from 0 to 2147483647", 0, math.MaxInt32))
	case deviceShare:
		if o.share = d.milliQuantity(typ); o.share > core.WholeDevice {
			d.scan.refuse("a share of at most 1", resource.Quantity{Value: o.share, Milli: true}.Format())
		}
	case deviceMemory:
		o.memory = d.quantity("memory")
	case deviceWhere:
		o.where = d.constraints()
	case deviceEqual:
		o.equal = d.pool.text(d.name())
	case deviceCapacity:
		o.memory = d.deviceCapacity()
	case deviceAttributes:
		o.attributes = d.textMap()
	case deviceID:
		o.id = d.deviceName()
	case deviceUnhealthy:
		o.unhealthy = d.scan.boolean()
	case deviceProfile, deviceSlots, deviceProfiles, deviceGeometry:
		d.scan.refuse("no such key, since devices have no partitions yet", "one")
	}
}

// deviceCapacity reads the capacity of a device besides its share: its memory.
func (d *Decoder) deviceCapacity() int64 {
	set := d.quantities()
	for _, q := range set {
		if q.Type != "memory" {
			d.scan.refuse("memory, the only dimension of devices besides their share", keyText(q.Type))
			return 0
		}
	}
	memory, _ := set.Value("memory")
	return memory
}

// deviceName reads the ID of a device.
func (d *Decoder) deviceName() string {
	text := d.pool.text(d.scan.text("the ID of a device"))
	if d.scan.fault == nil && !core.IsDeviceID(text) {
		d.scan.refuse("1 to 63 of A-Z a-z 0-9 _ . -", excerpt([]byte(text)))
	}
	return text
}

// milliQuantity reads a quantity of devices, in thousandths.
func (d *Decoder) milliQuantity(typ string) int64 {
	text, ok := d.quantityText()
	if !ok {
		return 0
	}
	value, err := resource.ParseMilli(typ, text)
	if bad := (*resource.QuantityError)(nil); errors.As(err, &bad) {
		d.scan.refuse(bad.Expected, bad.Found)
	}
	return value
}

func deviceKeyOf(name string) deviceKey {
	for _, k := range deviceKeys {
		if k.name == name {
			return k.key
		}
	}
	return 0
}

// names lists the keys for an error.
func (k deviceKey) names() string {
	text := ""
	for _, of := range deviceKeys {
		if of.key&k != 0 {
			if text != "" {
				text += ", "
			}
			text += of.name
		}
	}
	return text
}
