package queue

import "github.com/quern-project/quern/core/resource"

// While victims leave, headroom is kept for those who wait for that: a queue counts who is to leave, and who is to land.

// Leave counts a victim that is to leave, or one less where it has left.
func (q *Queue) Leave(demand resource.Vec, more bool) { q.add(&q.leaving, demand, more) }

// Await counts a pending ask that a node is kept for, or one less where it is not any more.
func (q *Queue) Await(demand resource.Vec, more bool) { q.add(&q.awaited, demand, more) }

func (q *Queue) add(sum *resource.Vec, demand resource.Vec, more bool) {
	if q.awaited == nil { // most queues never need these
		q.leaving, q.awaited = make(resource.Vec, len(q.Used)), make(resource.Vec, len(q.Used))
	}
	if more {
		sum.Add(demand)
	} else {
		sum.Sub(demand)
	}
	for t := range q.extra {
		q.extra[t] = max(0, resource.Sub(q.awaited[t], q.leaving[t]))
	}
}

// InheritPromises takes over what another queue has promised.
func (q *Queue) InheritPromises(from *Queue) {
	if from.awaited != nil {
		q.Leave(from.leaving, true)
		q.Await(from.awaited, true)
	}
}

// Taken is what counts as used of a type towards the queue's max: what is used now or, where that is more, what will be
// once victims have left and the asks that wait for them have landed.
func (q *Queue) Taken(t int) int64 { return resource.Add(q.Used[t], q.extra[t]) }

// WillUse is what will be used of a type once victims have left and the asks that wait for them have landed.
func (q *Queue) WillUse(t int) int64 { return resource.Add(q.Stays(t), q.Awaits(t)) }

// Stays is what is used of a type, without the victims that are to leave.
func (q *Queue) Stays(t int) int64 { return resource.Sub(q.Used[t], q.Leaves(t)) }

// Leaves is what is used of a type by victims that are to leave.
func (q *Queue) Leaves(t int) int64 {
	if q.leaving == nil {
		return 0
	}
	return q.leaving[t]
}

// Awaits is what the asks need of a type that nodes are kept for.
func (q *Queue) Awaits(t int) int64 {
	if q.awaited == nil {
		return 0
	}
	return q.awaited[t]
}
