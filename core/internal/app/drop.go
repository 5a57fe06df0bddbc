package app

// dropSilently removes an ask from the only group of an application without a module, so that the leaf has nothing to sort if the next ask
// takes its place with an equal entry, as after most allocations (workload fill). It does nothing and reports false where the entry may
// depend on more than the group.
func (a *application) dropSilently(ask Ask) bool {
	g := &a.onlyGroup
	if a.module != nil || a.gang != nil || a.limitQueue != nil || !a.leaf.bySubmission() || g.inHeap || ask.order().group == 0 {
		return false
	}
	priority, oldest := g.priority(), g.oldest()
	g.remove(ask)
	ask.order().role = independent
	if g.empty() || g.priority() != priority || g.oldest() != oldest {
		a.leaf.queue(a)
	}
	return true
}
