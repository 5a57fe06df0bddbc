package oracle

import (
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// replacement is a placeholder that is leaving so that an ask can replace it.
type replacement struct {
	placeholder *ask
	node        *node // node on which the ask will be allocated
}

// isOrdinary reports whether the ask is allocated, reserves and preempts like other asks: it neither waits for its gang nor can replace a
// placeholder.
func (p *partition) isOrdinary(k *ask) bool {
	return k.replaces == nil && !p.waitsForGang(k) && p.oldestPlaceholder(k) == nil
}

// waitsForGang reports whether the ask is a task whose gang is not formed, or whose application is Resuming.
func (p *partition) waitsForGang(k *ask) bool {
	return !k.isPlaceholder() && (k.app.waitsForGang() || k.app.state == core.StateResuming)
}

// ownPlaceholders lists the placeholders that the ask may replace, oldest first.
func (p *partition) ownPlaceholders(k *ask) []*ask {
	if k.isPlaceholder() || k.app.gang == nil || k.details.TaskGroup == "" || k.gaveUp {
		return nil
	}
	_, staying := k.app.placeholders()
	return slices.DeleteFunc(staying, func(other *ask) bool { return other.details.TaskGroup != k.details.TaskGroup })
}

func (p *partition) oldestPlaceholder(k *ask) *ask {
	for _, first := range p.ownPlaceholders(k) {
		return first
	}
	return nil
}

// replacingAsks lists the asks that wait for their placeholder to leave.
func (p *partition) replacingAsks() []*ask {
	return slices.DeleteFunc(p.ownAsks(), func(k *ask) bool { return k.replaces == nil })
}

// allocateReplacement allocates the first ask whose placeholder has left. If it no longer fits, it waits like other asks.
func (p *partition) allocateReplacement() bool {
	for _, k := range p.replacingAsks() {
		if k.replaces.placeholder.node != nil {
			continue
		}
		n := k.replaces.node
		k.replaces = nil
		slice := k.slice
		k.slice = 0
		if slices.Contains(p.nodes, n) && asSeen(p, k, func() bool { return p.takes(n, k) && p.fitsHeadroom(k) }) {
			k.slice = slice
			p.allocate(k, n, asSeen(p, k, func() []core.PlacedDevices { return p.chooseDevices(n, k) }))
			return true
		}
		k.follows = nil
	}
	return false
}

// replaceOne lets the first ask in scheduling order that can replace a placeholder do so. It reports whether there was one.
func (p *partition) replaceOne(q *queue) bool {
	for _, child := range p.childrenInOrder(q) {
		if p.replaceOne(child) {
			return true
		}
	}
	if !q.isLeaf() {
		return false
	}
	return slices.ContainsFunc(p.asksInOrder(q), func(k *ask) bool {
		return k.replaces == nil && !p.waitsForGang(k) && asSeen(p, k, func() bool { return p.replace(k) })
	})
}

// replace finds a placeholder for the ask: one whose node it fits or, on another node, the oldest. An ask that is larger than the oldest
// placeholder and fits no node gives up replacing.
func (p *partition) replace(k *ask) bool {
	own := p.ownPlaceholders(k)
	if len(own) == 0 {
		return false
	}
	for _, holder := range own {
		if p.fitsInPlaceOf(k, holder) {
			p.bind(k, holder, holder.node)
			return true
		}
	}
	oldest := own[0]
	for _, n := range p.nodesInOrder(k) {
		if p.takes(n, k) && p.mayUse(n, k) && p.fitsWithout(oldest, func() bool { return p.fitsHeadroom(k) }) {
			p.bind(k, oldest, n)
			return true
		}
	}
	if !exceedsAsk(k, oldest) {
		return false
	}
	k.gaveUp = true
	p.releasePlaceholder(oldest, core.ReasonTooSmall)
	return true
}

func (p *partition) bind(k, holder *ask, n *node) {
	p.decide(core.Decision{Type: core.Replaced, ID: holder.id, For: k.id, Node: n.id, Placement: holder.placement})
	holder.leaves, holder.leavesFor, holder.leavesSince = core.ReasonReplaced, k, p.now
	k.replaces = &replacement{placeholder: holder, node: n}
	if g := k.app.atomicOf(holder.details.Gang); g != nil { // k takes over its membership
		k.details.Gang, k.details.Topology = &g.Gang, g.topology
		k.app.leaveGang()
	}
	if n == holder.node {
		k.slice, k.follows = holder.slice, holder.devices
	}
	p.joinSlice(k)
}

// fitsInPlaceOf reports whether the ask fits the node of the placeholder, and headroom, without the placeholder. Reservations, claims and room
// that is held for a gang bar only an ask that is larger.
func (p *partition) fitsInPlaceOf(k, holder *ask) bool {
	n, seen := holder.node, p.view
	larger := exceedsAsk(k, holder)
	k.follows = holder.devices
	defer func() { k.follows = nil }()
	if !larger {
		seen.held = nil
	}
	return seenBy(p, seen, func() bool {
		return p.fitsWithout(holder, func() bool { return p.takes(n, k) && p.fitsHeadroom(k) && (!larger || p.mayUse(n, k)) })
	})
}

// fitsWithout runs a check as if the placeholder were gone.
func (p *partition) fitsWithout(holder *ask, fits func() bool) bool {
	n := holder.node
	defer func() { holder.node = n }()
	holder.node = nil
	return fits()
}

// exceedsAsk reports whether an ask needs more than another one of some type.
func exceedsAsk(k, other *ask) bool {
	return hasMore(k.resources, other.resources) || hasMoreWishes(k, other)
}

// hasMoreWishes reports whether an ask wants more devices of a type than another one, or more of each.
func hasMoreWishes(k, other *ask) bool {
	return slices.ContainsFunc(k.wishes, func(w core.DeviceAsk) bool {
		at := slices.IndexFunc(other.wishes, func(o core.DeviceAsk) bool { return o.Type == w.Type })
		return at < 0 || w.Count > other.wishes[at].Count || w.Share > other.wishes[at].Share || w.Memory > other.wishes[at].Memory
	})
}

// reservedForTasks returns the amounts on the node that are kept for the asks that wait for their placeholder to leave, except one ask: the
// demand of each beyond its placeholder, if that is on the node.
func (p *partition) reservedForTasks(n *node, apart *ask) amounts {
	used := p.usedOn(n)
	for _, k := range p.replacingAsks() {
		if k.replaces.node != n || k == apart {
			continue
		}
		beyond := amountsOf(k.resources)
		if holder := k.replaces.placeholder; holder.node == n {
			beyond.sub(holder.resources)
		}
		for typ, value := range beyond {
			used[typ] = resource.Add(used[typ], max(0, value))
		}
	}
	return used
}

// keptOn returns the amounts on the node that the ask may not use: those used, and those kept for other asks.
func (p *partition) keptOn(n *node, k *ask) amounts {
	used := p.reservedForTasks(n, k)
	used.addAll(p.view.on(n))
	return used
}

// replacingAmounts sums the asks in the queue's subtree, of the applications that count, that wait for their placeholder to leave.
func (p *partition) replacingAmounts(q *queue, counts func(a *app) bool) amounts {
	sum := amounts{}
	for _, k := range p.replacingAsks() {
		if q.holds(k.app.queue) && counts(k.app) {
			sum.add(k.resources)
		}
	}
	return sum
}
