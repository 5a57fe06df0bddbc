package oracle

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
)

// preemptOne lets the first ask in scheduling order preempt that may and finds victims. It reports whether there was one.
func (p *partition) preemptOne(q *queue) bool {
	for _, child := range p.childrenInOrder(q) {
		if p.preemptOne(child) {
			return true
		}
	}
	if !q.isLeaf() {
		return false
	}
	return slices.ContainsFunc(p.asksInOrder(q), func(k *ask) bool {
		return asSeen(p, k, func() bool { return p.preempts(k) })
	})
}

// preempts lets the ask, or the gang of which it is the first member, preempt. It reports whether victims were chosen.
func (p *partition) preempts(k *ask) bool {
	if k.waitingGang() != nil {
		return p.claimOf(k) == nil && p.isOrdinary(k) && p.preemptGang(k)
	}
	return p.mayPreempt(k) && p.choose(k)
}

// mayPreempt reports whether the ask may look for victims now.
func (p *partition) mayPreempt(k *ask) bool {
	if !p.isOrdinary(k) || !p.withinLimits(k, p.claims) { // limits count victims that have not left
		return false
	}
	if k.details.NoPreemptOthers || k.isSurplusAsk() || p.claimOf(k) != nil || p.settings.PreemptionObserve && k.observed {
		return false
	}
	return k.details.Node != "" || p.now >= k.searchesAt()
}

// hasRightBeside reports whether the ask may preempt others than surplus of elastic gangs.
func (p *partition) hasRightBeside(k *ask) bool {
	return k.details.Node != "" || p.byGuarantee(k) || k.app.queue.settings.IntraQueue
}

// searchesAt returns when the delay of the ask ends.
func (k *ask) searchesAt() time.Duration {
	return k.app.queue.settings.PreemptionDelay.After(k.submitted)
}

// byGuarantee reports whether preemption by guarantees is on for the ask's queue.
func (p *partition) byGuarantee(k *ask) bool {
	return (p.settings.PreemptionEnabled || p.settings.PreemptionObserve) && !k.app.queue.isDisabled()
}

// isDisabled reports whether preemption by guarantees is disabled for the queue or an ancestor. The policy has no effect on root.
func (q *queue) isDisabled() bool {
	for _, at := range q.chain() {
		if at.parent != nil && at.settings.PreemptionPolicy == config.PreemptionDisabled {
			return true
		}
	}
	return false
}

// choose searches for victims. If there are any, it releases them or, if the partition only observes preemption, reports them.
func (p *partition) choose(k *ask) bool {
	found := p.lookForVictims(k)
	if found == nil {
		return false
	}
	if p.settings.PreemptionObserve {
		k.observed = true
		p.announceVictims(core.Observed, k, found)
		return true
	}
	p.announceVictims(core.Preemption, k, found)
	p.spend(found.victims)
	p.count(found.victims)
	p.gangsLose(found.victims)
	for _, v := range found.victims {
		v.leaves, v.leavesFor, v.leavesSince = core.ReasonPreempted, k, p.now
	}
	p.unreserve(k, "")
	p.claims = append(p.claims, &claim{ask: k, node: found.node, made: p.now, victims: found.victims})
	return true
}

func (p *partition) announceVictims(what core.DecisionType, k *ask, found *choice) {
	ended := p.ended(found.victims)
	for _, v := range inAllocationOrder(found.victims) {
		p.decide(p.withGang(core.Decision{
			Type: what, ID: v.id, For: k.id, Node: v.node.id, Queue: v.app.queue.path(), Right: found.rightOf(k, v), Placement: v.placement,
		}, v, ended))
	}
}

// rightOf returns the right by which the ask preempts one of the victims.
func (c *choice) rightOf(k, v *ask) core.Right {
	if c.surplus {
		return core.RightSurplus
	}
	return k.rightTo(v)
}

// rightTo returns the right by which the ask preempts an allocation.
func (k *ask) rightTo(v *ask) core.Right {
	switch {
	case k.details.Node != "":
		return core.RightRequiredNode
	case k.app.queue == v.app.queue:
		return core.RightQueue
	}
	return core.RightGuarantee
}
