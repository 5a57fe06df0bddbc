// Package nodes owns the nodes of a partition: their capacities, usage and attributes, and how asks hold them.
//
// Nodes is the owner. Package state has one for each partition, and only state changes it. Other packages read it through View, which
// returns values and identifies a node by its slot. A slot is reused after its node has been removed.
package nodes

import (
	"slices"

	"github.com/quern-project/quern/core/internal/device"
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
	devices     []*device.Node // by slot; may be shorter

	now    *table.Vectors // the amounts of each type, by type and nowKind
	future *table.Vectors // the amounts of futureKind, by idOfFuture; most nodes never have any
	total  resource.Vec   // sum of the capacities; exact, since callers add no node with which it would overflow
}

// New makes an owner without nodes, for vectors of a width.
func New(width int) *Nodes {
	return &Nodes{
		rows: table.New[node](), ids: table.NewStrings(), byID: table.NewIndex(), attributes: newAttributeSets(),
		now: table.NewVectors(width * int(nowKinds)), future: table.NewVectors(width), total: make(resource.Vec, width),
	}
}

// Widen adapts to a new width of vectors.
func (o *Nodes) Widen(width int) {
	o.total = o.total.Widen(width, 0)
	o.now.Widen(width * int(nowKinds))
	o.future.Widen(width)
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
	amounts := o.edit(slot)
	amounts.set(capacity, n.Capacity)
	amounts.set(occupied, n.Occupied)
	o.total.Add(n.Capacity.Amounts())
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
	o.subtractFromTotal(slot)
	o.removed = append(o.removed, slot)
}

// Reclaim frees the slots of removed nodes.
func (o *Nodes) Reclaim() {
	for _, slot := range o.removed {
		o.free(slot)
	}
	o.removed = o.removed[:0]
}

func (o *Nodes) free(slot int32) {
	n := o.rows.At(rowOf(slot))
	o.ids.Release(n.id)
	o.attributes.release(n.attributes)
	clear(o.edit(slot)) // the slot may be reused
	if int(slot) < len(o.devices) {
		o.devices[slot] = nil
	}
	if lanes, _ := o.future.Group(idOfFuture(slot, 0), int(futureKinds)); slices.ContainsFunc(lanes, func(amount int64) bool { return amount != 0 }) {
		for kind := range futureKinds {
			clear(o.future.Edit(idOfFuture(slot, kind)))
		}
	}
	o.rows.Free(rowOf(slot))
}

func (o *Nodes) subtractFromTotal(slot int32) {
	amounts := o.View().Amounts(slot)
	for t := range o.total {
		o.total[t] = resource.Sub(o.total[t], amounts.Capacity(t))
	}
}

// Resize gives a node another capacity. The total capacity must not overflow.
func (o *Nodes) Resize(slot int32, amounts resource.Vec) {
	o.subtractFromTotal(slot)
	o.total.Add(amounts.Amounts())
	o.edit(slot).set(capacity, amounts)
}

// Occupy sets the amounts that others use, outside the scheduler's allocations.
func (o *Nodes) Occupy(slot int32, amounts resource.Vec) {
	o.edit(slot).set(occupied, amounts)
}

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

// Allocate adds an allocation to the usage of a node.
func (o *Nodes) Allocate(slot int32, demand resource.Amounts) {
	amounts := o.edit(slot)
	for t := range demand.Len() {
		sum := amounts.of(t, used)
		*sum = resource.Add(*sum, demand.At(t))
	}
}

// Release subtracts an allocation from the usage of a node.
func (o *Nodes) Release(slot int32, demand resource.Amounts) {
	amounts := o.edit(slot)
	for t := range demand.Len() {
		sum := amounts.of(t, used)
		*sum = resource.Sub(*sum, demand.At(t))
	}
}

// AddLeaving counts an allocation as leaving.
func (o *Nodes) AddLeaving(slot int32, demand resource.Amounts) {
	resource.Vec(o.future.Edit(idOfFuture(slot, leaving))).Add(demand)
}

// SubLeaving no longer counts an allocation as leaving.
func (o *Nodes) SubLeaving(slot int32, demand resource.Amounts) {
	resource.Vec(o.future.Edit(idOfFuture(slot, leaving))).Sub(demand)
}

// AddTask adds a task that will be allocated on the node once its placeholder has left. held is the usage of the placeholder, or nothing if
// that is on another node.
func (o *Nodes) AddTask(slot int32, demand, held resource.Amounts) {
	o.rows.Edit(rowOf(slot)).tasks++
	resource.Vec(o.future.Edit(idOfFuture(slot, landing))).Add(demand)
	amounts := o.edit(slot)
	for t := range demand.Len() {
		kept := amounts.of(t, extra)
		*kept = resource.Add(*kept, beyond(demand, held, t))
	}
}

// SubTask undoes AddTask. It takes the same amounts.
func (o *Nodes) SubTask(slot int32, demand, held resource.Amounts) {
	n := o.rows.Edit(rowOf(slot))
	n.tasks--
	last := n.tasks == 0
	sum, amounts := resource.Vec(o.future.Edit(idOfFuture(slot, landing))), o.edit(slot)
	sum.Sub(demand)
	for t := range demand.Len() {
		kept := amounts.of(t, extra)
		*kept = resource.Sub(*kept, beyond(demand, held, t))
	}
	if last { // sums saturate, so something may be left
		clear(sum)
		amounts.set(extra, make(resource.Vec, len(o.total)))
	}
}

// beyond returns the part of a demand for a type beyond a placeholder's usage.
func beyond(demand, held resource.Amounts, t int) int64 {
	if t < held.Len() {
		return max(0, demand.At(t)-held.At(t))
	}
	return demand.At(t)
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

// Accumulate marks a node as one on which room is held for a gang or, if holds is false, as one without.
func (o *Nodes) Accumulate(slot int32, holds bool) {
	n := o.rows.Edit(rowOf(slot))
	n.hold = n.hold.Accumulate(holds)
}

// Window marks a node as one that belongs to a window or, if in is false, to none.
func (o *Nodes) Window(slot int32, in bool) {
	n := o.rows.Edit(rowOf(slot))
	n.hold = n.hold.Window(in)
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
