package state

import (
	"fmt"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/device"
	"github.com/quern-project/quern/core/resource"
)

// addedDevices returns the devices of a new node, or refuses the node.
func (s *State) addedDevices(in *core.AddNode) (devices *device.Node, ok bool) {
	reason, message := s.deviceRefusal(in.Devices, in.Capacity, in.Occupied)
	if reason == "" {
		devices, reason, message = s.devicesOfNode(nil, in.Devices, in.OccupiedDevices)
	}
	if reason != "" {
		s.rejectNode(in, reason, message)
		return nil, false
	}
	return devices, true
}

// updatedDevices returns the devices of a node after an update, and the update with amounts that count them. It ignores an update that is not valid.
func (s *State) updatedDevices(n int32, in *core.UpdateNode) (update *core.UpdateNode, devices *device.Node, ok bool) {
	before := s.finder.Devices(n)
	if before == nil && len(s.devices.types) == 0 && len(in.Devices)+len(in.OccupiedDevices) == 0 {
		if reason, message := s.deviceRefusal(nil, in.Capacity, in.Occupied); reason != "" {
			s.ignore(in, reason, message)
			return nil, nil, false
		}
		return in, before, true
	}
	reason, message := s.deviceRefusal(in.Devices, in.Capacity, in.Occupied)
	if reason == "" {
		devices, reason, message = s.devicesOfNode(before, in.Devices, in.OccupiedDevices)
	}
	if reason != "" {
		s.ignore(in, reason, message)
		return nil, nil, false
	}
	own := *in
	if in.Capacity != nil || in.Devices != nil {
		own.Capacity = s.counted(in.Capacity, s.finder.Capacity(n), devices.Capacity)
	}
	if in.Occupied != nil || in.Devices != nil || in.OccupiedDevices != nil {
		own.Occupied = s.counted(in.Occupied, s.finder.Occupied(n), devices.Others)
	}
	return &own, devices, true
}

// counted returns amounts of a node with those of its devices: given ones or, if they are nil, the present ones.
func (s *State) counted(given resource.Set, present resource.Vec, add func(resource.Vec)) resource.Set {
	if given == nil {
		given = s.withoutDevices(s.types.Set(present, 0))
	}
	s.admit(given)
	amounts := s.types.Vec(given, 0)
	add(amounts)
	if set := s.types.Set(amounts, 0); set != nil {
		return set
	}
	return resource.Set{} // nothing, as opposed to what is there now
}

// countDevices lets the resources of a shape count its devices, after an update of an ask. It reports whether the update is valid.
func (s *State) countDevices(ask app.Ask, shape *class.Shape, in *core.UpdateAsk) bool {
	asks := slices.Clone(shape.Devices)
	if in.Devices != nil {
		asks = slices.Clone(in.Devices)
	}
	if !s.namesDevices(in.Resources, asks) && len(shape.Devices) == 0 {
		return true
	}
	resources := in.Resources
	if resources == nil {
		resources = s.withoutDevices(shape.Resources)
	} else if in.Devices == nil { // the short form replaces what was there
		asks = slices.DeleteFunc(asks, func(a core.DeviceAsk) bool { _, named := resources.Value(a.Type); return named })
	}
	set, all, reason, message := s.askedDevices(resources, asks)
	if reason == "" && len(all) > 0 && !ask.Atomic().IsNone() {
		reason, message = core.ReasonDeviceAmount, "members of atomic gangs get no devices yet"
	}
	if reason != "" {
		s.ignore(in, reason, message)
		return false
	}
	shape.Resources, shape.Devices = set, all
	return true
}

// withoutAsked returns the resources of an ask without the amounts that count its devices.
func withoutAsked(set resource.Set, asks []core.DeviceAsk) resource.Set {
	if len(asks) == 0 {
		return set
	}
	return slices.DeleteFunc(slices.Clone(set), func(q resource.Quantity) bool {
		return slices.ContainsFunc(asks, func(a core.DeviceAsk) bool { return q.Type == a.Type || q.Type == core.DeviceMemory(a.Type) })
	})
}

// deviceRefusals lists the device types that a configuration adds or drops although they are in use, and what does not work with devices yet.
func (c *Shared) deviceRefusals(read *config.Config) (out []string) {
	if len(read.Devices) > 0 {
		for _, p := range read.Partitions {
			if p.Backfill.Plans() {
				out = append(out, fmt.Sprintf("devices: expected no backfill in partition %s, since devices are not planned yet, found some", p.Name))
			}
		}
	}
	named := func(list []config.DeviceType, name string) bool {
		return slices.ContainsFunc(list, func(t config.DeviceType) bool { return t.Name == name })
	}
	for _, t := range c.deviceTypes {
		if !named(read.Devices, t.Name) && c.usesType(t.Name) {
			out = append(out, fmt.Sprintf("devices: expected the type %s, which a node, an ask or an allocation has, found none of this name", t.Name))
		}
	}
	for _, t := range read.Devices {
		if !named(c.deviceTypes, t.Name) && c.usesType(t.Name) {
			out = append(out, fmt.Sprintf("devices.%s: expected a type that no node, ask or allocation has, found one in use", t.Name))
		}
	}
	return out
}

// usesType reports whether a node, ask or allocation has a type, or the type that counts its memory.
func (c *Shared) usesType(name string) bool {
	return slices.ContainsFunc(c.partitions, func(s *State) bool { return s.uses(name) || s.uses(core.DeviceMemory(name)) })
}

func (s *State) uses(name string) bool {
	t, known := s.types.Find(name)
	if !known {
		return false
	}
	for n := range s.finder.Sorted().All {
		if s.finder.CapacityOf(n, t) > 0 || s.finder.OccupiedOf(n, t) > 0 || s.finder.Devices(n).Has(name) {
			return true
		}
	}
	for k := range s.classes.Named {
		if k.Demand().At(t) > 0 {
			return true
		}
	}
	for a := range s.orders.Apps {
		if gang := s.rememberGang(a); gang != nil {
			if _, named := gang.Ask.Value(name); named {
				return true
			}
		}
	}
	return false
}
