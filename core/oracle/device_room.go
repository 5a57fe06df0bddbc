package oracle

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
)

// slotsBeside returns what is left of the node's devices beside the allocations that count. Asks that are assumed to be allocated have no
// devices yet.
func (p *partition) slotsBeside(n *node, counts func(k *ask) bool) []*slot {
	var slots []*slot
	for _, d := range n.devices {
		s := &slot{device: d}
		if !d.gone {
			s.share, s.memory = core.WholeDevice, d.Memory
		}
		s.atShare, s.atMemory = s.share, s.memory
		for _, of := range n.occupiedDevices {
			if s.is(of.Type, of.ID) {
				s.use(of.Share, of.Memory)
			}
		}
		slots = append(slots, s)
	}
	for _, k := range p.allocationsOn(n) {
		if counts(k) {
			for _, s := range slots {
				s.use(k.usesOf(k.devices, s))
			}
		}
	}
	return slots
}

func anything(*ask) bool { return true }

// slotsKept returns what is left of the node's devices for an ask: beside the allocations, and what is kept for other asks.
func (p *partition) slotsKept(n *node, k *ask) []*slot {
	slots := p.slotsBeside(n, anything)
	p.keepForTasks(slots, n, k)
	for _, held := range p.view.held {
		if held.node == n {
			p.deal(slots, held.ask)
		}
	}
	return slots
}

// keepForTasks takes what is kept for the asks that wait for their placeholder to leave, except one ask: of each device what they need beyond
// their placeholder.
func (p *partition) keepForTasks(slots []*slot, n *node, apart *ask) {
	tasks := slices.DeleteFunc(p.replacingAsks(), func(k *ask) bool { return k.replaces.node != n || k == apart })
	later := p.slotsBeside(n, func(k *ask) bool {
		return !slices.ContainsFunc(tasks, func(task *ask) bool { return task.replaces.placeholder == k })
	})
	for _, k := range tasks {
		placed, _ := p.deal(later, k)
		holder := k.replaces.placeholder
		for _, s := range slots {
			share, memory := k.usesOf(placed, s)
			if holder.node == n {
				heldShare, heldMemory := holder.usesOf(holder.devices, s)
				share, memory = max(0, share-heldShare), max(0, memory-heldMemory)
			}
			s.use(share, memory)
		}
	}
}

// devicesNow returns the devices of the node that the ask gets now. Those of its gang that are assumed to be allocated there get devices too, in the
// order of asks. ok is false if one of them gets none.
func (p *partition) devicesNow(n *node, k *ask) (placed []core.PlacedDevices, ok bool) {
	if len(k.wishes) == 0 {
		return nil, true
	}
	return p.dealBeside(p.assumedOn(n, k), p.slotsKept(n, k), k)
}

// assumedOn lists the asks without devices that are assumed to be allocated on the node.
func (p *partition) assumedOn(n *node, apart *ask) []*ask {
	return slices.DeleteFunc(p.allocationsOn(n), func(k *ask) bool { return k.allocation != 0 || k.devices != nil || k == apart })
}

// dealBeside deals out devices to asks and to one more, in the order of asks.
func (p *partition) dealBeside(others []*ask, slots []*slot, k *ask) (placed []core.PlacedDevices, ok bool) {
	for _, each := range inAskOrder(append(others, k)) {
		got, ok := p.deal(slots, each)
		if !ok {
			return nil, false
		}
		if each == k {
			placed = got
		}
	}
	return placed, true
}

// inAskOrder sorts asks of an application as they are allocated together: gang by gang in the order of their first members, and by priority and
// submission.
func inAskOrder(asks []*ask) []*ask {
	sorted := slices.Clone(asks)
	before := func(a, b *ask) int {
		return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(a.submission, b.submission))
	}
	first := func(k *ask) *ask {
		if g := k.app.atomicOf(k.details.Gang); g != nil {
			return slices.MinFunc(g.members(), before)
		}
		return k
	}
	slices.SortStableFunc(sorted, func(a, b *ask) int { return cmp.Or(before(first(a), first(b)), before(a, b)) })
	return sorted
}

