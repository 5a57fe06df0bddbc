package oracle

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// claim is a pending ask that chose a node and victims on it: the node is kept for it alone.
type claim struct {
	ask     *ask
	node    *node
	gang    *atomicGang // nil: the ask lands by itself
	made    time.Duration
	victims []*ask
}

func (p *partition) claimOn(n *node) *claim {
	for _, c := range p.claims {
		if c.node == n {
			return c
		}
	}
	return nil
}

func (p *partition) claimOf(k *ask) *claim {
	for _, c := range p.claims {
		if c.ask == k {
			return c
		}
	}
	return nil
}

// hasKeptNode reports whether a node is kept for an ask of the application.
func (p *partition) hasKeptNode(a *app) bool {
	return slices.ContainsFunc(p.claims, func(c *claim) bool { return c.ask.app == a })
}

// endClaim ends the ask's claim, if it has one. Its victims leave anyway.
func (p *partition) endClaim(k *ask) {
	p.claims = slices.DeleteFunc(p.claims, func(c *claim) bool { return c.ask == k })
}

// landClaim allocates the first claim that can land. It need not wait for its victims when there is room anyway.
func (p *partition) landClaim() bool {
	for _, c := range p.claims {
		if c.gang != nil {
			if p.landGang(c.gang) {
				return true
			}
			continue
		}
		if p.eligible(c.ask.app) && p.takes(c.node, c.ask) && p.fitsMaxNow(c.ask) {
			p.endClaim(c.ask)
			p.allocate(c.ask, c.node)
			return true
		}
	}
	return false
}

// fitsMaxNow looks at what is used and at nothing else: whatever is kept free is kept for claims.
func (p *partition) fitsMaxNow(k *ask) bool {
	everyone := func(*app) bool { return true }
	return p.withinMax(k, func(q *queue) amounts { return p.usedOrKeptBy(q, everyone, nil) }) && p.withinLimits(k, nil)
}

// withinMax reports whether each queue on the ask's way stays within its max if it is given the ask beside the usage
// that is said.
func (p *partition) withinMax(k *ask, usage func(q *queue) amounts) bool {
	return p.withinMaxOf(k.app.queue.chain(), k, usage)
}

// withinMaxOf is withinMax for some of the queues on the ask's way.
func (p *partition) withinMaxOf(way []*queue, k *ask, usage func(q *queue) amounts) bool {
	for _, q := range way {
		used := usage(q)
		for _, need := range k.resources {
			limit, set := p.maxOf(q, need.Type)
			if need.Value > 0 && set && resource.Sub(limit, used[need.Type]) < need.Value {
				return false
			}
		}
	}
	return true
}

// lapseClaims ends, in the order in which they were made, the claims whose application stateaware does not let pass any
// more, and those whose ask would not fit with all that leaves gone, beside the claims made before it.
func (p *partition) lapseClaims() {
	var standing []*claim
	for _, c := range slices.Clone(p.claims) {
		if p.claimOf(c.ask) == nil {
			continue // it lapsed with another member of its gang
		}
		switch {
		case !p.passesFilter(c.ask.app), !p.isOrdinary(c.ask):
			p.lapse(c.ask, core.ReasonNotStartable)
		case !p.stillFits(c, standing):
			p.lapse(c.ask, core.ReasonNoLongerFits)
		default:
			standing = append(standing, c)
			continue
		}
		standing = slices.DeleteFunc(standing, func(c *claim) bool { return p.claimOf(c.ask) == nil })
	}
}

// lapseResting ends, each time the cycle restarts, the claims of asks that wait for their gang, or for the place of a
// placeholder, since they were made.
func (p *partition) lapseResting() {
	for _, c := range slices.Clone(p.claims) {
		if p.claimOf(c.ask) != nil && !p.isOrdinary(c.ask) {
			p.lapse(c.ask, core.ReasonNotStartable)
		}
	}
}

// lapse ends the ask's claim, and those of its gang, without being allocated.
func (p *partition) lapse(k *ask, why core.Reason) {
	gang := p.claimOf(k).gang
	for _, c := range slices.Clone(p.claims) {
		if c.ask == k || gang != nil && c.gang == gang {
			p.decide(core.Decision{Type: core.Lapsed, For: c.ask.id, Node: c.node.id, Reason: why})
			p.endClaim(c.ask)
		}
	}
}

func (p *partition) stillFits(c *claim, before []*claim) bool {
	room := p.roomOnceLeft(c.node)
	for _, earlier := range before {
		if earlier.node == c.node { // of the same gang
			room.sub(earlier.ask.resources)
		}
	}
	return c.node.admits(c.ask) && covers(room, c.ask) && p.withinLimits(c.ask, before) &&
		p.withinMax(c.ask, func(q *queue) amounts {
			used := p.sum(q, func(k *ask) bool { return k.node != nil && !k.isLeaving() })
			used.addAll(demands(q, before))
			used.addAll(p.bound(q, func(*app) bool { return true }))
			return used
		})
}

// roomOnceLeft is what the node has free once all who were told to leave have left and those that replace them have landed; below zero where it is
// over-committed.
func (p *partition) roomOnceLeft(n *node) amounts {
	room := amountsOf(n.capacity)
	room.sub(n.occupied)
	for _, k := range p.allocationsOn(n) {
		if !k.isLeaving() {
			room.sub(k.resources)
		}
	}
	for _, k := range p.boundAsks() {
		if k.replaces.node == n {
			room.sub(k.resources)
		}
	}
	return room
}

// covers reports whether there is enough of everything that the ask needs.
func covers(room amounts, k *ask) bool {
	for _, need := range k.resources {
		if need.Value > 0 && room[need.Type] < need.Value {
			return false
		}
	}
	return true
}
