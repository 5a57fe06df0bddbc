package oracle

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
)

// preemptOne has the first ask in the order of the walk that may preempt, and finds victims, choose them. It reports
// whether there was one.
func (o *Oracle) preemptOne(q *queue) bool {
	for _, child := range o.childrenInOrder(q) {
		if o.preemptOne(child) {
			return true
		}
	}
	if !q.isLeaf() {
		return false
	}
	for _, a := range o.appsInOrder(q) {
		for _, k := range a.pending() {
			if o.mayPreempt(k) && o.choose(k) {
				return true
			}
		}
	}
	return false
}

// mayPreempt reports whether the ask may look for victims now.
func (o *Oracle) mayPreempt(k *ask) bool {
	if k.details.NoPreemptOthers || o.claimOf(k) != nil || o.settings.PreemptionObserve && k.observed {
		return false
	}
	return k.details.Node != "" || o.now >= k.searchesAt() && (o.byGuarantee(k) || k.app.queue.settings.IntraQueue)
}

// searchesAt is when the ask has waited for its delay.
func (k *ask) searchesAt() time.Duration { return k.submitted + k.app.queue.settings.PreemptionDelay }

// byGuarantee reports whether preemption by guarantees is on for the ask's queue.
func (o *Oracle) byGuarantee(k *ask) bool {
	return (o.settings.PreemptionEnabled || o.settings.PreemptionObserve) && !k.app.queue.isDisabled()
}

// isDisabled reports whether preemption by guarantees is disabled for the queue, there or above. On root the policy
// has no effect.
func (q *queue) isDisabled() bool {
	for _, at := range q.chain() {
		if at.parent != nil && at.settings.PreemptionPolicy == config.PreemptionDisabled {
			return true
		}
	}
	return false
}

// choose looks for victims and, if there are any, tells them, or in observation only says whom it would tell.
func (o *Oracle) choose(k *ask) bool {
	found := o.lookForVictims(k)
	if found == nil {
		return false
	}
	if o.settings.PreemptionObserve {
		k.observed = true
		o.announceVictims(core.Observed, k, found)
		return true
	}
	o.announceVictims(core.Preemption, k, found)
	for _, v := range found.victims {
		v.leavesFor = k
	}
	o.unreserve(k, "")
	o.claims = append(o.claims, &claim{ask: k, node: found.node})
	return true
}

func (o *Oracle) announceVictims(what core.DecisionType, k *ask, found *choice) {
	for _, v := range inAllocationOrder(found.victims) {
		o.decide(core.Decision{Type: what, ID: v.id, For: k.id, Node: found.node.id, Queue: v.app.queue.path(), Placement: v.placement})
	}
}
