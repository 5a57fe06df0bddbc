package nodes

import (
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/state/internal/table"
	"github.com/quern-project/quern/core/resource"
)

// nowKind is a kind of amounts that decides the free room of a node. Those of one type are adjacent in memory, in the lanes of Nodes.now.
type nowKind int

const (
	capacity nowKind = iota
	occupied         // used by others, outside the scheduler's allocations
	used             // used by allocations
	extra            // kept free for tasks: the part of each task's demand beyond its placeholder on the node
	nowKinds
)

// ofType are the amounts of one type.
type ofType struct{ capacity, occupied, used, extra int64 }

// futureKind is a kind of amounts that decides the future room of a node, beside the others.
type futureKind int

const (
	leaving futureKind = iota // used by leaving allocations
	landing                   // the demands of tasks that will be allocated on the node once placeholders have left
	futureKinds
)

// idOfFuture returns the ID of amounts in Nodes.future.
func idOfFuture(slot int32, kind futureKind) table.ID {
	return table.ID(int(slot)*int(futureKinds) + int(kind))
}

// Amounts reads the amounts of a node that decide its free room. It is valid until a node changes, and faster than a View if several are
// read.
type Amounts struct{ lanes []int64 } // missing lanes are zero

// Amounts returns the amounts of a node.
func (v View) Amounts(slot int32) Amounts {
	lanes, _ := v.o.now.Group(table.ID(slot), 1)
	return Amounts{lanes}
}

// of returns the amounts of a type, all zero if they were never set.
func (a Amounts) of(t int) (x ofType) {
	if at := t * int(nowKinds); at < len(a.lanes) {
		kinds := (*[nowKinds]int64)(a.lanes[at:])
		x = ofType{kinds[capacity], kinds[occupied], kinds[used], kinds[extra]}
	}
	return x
}

// Taken returns the used amount of a type, by allocations and by others. It is never negative.
func (a Amounts) Taken(t int) int64 { return a.of(t).taken() }

func (x ofType) taken() int64 { return resource.Add(x.used, x.occupied) }

// Capacity returns the capacity of a type.
func (a Amounts) Capacity(t int) int64 { return a.of(t).capacity }

// Free returns the free amount of a type, at least 0. Room kept for tasks that replace placeholders is not free.
func (a Amounts) Free(t int) int64 {
	_, _, free := a.Of(t)
	return free
}

// Of returns Capacity, Taken and Free of a type at once.
func (a Amounts) Of(t int) (capacity, taken, free int64) {
	of := a.of(t)
	taken = of.taken()
	kept := taken
	if of.extra != 0 {
		kept = resource.Add(taken, of.extra)
	}
	return of.capacity, taken, max(0, of.capacity-kept)
}

// edit returns the amounts of a node for changes, by type and kind. The slice is valid until the next edit.
func (o *Nodes) edit(slot int32) lanesOfTypes { return lanesOfTypes(o.now.Edit(table.ID(slot))) }

type lanesOfTypes []int64

// of returns the amount of a type and kind for changes.
func (l lanesOfTypes) of(t int, kind nowKind) *int64 { return &l[t*int(nowKinds)+int(kind)] }

// set replaces the amounts of a kind.
func (l lanesOfTypes) set(kind nowKind, amounts resource.Vec) {
	for t, amount := range amounts {
		*l.of(t, kind) = amount
	}
}

// CapacityOf returns a node's capacity of a type.
func (v View) CapacityOf(slot int32, t int) int64 { return v.Amounts(slot).Capacity(t) }

// OccupiedOf returns the amount of a type that others use, outside the scheduler's allocations.
func (v View) OccupiedOf(slot int32, t int) int64 { return v.Amounts(slot).of(t).occupied }

// UsedOf returns the amount of a type that allocations use.
func (v View) UsedOf(slot int32, t int) int64 { return v.Amounts(slot).of(t).used }

// TakenOf returns the used amount of a type, by allocations and by others.
func (v View) TakenOf(slot int32, t int) int64 {
	return v.Amounts(slot).Taken(t)
}

// Free returns the free amount of a type, as Amounts.Free.
func (v View) Free(slot int32, t int) int64 {
	return v.Amounts(slot).Free(t)
}

// Empty returns the free amount of a type if the node had no allocations, at least 0.
func (v View) Empty(slot int32, t int) int64 {
	of := v.Amounts(slot).of(t)
	return max(0, resource.Sub(of.capacity, of.occupied))
}

// FreeWithout returns the free amount of a type if an allocation of some amount were gone. It is negative if the node is over-committed.
func (v View) FreeWithout(slot int32, t int, amount int64) int64 {
	of := v.Amounts(slot).of(t)
	room := resource.Sub(resource.Sub(of.capacity, of.occupied), resource.Sub(of.used, amount))
	return resource.Sub(room, of.extra)
}

// FutureRoom returns the free amount of a type once all leaving allocations have left and the tasks that replace them are allocated. It is
// negative if others use more than the rest.
func (v View) FutureRoom(slot int32, t int) int64 {
	return v.future(v.Amounts(slot), slot, t)
}

// WriteFutureRoom writes the amounts of all types that FutureRoom returns.
func (v View) WriteFutureRoom(slot int32, to []int64) {
	a := v.Amounts(slot)
	for t := range to {
		to[t] = v.future(a, slot, t)
	}
}

func (v View) future(a Amounts, slot int32, t int) int64 {
	of := a.of(t)
	room := resource.Sub(resource.Sub(of.capacity, of.occupied), of.used)
	room = resource.Add(room, v.o.future.At(idOfFuture(slot, leaving), t))
	return resource.Sub(room, v.o.future.At(idOfFuture(slot, landing), t))
}

// Fits reports whether a class fits the node now.
func (v View) Fits(slot int32, c class.Class) bool {
	a := v.Amounts(slot)
	needs := c.PlainNeeds()
	for i := range needs.Len() {
		if need := needs.At(i); a.Free(need.Lane) < need.Min {
			return false
		}
	}
	return len(c.Devices()) == 0 || v.Devices(slot).Fits(c.Devices())
}

// FitsEmpty reports whether a class would fit the node if it had no allocations.
func (v View) FitsEmpty(slot int32, c class.Class) bool {
	for need := range c.PlainNeeds().All {
		if v.Empty(slot, need.Lane) < need.Min {
			return false
		}
	}
	return len(c.Devices()) == 0 || v.Devices(slot).Empty().Fits(c.Devices())
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
func (v View) Capacity(slot int32) resource.Vec {
	return v.all(func(t int) int64 { return v.CapacityOf(slot, t) })
}

// Occupied returns the amounts that others use, outside the scheduler's allocations. The caller owns the vector.
func (v View) Occupied(slot int32) resource.Vec {
	return v.all(func(t int) int64 { return v.OccupiedOf(slot, t) })
}

// Used returns the amounts that allocations use. The caller owns the vector.
func (v View) Used(slot int32) resource.Vec {
	return v.all(func(t int) int64 { return v.UsedOf(slot, t) })
}

func (v View) all(of func(t int) int64) resource.Vec {
	list := make(resource.Vec, v.Width())
	for t := range list {
		list[t] = of(t)
	}
	return list
}
