package queue

import "github.com/quern-project/quern/core/resource"

// While allocations are leaving, their headroom is kept for the asks that will replace them. So a queue sums leaving allocations, the
// claims of asks that preempted, and the tasks that replace placeholders.

// AddLeaving adds a leaving allocation or, if more is false, removes one.
func (q *Queue) AddLeaving(demand resource.Vec, more bool) { q.add(&q.leaving, demand, more) }

// AddClaim adds a pending ask with a claim or, if more is false, removes one.
func (q *Queue) AddClaim(demand resource.Vec, more bool) { q.add(&q.claimed, demand, more) }

// AddReplacing adds a pending task whose placeholder is leaving or, if more is false, removes one.
func (q *Queue) AddReplacing(demand resource.Vec, more bool) { q.add(&q.replacing, demand, more) }

func (q *Queue) add(sum *resource.Vec, demand resource.Vec, more bool) {
	if q.claimed == nil { // most queues never need them
		width := len(q.Used)
		q.leaving, q.claimed, q.replacing = make(resource.Vec, width), make(resource.Vec, width), make(resource.Vec, width)
	}
	if more {
		sum.Add(demand)
	} else {
		sum.Sub(demand)
	}
	for t := range q.extra {
		q.extra[t] = max(0, resource.Sub(resource.Add(q.claimed[t], q.replacing[t]), q.leaving[t]))
	}
}

// AddFutureUsage adds the sums of another queue.
func (q *Queue) AddFutureUsage(from *Queue) {
	if from.claimed != nil {
		q.AddLeaving(from.leaving, true)
		q.AddClaim(from.claimed, true)
		q.AddReplacing(from.replacing, true)
	}
}

// Taken returns the usage of a type that counts towards the queue's max: the larger of the current usage and FutureUsage.
func (q *Queue) Taken(t int) int64 { return resource.Add(q.Used[t], q.extra[t]) }

// TakenByOthers is Taken for an ask with a claim. Claims do not count.
func (q *Queue) TakenByOthers(t int) int64 {
	if q.replacing == nil {
		return q.Used[t]
	}
	return resource.Add(q.Used[t], max(0, resource.Sub(q.replacing[t], q.leaving[t])))
}

// TakenWith is Taken if the queue contained more: now is the additional current usage, and stays the part of it that is not leaving.
func (q *Queue) TakenWith(t int, now, stays int64) int64 {
	return max(resource.Add(q.Used[t], now), resource.Add(q.FutureUsage(t), stays))
}

// FutureUsage returns the future usage of a type: leaving allocations have left, and asks with claims and replacing tasks are allocated.
func (q *Queue) FutureUsage(t int) int64 {
	will := resource.Add(q.StayingUsage(t), q.Claimed(t))
	if q.replacing != nil {
		will = resource.Add(will, q.replacing[t])
	}
	return will
}

// StayingUsage returns the usage of a type by allocations that are not leaving.
func (q *Queue) StayingUsage(t int) int64 { return resource.Sub(q.Used[t], q.Leaving(t)) }

// Leaving returns the usage of a type by leaving allocations.
func (q *Queue) Leaving(t int) int64 {
	if q.leaving == nil {
		return 0
	}
	return q.leaving[t]
}

// Claimed returns the sum of a type over the asks with claims.
func (q *Queue) Claimed(t int) int64 {
	if q.claimed == nil {
		return 0
	}
	return q.claimed[t]
}
