package oracle

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core"
)

// Gangs of one set start together, as many as its min says. Once one of them was placed, each waits for itself.

// waitsForSet reports whether the gang waits for other gangs of its set.
func (g *atomicGang) waitsForSet() bool { return g.Set != "" && g.waits() && !g.app.setsStarted[g.Set] }

// startSet records that a gang of a set was placed.
func (g *atomicGang) startSet() {
	if g.Set != "" {
		g.app.setsStarted[g.Set] = true
	}
}

// setDisagrees reports whether a gang of the same set has another min of the set.
func (a *app) setDisagrees(set string, least int) bool {
	return set != "" && slices.ContainsFunc(a.atomic, func(g *atomicGang) bool { return g.Set == set && g.SetMin != least })
}

// completeGangs lists the waiting gangs of the set that have enough pending members, in the order of their first members.
func (p *partition) completeGangs(a *app, set string) []*atomicGang {
	pending := a.pending()
	first := func(g *atomicGang) int { return slices.Index(pending, p.members(a, g)[0]) }
	complete := slices.DeleteFunc(slices.Clone(a.atomic), func(g *atomicGang) bool {
		return g.Set != set || !g.waitsForSet() || len(p.members(a, g)) < g.need()
	})
	slices.SortFunc(complete, func(g, h *atomicGang) int { return cmp.Compare(first(g), first(h)) })
	return complete
}

// trySet allocates as many gangs of a set as are needed by one decision, or none, if the ask is the first member of the first one.
func (p *partition) trySet(k *ask) progress {
	g := k.waitingGang()
	complete := p.completeGangs(k.app, g.Set)
	if len(complete) < g.SetMin || p.members(k.app, complete[0])[0] != k {
		return nothing
	}
	var views []view
	var all [][]*ask
	for _, each := range complete {
		members := p.members(k.app, each)
		views = append(views, p.viewOf(members[0]))
		all = append(all, members)
	}
	var landed [][]*ask
	nodes, devices := map[*ask]*node{}, map[*ask][]core.PlacedDevices{}
	for i, each := range complete {
		if len(landed) == g.SetMin {
			break
		}
		own := seenBy(p, views[i], func() map[*ask]*node {
			return assumed(nodes, func() map[*ask]*node { return p.placeTogether(all[i], each.need()) })
		})
		if own == nil {
			continue
		}
		dealt := seenBy(p, views[i], func() map[*ask][]core.PlacedDevices {
			return assumed(nodes, func() map[*ask][]core.PlacedDevices { return p.dealTogether(all[i], own) })
		})
		for member, n := range own {
			nodes[member], devices[member] = n, dealt[member]
		}
		landed = append(landed, slices.DeleteFunc(all[i], func(member *ask) bool { return own[member] == nil }))
	}
	if len(landed) < g.SetMin {
		return nothing
	}
	p.overtake(slices.Concat(landed...)...)
	for _, members := range landed {
		numberSlices(members)
	}
	p.allocateEach(slices.Concat(landed...), nodes, devices)
	return allocated
}
