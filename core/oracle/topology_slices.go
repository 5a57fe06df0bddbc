package oracle

import (
	"slices"

	"github.com/quern-project/quern/core"
)

// The members of a gang with slices are placed slice by slice: each slice in one domain of the slices' level. Domains of that level and of
// wider ones take whole slices. Below it, slices do not matter.

// sliceLevel returns the index of the level of the ask's slices. ok is false if it has none. After a reload, the level may be unknown: then
// it is negative.
func (p *partition) sliceLevel(k *ask) (level int, ok bool) {
	s := k.details.Topology.Slice
	if g := k.app.atomicOf(k.details.Gang); s.Size == 0 || g == nil || g.fellBack {
		return 0, false
	}
	if p.wrongSlices(k.details.Topology) {
		return -1, true
	}
	return p.settings.Level(s.Level), true
}

// wrongSlices reports whether the slices of an ask have no level below that of the whole gang, which is all nodes if none is named.
func (p *partition) wrongSlices(t core.Topology) bool {
	above, level := wholeCluster, p.settings.Level(t.Slice.Level)
	if whole := t.Required + t.Preferred; whole != "" { // at most one is given
		above = p.settings.Level(whole)
		if above < 0 {
			return t.Slice.Size > 0
		}
	}
	made := level >= p.settings.Nested() && level < len(p.settings.Topology)
	return t.Slice.Size > 0 && (level <= above || made)
}

// chunks cuts members into slices, the last of which may be smaller.
func chunks(members []*ask) [][]*ask {
	if len(members) == 0 {
		return nil
	}
	return slices.Collect(slices.Chunk(members, members[0].details.Topology.Slice.Size))
}

// slicesToTry lists the slices of pending members: whole ones or, if the number of members that are needed is no multiple of their size, as
// many members as are needed.
func slicesToTry(members []*ask, need int) [][]*ask {
	if size := members[0].details.Topology.Slice.Size; need%size == 0 {
		return chunks(members[:len(members)-len(members)%size])
	}
	return chunks(members[:min(need, len(members))])
}

// takesSlices reports whether the domain takes whole slices of the members. Otherwise it takes members.
func (p *partition) takesSlices(d *domain, members []*ask) (level int, ok bool) {
	if len(members) == 0 {
		return 0, false
	}
	level, ok = p.sliceLevel(members[0])
	return level, ok && d != nil && d.level <= level
}

// sliceDomains lists the domains of the slices' level inside a domain.
func (p *partition) sliceDomains(d *domain, level int) []*domain {
	if d.level == level {
		return []*domain{d}
	}
	named, _ := p.domainsOf(d.nodes, level)
	return named
}

// placeSlices places slices in their order, each in the domain with the least room that takes it, until enough members are placed. Slices
// that no domain takes are passed over.
func (p *partition) placeSlices(d *domain, level int, tried [][]*ask, enough int) map[*ask]*node {
	all, nodes := slices.Concat(tried...), map[*ask]*node{}
	for _, slice := range tried {
		if len(nodes) >= enough {
			break
		}
		var best map[*ask]*node
		var room int64
		for _, inner := range p.sliceDomains(d, level) {
			found := assumed(nodes, func() map[*ask]*node {
				return inside(p, inner, func() map[*ask]*node { return p.placeMembers(slice, len(slice)) })
			})
			if has := p.roomFor(inner, all); found != nil && (best == nil || has < room) {
				best, room = found, has
			}
		}
		for k, n := range best {
			nodes[k] = n
		}
	}
	return nodes
}

// placeInSlices places as many members as are needed in the domain, in slices. It returns nil if there are too few.
func (p *partition) placeInSlices(d *domain, level int, members []*ask, need int) map[*ask]*node {
	if nodes := p.placeSlices(d, level, slicesToTry(members, need), need); len(nodes) == need {
		return nodes
	}
	if alone := p.fitAlone(d, members); len(alone) >= need {
		if nodes := p.placeSlices(d, level, chunks(alone[:need]), need); len(nodes) == need {
			return nodes
		}
	}
	return nil
}

// takenInSlices returns how many members the domain takes in slices, or 0 if it takes fewer than are needed.
func (p *partition) takenInSlices(d *domain, level int, members []*ask, need int) int {
	if nodes := p.placeSlices(d, level, slicesToTry(members, need), len(members)); len(nodes) >= need {
		return len(nodes)
	}
	return len(p.placeInSlices(d, level, members, need))
}

// fitAlone lists the members that fit the domain alone.
func (p *partition) fitAlone(d *domain, members []*ask) []*ask {
	return inside(p, d, func() []*ask {
		return slices.DeleteFunc(slices.Clone(members), func(k *ask) bool { return len(p.nodesThatTake(k)) == 0 })
	})
}

