package oracle

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/resource"
)

// A gang that waits holds nothing, so asks behind it could take all room that becomes free. Once that has happened to the first gang that
// has waited for long, it accumulates: room and headroom for as many of its members as fit are held until all that are needed fit.

// accumulation is the one gang of a partition that accumulates.
type accumulation struct {
	gang  *atomicGang
	began time.Duration
	held  []part
	moved bool // what is held has changed in the present walk
	asked bool // no room was freed since the largest part was last searched for
}

// part is a member with the node on which room is held for it.
type part struct {
	ask   *ask
	node  *node
	slice int // its number among the slices that are held, if the gang has slices
}

func (a part) isFor(b part) bool { return a.ask == b.ask && a.node == b.node }

// The durations that hold if the properties of root are not set or not usable.
const (
	accumulateAfter = instant.Delay(time.Minute)
	accumulateFor   = instant.Delay(15 * time.Minute)
)

// accumulatesAfter returns how long a gang waits before it may accumulate. 0 means never.
func (p *partition) accumulatesAfter() instant.Delay {
	after, err := time.ParseDuration(p.settings.Root.Properties["gang.accumulate-after"])
	if err != nil || after < 0 {
		return accumulateAfter
	}
	return instant.Delay(after)
}

// accumulatesFor returns how long a gang accumulates at most.
func (p *partition) accumulatesFor() instant.Delay {
	most, err := time.ParseDuration(p.settings.Root.Properties["gang.accumulate-for"])
	if err != nil || most <= 0 {
		return accumulateFor
	}
	return instant.Delay(most)
}

// walkOrder lists the pending asks below the queue whose applications may get allocations, in scheduling order.
func (p *partition) walkOrder(q *queue) []*ask {
	var order []*ask
	if !q.isLeaf() {
		for _, child := range p.childrenInOrder(q) {
			order = append(order, p.walkOrder(child)...)
		}
		return order
	}
	return p.asksInOrder(q)
}

// hasWaited reports whether the gang has waited long enough to accumulate, for nothing but room.
func (p *partition) hasWaited(g *atomicGang) bool {
	after := p.accumulatesAfter()
	return !g.waitsForSet() && after > 0 && p.now >= after.After(g.since) && (!g.expired || p.now >= g.pausedUntil) &&
		len(p.members(g.app, g)) >= g.need() && p.eligible(g.app) && p.couldEverFit(g)
}

// couldEverFit reports whether each max below root and each limit lets enough members in if nobody else runs.
func (p *partition) couldEverFit(g *atomicGang) bool {
	var bounds []resource.Set
	for _, q := range belowRoot(g.app.queue.chain()) {
		bounds = append(bounds, q.settings.Max)
	}
	for _, b := range p.boundsOf(g.app) {
		bounds = append(bounds, b.limit.MaxResources)
	}
	count, sum := 0, amounts{}
	for _, k := range p.members(g.app, g) {
		more := amounts{}
		more.addAll(sum)
		more.add(k.resources)
		if !slices.ContainsFunc(bounds, func(bound resource.Set) bool { return more.exceed(bound) }) {
			count, sum = count+1, more
		}
	}
	return count >= g.need()
}

// overtake lets the first gang that has waited accumulate if one of these asks, which are about to be allocated, comes after it.
func (p *partition) overtake(asks ...*ask) {
	if p.accumulating != nil || p.plans() {
		return
	}
	var first *atomicGang
	for _, k := range p.walkOrder(p.root) {
		g := k.waitingGang()
		switch {
		case first != nil && slices.Contains(asks, k):
			p.accumulating = &accumulation{gang: first, began: p.now}
			return
		case first == nil && g != nil && g != asks[0].waitingGang() && p.hasWaited(g) && p.members(k.app, g)[0] == k:
			first = g
		}
	}
}

// accumulate holds the largest part of the gang that fits, if that is larger than what is held, or if what is held no longer fits.
func (p *partition) accumulate(members []*ask) {
	now := p.accumulating
	if now.asked && p.heldStillFits(members) {
		return
	}
	nodes := p.largestTogether(members, now.gang.need())
	if now.asked = true; len(nodes) <= len(now.held) && p.heldStillFits(members) {
		return
	}
	var next []part
	for _, k := range members {
		if n := nodes[k]; n != nil {
			next = append(next, part{k, n, len(next) / max(1, k.details.Topology.Slice.Size)})
		}
	}
	before := now.held
	now.held, now.moved = next, true
	for _, k := range members[0].app.pending() {
		for _, held := range before {
			if held.ask == k && !slices.ContainsFunc(next, held.isFor) {
				p.decideHeld(core.Unreservation, held, "")
			}
		}
	}
	for _, held := range next {
		if !slices.ContainsFunc(before, held.isFor) {
			p.decideHeld(core.Reservation, held, "")
		}
	}
	now.asked = true
}

