package oracle

// leaving sums what is used in the queue's subtree by victims that were told to leave and have not left.
func (p *partition) leaving(q *queue) amounts {
	return p.sum(q, func(k *ask) bool { return k.isLeaving() })
}

// demands sums what those of the claims wait for whose ask is in the queue's subtree.
func demands(q *queue, claims []*claim) amounts {
	sum := amounts{}
	for _, c := range claims {
		if q.holds(c.ask.app.queue) {
			sum.add(c.ask.resources)
		}
	}
	return sum
}

// willUse is the queue's usage as it will be: the victims gone, the claims landed.
func (p *partition) willUse(q *queue) amounts {
	usage := p.sum(q, func(k *ask) bool { return k.node != nil && !k.isLeaving() })
	usage.addAll(demands(q, p.claims))
	usage.addAll(p.bound(q, func(*app) bool { return true }))
	return usage
}

// usedOrKept is the usage that is compared with a max, except for claims: the larger of the usage now and as
// it will be, so that what victims free stays with those they leave for.
func (p *partition) usedOrKept(q *queue) amounts {
	return p.usedOrKeptBy(q, func(*app) bool { return true }, p.claims)
}
