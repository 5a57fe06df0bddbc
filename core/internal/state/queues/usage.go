package queues

import (
	"github.com/quern-project/quern/core/internal/state/internal/table"
	"github.com/quern-project/quern/core/resource"
)

// hot returns the amounts of a type in a queue, and cold its limits.
func (v View) hot(id ID, t int) *amounts { return &v.o.hot.Peek()[int(id)*v.o.width+t] }
func (v View) cold(id ID, t int) *limits { return &v.o.cold.Peek()[int(id)*v.o.width+t] }

func (v View) future(id ID, kind, t int) int64 {
	return v.o.future.At(table.ID(id), t*futureKinds+kind)
}

// Used returns the usage of a type by the allocations below a queue.
func (v View) Used(id ID, t int) int64 { return v.hot(id, t).used }

// AllUsed returns a copy of the usage of all types.
func (v View) AllUsed(id ID) resource.Vec {
	sum := make(resource.Vec, v.o.width)
	for t := range sum {
		sum[t] = v.Used(id, t)
	}
	return sum
}

// Waiting returns the demand for a type of the pending asks below a queue, at most the largest amount.
func (v View) Waiting(id ID, t int) int64 {
	if v.o.carried && v.o.carries.At(table.ID(id), t) > 0 {
		return resource.Most
	}
	return v.hot(id, t).waiting
}

// AllWaiting returns the demand for all types of the pending asks below a queue.
func (v View) AllWaiting(id ID) resource.Vec {
	sum := make(resource.Vec, v.o.width)
	for t := range sum {
		sum[t] = v.Waiting(id, t)
	}
	return sum
}

// Max returns the max of a type, or resource.Unlimited. That of root is the cluster's total.
func (v View) Max(id ID, t int) int64 { return v.cold(id, t).max }

// Guaranteed returns the guarantee of a type, or NotGuaranteed.
func (v View) Guaranteed(id ID, t int) int64 { return v.cold(id, t).guaranteed }

// Types returns the number of types of amounts. Some may have no name yet.
func (v View) Types() int { return v.o.width }

// Room returns how much of a type the queue's own max leaves for asks without claims, at least 0: the max minus Taken.
func (v View) Room(id ID, t int) int64 {
	of := v.hot(id, t)
	if of.bound == unbounded {
		return resource.Most
	}
	return max(0, resource.Sub(of.bound, of.used))
}

// RoomWithout is Room if an allocation of some amount were gone from the queue. It is negative if usage exceeds the max.
func (v View) RoomWithout(id ID, t int, amount int64) int64 {
	b := v.hot(id, t).bound
	if b == unbounded {
		return resource.Most
	}
	return resource.Add(resource.Sub(b, v.hot(id, t).used), amount)
}

// MayLimit reports whether the queue's own max may bar an ask, given the largest ask of each type.
func (v View) MayLimit(id ID, largest resource.Amounts) bool {
	return v.row(id).bounded && v.exceeded(id, largest)
}

// exceeded is MayLimit for a queue with a max.
func (v View) exceeded(id ID, largest resource.Amounts) bool {
	all := v.o.hot.Peek()[int(id)*v.o.width:][:largest.Len()]
	for t := range largest.Len() {
		most := largest.At(t)
		of := &all[t]
		if of.bound == unbounded || most == 0 {
			continue
		}
		if of.bound < most || of.bound-of.used < most { // the first condition prevents overflow in the second
			return true
		}
	}
	return false
}

// Taken returns the usage of a type that counts towards the queue's max: the larger of the current usage and FutureUsage.
func (v View) Taken(id ID, t int) int64 { return resource.Add(v.Used(id, t), v.cold(id, t).extra) }

// TakenByOthers is Taken for an ask with a claim. Claims do not count.
func (v View) TakenByOthers(id ID, t int) int64 {
	return resource.Add(v.Used(id, t), max(0, resource.Sub(v.future(id, replacing, t), v.Leaving(id, t))))
}

// TakenWith is Taken if the queue contained more: now is the additional current usage, and stays the part of it that is not leaving.
func (v View) TakenWith(id ID, t int, now, stays int64) int64 {
	return max(resource.Add(v.Used(id, t), now), resource.Add(v.FutureUsage(id, t), stays))
}

// FutureUsage returns the future usage of a type: leaving allocations have left, and asks with claims and replacing tasks are allocated.
func (v View) FutureUsage(id ID, t int) int64 {
	will := resource.Add(v.StayingUsage(id, t), v.Claimed(id, t))
	return resource.Add(will, v.future(id, replacing, t))
}

// StayingUsage returns the usage of a type by allocations that are not leaving.
func (v View) StayingUsage(id ID, t int) int64 { return resource.Sub(v.Used(id, t), v.Leaving(id, t)) }

// Leaving returns the usage of a type by leaving allocations.
func (v View) Leaving(id ID, t int) int64 { return v.future(id, leaving, t) }

// Claimed returns the sum of a type over the asks with claims.
func (v View) Claimed(id ID, t int) int64 { return v.future(id, claimed, t) }

// Excess returns by how much the usage that is not leaving exceeds the queue's max, by type, at least 0. It returns nil if no type does.
func (v View) Excess(id ID) resource.Vec {
	most := make(resource.Vec, v.o.width)
	for t := range most {
		most[t] = v.Max(id, t)
	}
	return v.ExcessOver(id, most)
}

// ExcessOver is Excess if the queue had another max.
func (v View) ExcessOver(id ID, most resource.Vec) resource.Vec {
	var excess resource.Vec
	for t, limit := range most {
		if limit == resource.Unlimited {
			continue
		}
		if over := v.StayingUsage(id, t) - limit; over > 0 {
			if excess == nil {
				excess = make(resource.Vec, v.o.width)
			}
			excess[t] = over
		}
	}
	return excess
}
