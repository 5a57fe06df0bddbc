package apps

import (
	"github.com/quern-project/quern/core/internal/state/internal/table"
	"github.com/quern-project/quern/core/resource"
)

// Enqueue counts a pending ask.
func (o *Apps) Enqueue(id ID, demand resource.Amounts) {
	r := o.rows.Edit(table.ID(id))
	r.Pending++
	n := min(demand.Len(), inRow)
	sums := r.sums[:n]
	for t := range n {
		amount := demand.At(t)
		sum := &sums[t]
		if sum.waiting += amount; sum.waiting < 0 {
			o.carry(id, t, &sum.waiting, 1)
		}
	}
	if demand.Len() > inRow {
		o.addFurther(id, demand, 0, 1)
	}
}

// Dequeue undoes Enqueue.
func (o *Apps) Dequeue(id ID, demand resource.Amounts) {
	r := o.rows.Edit(table.ID(id))
	r.Pending--
	n := min(demand.Len(), inRow)
	sums := r.sums[:n]
	for t := range n {
		amount := demand.At(t)
		sum := &sums[t]
		if sum.waiting -= amount; sum.waiting < 0 {
			o.carry(id, t, &sum.waiting, -1)
		}
	}
	if demand.Len() > inRow {
		o.addFurther(id, demand, 0, -1)
	}
}

// Allocate counts a pending ask as an allocation. made says whether it counts as one that was made, as placeholders do not.
func (o *Apps) Allocate(id ID, demand resource.Amounts, made bool) {
	r := o.rows.Edit(table.ID(id))
	r.Pending--
	r.Allocations++
	if made {
		r.Made++
	}
	n := min(demand.Len(), inRow)
	sums := r.sums[:n]
	for t := range n {
		amount := demand.At(t)
		sum := &sums[t]
		sum.used += amount
		if sum.waiting -= amount; sum.waiting < 0 {
			o.carry(id, t, &sum.waiting, -1)
		}
	}
	if demand.Len() > inRow {
		o.addFurther(id, demand, 1, -1)
	}
}

// AddAllocation counts an allocation that was not pending.
func (o *Apps) AddAllocation(id ID, demand resource.Amounts) { o.addUsed(id, demand, 1) }

// EndAllocation counts that an allocation has ended.
func (o *Apps) EndAllocation(id ID, demand resource.Amounts) { o.addUsed(id, demand, -1) }

func (o *Apps) addUsed(id ID, demand resource.Amounts, sign int32) {
	r := o.rows.Edit(table.ID(id))
	r.Allocations += sign
	n := min(demand.Len(), inRow)
	for t := range n {
		amount := demand.At(t)
		r.sums[t].used += int64(sign) * amount
	}
	if demand.Len() > inRow {
		o.addFurther(id, demand, int64(sign), 0)
	}
}

// addFurther adds multiples of a demand to the amounts of the types that are not in the row.
func (o *Apps) addFurther(id ID, demand resource.Amounts, toUsed, toWaiting int64) {
	sums := o.more.Edit(table.ID(id))
	for t := inRow; t < demand.Len(); t++ {
		sums[laneOf(t, used)] += toUsed * demand.At(t)
		sum := &sums[laneOf(t, waiting)]
		if *sum += toWaiting * demand.At(t); *sum < 0 {
			o.carry(id, t, sum, toWaiting)
		}
	}
}

// laneOf returns the lane in Apps.more of a type that is not in the row.
func laneOf(t, kind int) int { return (t-inRow)*kinds + kind }

// carry corrects the demand of a type after it has become negative.
func (o *Apps) carry(id ID, t int, sum *int64, times int64) {
	*sum &= resource.Most
	o.carries.Edit(table.ID(id))[t] += times
	o.carried = true
}