// fitOnceLeft reports whether asks get devices on the node, one after the other, once all leaving allocations and these victims have left and the
// tasks that replace some are allocated.
func (p *partition) fitOnceLeft(n *node, victims []*ask, asks ...*ask) bool {
	if !slices.ContainsFunc(asks, func(k *ask) bool { return len(k.wishes) > 0 }) {
		return true
	}
	slots := p.slotsBeside(n, func(k *ask) bool { return !k.isLeaving() && !slices.Contains(victims, k) })
	for _, k := range p.replacingAsks() {
		if k.replaces.node == n {
			p.deal(slots, k)
		}
	}
	return !slices.ContainsFunc(asks, func(k *ask) bool {
		_, ok := p.deal(slots, k)
		return !ok
	})
}

// claimedOn lists the asks with claims on the node.
func claimedOn(n *node, claims []*claim) (asks []*ask) {
	for _, c := range claims {
		if c.node == n {
			asks = append(asks, c.ask)
		}
	}
	return asks
}

// choose returns the devices that an ask gets which is allocated on the node now: such that no plan loses its start, if there are.
func (p *partition) chooseDevices(n *node, k *ask) []core.PlacedDevices {
	if p.view.profile != nil {
		if placed, ok := p.devicesFrom(p.view.profile, k, n, p.now, p.view.plans); ok {
			return placed
		}
	}
	placed, _ := p.devicesNow(n, k)
	return placed
}

// devicesFrom returns the devices of the node that the ask gets from an instant for its whole walltime, beside what the profile holds and these
// plans: those that are free all the time, in order of what is free at that instant.
func (p *partition) devicesFrom(f *profile, k *ask, n *node, start time.Duration, beside []*plan) (placed []core.PlacedDevices, ok bool) {
	if len(k.wishes) == 0 {
		return nil, true
	}
	others := p.assumedOn(n, k)
	var all []*slot
	for _, at := range p.changesWhile(f, k, start, beside) {
		slots := asOf(p, f, at, beside, func() []*slot { return p.slotsKept(n, k) })
		if all == nil {
			all = slots
		}
		for i, s := range all {
			s.share, s.memory = min(s.share, slots[i].share), min(s.memory, slots[i].memory)
			s.used, s.whole = s.used || slots[i].used, s.whole || slots[i].whole
		}
	}
	return p.dealBeside(others, all, k)
}

// deviceRoom returns how many asks like this one get devices on the node. Shares of one type are counted, as if they were dealt out evenly.
func (p *partition) deviceRoom(n *node, k *ask) int64 {
	if len(k.wishes) == 0 {
		return math.MaxInt64
	}
	slots := p.slotsKept(n, k)
	if slices.ContainsFunc(k.wishes, func(w core.DeviceAsk) bool { return w.Equal != "" }) {
		for count := int64(0); ; count++ {
			if _, ok := p.deal(slots, k); !ok {
				return count
			}
		}
	}
	least := int64(math.MaxInt64)
	for i := range k.wishes {
		least = min(least, roomOfType(slots, &k.wishes[i]))
	}
	return least
}

// roomOfType returns the largest t for which the sum over devices of min(t, times that a device has room) is at least t times the count.
func roomOfType(slots []*slot, w *core.DeviceAsk) int64 {
	var times []int64
	var sum int64
	for _, s := range slots {
		if s.takes(w) {
			fits := int64(math.MaxInt64)
			if w.Share > 0 {
				fits = s.share / w.Share
			}
			if w.Memory > 0 {
				fits = min(fits, s.memory/w.Memory)
			}
			times, sum = append(times, fits), sum+fits
		}
	}
	enough := func(t int64) bool {
		var even int64
		for _, fits := range times {
			even += min(t, fits)
		}
		return even >= t*int64(w.Count)
	}
	least, most := int64(0), sum/int64(w.Count)
	for least < most {
		if t := (least + most + 1) / 2; enough(t) {
			least = t
		} else {
			most = t - 1
		}
	}
	return least
}
