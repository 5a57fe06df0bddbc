// Package nodes owns the nodes of a partition: what they have, what is used of it, and how they are held for asks.
//
// Nodes is the owner. Package state has one for each partition, and only state changes it. Other packages read it through View, which
// returns values and identifies a node by its slot. A slot is reused after its node has been removed.
package nodes

import (
	"slices"

	"github.com/quern-project/quern/core/internal/hold"
	"github.com/quern-project/quern/core/internal/state/internal/table"
	"github.com/quern-project/quern/core/resource"
)

// None is the slot of no node.
const None int32 = -1

// node is the row of a node. Its amounts are in vectors of the same ID.
type node struct {
	grownAt     uint64 // number of the event (state.State.Moment) at which its room last grew
	id          table.ID
	attributes  table.ID // of attributeSets
	membership  uint32   // see View.Membership; 0 if the node has been removed
	tasks       int32    // number of tasks that will be allocated here once placeholders have left
	hold        hold.State
	schedulable bool
}

// Nodes owns the nodes of a partition. Make it with New.
type Nodes struct {
	rows        *table.Table[node]
	slots       int32   // one more than the largest slot ever used
	removed     []int32 // slots of removed nodes that Reclaim has not freed yet
	ids         *table.Strings
	byID        *table.Index
	attributes  attributeSets
	memberships uint32

	capacity *table.Vectors
	occupied *table.Vectors // used by others, outside the scheduler's allocations
	used     *table.Vectors // used by allocations
	leaving  *table.Vectors // used by leaving allocations
	landing  *table.Vectors // sums of the demands of tasks that will be allocated here once placeholders have left
	extra    *table.Vectors // the part of each of these demands beyond its placeholder here; it is kept free
	total    resource.Vec   // sum of the capacities; exact, since callers add no node with which it would overflow
}

// New makes an owner without nodes, for vectors of a width.
func New(width int) *Nodes {
	o := &Nodes{rows: table.New[node](), ids: table.NewStrings(), byID: table.NewIndex(), attributes: newAttributeSets(), total: make(resource.Vec, width)}
	for _, v := range o.vectors() {
		*v = table.NewVectors(width)
	}
	return o
}

func (o *Nodes) vectors() []**table.Vectors {
	return []**table.Vectors{&o.capacity, &o.occupied, &o.used, &o.leaving, &o.landing, &o.extra}
}

// Widen adapts to a new width of vectors.
func (o *Nodes) Widen(width int) {
	o.total = o.total.Widen(width, 0)
	for _, v := range o.vectors() {
		(*v).Widen(width)
	}
}

// Node describes a node to add.
type Node struct {
	ID                 string
	Capacity, Occupied resource.Vec
	Attributes         map[string]string
	Schedulable        bool
}

// rowOf returns the ID of the row of a slot.
func rowOf(slot int32) table.ID { return table.ID(slot + 1) }

// Add adds a node and returns its slot. Its ID must not be in use, and the total capacity must not overflow.
func (o *Nodes) Add(n *Node) int32 {
	row := o.rows.Add(node{id: o.ids.Hold(n.ID), schedulable: n.Schedulable})
	slot := int32(row) - 1
	o.slots = max(o.slots, slot+1)
	o.byID.Add(n.ID, row)
	copy(o.occupied.Edit(row), n.Occupied)
	copy(o.capacity.Edit(row), n.Capacity)
	o.total.Add(n.Capacity)
	o.Relabel(slot, n.Attributes)
	return slot
}

// Remove removes a node, which must have no allocations. Until Reclaim, its slot is not reused, and its ID, amounts and state can be read,
// for followers of changes that were made before.
func (o *Nodes) Remove(slot int32) {
	row := rowOf(slot)
	n := o.rows.Edit(row)
	n.membership = 0
	o.byID.Remove(o.ids.String(n.id), row)
	o.subtractFromTotal(row)
	o.removed = append(o.removed, slot)
}

// Reclaim frees the slots of removed nodes.
func (o *Nodes) Reclaim() {
	for _, slot := range o.removed {
		o.free(rowOf(slot))
	}
	o.removed = o.removed[:0]
}

func (o *Nodes) free(row table.ID) {
	n := o.rows.At(row)
	o.ids.Release(n.id)
	o.attributes.release(n.attributes)
	for _, v := range o.vectors() { // the slot may be reused
		if slices.ContainsFunc((*v).Lanes(row), func(amount int64) bool { return amount != 0 }) {
			clear((*v).Edit(row))
		}
	}
	o.rows.Free(row)
}