// roomFreed has the largest part of the gang that accumulates searched for again at its next turn. Allocations that only take room do not.
func (p *partition) roomFreed() {
	if p.accumulating != nil {
		p.accumulating.asked = false
	}
}

// largestTogether is largestPart in the domain that the gang requires: the one of the largest part or, of several, the one in which most
// is held.
func (p *partition) largestTogether(members []*ask, need int) map[*ask]*node {
	level, ok := p.requiredLevel(members[0])
	if !ok {
		return p.largestPart(members, need)
	}
	var best map[*ask]*node
	var most int
	if level < 0 {
		return nil
	}
	domains, _ := p.domainsOf(p.nodes, level)
	for _, d := range domains {
		part := inside(p, d, func() map[*ask]*node { return p.largestPart(members, need) })
		held := 0
		for _, h := range p.accumulating.held {
			if slices.Contains(d.nodes, h.node) {
				held++
			}
		}
		if len(part) > len(best) || len(part) == len(best) && held > most {
			best, most = part, held
		}
	}
	return best
}

// largestPart assigns nodes to as many members as possible, up to one less than needed: as many as fit in their order, and one more as long
// as there is an assignment. A gang with slices gets whole slices, in their order.
func (p *partition) largestPart(members []*ask, need int) map[*ask]*node {
	if level, ok := p.sliceLevel(members[0]); ok {
		d := p.view.domain
		if d == nil {
			d = &domain{level: wholeCluster, nodes: p.nodes}
		}
		return p.placeSlices(d, level, slicesToTry(members, need), need)
	}
	nodes := p.inOrder(members, need)
	for len(nodes)+1 < need {
		more := p.fitHardest(members, len(nodes)+1)
		if more == nil {
			break
		}
		nodes = more
	}
	return nodes
}

// heldStillFits reports whether all for which room is held are still members that wait, and fit together where it is held.
func (p *partition) heldStillFits(members []*ask) bool {
	nodes := map[*ask]*node{}
	for _, held := range p.accumulating.held {
		k, n := held.ask, held.node
		if level, ok := p.requiredLevel(k); ok && !p.inOneDomain(n, p.accumulating.held[0].node, level) {
			return false
		}
		if !p.sliceHeldTogether(held) || !slices.Contains(members, k) || !assumed(nodes, func() bool { return p.fitsHeadroom(k) && p.takes(n, k) && p.mayUse(n, k) }) {
			return false
		}
		nodes[k] = n
	}
	return true
}

// sliceHeldTogether reports whether the node is in one domain with that of the first member of the slice.
func (p *partition) sliceHeldTogether(held part) bool {
	level, ok := p.sliceLevel(held.ask)
	if !ok {
		return true
	}
	first := slices.IndexFunc(p.accumulating.held, func(other part) bool { return other.slice == held.slice })
	return level >= 0 && p.inOneDomain(held.node, p.accumulating.held[first].node, level)
}

func (p *partition) decideHeld(what core.DecisionType, held part, why core.Reason) {
	p.decide(core.Decision{Type: what, ID: held.ask.id, Node: held.node.id, Gang: p.accumulating.gang.ID, Reason: why})
}

// dropHeld ends what is held for the ask.
func (p *partition) dropHeld(k *ask) { p.dropHeldFor(k, "") }

func (p *partition) dropHeldFor(k *ask, why core.Reason) {
	if p.accumulating == nil {
		return
	}
	for i, held := range p.accumulating.held {
		if held.ask == k {
			p.accumulating.held = slices.Delete(slices.Clone(p.accumulating.held), i, i+1)
			p.decideHeld(core.Unreservation, held, why)
			return
		}
	}
}

