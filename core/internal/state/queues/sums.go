package queues

import (
	"github.com/quern-project/quern/core/internal/state/internal/table"
	"github.com/quern-project/quern/core/resource"
)

// The usage of root never exceeds the largest amount, since inputs that would raise it further are refused. So sums of usage need not saturate.

// Enqueue counts a pending ask in its leaf and the queues above.
func (o *Queues) Enqueue(leaf ID, demand resource.Amounts) {
	rows, hot, width := o.rows.Edit(), o.hot.Edit(), o.width
	for id := leaf; id != None; {
		r := &rows[id]
		r.asks++
		at := int(id) * width
		for t := range demand.Len() {
			amount := demand.At(t)
			sum := &hot[at+t]
			if sum.waiting += amount; sum.waiting < 0 {
				o.carry(id, t, sum, 1)
			}
		}
		id = r.parent
	}
}

// Dequeue undoes Enqueue.
func (o *Queues) Dequeue(leaf ID, demand resource.Amounts) {
	rows, hot, width := o.rows.Edit(), o.hot.Edit(), o.width
	for id := leaf; id != None; {
		r := &rows[id]
		r.asks--
		at := int(id) * width
		for t := range demand.Len() {
			amount := demand.At(t)
			sum := &hot[at+t]
			if sum.waiting -= amount; sum.waiting < 0 {
				o.carry(id, t, sum, -1)
			}
		}
		id = r.parent
	}
}

// Allocate counts a pending ask as an allocation.
func (o *Queues) Allocate(leaf ID, demand resource.Amounts) {
	rows, hot, width := o.rows.Edit(), o.hot.Edit(), o.width
	for id := leaf; id != None; {
		r := &rows[id]
		r.asks--
		r.allocations++
		at := int(id) * width
		for t := range demand.Len() {
			amount := demand.At(t)
			sum := &hot[at+t]
			sum.used += amount
			if sum.waiting -= amount; sum.waiting < 0 {
				o.carry(id, t, sum, -1)
			}
		}
		id = r.parent
	}
}

// Restore counts an allocation that was not pending.
func (o *Queues) Restore(leaf ID, demand resource.Amounts) {
	rows, hot, width := o.rows.Edit(), o.hot.Edit(), o.width
	for id := leaf; id != None; {
		r := &rows[id]
		r.allocations++
		at := int(id) * width
		for t := range demand.Len() {
			amount := demand.At(t)
			sum := &hot[at+t]
			sum.used += amount
		}
		id = r.parent
	}
}

// Free counts that an allocation has ended.
func (o *Queues) Free(leaf ID, demand resource.Amounts) {
	rows, hot, width := o.rows.Edit(), o.hot.Edit(), o.width
	for id := leaf; id != None; {
		r := &rows[id]
		r.allocations--
		at := int(id) * width
		for t := range demand.Len() {
			amount := demand.At(t)
			sum := &hot[at+t]
			sum.used -= amount
		}
		id = r.parent
	}
}

// carry corrects the demand of a type after it has become negative.
func (o *Queues) carry(id ID, t int, sum *amounts, times int64) {
	sum.waiting &= resource.Most
	o.carries.Edit(table.ID(id))[t] += times
	o.carried = true
}

// countAmounts adds the amounts of a queue to another one.
func (o *Queues) countAmounts(from, to ID) {
	sums := of(o.hot.Edit(), to, o.width)
	for t, more := range of(o.hot.Peek(), from, o.width) {
		sum := &sums[t]
		sum.used += more.used
		if sum.waiting += more.waiting; sum.waiting < 0 {
			o.carry(to, t, sum, 1)
		}
		if n := o.carries.At(table.ID(from), t); n != 0 {
			o.carry(to, t, sum, n)
		}
	}
	for lane := range futureKinds * o.width {
		if v := o.future.At(table.ID(from), lane); v != 0 {
			sum := &o.future.Edit(table.ID(to))[lane]
			*sum = resource.Add(*sum, v)
		}
	}
	o.setExtra(to)
}

// AddLeaving adds a leaving allocation of a leaf or, if more is false, removes one.
func (o *Queues) AddLeaving(leaf ID, demand resource.Amounts, more bool) {
	o.addFuture(leaf, None, leaving, demand, more)
}

// AddClaim adds a pending ask with a claim or, if more is false, removes one.
func (o *Queues) AddClaim(leaf ID, demand resource.Amounts, more bool) {
	o.addFuture(leaf, None, claimed, demand, more)
}

// AddReplacing adds a pending task whose placeholder is leaving or, if more is false, removes one.
func (o *Queues) AddReplacing(leaf ID, demand resource.Amounts, more bool) {
	o.addFuture(leaf, None, replacing, demand, more)
}

// addFuture changes a sum of a queue and those above it, below an end.
func (o *Queues) addFuture(id, end ID, kind int, demand resource.Amounts, more bool) {
	if demand.Len() == 0 {
		return
	}
	for ; id != end; id = o.rows.Peek()[id].parent {
		sums := o.future.Edit(table.ID(id))
		for t := range demand.Len() {
			amount := demand.At(t)
			sum := &sums[t*futureKinds+kind]
			if more {
				*sum = resource.Add(*sum, amount)
			} else {
				*sum = resource.Sub(*sum, amount)
			}
		}
		o.setExtra(id)
	}
}

// Usage is what an application uses without its pending asks.
type Usage struct {
	Used, Leaving, Replacing resource.Vec
	Allocations              int
}

// Enter adds a live application with its usage to a leaf and the queues above, below an ancestor.
func (o *Queues) Enter(leaf, ancestor ID, u *Usage) { o.move(leaf, ancestor, u, true) }

// Leave undoes Enter.
func (o *Queues) Leave(leaf, ancestor ID, u *Usage) { o.move(leaf, ancestor, u, false) }

func (o *Queues) move(leaf, ancestor ID, u *Usage, comes bool) {
	sign := int64(1)
	if !comes {
		sign = -1
	}
	rows, hot, width := o.rows.Edit(), o.hot.Edit(), o.width
	for id := leaf; id != ancestor; {
		r := &rows[id]
		r.allocations += sign * int64(u.Allocations)
		r.live += sign
		at := int(id) * width
		for t, amount := range u.Used {
			sum := &hot[at+t]
			sum.used += sign * amount
		}
		id = r.parent
	}
	o.addFuture(leaf, ancestor, leaving, u.Leaving.Amounts(), comes)
	o.addFuture(leaf, ancestor, replacing, u.Replacing.Amounts(), comes)
}

// AddRunning adds a number of applications, which may be negative, to those that hold places under maxapplications. It calls changed for
// each queue that becomes full, or is full no more.
func (o *Queues) AddRunning(leaf ID, n int, changed func(id ID, full bool)) {
	for id := leaf; id != None; {
		r := &o.rows.Edit()[id]
		before := r.full()
		r.running += int64(n)
		parent := r.parent
		if full := r.full(); full != before {
			changed(id, full)
		}
		id = parent
	}
}

func (r *row) full() bool { return r.maxRunning > 0 && uint64(r.running) >= r.maxRunning }
