package nodes

import (
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/state/internal/table"
	"github.com/quern-project/quern/core/resource"
)

// nowKind is a kind of amounts that decides the free room of a node. Those of one node are adjacent in memory.
type nowKind int

const (
	capacity nowKind = iota
	occupied         // used by others, outside the scheduler's allocations
	used             // used by allocations
	extra            // kept free for tasks: the part of each task's demand beyond its placeholder on the node
	nowKinds
)

// futureKind is a kind of amounts that decides the future room of a node, beside the others.
type futureKind int

const (
	leaving futureKind = iota // used by leaving allocations
	landing                   // the demands of tasks that will be allocated on the node once placeholders have left
	futureKinds
)

// idOf returns the ID of amounts in Nodes.now, and idOfFuture that of amounts in Nodes.future.
func idOf(slot int32, kind nowKind) table.ID { return table.ID(int(slot)*int(nowKinds) + int(kind)) }

func idOfFuture(slot int32, kind futureKind) table.ID {
	return table.ID(int(slot)*int(futureKinds) + int(kind))
}

// Amounts reads the amounts of a node that decide its free room. It is valid until a node changes, and faster than a View if several are
// read.
type Amounts struct {
	lanes []int64
	width int // number of lanes of each kind; others are zero
}

// Amounts returns the amounts of a node.
func (v View) Amounts(slot int32) Amounts {
	lanes, width := v.o.now.Group(idOf(slot, 0), int(nowKinds))
	return Amounts{lanes, width}
}

func (a *Amounts) of(kind nowKind, t int) int64 {
	if t >= a.width {
		return 0
	}
	return a.lanes[int(kind)*a.width+t]
}

// Taken returns the used amount of a type, by allocations and by others. It is never negative.
func (a *Amounts) Taken(t int) int64 { return resource.Add(a.of(used, t), a.of(occupied, t)) }

// Capacity returns the capacity of a type.
func (a *Amounts) Capacity(t int) int64 { return a.of(capacity, t) }

// Free returns the free amount of a type, at least 0. Room kept for tasks that replace placeholders is not free.
func (a *Amounts) Free(t int) int64 {
	if t >= a.width {
		return 0
	}
	taken := resource.Add(a.lanes[int(used)*a.width+t], a.lanes[int(occupied)*a.width+t])
	if kept := a.lanes[int(extra)*a.width+t]; kept != 0 {
		taken = resource.Add(taken, kept)
	}
	return max(0, a.lanes[t]-taken) // the capacity comes first
}

// CapacityOf returns a node's capacity of a type.
func (v View) CapacityOf(slot int32, t int) int64 { return v.o.now.At(idOf(slot, capacity), t) }

// OccupiedOf returns the amount of a type that others use, outside the scheduler's allocations.
func (v View) OccupiedOf(slot int32, t int) int64 { return v.o.now.At(idOf(slot, occupied), t) }

// UsedOf returns the amount of a type that allocations use.
func (v View) UsedOf(slot int32, t int) int64 { return v.o.now.At(idOf(slot, used), t) }

// TakenOf returns the used amount of a type, by allocations and by others.
func (v View) TakenOf(slot int32, t int) int64 {
	a := v.Amounts(slot)
	return a.Taken(t)
}

// Free returns the free amount of a type, as Amounts.Free.
func (v View) Free(slot int32, t int) int64 {
	a := v.Amounts(slot)
	return a.Free(t)
}

// Empty returns the free amount of a type if the node had no allocations, at least 0.
func (v View) Empty(slot int32, t int) int64 {
	a := v.Amounts(slot)
	return max(0, resource.Sub(a.of(capacity, t), a.of(occupied, t)))
}

// FreeWithout returns the free amount of a type if an allocation of some amount were gone. It is negative if the node is over-committed.
func (v View) FreeWithout(slot int32, t int, amount int64) int64 {
	a := v.Amounts(slot)
	room := resource.Sub(resource.Sub(a.of(capacity, t), a.of(occupied, t)), resource.Sub(a.of(used, t), amount))
	return resource.Sub(room, a.of(extra, t))
}

// FutureRoom returns the free amount of a type once all leaving allocations have left and the tasks that replace them are allocated. It is
// negative if others use more than the rest.
func (v View) FutureRoom(slot int32, t int) int64 {
	a := v.Amounts(slot)
	return v.future(&a, slot, t)
}

// WriteFutureRoom writes the amounts of all types that FutureRoom returns.
func (v View) WriteFutureRoom(slot int32, to []int64) {
	a := v.Amounts(slot)
	for t := range to {
		to[t] = v.future(&a, slot, t)
	}
}

func (v View) future(a *Amounts, slot int32, t int) int64 {
	room := resource.Sub(resource.Sub(a.of(capacity, t), a.of(occupied, t)), a.of(used, t))
	room = resource.Add(room, v.o.future.At(idOfFuture(slot, leaving), t))
	return resource.Sub(room, v.o.future.At(idOfFuture(slot, landing), t))
}

// Fits reports whether a class fits the node now.
func (v View) Fits(slot int32, c class.Class) bool {
	a := v.Amounts(slot)
	needs := c.Needs()
	for i := range needs.Len() {
		if need := needs.At(i); a.Free(need.Lane) < need.Min {
			return false
		}
	}
	return true
}

// FitsEmpty reports whether a class would fit the node if it had no allocations.
func (v View) FitsEmpty(slot int32, c class.Class) bool {
	for need := range c.Needs().All {
		if v.Empty(slot, need.Lane) < need.Min {
			return false
		}
	}
	return true
}

// Leaves reports whether allocations on the node are leaving.
func (v View) Leaves(slot int32) bool {
	for t := range v.o.total {
		if v.o.future.At(idOfFuture(slot, leaving), t) > 0 {
			return true
		}
	}
	return false
}

// Capacity returns the capacity of a node. The caller owns the vector.
func (v View) Capacity(slot int32) resource.Vec { return v.copy(slot, capacity) }

// Occupied returns the amounts that others use, outside the scheduler's allocations. The caller owns the vector.
func (v View) Occupied(slot int32) resource.Vec { return v.copy(slot, occupied) }

// Used returns the amounts that allocations use. The caller owns the vector.
func (v View) Used(slot int32) resource.Vec { return v.copy(slot, used) }

func (v View) copy(slot int32, kind nowKind) resource.Vec {
	list, a := make(resource.Vec, v.Width()), v.Amounts(slot)
	for t := range list {
		list[t] = a.of(kind, t)
	}
	return list
}
