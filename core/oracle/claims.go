package oracle

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// claim is the hold of a pending ask on the node where it has preempted. No other ask may use the node.
type claim struct {
	ask     *ask
	node    *node
	gang    *atomicGang // nil if the ask is allocated alone
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

// hasClaim reports whether an ask of the application has a claim.
func (p *partition) hasClaim(a *app) bool {
	return slices.ContainsFunc(p.claims, func(c *claim) bool { return c.ask.app == a })
}

// endClaim ends the ask's claim, if it has one. Its victims still leave.
func (p *partition) endClaim(k *ask) {
	p.claims = slices.DeleteFunc(p.claims, func(c *claim) bool { return c.ask == k })
	p.roomFreed()
}

// allocateClaim allocates the first ask with a claim that fits. It need not wait for its victims if there is room already.
func (p *partition) allocateClaim() bool {
	for _, c := range p.claims {
		if c.gang != nil {
			if p.allocateClaimedGang(c.gang) {
				return true
			}
			continue
		}
		if p.eligible(c.ask.app) && p.takes(c.node, c.ask) && p.fitsMaxNow(c.ask) {
			p.endClaim(c.ask)
			p.allocate(c.ask, c.node, p.chooseDevices(c.node, c.ask))
			return true
		}
	}
	return false
}

// fitsMaxNow reports whether the ask fits every max beside current usage alone, since room that is kept free is kept for claims.
func (p *partition) fitsMaxNow(k *ask) bool {
	return p.withinMax(k, func(q *queue) amounts { return p.usedOrClaimedBy(q, everyone, nil) }) && p.withinLimits(k, nil)
}

func everyone(*app) bool { return true }

// withinMax reports whether each queue on the ask's path stays within its max with the ask in addition to the given usage.
func (p *partition) withinMax(k *ask, usage func(q *queue) amounts) bool {
	return p.withinMaxOf(k.app.queue.chain(), k, usage)
}

// withinMaxOf is withinMax for some of the queues on the ask's path.
func (p *partition) withinMaxOf(way []*queue, k *ask, usage func(q *queue) amounts) bool {
	for _, q := range way {
		used := usage(q)
		used.addAll(p.view.in(q, everyone))
		for _, need := range k.resources {
			limit, set := p.maxOf(q, need.Type)
			if need.Value > 0 && set && resource.Sub(limit, used[need.Type]) < need.Value {
				return false
			}
		}
	}
	return true
}

// lapseClaims ends, in the order in which they were made, the claims whose application no longer passes the filter of stateaware, and
// those whose ask would not fit without leaving allocations, in addition to earlier claims.
func (p *partition) lapseClaims() {
	var standing []*claim
	for _, c := range slices.Clone(p.claims) {
		if p.claimOf(c.ask) == nil {
			continue // it has ended with another member of its gang
		}
		switch {
		case !p.passesFilter(c.ask.app), !p.mayKeep(c):
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

// lapseRestingClaims ends, each time the cycle restarts, the claims of asks that meanwhile wait for their gang or to replace a placeholder.
func (p *partition) lapseResting() {
	for _, c := range slices.Clone(p.claims) {
		if p.claimOf(c.ask) != nil && !p.mayKeep(c) {
			p.lapse(c.ask, core.ReasonNotStartable)
		}
	}
}

// mayKeep reports whether the ask of the claim is still allocated alone or, with its gang, together.
func (p *partition) mayKeep(c *claim) bool {
	return p.isOrdinary(c.ask) && (c.gang != nil || c.ask.waitingGang() == nil)
}

// lapse ends the ask's claim, and those of its gang, without an allocation.
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
		if earlier.node == c.node { // both are of the same gang
			room.sub(earlier.ask.resources)
		}
	}
	there := append(claimedOn(c.node, before), c.ask)
	return p.matches(c.node, c.ask) && p.staysTogether(c) && covers(room, c.ask) && p.fitOnceLeft(c.node, nil, there...) && p.withinLimits(c.ask, before) &&
		p.withinMax(c.ask, func(q *queue) amounts {
			used := p.sum(q, func(k *ask) bool { return k.node != nil && !k.isLeaving() })
			used.addAll(claimedAmounts(q, before))
			used.addAll(p.replacingAmounts(q, func(*app) bool { return true }))
			return used
		})
}

// staysTogether reports whether the node is in the domain of the first one that the gang claims, if it requires one, and in that of its slice.
func (p *partition) staysTogether(c *claim) bool {
	if c.gang == nil {
		return true
	}
	var members []*ask
	nodes := map[*ask]*node{}
	for _, other := range p.claims {
		if other.gang == c.gang {
			members = append(members, other.ask)
			nodes[other.ask] = other.node
		}
	}
	level, ok := p.requiredLevel(c.ask)
	return p.inOneSlice(members, c.ask, c.node, nodes) && (!ok || p.inOneDomain(c.node, nodes[members[0]], level))
}

// roomOnceLeft returns the free amounts of the node once all leaving allocations have left and the tasks that replace them are allocated. They
// are negative if the node is over-committed.
func (p *partition) roomOnceLeft(n *node) amounts {
	room := amountsOf(n.capacity)
	room.sub(n.occupied)
	for _, k := range p.allocationsOn(n) {
		if !k.isLeaving() {
			room.sub(k.resources)
		}
	}
	for _, k := range p.replacingAsks() {
		if k.replaces.node == n {
			room.sub(k.resources)
		}
	}
	return room
}

// covers reports whether room is enough for the ask.
func covers(room amounts, k *ask) bool {
	for _, need := range k.plain {
		if need.Value > 0 && room[need.Type] < need.Value {
			return false
		}
	}
	return true
}
