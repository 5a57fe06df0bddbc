package oracle

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core"
)

// plan is the planned start of a blocked ask, or of the members of a gang that start together.
type plan struct {
	subject subject
	asks    []*ask // in the order of asks
	nodes   map[*ask]*node
	devices map[*ask][]core.PlacedDevices
	start   time.Duration
	facts   string // what the ask or the members asked for when the plan was made
}

// subject is what a plan is made for: a single ask, or a gang that waits.
type subject struct {
	ask  *ask
	gang *atomicGang
}

func subjectOf(k *ask) subject {
	if g := k.waitingGang(); g != nil {
		return subject{gang: g}
	}
	return subject{ask: k}
}

// plannedMembers lists the asks that start together with the ask, which is the first pending member if it belongs to a gang that waits: as many
// as the gang needs. It is
// empty if the gang has too few, or waits for others of its set.
func (p *partition) plannedMembers(k *ask) []*ask {
	g := k.waitingGang()
	switch {
	case g == nil:
		return []*ask{k}
	case g.waitsForSet(), !p.knowsLevelsOf(k):
		return nil
	}
	members := p.members(k.app, g)
	if len(members) < g.need() {
		return nil
	}
	return members[:g.need()]
}

// fitsFrom reports whether the ask may run on the node from an instant for its whole walltime, beside what the profile holds and these plans.
func (p *partition) fitsFrom(f *profile, k *ask, n *node, start time.Duration, beside []*plan) bool {
	if !p.matches(n, k) || !p.isOpenFrom(n, k, start) {
		return false
	}
	fits := !slices.ContainsFunc(p.changesWhile(f, k, start, beside), func(at time.Duration) bool {
		return !asOf(p, f, at, beside, func() bool { return p.hasAmounts(n, k) && p.fitsWhilePlanned(k) && p.mayUse(n, k) })
	})
	if !fits {
		return false
	}
	_, ok := p.devicesFrom(f, k, n, start, beside)
	return ok
}

// changesWhile lists the instants, while the ask runs from an instant on, at which there may be less room: the first, and when others start.
func (p *partition) changesWhile(f *profile, k *ask, start time.Duration, beside []*plan) []time.Duration {
	instants := []time.Duration{start}
	for _, s := range append(slices.Clone(f.stays), staysOf(beside)...) {
		if s.from > start && s.from < k.endsIfPlaced(start) {
			instants = append(instants, s.from)
		}
	}
	return instants
}

// fitsWhilePlanned is fitsHeadroom, or only the cluster's total if nothing else counts at the moment.
func (p *partition) fitsWhilePlanned(k *ask) bool {
	if p.view.totalAlone {
		chain := k.app.queue.chain()
		return p.withinMaxOf(chain[len(chain)-1:], k, p.usedOrClaimed)
	}
	return p.fitsHeadroom(k)
}

// stillFits reports whether a plan fits beside others.
func (p *partition) planFits(f *profile, pl *plan, beside []*plan) bool {
	if pl.start < p.now {
		return false
	}
	if !p.inTheirDomains(pl) {
		return false
	}
	part := &plan{nodes: map[*ask]*node{}, devices: map[*ask][]core.PlacedDevices{}, start: pl.start}
	for _, k := range pl.asks {
		with := append(slices.Clone(beside), part)
		if !slices.Contains(p.nodes, pl.nodes[k]) || !p.fitsFrom(f, k, pl.nodes[k], pl.start, with) {
			return false
		}
		part.devices[k] = p.keptDevices(f, pl, k, with)
		part.asks = append(part.asks, k)
		part.nodes[k] = pl.nodes[k]
	}
	return true
}

// keptDevices returns the devices of a planned ask: as before if these are free, or else others.
func (p *partition) keptDevices(f *profile, pl *plan, k *ask, beside []*plan) []core.PlacedDevices {
	k.follows = pl.devices[k]
	defer func() { k.follows = nil }()
	pl.devices[k], _ = p.devicesFrom(f, k, pl.nodes[k], pl.start, beside)
	return pl.devices[k]
}

// earliest plans asks that start together at the first instant within the horizon at which they fit beside others, before a given one. It
// returns nil if there is none.
func (p *partition) earliest(f *profile, asks []*ask, beside []*plan, before time.Duration) *plan {
	last := p.settings.Backfill.Horizon.After(p.now)
	for _, at := range p.ends(f, beside) {
		if at > last || at >= before {
			break
		}
		if pl := p.placedFrom(f, asks, at, beside); pl != nil {
			return pl
		}
	}
	return nil
}

// notOutranked lists the plans of asks that the ask does not outrank.
func notOutranked(k *ask, plans []*plan) []*plan {
	return slices.DeleteFunc(slices.Clone(plans), func(pl *plan) bool { return outranks(k, pl.asks[0]) })
}

// leavesPlans reports whether the ask may start now on a node without taking a plan its start. Members of its gang that are assumed to be
// allocated start with it.
func (p *partition) leavesPlans(n *node, k *ask) bool {
	if p.view.profile == nil {
		return true
	}
	together := &plan{nodes: map[*ask]*node{}, devices: map[*ask][]core.PlacedDevices{}, start: p.now}
	for _, other := range p.ownAsks() {
		if other.node != nil && other.allocation == 0 {
			together.asks = append(together.asks, other)
			together.nodes[other] = other.node
			together.devices[other] = other.devices
		}
	}
	return p.fitsFrom(p.view.profile, k, n, p.now, append(slices.Clone(p.view.plans), together))
}
