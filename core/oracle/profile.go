package oracle

import (
	"maps"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
)

// The profile says who runs where at an instant to come, if every allocation leaves at its expected end, everything that is kept for
// somebody is used as soon as it can be, and each plan starts at its start. It is a list of stays.

// stay is the time that an ask spends on a node.
type stay struct {
	ask         *ask
	node        *node
	from, until time.Duration
	devices     []core.PlacedDevices
}

// profile is what is known without plans.
type profile struct {
	stays   []stay
	landing map[*ask]time.Duration // of asks with claims or holds, and of those that replace a placeholder; instant.Never if it is unknown
}

// expectedEnd returns when an allocation leaves as far as is known: at its promised end or, once that has passed or the allocation was told
// to leave, 1, 2, 4, 8 or more minutes after it, whichever is to come next.
func (p *partition) expectedEnd(k *ask) time.Duration {
	ends := k.ends()
	switch {
	case k.isLeaving():
		ends = min(ends, k.leavesSince)
	case ends > p.now:
		return ends
	}
	for after := time.Minute; after > 0; after *= 2 {
		if at := instant.Add(ends, after); at > p.now {
			return at
		}
	}
	return instant.Never // the clock ends before
}

// profileFor computes the profile that an ask sees: without its own claim.
func (p *partition) profileFor(own *ask) *profile {
	f := &profile{landing: map[*ask]time.Duration{}}
	for _, k := range p.ownAsks() {
		if k.node != nil && k.allocation != 0 {
			f.stays = append(f.stays, stay{k, k.node, instant.Beginning, p.expectedEnd(k), k.devices})
		}
	}
	for _, k := range p.replacingAsks() {
		if holder := k.replaces.placeholder; holder.node != nil {
			p.lands(f, k, k.replaces.node, p.expectedEnd(holder))
		} else {
			p.lands(f, k, k.replaces.node, p.now)
		}
	}
	for _, c := range p.claims {
		if f.landing[c.ask] == 0 && c.ask != own {
			p.landClaims(f, c)
		}
	}
	for _, r := range p.reservations {
		if r.isHold() && p.claimOf(r.ask) == nil {
			p.lands(f, r.ask, r.node, p.firstRoom(f, map[*ask]*node{r.ask: r.node}))
		}
	}
	return f
}

func (p *partition) lands(f *profile, k *ask, n *node, at time.Duration) {
	f.landing[k] = at
	if at == instant.Never {
		return
	}
	devices := asOf(p, f, at, nil, func() []core.PlacedDevices {
		placed, _ := p.deal(p.slotsBeside(n, anything), k)
		return placed
	})
	f.stays = append(f.stays, stay{k, n, at, k.endsIfPlaced(at), devices})
}

// endsIfPlaced returns the promised end of the ask if it is allocated at an instant.
func (k *ask) endsIfPlaced(at time.Duration) time.Duration {
	if k.promise.walltime == 0 {
		return instant.Never
	}
	return instant.Add(at, k.promise.walltime)
}

// landClaims adds the ask of a claim, or all members of its gang, which are allocated together.
func (p *partition) landClaims(f *profile, c *claim) {
	nodes := map[*ask]*node{}
	for _, other := range p.claims {
		if other == c || c.gang != nil && other.gang == c.gang {
			nodes[other.ask] = other.node
		}
	}
	at := p.now
	for _, k := range p.ownAsks() {
		if c.gang != nil && k.node != nil && k.frees != nil && k.frees.gang == c.gang { // it lands once the last has left
			at = max(at, p.expectedEnd(k))
		}
	}
	at = max(at, p.firstRoom(f, nodes))
	for _, other := range p.claims {
		if n := nodes[other.ask]; n != nil {
			p.lands(f, other.ask, n, at)
		}
	}
}

// firstRoom returns the first instant, now or an end, at which the nodes have room for the asks. It is instant.Never if there is none.
func (p *partition) firstRoom(f *profile, nodes map[*ask]*node) time.Duration {
	for _, at := range p.ends(f, nil) {
		room := map[*node]amounts{}
		fits := true
		for k, n := range nodes {
			if room[n] == nil {
				room[n] = asOf(p, f, at, nil, func() amounts { return p.freeOn(n) })
			}
			room[n].sub(k.resources)
		}
		for k, n := range nodes {
			for _, need := range k.plain {
				fits = fits && (need.Value == 0 || room[n][need.Type] >= 0)
			}
			fits = fits && asOf(p, f, at, nil, func() bool { return p.getDevices(n, nodes) })
		}
		if fits {
			return at
		}
	}
	return instant.Never
}

// getDevices reports whether all of the asks that are to land on the node get devices.
func (p *partition) getDevices(n *node, nodes map[*ask]*node) bool {
	slots := p.slotsBeside(n, anything)
	for _, k := range inAskOrder(slices.Collect(maps.Keys(nodes))) {
		if nodes[k] == n {
			if _, ok := p.deal(slots, k); !ok {
				return false
			}
		}
	}
	return true
}

// freeOn returns the room of the node beside its allocations.
func (p *partition) freeOn(n *node) amounts {
	room := amountsOf(n.capacity)
	room.sub(n.occupied)
	room.subAll(p.usedOn(n))
	return room
}

// ends lists the instants at which something can become possible: now, and the ends of stays and plans, in order.
func (p *partition) ends(f *profile, plans []*plan) []time.Duration {
	all := []time.Duration{p.now}
	for _, s := range append(slices.Clone(f.stays), staysOf(plans)...) {
		if s.until > p.now && s.until != instant.Never {
			all = append(all, s.until)
		}
	}
	all = append(all, p.windowEnds()...)
	slices.Sort(all)
	return slices.Compact(all)
}

// staysOf lists the stays of planned asks.
func staysOf(plans []*plan) []stay {
	var stays []stay
	for _, pl := range plans {
		for _, k := range pl.asks {
			stays = append(stays, stay{k, pl.nodes[k], pl.start, k.endsIfPlaced(pl.start), pl.devices[k]})
		}
	}
	return stays
}

// atInstant runs a check as if it were another instant: asks are allocated only where the profile and the plans say that they are then.
func (p *partition) atInstant(f *profile, at time.Duration, plans []*plan, judge func()) {
	type fact struct {
		k        *ask
		node     *node
		replaces *replacement
		devices  []core.PlacedDevices
	}
	var facts []fact
	claims, reservations := p.claims, p.reservations
	for _, k := range p.ownAsks() {
		facts = append(facts, fact{k, k.node, k.replaces, k.devices})
		k.node = nil
	}
	defer func() {
		for _, was := range facts {
			was.k.node, was.k.replaces, was.k.devices = was.node, was.replaces, was.devices
		}
		p.claims, p.reservations = claims, reservations
	}()
	landed := func(k *ask) bool {
		when, kept := f.landing[k]
		return kept && when <= at
	}
	for _, was := range facts {
		if landed(was.k) {
			was.k.replaces = nil
		}
	}
	p.claims = slices.DeleteFunc(slices.Clone(claims), func(c *claim) bool { return landed(c.ask) })
	p.reservations = slices.DeleteFunc(slices.Clone(reservations), func(r *reservation) bool { return landed(r.ask) })
	for _, s := range append(slices.Clone(f.stays), staysOf(plans)...) {
		if s.from <= at && at < s.until {
			s.ask.node, s.ask.devices = s.node, s.devices
		}
	}
	judge()
}

// asOf is atInstant for a check with a result.
func asOf[T any](p *partition, f *profile, at time.Duration, plans []*plan, judge func() T) (result T) {
	p.atInstant(f, at, plans, func() { result = judge() })
	return result
}
