package oracle

import (
	"cmp"
	"math"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// domain is a set of nodes that have the same values of the attributes of a level and of all wider ones.
type domain struct {
	level  int      // index in the topology; below its last level, each node is a domain; wholeCluster for all nodes
	values []string // from the widest level down; nil for nodes that are in no domain of the level
	nodes  []*node
}

const wholeCluster = -1

// valuesAt returns the values of the node down to a level. ok is false if it is in no domain of the level.
func (p *partition) valuesAt(n *node, level int) (values []string, ok bool) {
	if level == len(p.settings.Topology) {
		return []string{n.id}, true
	}
	for _, l := range p.settings.Path(level) {
		value, has := n.attributes[l.Attribute]
		if !has {
			return nil, false
		}
		values = append(values, value)
	}
	return values, true
}

func (p *partition) hasDomain(n *node, level int) bool {
	_, ok := p.valuesAt(n, level)
	return ok
}

func (p *partition) inOneDomain(a, b *node, level int) bool {
	valuesA, okA := p.valuesAt(a, level)
	valuesB, okB := p.valuesAt(b, level)
	return okA && okB && slices.Equal(valuesA, valuesB)
}

// domainsOf divides nodes into the domains of a level, by name, and those that are in none.
func (p *partition) domainsOf(nodes []*node, level int) (named []*domain, others *domain) {
	others = &domain{level: level}
	for _, n := range nodes {
		values, ok := p.valuesAt(n, level)
		i := slices.IndexFunc(named, func(d *domain) bool { return slices.Equal(d.values, values) })
		switch {
		case !ok:
			others.nodes = append(others.nodes, n)
		case i < 0:
			named = append(named, &domain{level, values, []*node{n}})
		default:
			named[i].nodes = append(named[i].nodes, n)
		}
	}
	slices.SortFunc(named, func(a, b *domain) int { return slices.Compare(a.values, b.values) })
	return named, others
}

// requiredLevel returns the index of the level that the ask requires. ok is false if it requires none. After a reload, the level may be
// unknown: then it is negative.
func (p *partition) requiredLevel(k *ask) (level int, ok bool) {
	name := k.details.Topology.Required
	return p.settings.Level(name), name != ""
}

// preferredLevel returns the index of the level that the ask prefers. ok is false if there is none.
func (p *partition) preferredLevel(k *ask) (level int, ok bool) {
	name := k.details.Topology.Preferred
	level = p.settings.Level(name)
	return level, name != "" && level >= 0
}

// inReach reports whether the node is in the domain that the ask requires: that of its gang once it is placed, or else any.
func (p *partition) inReach(n *node, k *ask) bool {
	return p.inRequiredDomain(n, k) && p.inReachOfSlice(n, k)
}

func (p *partition) inRequiredDomain(n *node, k *ask) bool {
	level, ok := p.requiredLevel(k)
	if !ok {
		return true
	}
	if level < 0 || !p.hasDomain(n, level) {
		return false
	}
	home := p.home(k, level)
	return home == nil || p.inOneDomain(n, home, level)
}

// home returns a node in the domain of the placed gang of the ask, or nil if there is none.
func (p *partition) home(k *ask, level int) *node {
	g := k.app.atomicOf(k.details.Gang)
	if g == nil || g.waits() || g.fellBack {
		return nil
	}
	for _, member := range inAllocationOrder(g.present()) {
		if p.hasDomain(member.node, level) {
			return member.node
		}
	}
	return nil
}

// byPreference orders nodes for the ask: those with a domain at the preferred level, those with one at each wider level, and the rest.
func (p *partition) byPreference(nodes []*node, k *ask) []*node {
	level, ok := p.preferredLevel(k)
	if !ok || k.waitingGang() != nil {
		return nodes
	}
	slices.SortStableFunc(nodes, func(a, b *node) int { return cmp.Compare(p.depth(b, level), p.depth(a, level)) })
	return nodes
}

// depth returns the number of levels, down to the given one, at which the node has a domain.
func (p *partition) depth(n *node, level int) int {
	if level == len(p.settings.Topology) {
		return 0
	}
	depth := 0
	for _, l := range p.settings.Path(level) {
		if _, has := n.attributes[l.Attribute]; !has {
			break
		}
		depth++
	}
	return depth
}

// inside runs a search that uses only the nodes of the domain.
func inside[T any](p *partition, d *domain, search func() T) T {
	before := p.view.domain
	p.view.domain = d
	defer func() { p.view.domain = before }()
	return search()
}

// searchedNodes lists the nodes that a search uses.
func (p *partition) searchedNodes() []*node {
	if p.view.domain != nil {
		return slices.Clone(p.view.domain.nodes)
	}
	return slices.Clone(p.nodes)
}

// placeTogether assigns nodes to as many members of a gang as are needed, in the domain that its topology asks for. It returns nil if it
// finds none.
func (p *partition) placeTogether(members []*ask, least int) map[*ask]*node {
	if level, ok := p.requiredLevel(members[0]); ok {
		return p.placeAtLevel(level, members, least)
	}
	level, ok := p.preferredLevel(members[0])
	if _, sliced := p.sliceLevel(members[0]); !ok && !sliced {
		return p.placeOn(members, least)
	}
	for ; ok && level >= 0; level = p.settings.Wider(level) {
		if nodes := p.placeAtLevel(level, members, least); nodes != nil {
			return nodes
		}
	}
	return p.descend(&domain{level: wholeCluster, nodes: p.nodes}, members, least)
}

// placeAtLevel places members in one domain of a level.
func (p *partition) placeAtLevel(level int, members []*ask, least int) map[*ask]*node {
	if level < 0 {
		return nil
	}
	domains, _ := p.domainsOf(p.nodes, level)
	if best := p.bestDomain(domains, members, least); best != nil {
		return p.descend(best, members, least)
	}
	return nil
}

// placeOn assigns nodes to as many members as are needed, in slices if the domain that is searched takes these.
func (p *partition) placeOn(members []*ask, least int) map[*ask]*node {
	if level, ok := p.takesSlices(p.view.domain, members); ok {
		return p.placeInSlices(p.view.domain, level, members, least)
	}
	return p.placeMembers(members, least)
}

// placeMembers assigns nodes to as many members as are needed: in their order or, if too few fit so, by other assignments.
func (p *partition) placeMembers(members []*ask, least int) map[*ask]*node {
	if nodes := p.inOrder(members, least); len(nodes) == least {
		return nodes
	}
	return p.fitHardest(members, least)
}

// bestDomain returns the domain that takes the most members, at least as many as are needed. Of several, it is the one with the least room,
// and then the first by name. It returns nil if there is none.
func (p *partition) bestDomain(domains []*domain, members []*ask, least int) *domain {
	var best *domain
	var most int
	var room int64
	for _, d := range domains {
		taken, has := p.taken(d, members, least), p.roomFor(d, members)
		if taken >= least && (best == nil || taken > most || taken == most && has < room) {
			best, most, room = d, taken, has
		}
	}
	return best
}

// taken returns how many members the domain takes, or 0 if it takes fewer than are needed.
func (p *partition) taken(d *domain, members []*ask, least int) int {
	if level, ok := p.takesSlices(d, members); ok {
		return p.takenInSlices(d, level, members, least)
	}
	return inside(p, d, func() int {
		if taken := len(p.inOrder(members, len(members))); taken >= least {
			return taken
		}
		return len(p.fitHardest(members, least))
	})
}

// roomFor returns how many of the largest of the members the nodes of the domain that may take it have room for, or how many slices of such
// members if the domain takes slices.
func (p *partition) roomFor(d *domain, members []*ask) int64 {
	return unassumed(members[0].app.atomicOf(members[0].details.Gang), func() int64 {
		level, ok := p.takesSlices(d, members)
		if !ok {
			return p.roomForMembers(d, members)
		}
		var room int64
		for _, inner := range p.sliceDomains(d, level) {
			room = resource.Add(room, p.roomForMembers(inner, members)/int64(members[0].details.Topology.Slice.Size))
		}
		return room
	})
}

func (p *partition) roomForMembers(d *domain, members []*ask) int64 {
	largest := members[0]
	for _, k := range members {
		if p.dominantShare(k) > p.dominantShare(largest) {
			largest = k
		}
	}
	var room int64
	for _, n := range d.nodes {
		if !p.admits(n, largest) || !p.mayUse(n, largest) || !p.leavesPlans(n, largest) {
			continue
		}
		fits, kept := int64(math.MaxInt64), p.keptOn(n, largest)
		fits = min(fits, p.deviceRoom(n, largest))
		for _, need := range largest.plain {
			if need.Value > 0 {
				fits = min(fits, max(0, n.roomWhenEmpty(need.Type)-kept[need.Type])/need.Value)
			}
		}
		room = resource.Add(room, fits)
	}
	return room
}

// descend places as many members as are needed in the domain: in one domain of the next level if possible, or else in few.
func (p *partition) descend(d *domain, members []*ask, least int) map[*ask]*node {
	own := inside(p, d, func() map[*ask]*node { return p.placeOn(members, least) })
	next, last := p.narrower(d.level), p.settings.Nested()-1
	sliceLevel, sliced := p.takesSlices(d, members)
	if sliced {
		last = max(last, sliceLevel)
	}
	if d.level != wholeCluster && d.values == nil { // the nodes in none of its domains are in none of the next levels either
		next = len(p.settings.Topology)
	}
	if own == nil || next > last {
		return own
	}
	if sliced && next > sliceLevel { // below, slices do not matter
		members = slices.DeleteFunc(slices.Clone(members), func(k *ask) bool { return own[k] == nil })
	}
	named, others := p.domainsOf(d.nodes, next)
	if len(named) == 0 {
		return own
	}
	if best := p.bestDomain(named, members, least); best != nil {
		return p.descend(best, members, least)
	}
	if p.taken(others, members, least) >= least {
		return p.descend(others, members, least)
	}
	dealt := slices.DeleteFunc(slices.Clone(members), func(k *ask) bool { return own[k] == nil })
	if nodes := p.dealOut(dealt, named, others); nodes != nil {
		return nodes
	}
	return own
}

// narrower returns the index of the next level below another one. Below a level that was made for an attribute there are single nodes.
func (p *partition) narrower(level int) int {
	if nodes := len(p.settings.Topology); level+1 >= p.settings.Nested() && level < nodes {
		return nodes
	}
	return level + 1
}

// dealOut places all members in domains, those with the most room first and the nodes in none last. As soon as one domain holds all that
// are left, the tightest such takes them. It returns nil if some are left in the end.
func (p *partition) dealOut(left []*ask, named []*domain, others *domain) map[*ask]*node {
	placed := map[*ask]*node{}
	place := func(d *domain, members []*ask) {
		for k, n := range assumed(placed, func() map[*ask]*node { return p.descend(d, members, len(members)) }) {
			placed[k] = n
		}
		left = slices.DeleteFunc(slices.Clone(left), func(k *ask) bool { return placed[k] != nil })
	}
	for unused := append(slices.Clone(named), others); len(left) > 0; {
		if d := p.tightest(unused, left, placed); d != nil {
			place(d, left)
			return placed
		}
		d := p.roomiest(unused, left)
		if d == nil {
			return nil
		}
		unused = slices.DeleteFunc(unused, func(other *domain) bool { return other == d })
		part := assumed(placed, func() map[*ask]*node {
			return inside(p, d, func() map[*ask]*node { return p.placeInOrder(d, left) })
		})
		if len(part) > 0 {
			place(d, slices.DeleteFunc(slices.Clone(left), func(k *ask) bool { return part[k] == nil }))
		}
	}
	return placed
}

// placeInOrder places the members in the domain that fit in their order.
func (p *partition) placeInOrder(d *domain, members []*ask) map[*ask]*node {
	if level, ok := p.takesSlices(d, members); ok {
		return p.placeSlices(d, level, slicesToTry(members, len(members)), len(members))
	}
	return p.inOrder(members, len(members))
}

// tightest returns the domain with the least room that holds all members, the nodes in no domain last, or nil.
func (p *partition) tightest(domains []*domain, members []*ask, placed map[*ask]*node) *domain {
	var best *domain
	for _, d := range domains {
		holds := assumed(placed, func() bool {
			return inside(p, d, func() bool { return p.placeOn(members, len(members)) != nil })
		})
		if holds && (best == nil || d.values != nil && p.roomFor(d, members) < p.roomFor(best, members)) {
			best = d
		}
	}
	return best
}

// roomiest returns the domain with the most room, the nodes in no domain last. It returns nil if there is no room.
func (p *partition) roomiest(domains []*domain, members []*ask) *domain {
	var best *domain
	for _, d := range domains {
		if room := p.roomFor(d, members); room > 0 && (best == nil || d.values != nil && room > p.roomFor(best, members)) {
			best = d
		}
	}
	return best
}

// unknownLevel reports whether an ask names a level that the topology does not have.
func (p *partition) unknownLevel(t core.Topology) bool {
	return slices.ContainsFunc([]string{t.Required, t.Preferred, t.Slice.Level}, func(level string) bool { return level != "" && p.settings.Level(level) < 0 })
}