// endAccumulation ends what is held for the gang, if it accumulates.
func (p *partition) endAccumulation(g *atomicGang, why core.Reason) {
	if p.accumulating == nil || p.accumulating.gang != g {
		return
	}
	for _, k := range g.app.pending() {
		for _, held := range p.accumulating.held {
			if held.ask == k {
				p.decideHeld(core.Unreservation, held, why)
			}
		}
	}
	p.accumulating = nil
}

// endBarredAccumulation ends, each time the cycle restarts, the accumulation of a gang that no longer waits for nothing but room.
func (p *partition) endBarredAccumulation() {
	if p.accumulating == nil {
		return
	}
	g := p.accumulating.gang
	switch {
	case p.plans(), p.accumulatesAfter() == 0, !g.waits(), len(p.members(g.app, g)) < g.need():
		p.endAccumulation(g, "")
	case !p.eligible(g.app):
		p.endAccumulation(g, core.ReasonNotStartable)
	case !p.couldEverFit(g):
		p.endAccumulation(g, core.ReasonNoHeadroom)
	default:
		p.expireAccumulation() // a reload may have shortened it
	}
}

// accumulationEnds returns when the accumulation ends by itself. ok is false if there is none, or if it ends in the next cycle.
func (p *partition) accumulationEnds() (at time.Duration, ok bool) {
	if p.accumulating == nil || !slices.Contains(p.accumulating.gang.app.atomic, p.accumulating.gang) {
		return 0, false
	}
	at = p.accumulatesFor().After(p.accumulating.began)
	return at, at > p.now
}

// expireAccumulation ends an accumulation that lasts too long. Its gang does not accumulate again for as long.
func (p *partition) expireAccumulation() {
	if p.accumulating != nil && p.accumulatesFor().After(p.accumulating.began) <= p.now {
		g := p.accumulating.gang
		p.endAccumulation(g, core.ReasonExpired)
		g.expired, g.pausedUntil = true, p.accumulatesFor().After(p.now)
	}
}

// view is what an ask sees of the gang that accumulates.
type view struct {
	held    []part         // room and headroom that are kept from the ask
	ignored []*reservation // reservations of others that do not concern the ask
	domain  *domain        // the nodes that are searched for a gang; nil if all are

	profile    *profile // with backfill
	plans      []*plan  // those that the ask must leave their starts
	totalAlone bool     // of headroom, only the cluster's total counts
}

// asSeen runs a check as the ask sees the partition. What it sees is decided first, since checks assume allocations.
func asSeen[T any](p *partition, k *ask, judge func() T) T {
	return seenBy(p, p.viewOf(k), judge)
}

// seenBy runs a check with a view.
func seenBy[T any](p *partition, v view, judge func() T) T {
	before := p.view
	p.view = v
	defer func() { p.view = before }()
	return judge()
}

func (p *partition) viewOf(k *ask) view {
	var v view
	if p.plans() {
		v.profile, v.plans = p.profileFor(k), p.plansBeside(k)
	}
	switch {
	case p.accumulating == nil:
	case p.accumulating.gang == k.waitingGang():
		v.ignored = slices.DeleteFunc(slices.Clone(p.reservations), func(r *reservation) bool { return !p.comesBehind(r.ask) })
	case p.comesBehind(k):
		v.held = p.accumulating.held
	}
	return v
}

// comesBehind reports whether a gang accumulates that comes before the ask, which neither outranks it nor requires a node.
func (p *partition) comesBehind(k *ask) bool {
	if p.accumulating == nil {
		return false
	}
	g := p.accumulating.gang
	first := p.members(g.app, g)[0]
	order := p.walkOrder(p.root)
	at := slices.Index(order, k)
	return k.details.Node == "" && !outranks(k, first) && (at < 0 || at > slices.Index(order, first))
}

// on sums what is held on the node.
func (v *view) on(n *node) amounts {
	sum := amounts{}
	for _, held := range v.held {
		if held.node == n {
			sum.add(held.ask.resources)
		}
	}
	return sum
}

// in sums what is held for asks in the queue, of the applications that count.
func (v *view) in(q *queue, counts func(a *app) bool) amounts {
	sum := amounts{}
	for _, held := range v.held {
		if q.holds(held.ask.app.queue) && counts(held.ask.app) {
			sum.add(held.ask.resources)
		}
	}
	return sum
}

// keepsFrom reports whether something is held on the node, so that the ask neither reserves it nor has victims there.
func (v *view) keepsFrom(n *node) bool {
	return slices.ContainsFunc(v.held, func(held part) bool { return held.node == n })
}