// unassumed runs a check as if the members of a gang that are assumed to be allocated were not.
func unassumed[T any](g *atomicGang, judge func() T) T {
	nodes := map[*ask]*node{}
	for _, k := range g.members() {
		if k.node != nil && k.allocation == 0 {
			nodes[k] = k.node
			k.node = nil
		}
	}
	defer func() {
		for k, n := range nodes {
			k.node = n
		}
	}()
	return judge()
}

// inOneSlice reports whether the node may be used for a member beside the nodes of the members before it: it is in the domain of those that
// are in its slice.
func (p *partition) inOneSlice(members []*ask, k *ask, n *node, nodes map[*ask]*node) bool {
	level, ok := p.sliceLevel(k)
	if !ok {
		return true
	}
	size := k.details.Topology.Slice.Size
	at := slices.Index(members, k)
	first := members[at-at%size]
	return level >= 0 && p.hasDomain(n, level) && (first == k || p.inOneDomain(n, nodes[first], level))
}

// The allocated members of a gang belong to slices, which are numbered from 1.

// numberSlices numbers the slices of members that are placed together.
func numberSlices(members []*ask) {
	if len(members) == 0 || members[0].details.Topology.Slice.Size == 0 {
		return
	}
	for i, slice := range chunks(members) {
		for _, k := range slice {
			k.slice = i + 1
		}
	}
}

// joinSlice puts a member that was placed alone in a slice: the first that lacks a member and has the domain of its node, or else the first
// without members that are present.
func (p *partition) joinSlice(k *ask) {
	g := k.app.atomicOf(k.details.Gang)
	level, ok := p.sliceLevel(k)
	if !ok || k.slice != 0 {
		return
	}
	for number := 1; number <= g.lastSlice(); number++ {
		home := p.sliceHome(g, number, level)
		if g.lacking(number) > 0 && home != nil && p.inOneDomain(home, k.landsOn(), level) {
			k.slice = number
			return
		}
	}
	for number := 1; ; number++ {
		if len(g.inSlice(number)) == 0 && g.lacking(number) > 0 {
			k.slice = number
			return
		}
	}
}

// inSlice lists the members that are there in a slice, in order of allocation. One whose placeholder is leaving for it comes last.
func (g *atomicGang) inSlice(number int) []*ask {
	there := append(inAllocationOrder(g.present()), slices.DeleteFunc(g.members(), func(k *ask) bool { return k.replaces == nil })...)
	return slices.DeleteFunc(there, func(k *ask) bool { return k.slice != number })
}

// landsOn returns the node on which the member is or, while its placeholder is leaving for it, will be allocated.
func (k *ask) landsOn() *node {
	if k.replaces != nil {
		return k.replaces.node
	}
	return k.node
}

// lacking returns how many members a slice lacks. Those that have succeeded are there.
func (g *atomicGang) lacking(number int) int {
	return g.topology.Slice.Size - len(g.inSlice(number)) - g.sliceDone[number]
}

// lastSlice returns the largest number of a slice.
func (g *atomicGang) lastSlice() int {
	last := 0
	for number := range g.sliceDone {
		last = max(last, number)
	}
	for _, k := range g.members() {
		last = max(last, k.slice)
	}
	return last
}

// sliceHome returns a node in the domain of the slice, or nil if it has none.
func (p *partition) sliceHome(g *atomicGang, number, level int) *node {
	for _, k := range g.inSlice(number) {
		if level >= 0 && p.hasDomain(k.landsOn(), level) {
			return k.landsOn()
		}
	}
	return nil
}

// inReachOfSlice reports whether a pending member may be placed on the node: it is in the domain of the slice that the member completes.
// Pending members complete slices in their order.
func (p *partition) inReachOfSlice(n *node, k *ask) bool {
	level, ok := p.sliceLevel(k)
	if !ok {
		return true
	}
	if level < 0 || !p.hasDomain(n, level) {
		return false
	}
	g := k.app.atomicOf(k.details.Gang)
	if g.waits() {
		return true
	}
	home := p.sliceHome(g, g.sliceFor(k), level)
	return home == nil || p.inOneDomain(n, home, level)
}

// sliceFor returns the number of the slice that a pending member completes.
func (g *atomicGang) sliceFor(k *ask) int {
	left := 0
	for _, other := range g.app.pendingByPriority() {
		if other == k {
			break
		}
		if g.app.atomicOf(other.details.Gang) == g && other.replaces == nil {
			left++
		}
	}
	number := 1
	for ; left >= max(0, g.lacking(number)); number++ {
		left -= max(0, g.lacking(number))
	}
	return number
}
