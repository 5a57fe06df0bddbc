package journal

import (
	"strconv"

	"github.com/quern-project/quern/core"
)

// nodeDevices writes the devices of a node, unless they are nil.
func (e *Encoder) nodeDevices(lists []core.Devices, occupied []core.OccupiedDevice) {
	if lists != nil {
		e.key("devices")
		e.buf = append(e.buf, '{')
		first := true
		for i := range lists {
			e.separate(&first)
			e.buf = append(appendText(e.buf, lists[i].Type), ':')
			e.deviceList(lists[i].List)
		}
		e.buf = append(e.buf, '}')
	}
	if occupied != nil {
		e.occupiedDevices(occupied)
	}
}

func (e *Encoder) deviceList(list []core.Device) {
	e.buf = append(e.buf, '[')
	first := true
	for i := range list {
		of := &list[i]
		e.separate(&first)
		e.buf = appendText(append(e.buf, `{"id":`...), of.ID)
		if of.Memory > 0 {
			e.buf = append(strconv.AppendInt(append(e.buf, `,"capacity":{"memory":`...), of.Memory, 10), '}')
		}
		e.textMap("attributes", of.Attributes)
		e.flag("unhealthy", of.Unhealthy, false)
		e.buf = append(e.buf, '}')
	}
	e.buf = append(e.buf, ']')
}

// occupiedDevices writes how much of devices others use. The list is sorted by type, and first has devices of no type.
func (e *Encoder) occupiedDevices(list []core.OccupiedDevice) {
	e.key("occupied_devices")
	e.buf = append(e.buf, '{')
	first := true
	for i := range list {
		of := &list[i]
		begins := i == 0 || list[i-1].Type != of.Type
		if begins && i > 0 && list[i-1].Type != "" {
			e.buf = append(e.buf, '}')
		}
		if begins && of.Type != "" {
			e.separate(&first)
			e.buf = append(appendText(e.buf, of.Type), `:{`...)
			first = true
		}
		e.separate(&first)
		e.buf = append(appendText(e.buf, of.ID), ':')
		e.share(of.Share, of.Memory)
	}
	if last := len(list) - 1; last >= 0 && list[last].Type != "" {
		e.buf = append(e.buf, '}')
	}
	e.buf = append(e.buf, '}')
}

// share writes how much of a device is used.
func (e *Encoder) share(share, memory int64) {
	if memory > 0 {
		e.buf = append(e.buf, `{"share":`...)
	}
	e.milli(share)
	if memory > 0 {
		e.buf = append(strconv.AppendInt(append(e.buf, `,"memory":`...), memory, 10), '}')
	}
}

func (e *Encoder) milli(thousandths int64) {
	e.buf = append(strconv.AppendInt(append(e.buf, '"'), thousandths, 10), `m"`...)
}

// askDevices writes which devices an ask gets, unless they are nil: as a quantity where that says all.
func (e *Encoder) askDevices(list []core.DeviceAsk) {
	if list == nil {
		return
	}
	e.key("devices")
	e.buf = append(e.buf, '{')
	first := true
	for i := range list {
		ask := &list[i]
		e.separate(&first)
		e.buf = append(appendText(e.buf, ask.Type), ':')
		if isShort(ask) {
			e.milli(ask.Share * int64(ask.Count))
			continue
		}
		e.buf = strconv.AppendInt(append(e.buf, `{"count":`...), int64(ask.Count), 10)
		e.key("share")
		e.milli(ask.Share)
		if ask.Memory > 0 {
			e.integer("memory", ask.Memory)
		}
		mapOf(e, "where", ask.Where, e.list)
		e.given("equal", ask.Equal)
		e.buf = append(e.buf, '}')
	}
	e.buf = append(e.buf, '}')
}

// isShort reports whether a quantity says all about the devices that an ask gets.
func isShort(ask *core.DeviceAsk) bool {
	return ask.Memory == 0 && ask.Where == nil && ask.Equal == "" && (ask.Count == 1 || ask.Share == core.WholeDevice)
}

// placedDevices writes the devices of an allocation, unless they are nil.
func (e *Encoder) placedDevices(name string, list []core.PlacedDevices) {
	if list == nil {
		return
	}
	e.key(name)
	e.buf = append(e.buf, '{')
	first := true
	for i := range list {
		e.separate(&first)
		e.buf = append(appendText(e.buf, list[i].Type), ':')
		e.list(list[i].IDs)
	}
	e.buf = append(e.buf, '}')
}
