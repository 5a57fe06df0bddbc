package state

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/device"
	"github.com/quern-project/quern/core/resource"
)

// devices is what a partition knows of devices, beside those of nodes.
type devices struct {
	types  []device.Type
	placed []*deviceSet // by slot of an ask: the devices of an allocation, or those that a task will get if they fit it
}

// deviceSet is immutable.
type deviceSet struct{ list []core.PlacedDevices }

// useDeviceTypes puts the device types of the configuration in force.
func (s *State) useDeviceTypes() {
	types := s.shared.deviceTypes
	if len(types) == 0 && len(s.devices.types) == 0 {
		return
	}
	var both resource.Set
	names := make([]string, 0, len(types))
	for _, t := range types {
		names = append(names, t.Name)
		both = append(both, resource.Quantity{Type: t.Name}, resource.Quantity{Type: core.DeviceMemory(t.Name)})
	}
	if s.nodes == nil {
		s.types.Admit(both)
	} else {
		s.admit(both)
	}
	s.types.SetMilli(names...)
	s.devices.types = s.devices.types[:0:0]
	for _, t := range types {
		lane, _ := s.types.Find(t.Name)
		memory, _ := s.types.Find(core.DeviceMemory(t.Name))
		s.devices.types = append(s.devices.types, device.Type{Name: t.Name, Lane: lane, Memory: memory, Policy: policyOf(t.Policy)})
	}
}

func policyOf(name string) device.Policy {
	switch name {
	case config.Loosest:
		return device.Loosest
	case config.First:
		return device.First
	default:
		return device.Tightest
	}
}

// deviceType returns the device type of a name, or nil.
func (s *State) deviceType(name string) *device.Type {
	for i := range s.devices.types {
		if s.devices.types[i].Name == name {
			return &s.devices.types[i]
		}
	}
	return nil
}

// countsDevices reports whether a resource type counts devices, or their memory.
func (s *State) countsDevices(typ string) bool {
	return s.deviceType(typ) != nil || s.deviceType(strings.TrimSuffix(typ, core.DeviceMemory(""))) != nil && strings.HasSuffix(typ, core.DeviceMemory(""))
}

// withoutDevices returns a set without amounts that count devices.
func (s *State) withoutDevices(set resource.Set) resource.Set {
	if len(s.devices.types) == 0 {
		return set
	}
	return slices.DeleteFunc(slices.Clone(set), func(q resource.Quantity) bool { return s.countsDevices(q.Type) })
}

// deviceRefusal returns why amounts of a node, or its devices, are refused; an empty reason if they are not.
func (s *State) deviceRefusal(lists []core.Devices, sets ...resource.Set) (reason core.Reason, message string) {
	for _, set := range sets {
		for _, q := range set {
			if s.countsDevices(q.Type) {
				return core.ReasonDeviceAmount, fmt.Sprintf("amounts of %s follow from the devices of the node", q.Type)
			}
			if q.Milli {
				return core.ReasonNotADeviceType, noDeviceType(q.Type)
			}
		}
	}
	for _, l := range lists {
		if s.deviceType(l.Type) == nil {
			return core.ReasonNotADeviceType, noDeviceType(l.Type)
		}
	}
	return "", ""
}

func noDeviceType(name string) string {
	return fmt.Sprintf("the configuration names no type of devices %q", name)
}

// occupiedDevices gives what others use of devices its types, where a line leaves them out.
func (s *State) occupiedDevices(of *device.Node, used []core.OccupiedDevice) (typed []core.OccupiedDevice, reason core.Reason, message string) {
	for _, u := range used {
		if u.Type == "" {
			switch with := of.Types(u.ID); len(with) {
			case 0:
				continue
			case 1:
				u.Type = with[0]
			default:
				return nil, core.ReasonDeviceAmount, fmt.Sprintf("device %q is of several types: %s", u.ID, strings.Join(with, ", "))
			}
		}
		if s.deviceType(u.Type) == nil {
			return nil, core.ReasonNotADeviceType, noDeviceType(u.Type)
		}
		typed = append(typed, u)
	}
	slices.SortFunc(typed, func(a, b core.OccupiedDevice) int { return core.CompareOccupied(&a, &b) })
	return typed, "", ""
}

// devicesOfNode makes the devices of a node from an input.
func (s *State) devicesOfNode(before *device.Node, lists []core.Devices, used []core.OccupiedDevice) (*device.Node, core.Reason, string) {
	next := before
	for _, l := range lists {
		next = next.With(*s.deviceType(l.Type), l.List)
	}
	if used == nil {
		return next, "", ""
	}
	typed, reason, message := s.occupiedDevices(next, used)
	if reason != "" {
		return nil, reason, message
	}
	return next.Occupy(typed), "", ""
}

// DevicesOf returns the devices that an allocation has, or nil.
func (s *State) DevicesOf(ask app.Ask) []core.PlacedDevices {
	if ask.Pending() {
		return nil
	}
	return s.devices.at(ask.Slot())
}

