package queues

import (
	"github.com/quern-project/quern/core/internal/state/internal/table"
	"github.com/quern-project/quern/core/resource"
)

// Enqueue counts a pending ask in its leaf and the queues above.
func (o *Queues) Enqueue(leaf ID, demand resource.Vec) {
	for id := leaf; id != None; {
		r := o.rows.Edit(table.ID(id))
		r.asks++
		o.addWaiting(id, o.hot.Edit(table.ID(id)), demand)
		id = r.parent
	}
}

// Dequeue undoes Enqueue.
func (o *Queues) Dequeue(leaf ID, demand resource.Vec) {
	for id := leaf; id != None; {
		r := o.rows.Edit(table.ID(id))
		r.asks--
		o.subWaiting(id, o.hot.Edit(table.ID(id)), demand)
		id = r.parent
	}
}

// Allocate counts a pending ask as an allocation.
func (o *Queues) Allocate(leaf ID, demand resource.Vec) {
	for id := leaf; id != None; {
		r := o.rows.Edit(table.ID(id))
		r.asks--
		r.allocations++
		hot := o.hot.Edit(table.ID(id))
		o.subWaiting(id, hot, demand)
		resource.Vec(hot).Add(demand) // used comes first
		id = r.parent
	}
}

// Restore counts an allocation that was not pending.
func (o *Queues) Restore(leaf ID, demand resource.Vec) {
	for id := leaf; id != None; {
		r := o.rows.Edit(table.ID(id))
		r.allocations++
		resource.Vec(o.hot.Edit(table.ID(id))).Add(demand)
		id = r.parent
	}
}

// Free counts that an allocation has ended.
func (o *Queues) Free(leaf ID, demand resource.Vec) {
	for id := leaf; id != None; {
		r := o.rows.Edit(table.ID(id))
		r.allocations--
		resource.Vec(o.hot.Edit(table.ID(id))).Sub(demand)
		id = r.parent
	}
}

// addWaiting adds a demand to the pending asks of a queue with the amounts hot.
func (o *Queues) addWaiting(id ID, hot []int64, demand resource.Vec) {
	low := hot[waiting*o.width:][:len(demand)]
	for t, amount := range demand {
		if low[t] += amount; low[t] < 0 {
			low[t] &= resource.Most
			o.carries.Edit(table.ID(id))[t]++
			o.carried = true
		}
	}
}

// subWaiting undoes addWaiting.
func (o *Queues) subWaiting(id ID, hot []int64, demand resource.Vec) {
	low := hot[waiting*o.width:][:len(demand)]
	for t, amount := range demand {
		if low[t] -= amount; low[t] < 0 {
			low[t] &= resource.Most
			o.carries.Edit(table.ID(id))[t]--
		}
	}
}

// countAmounts adds the amounts of a queue to another one.
func (o *Queues) countAmounts(from, to ID) {
	w := o.width
	hot := o.hot.Edit(table.ID(to))
	source := o.hot.Peek(table.ID(from))
	resource.Vec(hot).Add(source[used*w:][:w])
	o.addWaiting(to, hot, source[waiting*w:][:w])
	for t := range w {
		if n := o.carries.At(table.ID(from), t); n != 0 {
			o.carries.Edit(table.ID(to))[t] += n
		}
	}
	for kind := range futureKinds {
		for t := range w {
			if v := o.future.At(table.ID(from), kind*w+t); v != 0 {
				sum := &o.future.Edit(table.ID(to))[kind*w+t]
				*sum = resource.Add(*sum, v)
			}
		}
	}
	o.setExtra(to)
}

// clearSums removes all amounts that are sums over the subtree of a queue.
func (o *Queues) clearSums(id ID) {
	hot := o.hot.Edit(table.ID(id))
	clear(hot[used*o.width:][:o.width])
	clear(hot[waiting*o.width:][:o.width])
	for i := range futureKinds * o.width {
		if o.future.At(table.ID(id), i) != 0 { // writing a zero would make a page
			o.future.Edit(table.ID(id))[i] = 0
		}
	}
	for t := range o.width {
		if o.carries.At(table.ID(id), t) != 0 {
			o.carries.Edit(table.ID(id))[t] = 0
		}
	}
	clear(o.cold.Edit(table.ID(id))[extra*o.width:][:o.width])
}

// setExtra computes the additional future usage of a queue.
func (o *Queues) setExtra(id ID) {
	w := o.width
	cold := o.cold.Edit(table.ID(id))
	for t := range w {
		will := resource.Add(o.future.At(table.ID(id), claimed*w+t), o.future.At(table.ID(id), replacing*w+t))
		cold[extra*w+t] = max(0, resource.Sub(will, o.future.At(table.ID(id), leaving*w+t)))
	}
	o.setBound(o.hot.Edit(table.ID(id)), cold)
}

// AddLeaving adds a leaving allocation of a leaf or, if more is false, removes one.
func (o *Queues) AddLeaving(leaf ID, demand resource.Vec, more bool) {
	o.addFuture(leaf, None, leaving, demand, more)
}

// AddClaim adds a pending ask with a claim or, if more is false, removes one.
func (o *Queues) AddClaim(leaf ID, demand resource.Vec, more bool) {
	o.addFuture(leaf, None, claimed, demand, more)
}

// AddReplacing adds a pending task whose placeholder is leaving or, if more is false, removes one.
func (o *Queues) AddReplacing(leaf ID, demand resource.Vec, more bool) {
	o.addFuture(leaf, None, replacing, demand, more)
}

// addFuture changes a sum of a queue and those above it, below an end.
func (o *Queues) addFuture(id, end ID, kind int, demand resource.Vec, more bool) {
	for ; id != end; id = o.rows.Peek(table.ID(id)).parent {
		sum := resource.Vec(o.future.Edit(table.ID(id))[kind*o.width:])
		if more {
			sum.Add(demand)
		} else {
			sum.Sub(demand)
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
func (o *Queues) Enter(leaf, ancestor ID, u *Usage) { o.move(leaf, ancestor, u, 1) }

// Leave undoes Enter.
func (o *Queues) Leave(leaf, ancestor ID, u *Usage) { o.move(leaf, ancestor, u, -1) }

func (o *Queues) move(leaf, ancestor ID, u *Usage, sign int) {
	for id := leaf; id != ancestor; {
		r := o.rows.Edit(table.ID(id))
		r.allocations += sign * u.Allocations
		r.live += sign
		sum := resource.Vec(o.hot.Edit(table.ID(id)))
		if sign > 0 {
			sum.Add(u.Used)
		} else {
			sum.Sub(u.Used)
		}
		id = r.parent
	}
	o.addFuture(leaf, ancestor, leaving, u.Leaving, sign > 0)
	o.addFuture(leaf, ancestor, replacing, u.Replacing, sign > 0)
}

// AddRunning adds a number of applications, which may be negative, to those that hold places under maxapplications. It calls changed for
// each queue that becomes full, or is full no more.
func (o *Queues) AddRunning(leaf ID, n int, changed func(id ID, full bool)) {
	for id := leaf; id != None; {
		r := o.rows.Edit(table.ID(id))
		before := r.full()
		r.running += n
		parent := r.parent
		if full := r.full(); full != before {
			changed(id, full)
		}
		id = parent
	}
}

func (r *row) full() bool { return r.maxRunning > 0 && uint64(r.running) >= r.maxRunning }
