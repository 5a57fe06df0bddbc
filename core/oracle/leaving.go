package oracle

// leaving returns the usage of leaving allocations in the queue's subtree.
func (p *partition) leaving(q *queue) amounts {
	return p.sum(q, func(k *ask) bool { return k.isLeaving() })
}

// claimedAmounts returns the sum of the claims whose asks are in the queue's subtree.
func claimedAmounts(q *queue, claims []*claim) amounts {
	sum := amounts{}
	for _, c := range claims {
		if q.holds(c.ask.app.queue) {
			sum.add(c.ask.resources)
		}
	}
	return sum
}

// willUse returns the queue's future usage: leaving allocations have left, and asks with claims are allocated.
func (p *partition) willUse(q *queue) amounts {
	usage := p.sum(q, func(k *ask) bool { return k.node != nil && !k.isLeaving() })
	usage.addAll(claimedAmounts(q, p.claims))
	usage.addAll(p.replacingAmounts(q, func(*app) bool { return true }))
	return usage
}

// usedOrClaimed returns the usage that counts towards a max, for asks without claims: the larger of the current and the future usage. So
// the amounts that victims free stay available to the asks that preempted them.
func (p *partition) usedOrClaimed(q *queue) amounts {
	return p.usedOrClaimedBy(q, func(*app) bool { return true }, p.claims)
}
