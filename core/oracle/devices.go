package oracle

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
)

// device is one device of a node.
type device struct {
	core.Device
	typ  string
	gone bool // it is in no list, and stays until no allocation has it
}

// slot is a device during a check, with what is left of it.
type slot struct {
	*device
	share, memory     int64 // negative if more is used than there is
	atShare, atMemory int64 // the same at the first instant of a check of several
	used              bool  // something is on it
	whole             bool  // something has all of it
}

func (s *slot) is(typ, id string) bool { return s.typ == typ && s.ID == id }

// use takes a share and memory.
func (s *slot) use(share, memory int64) {
	s.share, s.memory, s.atShare, s.atMemory = s.share-share, s.memory-memory, s.atShare-share, s.atMemory-memory
	s.used = s.used || share > 0 || memory > 0
	s.whole = s.whole || share >= core.WholeDevice
}

// takes reports whether the device has room for what is asked of it. A whole device is one on which nothing is.
func (s *slot) takes(w *core.DeviceAsk) bool {
	if s.typ != w.Type || s.gone || s.Unhealthy || s.whole || !satisfy(s.Attributes, w.Where) {
		return false
	}
	if w.Share == core.WholeDevice && s.used {
		return false
	}
	return max(0, s.share) >= w.Share && max(0, s.memory) >= w.Memory // what is used twice counts as none
}

// isDeviceType reports whether amounts of the type are thousandths of devices.
func (o *Oracle) isDeviceType(typ string) bool { return o.devicePolicy(typ) != "" }

// isOfDevices reports whether the type counts devices, or their memory.
func (o *Oracle) isOfDevices(typ string) bool {
	return slices.ContainsFunc(o.deviceTypes, func(t config.DeviceType) bool {
		return typ == t.Name || typ == core.DeviceMemory(t.Name)
	})
}

func (o *Oracle) devicePolicy(typ string) string {
	for _, t := range o.deviceTypes {
		if t.Name == typ {
			return t.Policy
		}
	}
	return ""
}

// chosen returns the devices that are given for a wish, or nil if there are too few.
func (o *Oracle) chosen(slots []*slot, w *core.DeviceAsk) []*slot {
	fitting := slices.DeleteFunc(slices.Clone(slots), func(s *slot) bool { return !s.takes(w) })
	if w.Equal != "" {
		fitting = smallestGroup(fitting, w)
	}
	if len(fitting) < w.Count {
		return nil
	}
	if w.Share != core.WholeDevice { // whole ones are given in order
		o.byPolicy(fitting, o.devicePolicy(w.Type))
	}
	return fitting[:w.Count]
}

// smallestGroup returns the smallest group of devices with an equal attribute that has enough of them, or nil. Of equal groups it is that of the
// first device.
func smallestGroup(fitting []*slot, w *core.DeviceAsk) []*slot {
	var best []*slot
	for _, first := range fitting {
		value, has := first.Attributes[w.Equal]
		group := slices.DeleteFunc(slices.Clone(fitting), func(s *slot) bool {
			own, has := s.Attributes[w.Equal]
			return !has || own != value
		})
		if has && len(group) >= w.Count && (best == nil || len(group) < len(best)) {
			best = group
		}
	}
	return best
}

// byPolicy orders devices that fit, the best first.
func (o *Oracle) byPolicy(fitting []*slot, policy string) {
	slices.SortStableFunc(fitting, func(a, b *slot) int {
		leastFirst := cmp.Or(cmp.Compare(max(0, a.atShare), max(0, b.atShare)), cmp.Compare(max(0, a.atMemory), max(0, b.atMemory)))
		switch policy {
		case config.Tightest:
			return leastFirst
		case config.Loosest:
			return -leastFirst
		}
		return 0
	})
}

// deal takes the devices that an ask gets: if it follows a placeholder, that one's, if they are enough. ok is false if there are too few, and
// nothing is taken then.
func (o *Oracle) deal(slots []*slot, k *ask) (placed []core.PlacedDevices, ok bool) {
	var all [][]*slot
	for i := range k.wishes {
		w := &k.wishes[i]
		own := slices.DeleteFunc(slices.Clone(slots), func(s *slot) bool { return !contains(k.follows, s.typ, s.ID) })
		got := o.chosen(own, w)
		if got == nil {
			got = o.chosen(slots, w)
		}
		if got == nil {
			return nil, false
		}
		all = append(all, got)
	}
	for i, got := range all {
		placed = append(placed, core.PlacedDevices{Type: k.wishes[i].Type, IDs: idsOf(got)})
		for _, s := range got {
			s.use(k.wishes[i].Share, k.wishes[i].Memory)
		}
	}
	return placed, true
}

func idsOf(slots []*slot) []string {
	ids := []string{}
	for _, s := range slots {
		ids = append(ids, s.ID)
	}
	return ids
}

// contains reports whether a device is among those of an allocation.
func contains(placed []core.PlacedDevices, typ, id string) bool {
	return slices.ContainsFunc(placed, func(of core.PlacedDevices) bool { return of.Type == typ && slices.Contains(of.IDs, id) })
}

// usesOf returns what an ask with certain devices takes of one of them.
func (k *ask) usesOf(placed []core.PlacedDevices, s *slot) (share, memory int64) {
	for _, w := range k.wishes {
		if w.Type == s.typ && contains(placed, s.typ, s.ID) {
			return w.Share, w.Memory
		}
	}
	return 0, 0
}

// freest returns the devices of a type with the most room, as many as are wanted if there are so many.
func freest(slots []*slot, w *core.DeviceAsk) []*slot {
	own := slices.DeleteFunc(slices.Clone(slots), func(s *slot) bool { return s.typ != w.Type || s.gone })
	slices.SortStableFunc(own, func(a, b *slot) int {
		return cmp.Or(cmp.Compare(b.freeShare(), a.freeShare()), cmp.Compare(b.freeMemory(), a.freeMemory()))
	})
	return own[:min(w.Count, len(own))]
}

// isWhole reports whether nothing is on the device, so that it may be given whole.
func (s *slot) isWhole() bool { return !s.gone && !s.Unhealthy && !s.whole && !s.used }

// freeShare returns the share that asks may get: none of a device that takes no asks.
func (s *slot) freeShare() int64 { return s.ifUsable(s.share) }

func (s *slot) freeMemory() int64 { return s.ifUsable(s.memory) }

func (s *slot) ifUsable(left int64) int64 {
	if s.gone || s.Unhealthy || s.whole {
		return 0
	}
	return max(0, left)
}
