package oracle

import (
	"math"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// knowsLevelsOf reports whether the levels exist that the ask requires and that its slices have.
func (p *partition) knowsLevelsOf(k *ask) bool {
	level, required := p.requiredLevel(k)
	slice, sliced := p.sliceLevel(k)
	return !(required && level < 0 || sliced && slice < 0)
}

// placedFrom assigns nodes to asks that start together, beside some plans. It returns nil if one fits nowhere. Asks that require a level start in
// one domain: of those that take all of them, in the one with the least room. If they prefer a level, such domains are tried first.
func (p *partition) placedFrom(f *profile, asks []*ask, start time.Duration, beside []*plan) *plan {
	pl := &plan{subject: subjectOf(asks[0]), nodes: map[*ask]*node{}, devices: map[*ask][]core.PlacedDevices{}, start: start, facts: factsOf(asks)}
	level, required := p.requiredLevel(asks[0])
	if !required {
		level, _ = p.preferredLevel(asks[0])
	}
	named := required || asks[0].details.Topology.Preferred != ""
	for ; pl.subject.gang != nil && named && level >= 0; level = p.settings.Wider(level) {
		domains, _ := p.domainsOf(p.nodes, level)
		for _, d := range p.tightestFirst(f, domains, asks, start, beside) {
			if p.addInDomain(f, pl, asks, d, beside) {
				return pl
			}
		}
		if required {
			return nil
		}
	}
	if p.addInDomain(f, pl, asks, &domain{level: wholeCluster, nodes: p.nodes}, beside) {
		return pl
	}
	return nil
}

// addInDomain adds asks to a plan, on nodes of a domain, in slices if they have any. It reports false, and adds none, if one does not fit.
func (p *partition) addInDomain(f *profile, pl *plan, asks []*ask, d *domain, beside []*plan) bool {
	level, sliced := p.sliceLevel(asks[0])
	if !sliced || pl.subject.gang == nil {
		return p.addInOrder(f, pl, asks, d, beside)
	}
	inner := p.tightestFirst(f, p.sliceDomains(d, level), asks, pl.start, beside)
	for _, unit := range chunks(asks) {
		if !slices.ContainsFunc(inner, func(d *domain) bool { return p.addInOrder(f, pl, unit, d, beside) }) {
			p.removeFrom(pl, asks)
			return false
		}
	}
	return true
}

// addInOrder adds each ask to a plan, on the first node of a domain where it fits beside those before it. It adds all or none.
func (p *partition) addInOrder(f *profile, pl *plan, asks []*ask, d *domain, beside []*plan) bool {
	for _, k := range asks {
		order := slices.DeleteFunc(p.nodesInOrder(k), func(n *node) bool { return !slices.Contains(d.nodes, n) })
		at := slices.IndexFunc(order, func(n *node) bool { return p.fitsFrom(f, k, n, pl.start, append(slices.Clone(beside), pl)) })
		if at < 0 {
			p.removeFrom(pl, asks)
			return false
		}
		pl.devices[k], _ = p.devicesFrom(f, k, order[at], pl.start, append(slices.Clone(beside), pl))
		pl.asks = append(pl.asks, k)
		pl.nodes[k] = order[at]
	}
	return true
}

func (p *partition) removeFrom(pl *plan, asks []*ask) {
	pl.asks = slices.DeleteFunc(pl.asks, func(k *ask) bool { return slices.Contains(asks, k) })
	for _, k := range asks {
		delete(pl.nodes, k)
		delete(pl.devices, k)
	}
}

// tightestFirst sorts domains by how many of the largest ask they have room for from an instant on, or how many slices of these, and then by name.
func (p *partition) tightestFirst(f *profile, domains []*domain, asks []*ask, start time.Duration, beside []*plan) []*domain {
	largest := asks[0]
	for _, k := range asks {
		if p.dominantShare(k) > p.dominantShare(largest) {
			largest = k
		}
	}
	level, sliced := p.sliceLevel(largest)
	room := map[*domain]int64{}
	for _, d := range domains {
		if !sliced || d.level >= level {
			room[d] = p.roomFrom(f, d, largest, start, beside)
			continue
		}
		for _, inner := range p.sliceDomains(d, level) {
			room[d] += p.roomFrom(f, inner, largest, start, beside) / int64(largest.details.Topology.Slice.Size)
		}
	}
	domains = slices.Clone(domains)
	slices.SortStableFunc(domains, func(a, b *domain) int {
		switch {
		case room[a] < room[b]:
			return -1
		case room[a] > room[b]:
			return 1
		}
		return 0
	})
	return domains
}

// roomFrom returns how many asks like one the nodes of a domain have room for from an instant on, for its whole walltime.
func (p *partition) roomFrom(f *profile, d *domain, k *ask, start time.Duration, beside []*plan) (sum int64) {
	for _, n := range d.nodes {
		if !p.matches(n, k) || !p.isOpenFrom(n, k, start) {
			continue
		}
		copies := int64(math.MaxInt64)
		for _, at := range p.changesWhile(f, k, start, beside) {
			copies = min(copies, asOf(p, f, at, beside, func() int64 { return p.copiesOn(n, k) }))
		}
		sum = resource.Add(sum, copies)
	}
	return sum
}

// copiesOn returns how many asks like one the node has room for.
func (p *partition) copiesOn(n *node, k *ask) int64 {
	if !p.mayUse(n, k) {
		return 0
	}
	copies, kept := int64(math.MaxInt64), p.keptOn(n, k)
	for _, need := range k.resources {
		if need.Value > 0 {
			copies = min(copies, max(0, n.roomWhenEmpty(need.Type)-kept[need.Type])/need.Value)
		}
	}
	return copies
}

// inTheirDomains reports whether the nodes of a plan are in the domains that its gang and its slices require.
func (p *partition) inTheirDomains(pl *plan) bool {
	if pl.subject.gang == nil {
		return true
	}
	together := func(asks []*ask, level int) bool {
		return !slices.ContainsFunc(asks, func(k *ask) bool { return level < 0 || !p.inOneDomain(pl.nodes[asks[0]], pl.nodes[k], level) })
	}
	if level, required := p.requiredLevel(pl.asks[0]); required && !together(pl.asks, level) {
		return false
	}
	if level, sliced := p.sliceLevel(pl.asks[0]); sliced {
		return !slices.ContainsFunc(chunks(pl.asks), func(unit []*ask) bool { return !together(unit, level) })
	}
	return true
}
