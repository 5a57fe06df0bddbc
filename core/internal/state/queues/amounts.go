package queues

import (
	"github.com/quern-project/quern/core/internal/state/internal/table"
	"github.com/quern-project/quern/core/resource"
)

// The vectors that every allocation reads. With two types, those of a queue share a cache line.
const (
	used     = iota // by the allocations in the subtree
	measures        // denominators of shares: guaranteed, or else the nearest max below root; Unlimited means the cluster's total
	bound           // max - extra, the usage up to which asks without claims are allocated; unbounded if max is Unlimited
	waiting         // by the pending asks in the subtree, modulo 2^63
	hotKinds
)

// The other limits.
const (
	maximum    = iota // resource.Unlimited if not set; of root, the cluster's total
	guaranteed        // NotGuaranteed if not set
	extra             // additional future usage: claimed + replacing - leaving, at least 0
	coldKinds
)

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

// newAmounts makes vectors of the width of the table of types.
func (o *Queues) newAmounts() {
	o.width = o.types.Width()
	o.hot, o.cold = table.NewVectors(hotKinds*o.width), table.NewVectors(coldKinds*o.width)
	o.future, o.carries = table.NewVectors(futureKinds*o.width), table.NewVectors(o.width)
}

// Widen adapts all vectors to a new width of the table of types. No queue has amounts of the new types.
func (o *Queues) Widen() {
	before := *o
	o.newAmounts()
	for i := range o.confs {
		id := table.ID(i)
		if id == table.None {
			continue
		}
		hot, cold := o.hot.Edit(id), o.cold.Edit(id)
		widen(hot, before.hot.Peek(id), before.width, o.width, hotKinds)
		fill(hot[measures*o.width:], before.width, o.width, resource.Unlimited)
		fill(hot[bound*o.width:], before.width, o.width, unbounded)
		widen(cold, before.cold.Peek(id), before.width, o.width, coldKinds)
		fill(cold[maximum*o.width:], before.width, o.width, resource.Unlimited)
		fill(cold[guaranteed*o.width:], before.width, o.width, NotGuaranteed)
		for kind := range futureKinds {
			for t := range before.width {
				if v := before.future.At(id, kind*before.width+t); v != 0 {
					o.future.Edit(id)[kind*o.width+t] = v
				}
			}
		}
		for t := range before.width {
			if n := before.carries.At(id, t); n != 0 {
				o.carries.Edit(id)[t] = n
			}
		}
	}
}

// widen copies vectors of one width to memory for vectors of another.
func widen(to, from []int64, before, width, kinds int) {
	for kind := range kinds {
		copy(to[kind*width:], from[kind*before:(kind+1)*before])
	}
}

// fill sets the lanes of a vector that it did not have before.
func fill(vector []int64, before, width int, amount int64) {
	resource.Vec(vector[before:width]).Fill(amount)
}