func (d *devices) at(slot app.Slot) []core.PlacedDevices {
	if int(slot) >= len(d.placed) || d.placed[slot] == nil {
		return nil
	}
	return d.placed[slot].list
}

func (d *devices) set(slot app.Slot, list []core.PlacedDevices) {
	if list == nil && int(slot) >= len(d.placed) {
		return
	}
	for int(slot) >= len(d.placed) {
		d.placed = append(d.placed, nil)
	}
	d.placed[slot] = nil
	if list != nil {
		d.placed[slot] = &deviceSet{list}
	}
}

// takeDevices gives an ask devices of a node: those that it was promised if they fit, or those that the policies of their types choose.
func (s *State) takeDevices(ask app.Ask, asks []core.DeviceAsk, n int32) {
	if len(asks) == 0 {
		s.devices.set(ask.Slot(), nil) // those of a placeholder
		return
	}
	of := s.finder.Devices(n)
	placed, ok := of.Choose(s.devices.types, asks, s.devices.at(ask.Slot()))
	if !ok {
		placed = of.ChooseAnyway(s.devices.types, asks)
	}
	s.holdDevices(ask, asks, n, placed)
}

func (s *State) holdDevices(ask app.Ask, asks []core.DeviceAsk, n int32, placed []core.PlacedDevices) {
	s.devices.set(ask.Slot(), placed)
	s.nodes.SetDevices(n, s.finder.Devices(n).Take(s.devices.types, asks, placed))
}

// releaseDevices takes the devices of an allocation back.
func (s *State) releaseDevices(ask app.Ask, asks []core.DeviceAsk, n int32) {
	if len(asks) == 0 {
		return
	}
	s.nodes.SetDevices(n, s.finder.Devices(n).Release(s.devices.types, asks, s.devices.at(ask.Slot())))
	s.devices.set(ask.Slot(), nil)
}

// restoreDevices gives a restored allocation the devices that it names, or chooses some.
func (s *State) restoreDevices(ask app.Ask, asks []core.DeviceAsk, n int32, placed []core.PlacedDevices) {
	if len(asks) == 0 {
		return
	}
	list := make([]core.PlacedDevices, 0, len(asks))
	for i := range asks {
		at := slices.IndexFunc(placed, func(p core.PlacedDevices) bool { return p.Type == asks[i].Type })
		if at >= 0 {
			list = append(list, placed[at])
			continue
		}
		list = append(list, s.finder.Devices(n).ChooseAnyway(s.devices.types, asks[i:i+1])...)
	}
	s.holdDevices(ask, asks, n, list)
}

// OpenDeviceLanes makes an upper bound of the room of nodes, by type, say nothing of types of devices: how much an ask gets of devices does not tell
// which of them it fits.
func (s *State) OpenDeviceLanes(room resource.Vec) {
	for i := range s.devices.types {
		room[s.devices.types[i].Lane], room[s.devices.types[i].Memory] = resource.Most, resource.Most
	}
}

// DevicesWithout returns the devices of the node of an allocation once it has left.
func (s *State) DevicesWithout(ask app.Ask) *device.Node {
	return s.released(s.finder.Devices(ask.Node()), ask)
}

// released returns the devices of a node without an allocation.
func (s *State) released(of *device.Node, ask app.Ask) *device.Node {
	return of.Release(s.devices.types, ask.Class().Devices(), s.devices.at(ask.Slot()))
}

// FutureDevices returns the devices of a node once the leaving allocations have left.
func (s *State) FutureDevices(n int32) *device.Node {
	of := s.finder.Devices(n)
	for ask := s.orders.FirstOn(n); !ask.IsNone(); ask = ask.NextOnNode() {
		if ask.Leaving() {
			of = s.released(of, ask)
		}
	}
	return of
}

// deviceAmounts returns a set whose amounts of devices are in thousandths, for texts that were read without the configuration.
func (s *State) deviceAmounts(sum resource.Set) resource.Set {
	if len(s.devices.types) == 0 {
		return sum
	}
	sum = slices.Clone(sum)
	for i := range sum {
		if s.deviceType(sum[i].Type) != nil {
			sum[i] = inThousandths(sum[i])
		}
	}
	return sum
}

// FitsDevicesWithout reports whether a node would have devices for a class if some of its allocations had gone.
func (s *State) FitsDevicesWithout(c class.Class, n int32, gone []app.Ask) bool {
	of := s.finder.Devices(n)
	for _, ask := range gone {
		of = s.released(of, ask)
	}
	return of.Fits(c.Devices())
}

// validDevices reports whether an ask of a snapshot gets devices as an ask of an input may.
func (s *State) validDevices(asks []core.DeviceAsk) bool {
	return !slices.ContainsFunc(asks, func(a core.DeviceAsk) bool { return !a.Valid() || s.deviceType(a.Type) == nil })
}
