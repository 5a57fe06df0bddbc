package queue

import "github.com/quern-project/quern/core/resource"

// While allocations leave, headroom is kept for the asks that wait for that: a queue counts what is to leave, and what is to
// land.

// Leave counts an allocation that is to leave, or one less where it has left.
func (q *Queue) Leave(demand resource.Vec, more bool) { q.add(&q.leaving, demand, more) }

// CountClaim counts the demand of a pending ask that has a claim, or takes it back.
func (q *Queue) CountClaim(demand resource.Vec, more bool) { q.add(&q.claimed, demand, more) }

// Land counts a pending task that a placeholder leaves for, or one less where it is not so any more.
func (q *Queue) Land(demand resource.Vec, more bool) { q.add(&q.landing, demand, more) }

func (q *Queue) add(sum *resource.Vec, demand resource.Vec, more bool) {
	if q.claimed == nil { // most queues never need these
		width := len(q.Used)
		q.leaving, q.claimed, q.landing = make(resource.Vec, width), make(resource.Vec, width), make(resource.Vec, width)
	}
	if more {
		sum.Add(demand)
	} else {
		sum.Sub(demand)
	}
	for t := range q.extra {
		q.extra[t] = max(0, resource.Sub(resource.Add(q.claimed[t], q.landing[t]), q.leaving[t]))
	}
}

// InheritPromises takes over what another queue has promised.
func (q *Queue) InheritPromises(from *Queue) {
	if from.claimed != nil {
		q.Leave(from.leaving, true)
		q.CountClaim(from.claimed, true)
		q.Land(from.landing, true)
	}
}

// Taken is what counts as used of a type towards the queue's max: what is used now or, where that is more, what will be
// once those have left that are to leave, and the asks that wait for them have landed.
func (q *Queue) Taken(t int) int64 { return resource.Add(q.Used[t], q.extra[t]) }

// TakenByOthers is what counts as used of a type for an ask with a claim: what such asks wait for is left out.
func (q *Queue) TakenByOthers(t int) int64 {
	if q.landing == nil {
		return q.Used[t]
	}
	return resource.Add(q.Used[t], max(0, resource.Sub(q.landing[t], q.leaving[t])))
}

// TakenWith is Taken of a type with more in the queue: of which so much is used now, and so much stays.
func (q *Queue) TakenWith(t int, now, stays int64) int64 {
	return max(resource.Add(q.Used[t], now), resource.Add(q.WillUse(t), stays))
}

// WillUse is what will be used of a type once those have left that are to leave, and the asks that wait for them have landed.
func (q *Queue) WillUse(t int) int64 {
	will := resource.Add(q.Stays(t), q.Claimed(t))
	if q.landing != nil {
		will = resource.Add(will, q.landing[t])
	}
	return will
}

// Stays is what is used of a type, without the allocations that are to leave.
func (q *Queue) Stays(t int) int64 { return resource.Sub(q.Used[t], q.Leaves(t)) }

// Leaves is what is used of a type by allocations that are to leave.
func (q *Queue) Leaves(t int) int64 {
	if q.leaving == nil {
		return 0
	}
	return q.leaving[t]
}

// Claimed is what the asks with claims need of a type.
func (q *Queue) Claimed(t int) int64 {
	if q.claimed == nil {
		return 0
	}
	return q.claimed[t]
}
