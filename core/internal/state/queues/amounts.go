package queues

import (
	"github.com/quern-project/quern/core/internal/state/internal/table"
	"github.com/quern-project/quern/core/resource"
)

// amounts are those of a type that every allocation reads. With two types, those of a queue fill a cache line.
type amounts struct {
	used    int64 // by the allocations in the subtree
	measure int64 // denominator of shares: guaranteed, or else the nearest max below root; Unlimited means the cluster's total
	bound   int64 // max - extra, the usage up to which asks without claims are allocated; unbounded if max is Unlimited
	waiting int64 // by the pending asks in the subtree, modulo 2^63
}

// limits are the other amounts of a type that a queue has anyway.
type limits struct {
	max        int64 // resource.Unlimited if not set; of root, the cluster's total
	guaranteed int64 // NotGuaranteed if not set
	extra      int64 // additional future usage: claimed + replacing - leaving, at least 0
}

// While allocations are leaving, their headroom is kept for the asks that will replace them. So a queue sums leaving allocations, the
// claims of asks that preempted, and the tasks that replace placeholders.
const (
	leaving   = iota // used by leaving allocations
	claimed          // by pending asks with claims
	replacing        // by pending tasks whose placeholders are leaving
	futureKinds
)

// NotGuaranteed marks a type without a guarantee. An explicit zero is a guarantee of zero.
const NotGuaranteed = resource.Unlimited

// unbounded is no difference of amounts that are at least 0.
const unbounded = -1 << 63

func (o *Queues) newAmounts() {
	o.width = o.types.Width()
	o.hot, o.cold = table.NewDense[amounts](), table.NewDense[limits]()
	o.hot.Grow(len(o.rows.Peek()) * o.width)
	o.cold.Grow(len(o.rows.Peek()) * o.width)
	if o.future == nil {
		o.future, o.carries = table.NewVectors(futureKinds*o.width), table.NewVectors(o.width)
		return
	}
	o.future.Widen(futureKinds * o.width)
	o.carries.Widen(o.width)
}

// Widen adapts all vectors to a new width of the table of types. No queue has limits of the new types.
func (o *Queues) Widen() {
	before, hot, cold := o.width, o.hot.Peek(), o.cold.Peek()
	o.newAmounts()
	for i := range o.rows.Peek() {
		id := ID(i)
		all, most := of(o.hot.Edit(), id, o.width), of(o.cold.Edit(), id, o.width)
		copy(all, of(hot, id, before))
		copy(most, of(cold, id, before))
		for t := before; t < o.width; t++ {
			all[t] = amounts{measure: resource.Unlimited, bound: unbounded}
			most[t] = limits{max: resource.Unlimited, guaranteed: NotGuaranteed}
		}
	}
}

// of returns the part of a queue in a list with a number of values for each queue.
func of[T any](list []T, id ID, width int) []T { return list[int(id)*width:][:width] }

// clearSums removes all amounts that are sums over the subtree of a queue.
func (o *Queues) clearSums(id ID) {
	hot, cold := of(o.hot.Edit(), id, o.width), of(o.cold.Edit(), id, o.width)
	for t := range hot {
		hot[t].used, hot[t].waiting, cold[t].extra = 0, 0, 0
		if o.carries.At(table.ID(id), t) != 0 { // writing a zero would make a page
			o.carries.Edit(table.ID(id))[t] = 0
		}
	}
	for lane := range futureKinds * o.width {
		if o.future.At(table.ID(id), lane) != 0 {
			o.future.Edit(table.ID(id))[lane] = 0
		}
	}
}

// setBound computes the bound of each type after a change of max or extra.
func (o *Queues) setBound(id ID) {
	hot := of(o.hot.Edit(), id, o.width)
	for t, l := range of(o.cold.Peek(), id, o.width) {
		hot[t].bound = unbounded
		if l.max != resource.Unlimited {
			hot[t].bound = l.max - l.extra // neither operand is negative
		}
	}
}

// setExtra computes the additional future usage of a queue.
func (o *Queues) setExtra(id ID) {
	cold := of(o.cold.Edit(), id, o.width)
	for t := range cold {
		future := func(kind int) int64 { return o.future.At(table.ID(id), t*futureKinds+kind) }
		cold[t].extra = max(0, resource.Sub(resource.Add(future(claimed), future(replacing)), future(leaving)))
	}
	o.setBound(id)
}
