package oracle

import (
	"cmp"
	"maps"
	"math/big"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// inThousandths marks amounts of device types, as the scheduler does.
func (o *Oracle) inThousandths(s resource.Set) resource.Set {
	marked := slices.Clone(s)
	for i := range marked {
		marked[i].Milli = o.isDeviceType(marked[i].Type)
	}
	return marked
}

// wishesOf divides amounts and wishes of an input into the amounts of other types, and wishes for devices: an amount of a device type is the short
// form of a wish.
func (o *Oracle) wishesOf(amounts resource.Set, stated []core.DeviceAsk) (plain resource.Set, wishes []core.DeviceAsk) {
	wishes = slices.DeleteFunc(slices.Clone(stated), func(w core.DeviceAsk) bool {
		_, again := amounts.Value(w.Type)
		return again
	})
	for _, q := range amounts {
		if !o.isDeviceType(q.Type) {
			plain = append(plain, q)
			continue
		}
		if short, ok := core.ShortDevices(q.Type, shortValue(q)); ok {
			wishes = append(wishes, short)
		}
	}
	slices.SortFunc(wishes, func(a, b core.DeviceAsk) int { return cmp.Compare(a.Type, b.Type) })
	return plain, wishes
}

// withWishes adds the amounts of wishes to other amounts.
func withWishes(plain resource.Set, wishes []core.DeviceAsk) resource.Set {
	sum := amountsOf(plain)
	for _, w := range wishes {
		share, memory := saturated(w.Share, w.Count), saturated(w.Memory, w.Count)
		for _, q := range deviceAmounts(w.Type, share, memory) {
			if q.Value > 0 {
				sum[q.Type] = resource.Add(sum[q.Type], q.Value)
			}
		}
	}
	return sum.setWithZeros()
}

// saturated returns the product of an amount and a count, or the largest amount.
func saturated(amount int64, count int) int64 {
	if product := new(big.Int).Mul(big.NewInt(amount), big.NewInt(int64(count))); product.IsInt64() {
		return product.Int64()
	}
	return resource.Most
}

// wants sets what an ask asks for.
func (k *ask) wants(plain resource.Set, wishes []core.DeviceAsk) {
	k.plain, k.wishes, k.resources = plain, wishes, withWishes(plain, wishes)
}

// updated returns what an ask asks for after an update. Amounts and wishes are replaced apart.
func (o *Oracle) updated(k *ask, in *core.UpdateAsk) (plain resource.Set, wishes []core.DeviceAsk) {
	plain, wishes = k.plain, k.wishes
	if in.Resources != nil {
		plain, wishes = o.wishesOf(in.Resources, wishes)
	}
	if in.Devices != nil {
		_, wishes = o.wishesOf(nil, in.Devices)
	}
	return plain, wishes
}

// refusesWishes returns the reason for which an ask may not state amounts or wishes, or "".
func (o *Oracle) refusesWishes(amounts resource.Set, wishes []core.DeviceAsk) core.Reason {
	for _, q := range amounts {
		twice := slices.ContainsFunc(wishes, func(w core.DeviceAsk) bool { return w.Type == q.Type })
		switch {
		case o.isDeviceType(q.Type):
			if _, ok := core.ShortDevices(q.Type, shortValue(q)); q.Value != 0 && (!ok || twice) {
				return core.ReasonDeviceAmount
			}
		case o.isOfDevices(q.Type):
			return core.ReasonDeviceAmount
		case q.Milli:
			return core.ReasonNotADeviceType
		}
	}
	if slices.ContainsFunc(wishes, func(w core.DeviceAsk) bool { return !o.isDeviceType(w.Type) }) {
		return core.ReasonNotADeviceType
	}
	return ""
}

// refusesUpdate is refusesWishes for an update of an ask, in which an amount of a device type replaces the wish for it.
func (o *Oracle) refusesUpdate(k *ask, in *core.UpdateAsk) core.Reason {
	wishes := in.Devices
	if in.Devices == nil {
		wishes = slices.DeleteFunc(slices.Clone(k.wishes), func(w core.DeviceAsk) bool { _, again := in.Resources.Value(w.Type); return again })
	}
	return o.refusesWishes(in.Resources, wishes)
}

// shortValue returns an amount of a device type in thousandths.
func shortValue(q resource.Quantity) int64 {
	switch {
	case q.Milli:
		return q.Value
	case q.Value > resource.Most/core.WholeDevice:
		return resource.Most
	}
	return q.Value * core.WholeDevice
}

// refusesDevices returns the reason for which a node may not state capacity, occupied amounts, devices or what others use of them, or "".
func (o *Oracle) refusesDevices(n *node, capacity, occupied resource.Set, lists []core.Devices, taken []core.OccupiedDevice) core.Reason {
	for _, q := range slices.Concat(capacity, occupied) {
		switch {
		case o.isOfDevices(q.Type):
			return core.ReasonDeviceAmount
		case q.Milli:
			return core.ReasonNotADeviceType
		}
	}
	if slices.ContainsFunc(lists, func(of core.Devices) bool { return !o.isDeviceType(of.Type) }) {
		return core.ReasonNotADeviceType
	}
	for _, of := range taken {
		switch types := typesWith(n, lists, of.ID); {
		case of.Type == "" && len(types) > 1:
			return core.ReasonDeviceAmount
		case of.Type != "" && !o.isDeviceType(of.Type):
			return core.ReasonNotADeviceType
		}
	}
	return ""
}

// typesWith returns the types of which the node has a device with the ID once it has other lists. The node may be nil.
func typesWith(n *node, lists []core.Devices, id string) map[string]bool {
	types := map[string]bool{}
	if n != nil {
		for _, d := range n.devices {
			if d.ID == id && !d.gone {
				types[d.typ] = true
			}
		}
	}
	for _, of := range lists {
		delete(types, of.Type)
		if slices.ContainsFunc(of.List, func(d core.Device) bool { return d.ID == id }) {
			types[of.Type] = true
		}
	}
	return types
}

// setDevices replaces the lists of devices of some types. Those that are in no list any more come last while allocations have them.
func (p *partition) setDevices(n *node, lists []core.Devices) {
	for _, of := range lists {
		var own []*device
		for _, d := range of.List {
			own = append(own, &device{Device: d, typ: of.Type})
		}
		for _, d := range n.devices {
			listed := slices.ContainsFunc(of.List, func(other core.Device) bool { return other.ID == d.ID })
			if d.typ == of.Type && !listed && p.hasDevice(n, d) {
				n.addGone(&own, d.typ, d.ID)
			}
		}
		others := slices.DeleteFunc(slices.Clone(n.devices), func(d *device) bool { return d.typ == of.Type })
		n.devices = append(others, own...)
	}
	n.occupiedDevices = slices.DeleteFunc(slices.Clone(n.occupiedDevices), func(of core.OccupiedDevice) bool { return !n.lists(of) })
}

// lists reports whether the node has the device, and it is not gone.
func (n *node) lists(of core.OccupiedDevice) bool {
	return slices.ContainsFunc(n.devices, func(d *device) bool { return !d.gone && d.typ == of.Type && d.ID == of.ID })
}

// addGone adds a device that the node does not have: after those that it has, by ID.
func (n *node) addGone(devices *[]*device, typ, id string) {
	*devices = append(*devices, &device{Device: core.Device{ID: id}, typ: typ, gone: true})
	slices.SortStableFunc(*devices, func(a, b *device) int {
		if !a.gone || !b.gone {
			return compareFirst(!a.gone, !b.gone)
		}
		return cmp.Compare(a.ID, b.ID)
	})
}

// hasDevice reports whether an allocation has the device.
func (p *partition) hasDevice(n *node, d *device) bool {
	return slices.ContainsFunc(p.allocationsOn(n), func(k *ask) bool { return contains(k.devices, d.typ, d.ID) })
}

// dropGone drops the devices that are in no list and have no allocation.
func (p *partition) dropGone(n *node) {
	n.devices = slices.DeleteFunc(slices.Clone(n.devices), func(d *device) bool { return d.gone && !p.hasDevice(n, d) })
}

// setOccupied replaces what others use of the devices. An entry without a type is about the only device with its ID.
func (n *node) setOccupied(taken []core.OccupiedDevice) {
	n.occupiedDevices = nil
	for _, of := range taken {
		if of.Type == "" {
			for _, d := range n.devices {
				if d.ID == of.ID {
					of.Type = d.typ
				}
			}
		}
		if n.lists(of) {
			n.occupiedDevices = append(n.occupiedDevices, of)
		}
	}
}

// addUp makes the capacity and the occupied amounts of the node from those of its devices and the others.
func (n *node) addUp() {
	capacity, occupied := amountsOf(n.plain), amountsOf(n.plainOccupied)
	for _, d := range n.devices {
		if !d.gone {
			capacity.add(deviceAmounts(d.typ, core.WholeDevice, d.Memory))
		}
		for _, of := range n.occupiedDevices {
			if of.Type == d.typ && of.ID == d.ID {
				occupied.add(deviceAmounts(d.typ, of.Share, of.Memory))
			}
		}
	}
	n.capacity, n.occupied = capacity.setWithZeros(), occupied.setWithZeros()
}

// deviceAmounts returns the amounts of a share and of memory of a type of devices.
func deviceAmounts(typ string, share, memory int64) resource.Set {
	set := resource.NewSet(resource.Quantity{Type: typ, Value: share})
	if memory > 0 {
		set = resource.NewSet(append(set, resource.Quantity{Type: core.DeviceMemory(typ), Value: memory})...)
	}
	return set
}

// haveMore reports whether some device has more room than before: it is new, has more of a share or of memory, or nothing is on it any more; or whether
// it has other attributes.
func haveMore(after, before []*slot) bool {
	return slices.ContainsFunc(after, func(s *slot) bool {
		at := slices.IndexFunc(before, func(other *slot) bool { return other.is(s.typ, s.ID) })
		if s.gone || s.Unhealthy || s.whole {
			return false
		}
		return at < 0 || s.freeShare() > before[at].freeShare() || s.freeMemory() > before[at].freeMemory() ||
			s.isWhole() && !before[at].isWhole() || !maps.Equal(s.Attributes, before[at].Attributes)
	})
}

// restoredDevices returns the devices of a restored allocation: those that the input names, or those that the scheduler chooses. Where too few
// have room, the freest are chosen. Devices that the node does not have are added as gone ones.
func (p *partition) restoredDevices(k *ask, n *node, stated []core.PlacedDevices) []core.PlacedDevices {
	var placed []core.PlacedDevices
	slots := p.slotsBeside(n, anything)
	for i := range k.wishes {
		at := slices.IndexFunc(stated, func(of core.PlacedDevices) bool { return of.Type == k.wishes[i].Type })
		if at >= 0 {
			placed = append(placed, stated[at])
			continue
		}
		got := p.chosen(slots, &k.wishes[i])
		if got == nil {
			got = freest(slots, &k.wishes[i])
		}
		placed = append(placed, core.PlacedDevices{Type: k.wishes[i].Type, IDs: idsOf(got)})
	}
	for _, of := range placed {
		for _, id := range of.IDs {
			if !slices.ContainsFunc(n.devices, func(d *device) bool { return d.typ == of.Type && d.ID == id }) {
				n.addGone(&n.devices, of.Type, id)
			}
		}
	}
	return placed
}
