package oracle

import (
	"math"
	"slices"
)

// appPriority returns the highest priority of the application's pending asks. ok is false if there are none.
func appPriority(a *app) (priority int32, ok bool) {
	for _, k := range a.pending() {
		if !ok || k.priority > priority {
			priority, ok = k.priority, true
		}
	}
	return priority, ok
}

// queuePriority returns the queue's priority as its parent sees it. ok is false if the queue has no pending asks.
func (p *partition) queuePriority(q *queue) (priority int32, ok bool) {
	for _, inside := range p.prioritiesInside(q) {
		if !ok || inside > priority {
			priority, ok = inside, true
		}
	}
	if !ok {
		return 0, false
	}
	return shownBy(q, priority), true
}

func (p *partition) prioritiesInside(q *queue) []int32 {
	var inside []int32
	for _, child := range q.children {
		if priority, ok := p.queuePriority(child); ok {
			inside = append(inside, priority)
		}
	}
	if !q.isLeaf() {
		return inside
	}
	for _, a := range p.liveApps(q) {
		if p, ok := appPriority(a); ok {
			inside = append(inside, p)
		}
	}
	return inside
}

// shownBy converts a priority inside the queue to one as the parent sees it. Policy and offset have no effect on root.
func shownBy(q *queue, inside int32) int32 {
	if q.parent == nil {
		return inside
	}
	if q.settings.PriorityFence {
		return q.settings.PriorityOffset
	}
	sum := int64(inside) + int64(q.settings.PriorityOffset)
	return int32(min(max(sum, math.MinInt32), math.MaxInt32))
}

// outranks reports whether k's priority is higher than other's, both as seen just below the lowest common ancestor of their leaves. Within
// one leaf, their own priorities are compared.
func outranks(k, other *ask) bool {
	common := other.app.queue.chain()
	seen := func(k *ask, others []*queue) int32 {
		priority := k.priority
		for _, q := range k.app.queue.chain() {
			if slices.Contains(others, q) {
				break
			}
			priority = shownBy(q, priority)
		}
		return priority
	}
	return seen(k, common) > seen(other, k.app.queue.chain())
}
