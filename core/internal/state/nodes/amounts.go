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

// amounts are the amounts of a node, for reading. They have lanes that were ever set; others are zero.
type amounts struct {
	lanes []int64
	width int
}

func (v View) now(slot int32) amounts {
	lanes, width := v.o.now.Group(idOf(slot, 0), int(nowKinds))
	return amounts{lanes, width}
}

func (a *amounts) of(kind nowKind, t int) int64 {
	if t >= a.width {
		return 0
	}
	return a.lanes[int(kind)*a.width+t]
}

func (a *amounts) taken(t int) int64 { return resource.Add(a.of(used, t), a.of(occupied, t)) }

func (a *amounts) free(t int) int64 {
	return max(0, a.of(capacity, t)-resource.Add(a.of(used, t), resource.Add(a.of(occupied, t), a.of(extra, t))))
}

// CapacityOf returns a node's capacity of a type.
func (v View) CapacityOf(slot int32, t int) int64 { return v.o.now.At(idOf(slot, capacity), t) }

// OccupiedOf returns the amount of a type that others use, outside the scheduler's allocations.
func (v View) OccupiedOf(slot int32, t int) int64 { return v.o.now.At(idOf(slot, occupied), t) }

// UsedOf returns the amount of a type that allocations use.
func (v View) UsedOf(slot int32, t int) int64 { return v.o.now.At(idOf(slot, used), t) }

// Taken returns the used amount of a type, by allocations and by others. It is never negative.
func (v View) Taken(slot int32, t int) int64 {
	a := v.now(slot)
	return a.taken(t)
}

// Share returns the used share of a node's capacity of a type, in billionths, and whether it has any capacity.
func (v View) Share(slot int32, t int) (share int64, has bool) {
	a := v.now(slot)
	if amount := a.of(capacity, t); amount > 0 {
		return resource.Share(a.taken(t), amount), true
	}
	return 0, false
}

// Free returns the free amount of a type, at least 0. Room kept for tasks that replace placeholders is not free.
func (v View) Free(slot int32, t int) int64 {
	a := v.now(slot)
	return a.free(t)
}

// WriteFree writes the free amounts of all types, as Free returns them.
func (v View) WriteFree(slot int32, to []int64) {
	a := v.now(slot)
	if len(to) > a.width {
		for t := range to {
			to[t] = a.free(t)
		}
		return
	}
	w := a.width
	total, others, ours, kept := a.lanes[:w], a.lanes[w:2*w], a.lanes[2*w:3*w], a.lanes[3*w:4*w]
	for t := range to {
		to[t] = max(0, total[t]-resource.Add(ours[t], resource.Add(others[t], kept[t])))
	}
}

// Empty returns the free amount of a type if the node had no allocations, at least 0.
func (v View) Empty(slot int32, t int) int64 {
	a := v.now(slot)
	return max(0, resource.Sub(a.of(capacity, t), a.of(occupied, t)))
}

// FreeWithout returns the free amount of a type if an allocation of some amount were gone. It is negative if the node is over-committed.
func (v View) FreeWithout(slot int32, t int, amount int64) int64 {
	a := v.now(slot)
	room := resource.Sub(resource.Sub(a.of(capacity, t), a.of(occupied, t)), resource.Sub(a.of(used, t), amount))
	return resource.Sub(room, a.of(extra, t))
}

// FutureRoom returns the free amount of a type once all leaving allocations have left and the tasks that replace them are allocated. It is
// negative if others use more than the rest.
func (v View) FutureRoom(slot int32, t int) int64 {
	a := v.now(slot)
	return v.future(&a, slot, t)
}

// WriteFutureRoom writes the amounts of all types that FutureRoom returns.
func (v View) WriteFutureRoom(slot int32, to []int64) {
	a := v.now(slot)
	for t := range to {
		to[t] = v.future(&a, slot, t)
	}
}

func (v View) future(a *amounts, slot int32, t int) int64 {
	room := resource.Sub(resource.Sub(a.of(capacity, t), a.of(occupied, t)), a.of(used, t))
	room = resource.Add(room, v.o.future.At(idOfFuture(slot, leaving), t))
	return resource.Sub(room, v.o.future.At(idOfFuture(slot, landing), t))
}

// Fits reports whether a class fits the node now.
func (v View) Fits(slot int32, c *class.Class) bool {
	a := v.now(slot)
	for i := range c.Needs {
		if a.free(c.Needs[i].Lane) < c.Needs[i].Min {
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
	list, a := make(resource.Vec, v.Width()), v.now(slot)
	for t := range list {
		list[t] = a.of(kind, t)
	}
	return list
}
