package oracle

import (
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// replacement is what an ask waits for whose placeholder was told to leave for it.
type replacement struct {
	placeholder *ask
	node        *node // where the ask lands
}

// isOrdinary reports whether the ask is placed, reserves and preempts as any: it neither waits for its gang nor has a
// placeholder whose place it takes.
func (p *partition) isOrdinary(k *ask) bool {
	return k.replaces == nil && !p.waitsForGang(k) && p.oldestPlaceholder(k) == nil
}

// waitsForGang reports whether the ask is a task whose gang is not formed, or of an application that resumes.
func (p *partition) waitsForGang(k *ask) bool {
	return !k.isPlaceholder() && (k.app.waitsForGang() || k.app.state == core.StateResuming)
}

// ownPlaceholders lists the placeholders in whose place the ask may land, the oldest first.
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

// boundAsks lists the asks that wait for their placeholder to leave.
func (p *partition) boundAsks() []*ask {
	return slices.DeleteFunc(p.ownAsks(), func(k *ask) bool { return k.replaces == nil })
}

// landReplacement allocates the first ask whose placeholder has left. Where it does not fit any more it waits as any other.
func (p *partition) landReplacement() bool {
	for _, k := range p.boundAsks() {
		if k.replaces.placeholder.node != nil {
			continue
		}
		n := k.replaces.node
		k.replaces = nil
		if slices.Contains(p.nodes, n) && p.takes(n, k) && p.fitsHeadroom(k) {
			p.allocate(k, n)
			return true
		}
	}
	return false
}

// replaceOne has the first ask in the order of the walk that can take the place of a placeholder do so. It reports whether a
// placeholder was told to leave.
func (p *partition) replaceOne(q *queue) bool {
	for _, child := range p.childrenInOrder(q) {
		if p.replaceOne(child) {
			return true
		}
	}
	if !q.isLeaf() {
		return false
	}
	for _, a := range p.appsInOrder(q) {
		for _, k := range a.pending() {
			if k.replaces == nil && !p.waitsForGang(k) && p.replace(k) {
				return true
			}
		}
	}
	return false
}

// replace finds a place for the ask among its placeholders, or that of one elsewhere. An ask that exceeds the oldest, and fits
// nowhere, gives it up.
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
	for _, n := range p.nodesInOrder() {
		if p.takes(n, k) && p.mayUse(n, k) && p.fitsWithout(oldest, func() bool { return p.fitsHeadroom(k) }) {
			p.bind(k, oldest, n)
			return true
		}
	}
	if !exceedsAsk(k, oldest) {
		return false
	}
	k.gaveUp = true
	p.tellToLeave(oldest, core.ReasonTooSmall)
	return true
}

func (p *partition) bind(k, holder *ask, n *node) {
	p.decide(core.Decision{Type: core.Replaced, ID: holder.id, For: k.id, Node: n.id, Placement: holder.placement})
	holder.leaves, holder.leavesFor = core.ReasonReplaced, k
	k.replaces = &replacement{placeholder: holder, node: n}
}

// fitsInPlaceOf reports whether the ask fits the node of the placeholder, and headroom, with that one gone. What is reserved or
// kept there bars only an ask that is larger.
func (p *partition) fitsInPlaceOf(k, holder *ask) bool {
	n := holder.node
	return p.fitsWithout(holder, func() bool {
		return p.takes(n, k) && p.fitsHeadroom(k) && (!exceedsAsk(k, holder) || p.mayUse(n, k))
	})
}

// fitsWithout judges as if the placeholder were gone.
func (p *partition) fitsWithout(holder *ask, fits func() bool) bool {
	n := holder.node
	defer func() { holder.node = n }()
	holder.node = nil
	return fits()
}

// exceedsAsk reports whether an ask needs more than another one of some type.
func exceedsAsk(k, other *ask) bool { return hasMore(k.resources, other.resources) }

// keptOn is what is used on the node and what is kept there for the asks that wait for their placeholder to leave, that of one
// ask apart: of each what it needs beyond its placeholder, where that is on the node.
func (p *partition) keptOn(n *node, apart *ask) amounts {
	used := p.usedOn(n)
	for _, k := range p.boundAsks() {
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

// bound sums the asks in the queue's subtree, of the applications that count, that wait for their placeholder to leave.
func (p *partition) bound(q *queue, counts func(a *app) bool) amounts {
	sum := amounts{}
	for _, k := range p.boundAsks() {
		if q.holds(k.app.queue) && counts(k.app) {
			sum.add(k.resources)
		}
	}
	return sum
}
