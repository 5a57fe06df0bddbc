package nodes

import (
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/state/internal/table"
	"github.com/quern-project/quern/core/resource"
)

// lane returns an amount of a vector. Lanes that were never set are zero.
func lane(v []int64, t int) int64 {
	if t < len(v) {
		return v[t]
	}
	return 0
}

// CapacityOf returns a node's capacity of a type.
func (v View) CapacityOf(slot int32, t int) int64 { return lane(v.o.capacity.Lanes(rowOf(slot)), t) }

// OccupiedOf returns the amount of a type that others use, outside the scheduler's allocations.
func (v View) OccupiedOf(slot int32, t int) int64 { return lane(v.o.occupied.Lanes(rowOf(slot)), t) }

// Taken returns the used amount of a type, by allocations and by others. It is never negative.
func (v View) Taken(slot int32, t int) int64 {
	row := rowOf(slot)
	return resource.Add(lane(v.o.used.Lanes(row), t), lane(v.o.occupied.Lanes(row), t))
}

// Free returns the free amount of a type, at least 0. Room kept for tasks that replace placeholders is not free.
func (v View) Free(slot int32, t int) int64 {
	row := rowOf(slot)
	return max(0, lane(v.o.capacity.Lanes(row), t)-resource.Add(v.Taken(slot, t), lane(v.o.extra.Lanes(row), t)))
}

// WriteFree writes the free amounts of all types, as Free returns them.
func (v View) WriteFree(slot int32, to []int64) {
	row := rowOf(slot)
	capacity, used, occupied, extra := v.o.capacity.Lanes(row), v.o.used.Lanes(row), v.o.occupied.Lanes(row), v.o.extra.Lanes(row)
	for t := range to {
		to[t] = max(0, lane(capacity, t)-resource.Add(lane(used, t), resource.Add(lane(occupied, t), lane(extra, t))))
	}
}

// Empty returns the free amount of a type if the node had no allocations, at least 0.
func (v View) Empty(slot int32, t int) int64 {
	return max(0, resource.Sub(v.CapacityOf(slot, t), v.OccupiedOf(slot, t)))
}

// FreeWithout returns the free amount of a type if an allocation of some amount were gone. It is negative if the node is over-committed.
func (v View) FreeWithout(slot int32, t int, amount int64) int64 {
	row := rowOf(slot)
	room := resource.Sub(resource.Sub(v.CapacityOf(slot, t), v.OccupiedOf(slot, t)), resource.Sub(lane(v.o.used.Lanes(row), t), amount))
	return resource.Sub(room, lane(v.o.extra.Lanes(row), t))
}

// FutureRoom returns the free amount of a type once all leaving allocations have left and the tasks that replace them are allocated. It is
// negative if others use more than the rest.
func (v View) FutureRoom(slot int32, t int) int64 {
	row := rowOf(slot)
	room := resource.Sub(resource.Sub(v.CapacityOf(slot, t), v.OccupiedOf(slot, t)), lane(v.o.used.Lanes(row), t))
	room = resource.Add(room, lane(v.o.leaving.Lanes(row), t))
	return resource.Sub(room, lane(v.o.landing.Lanes(row), t))
}

// WriteFutureRoom writes the amounts of all types that FutureRoom returns.
func (v View) WriteFutureRoom(slot int32, to []int64) {
	for t := range to {
		to[t] = v.FutureRoom(slot, t)
	}
}

// Fits reports whether a class fits the node now.
func (v View) Fits(slot int32, c *class.Class) bool {
	for i := range c.Needs {
		if v.Free(slot, c.Needs[i].Lane) < c.Needs[i].Min {
			return false
		}
	}
	return true
}

// FitsEmpty reports whether a class would fit the node if it had no allocations.
func (v View) FitsEmpty(slot int32, c *class.Class) bool {
	for i := range c.Needs {
		if v.Empty(slot, c.Needs[i].Lane) < c.Needs[i].Min {
			return false
		}
	}
	return true
}

// Leaves reports whether allocations on the node are leaving.
func (v View) Leaves(slot int32) bool {
	for _, amount := range v.o.leaving.Lanes(rowOf(slot)) {
		if amount > 0 {
			return true
		}
	}
	return false
}

// Capacity returns the capacity of a node. The caller owns the vector.
func (v View) Capacity(slot int32) resource.Vec { return v.copy(v.o.capacity, slot) }

// Occupied returns the amounts that others use, outside the scheduler's allocations. The caller owns the vector.
func (v View) Occupied(slot int32) resource.Vec { return v.copy(v.o.occupied, slot) }

// Used returns the amounts that allocations use. The caller owns the vector.
func (v View) Used(slot int32) resource.Vec { return v.copy(v.o.used, slot) }

func (v View) copy(from *table.Vectors, slot int32) resource.Vec {
	amounts := make(resource.Vec, v.Width())
	copy(amounts, from.Lanes(rowOf(slot)))
	return amounts
}
