package state

import (
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// noDevices is why events about devices are refused.
const noDevices = "devices are not scheduled yet"

// refusesDevices refuses an event about devices, and reports whether it did.
func (s *State) refusesDevices(e core.Event) bool {
	if !namesDevices(e) {
		return false
	}
	switch e := e.(type) {
	case *core.AddNode:
		s.rejectNode(e, core.ReasonNotADeviceType, noDevices)
	case *core.AddAsk:
		s.rejectAsk(e, core.ReasonNotADeviceType, noDevices)
	case *core.RestoreAllocation:
		s.rejectAsk(&e.AddAsk, core.ReasonNotADeviceType, noDevices)
	default:
		s.ignore(e, core.ReasonNotADeviceType, noDevices)
	}
	return true
}

// namesDevices reports whether an event names devices, or has amounts in thousandths of a device.
func namesDevices(e core.Event) bool {
	inDevices := func(q resource.Quantity) bool { return q.Milli }
	first, second := core.AmountsOf(e)
	if slices.ContainsFunc(first, inDevices) || slices.ContainsFunc(second, inDevices) {
		return true
	}
	switch e := e.(type) {
	case *core.AddNode:
		return len(e.Devices)+len(e.OccupiedDevices) > 0
	case *core.UpdateNode:
		return len(e.Devices)+len(e.OccupiedDevices) > 0
	case *core.AddAsk:
		return len(e.Devices) > 0
	case *core.UpdateAsk:
		return len(e.Devices) > 0
	case *core.RestoreAllocation:
		return len(e.Devices)+len(e.PlacedDevices) > 0
	default:
		return false
	}
}