func (o *Nodes) subtractFromTotal(row table.ID) {
	for t, amount := range o.capacity.Lanes(row) {
		if amount != 0 {
			o.total[t] = resource.Sub(o.total[t], amount)
		}
	}
}

// Resize gives a node another capacity. The total capacity must not overflow.
func (o *Nodes) Resize(slot int32, capacity resource.Vec) {
	row := rowOf(slot)
	o.subtractFromTotal(row)
	o.total.Add(capacity)
	copy(o.capacity.Edit(row), capacity)
}

// Occupy sets the amounts that others use, outside the scheduler's allocations.
func (o *Nodes) Occupy(slot int32, amounts resource.Vec) { copy(o.occupied.Edit(rowOf(slot)), amounts) }

// Relabel gives a node other attributes.
func (o *Nodes) Relabel(slot int32, attributes map[string]string) {
	n := o.rows.Edit(rowOf(slot))
	old := n.attributes
	n.attributes = o.attributes.hold(attributes)
	o.memberships++
	n.membership = o.memberships
	o.attributes.release(old)
}

// Drain has a node take no more allocations, and Resume has it take them again.
func (o *Nodes) Drain(slot int32)  { o.rows.Edit(rowOf(slot)).schedulable = false }
func (o *Nodes) Resume(slot int32) { o.rows.Edit(rowOf(slot)).schedulable = true }

// Grow records the number of the event at which a node's room has grown.
func (o *Nodes) Grow(slot int32, event uint64) { o.rows.Edit(rowOf(slot)).grownAt = event }

// Allocate adds an allocation to what is used.
func (o *Nodes) Allocate(slot int32, demand resource.Vec) {
	resource.Vec(o.used.Edit(rowOf(slot))).Add(demand)
}

// Release subtracts an allocation from what is used.
func (o *Nodes) Release(slot int32, demand resource.Vec) {
	resource.Vec(o.used.Edit(rowOf(slot))).Sub(demand)
}

// AddLeaving counts an allocation as leaving.
func (o *Nodes) AddLeaving(slot int32, demand resource.Vec) {
	resource.Vec(o.leaving.Edit(rowOf(slot))).Add(demand)
}

// SubLeaving no longer counts an allocation as leaving.
func (o *Nodes) SubLeaving(slot int32, demand resource.Vec) {
	resource.Vec(o.leaving.Edit(rowOf(slot))).Sub(demand)
}

// AddTask adds a task that will be allocated on the node once its placeholder has left. held is the usage of the placeholder, or nil if
// that is on another node.
func (o *Nodes) AddTask(slot int32, demand, held resource.Vec) {
	row := rowOf(slot)
	o.rows.Edit(row).tasks++
	resource.Vec(o.landing.Edit(row)).Add(demand)
	extra := o.extra.Edit(row)
	for t := range demand {
		extra[t] = resource.Add(extra[t], beyond(demand, held, t))
	}
}

// SubTask undoes AddTask. It takes the same amounts.
func (o *Nodes) SubTask(slot int32, demand, held resource.Vec) {
	row := rowOf(slot)
	n := o.rows.Edit(row)
	n.tasks--
	last := n.tasks == 0
	landing := resource.Vec(o.landing.Edit(row))
	landing.Sub(demand)
	if last { // sums saturate, so something may be left
		clear(landing)
	}
	extra := o.extra.Edit(row)
	for t := range demand {
		extra[t] = resource.Sub(extra[t], beyond(demand, held, t))
	}
	if last {
		clear(extra)
	}
}

// beyond returns the part of a demand for a type beyond a placeholder's usage.
func beyond(demand, held resource.Vec, t int) int64 {
	if t < len(held) {
		return max(0, demand[t]-held[t])
	}
	return demand[t]
}

// Reserve holds a node for an ask. required reports whether the ask requires the node.
func (o *Nodes) Reserve(slot int32, required bool) {
	n := o.rows.Edit(rowOf(slot))
	n.hold = n.hold.Reserve(required)
}

// Unreserve ends the reservation of a node.
func (o *Nodes) Unreserve(slot int32) {
	n := o.rows.Edit(rowOf(slot))
	n.hold = n.hold.Unreserve()
}

// Claim holds a node for an ask that preempts there. It may be called again for other asks of the same gang.
func (o *Nodes) Claim(slot int32) {
	n := o.rows.Edit(rowOf(slot))
	n.hold = n.hold.Claim()
}

// Unclaim records that the last claim on a node has ended.
func (o *Nodes) Unclaim(slot int32) {
	n := o.rows.Edit(rowOf(slot))
	n.hold = n.hold.Unclaim()
}

// View returns a read-only view.
func (o *Nodes) View() View { return View{o} }
