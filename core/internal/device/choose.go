package device

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core"
)

// Policy says which of the devices that fit an ask gets.
type Policy int8

// The policies, of asks for shares. Whole devices are taken in order.
const (
	Tightest Policy = iota // the least free share, then the least free memory
	Loosest                // the largest free share, then the most free memory
	First                  // the first in order
)

// Choose returns the devices that an ask gets by the policies of their types: some of those that it follows, if these are enough. ok is false if there are
// none.
func (n *Node) Choose(types []Type, asks []core.DeviceAsk, follows []core.PlacedDevices) (placed []core.PlacedDevices, ok bool) {
	for i := range asks {
		l := n.list(asks[i].Type)
		if l == nil {
			return nil, false
		}
		var chosen []int
		policy := policyOf(types, asks[i].Type)
		if at := slices.IndexFunc(follows, func(p core.PlacedDevices) bool { return p.Type == asks[i].Type }); at >= 0 {
			chosen = l.choose(policy, &asks[i], follows[at].IDs)
		}
		if chosen == nil {
			chosen = l.choose(policy, &asks[i], nil)
		}
		if chosen == nil {
			return nil, false
		}
		placed = append(placed, l.named(chosen))
	}
	return placed, true
}

// ChooseAnyway is Choose for an allocation that exists already: where no devices fit, it returns those with the largest free shares.
func (n *Node) ChooseAnyway(types []Type, asks []core.DeviceAsk) (placed []core.PlacedDevices) {
	for i := range asks {
		l := n.list(asks[i].Type)
		if l == nil {
			placed = append(placed, core.PlacedDevices{Type: asks[i].Type})
			continue
		}
		chosen := l.choose(policyOf(types, asks[i].Type), &asks[i], nil)
		if chosen == nil {
			chosen = l.freest(asks[i].Count)
		}
		placed = append(placed, l.named(chosen))
	}
	return placed
}

// choose returns the indexes of the devices for an ask, among those with certain IDs unless these are nil. It returns nil if there are too few.
func (l *list) choose(policy Policy, ask *core.DeviceAsk, among []string) []int {
	fitting := l.group(ask, among)
	if len(fitting) < ask.Count {
		return nil
	}
	if ask.Share != core.WholeDevice && policy != First {
		slices.SortStableFunc(fitting, func(a, b int) int { return l.compare(policy, a, b) })
	}
	return fitting[:ask.Count]
}

// policyOf returns the policy of a type.
func policyOf(types []Type, name string) Policy {
	for i := range types {
		if types[i].Name == name {
			return types[i].Policy
		}
	}
	return Tightest
}

// compare orders two devices by a policy.
func (l *list) compare(policy Policy, a, b int) int {
	x, y := &l.devices[a], &l.devices[b]
	order := cmp.Or(cmp.Compare(x.freeShare(), y.freeShare()), cmp.Compare(x.freeMemory(), y.freeMemory()))
	if policy == Loosest {
		return -order
	}
	return order
}

// group returns the indexes of the devices that fit an ask, in order; those that agree in its attribute, if it has one: the smallest group with enough. It
// returns nil if there are too few.
func (l *list) group(ask *core.DeviceAsk, among []string) []int {
	var fitting []int
	for i := range l.devices {
		if l.devices[i].fits(ask) && (among == nil || slices.Contains(among, l.devices[i].ID)) {
			fitting = append(fitting, i)
		}
	}
	if ask.Equal == "" {
		if len(fitting) < ask.Count {
			return nil
		}
		return fitting
	}
	var best []int
	for at, first := range fitting {
		value := l.devices[first].Attributes[ask.Equal]
		agrees := func(i int) bool { return l.devices[i].Attributes[ask.Equal] == value }
		if slices.ContainsFunc(fitting[:at], agrees) {
			continue // its group was looked at
		}
		var members []int
		for _, i := range fitting[at:] {
			if agrees(i) {
				members = append(members, i)
			}
		}
		if len(members) >= ask.Count && (best == nil || len(members) < len(best)) {
			best = members
		}
	}
	return best
}

// freest returns the indexes of the devices with the largest free shares, at most count.
func (l *list) freest(count int) []int {
	var all []int
	for i := range l.devices {
		if !l.devices[i].gone {
			all = append(all, i)
		}
	}
	slices.SortStableFunc(all, func(a, b int) int {
		x, y := &l.devices[a], &l.devices[b]
		return -cmp.Or(cmp.Compare(x.freeShare(), y.freeShare()), cmp.Compare(x.freeMemory(), y.freeMemory()))
	})
	return all[:min(count, len(all))]
}

// named returns the IDs of devices.
func (l *list) named(chosen []int) core.PlacedDevices {
	placed := core.PlacedDevices{Type: l.of.Name, IDs: make([]string, 0, len(chosen))}
	for _, i := range chosen {
		placed.IDs = append(placed.IDs, l.devices[i].ID)
	}
	return placed
}
