package state

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// namesDevices reports whether an ask names devices, by its resources or apart from them.
func (s *State) namesDevices(resources resource.Set, asks []core.DeviceAsk) bool {
	if len(asks) > 0 {
		return true
	}
	for i := range resources {
		if resources[i].Milli || len(s.devices.types) > 0 && s.countsDevices(resources[i].Type) {
			return true
		}
	}
	return false
}

// askedDevices returns the devices that an ask gets, with its resources, which count them. Amounts of devices among the resources are a short form.
func (s *State) askedDevices(resources resource.Set, asks []core.DeviceAsk) (set resource.Set, all []core.DeviceAsk, reason core.Reason, message string) {
	all = slices.Clone(asks)
	for _, q := range resources {
		if s.deviceType(q.Type) == nil {
			switch {
			case s.countsDevices(q.Type):
				return nil, nil, core.ReasonDeviceAmount, fmt.Sprintf("amounts of %s follow from the devices that an ask gets", q.Type)
			case q.Milli:
				return nil, nil, core.ReasonNotADeviceType, noDeviceType(q.Type)
			}
			set = append(set, q)
			continue
		}
		if q = inThousandths(q); q.Value == 0 {
			continue
		}
		ask, ok := core.ShortDevices(q.Type, q.Value)
		if !ok || slices.ContainsFunc(asks, func(a core.DeviceAsk) bool { return a.Type == q.Type }) {
			return nil, nil, core.ReasonDeviceAmount, fmt.Sprintf("%s is no share of one device and no number of whole devices, or is given twice", q.Readable())
		}
		all = append(all, ask)
	}
	slices.SortFunc(all, func(a, b core.DeviceAsk) int { return strings.Compare(a.Type, b.Type) })
	for i := range all {
		if s.deviceType(all[i].Type) == nil {
			return nil, nil, core.ReasonNotADeviceType, noDeviceType(all[i].Type)
		}
		if !all[i].Valid() {
			return nil, nil, core.ReasonDeviceAmount, fmt.Sprintf("an ask gets one or more devices of type %q, and a share of at most 1 or memory of each", all[i].Type)
		}
		share, memory := all[i].Amounts()
		set = append(set, resource.Quantity{Type: all[i].Type, Value: share, Milli: true}, resource.Quantity{Type: core.DeviceMemory(all[i].Type), Value: memory})
	}
	set = slices.DeleteFunc(set, func(q resource.Quantity) bool { return q.Value == 0 && s.countsDevices(q.Type) })
	return resource.NewSet(set...), all, "", ""
}

// inThousandths returns an amount of devices in thousandths. A decoder that does not know the type as one of devices counts whole ones.
func inThousandths(q resource.Quantity) resource.Quantity {
	if q.Milli {
		return q
	}
	q.Milli = true
	if q.Value > resource.Most/core.WholeDevice {
		q.Value = resource.Most
		return q
	}
	q.Value *= core.WholeDevice
	return q
}

// withDevices returns an ask whose resources count its devices, or refuses it.
func (s *State) withDevices(in *core.AddAsk) (*core.AddAsk, bool) {
	if !s.namesDevices(in.Resources, in.Ask.Devices) {
		return in, true
	}
	set, asks, reason, message := s.askedDevices(in.Resources, in.Ask.Devices)
	if reason == "" && len(asks) > 0 && in.Ask.Gang != nil {
		reason, message = core.ReasonDeviceAmount, "members of atomic gangs get no devices yet"
	}
	if reason != "" {
		s.rejectAsk(in, reason, message)
		return nil, false
	}
	own := *in
	own.Resources, own.Ask.Devices = set, asks
	return &own, true
}
