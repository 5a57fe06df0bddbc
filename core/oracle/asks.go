package oracle

import (
	"cmp"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// ask is a request, pending while node is nil, then an allocation.
type ask struct {
	id         string
	app        *app
	resources  resource.Set
	priority   int32
	details    core.Ask
	submitted  time.Duration
	submission int
	number     uint64 // counts the asks that were accepted, from 1
	node       *node
	allocated  time.Duration
	allocation int    // its place among allocations
	placement  uint64 // counts the allocations, from 1
	leavesFor  *ask   // allocated: the ask that it was told to leave for, there or not any more; nil: it stays
	observed   bool   // pending: it was said, in observation, whom it would preempt
}

// pending lists the application's asks that wait, in the order of the walk.
func (a *app) pending() []*ask {
	var pending []*ask
	for _, k := range a.asks {
		if k.node == nil {
			pending = append(pending, k)
		}
	}
	slices.SortFunc(pending, func(a, b *ask) int {
		return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(a.submission, b.submission))
	})
	return pending
}

// allocated lists the application's allocations.
func (a *app) allocated() []*ask {
	var allocated []*ask
	for _, k := range a.asks {
		if k.node != nil {
			allocated = append(allocated, k)
		}
	}
	return allocated
}

func inAllocationOrder(allocated []*ask) []*ask {
	sorted := slices.Clone(allocated)
	slices.SortFunc(sorted, func(a, b *ask) int { return cmp.Compare(a.allocation, b.allocation) })
	return sorted
}

// everyAsk lists all asks there are, pending and allocated.
func (o *Oracle) everyAsk() []*ask {
	var all []*ask
	for _, a := range o.apps {
		all = append(all, a.asks...)
	}
	return all
}

func (o *Oracle) findAsk(id string) *ask {
	for _, k := range o.everyAsk() {
		if k.id == id {
			return k
		}
	}
	return nil
}

func (o *Oracle) newAsk(a *app, in *core.Input) *ask {
	o.asked++
	k := &ask{
		id: in.ID, app: a, resources: in.Resources, priority: in.Ask.Priority, details: in.Ask,
		submitted: o.now, submission: o.event(), number: o.asked,
	}
	a.asks = append(a.asks, k)
	o.askCame(a)
	return k
}

func (o *Oracle) rejectAsk(in *core.Input, why core.Reason) {
	o.refuse(core.Decision{Type: core.AskRejected, ID: in.ID, App: in.App, Reason: why})
}

func (o *Oracle) addAsk(in *core.Input) {
	a := o.findApp(in.App)
	switch {
	case a == nil:
		o.rejectAsk(in, core.ReasonUnknownApplication)
	case o.findAsk(in.ID) != nil:
		o.rejectAsk(in, core.ReasonDuplicate)
	case in.Ask.Placeholder || in.Ask.TaskGroup != "":
		o.rejectAsk(in, core.ReasonNotSupported)
	case in.Resources.IsZero():
		o.rejectAsk(in, core.ReasonNoResources)
	default:
		o.newAsk(a, in)
	}
}

// restoreAllocation takes in an allocation that exists already: as an ask that is added and allocated, unchecked.
func (o *Oracle) restoreAllocation(in *core.Input) {
	a, n := o.findApp(in.App), o.findNode(in.PlacedOn)
	switch {
	case a == nil:
		o.rejectAsk(in, core.ReasonUnknownApplication)
	case o.findAsk(in.ID) != nil:
		o.rejectAsk(in, core.ReasonDuplicate)
	case n == nil:
		o.rejectAsk(in, core.ReasonUnknownNode)
	case in.Ask.Placeholder || in.Ask.TaskGroup != "":
		o.rejectAsk(in, core.ReasonNotSupported)
	case o.used(o.root).anyPasses(in.Resources) || o.takenOn(n).anyPasses(in.Resources):
		o.rejectAsk(in, core.ReasonAmountOverflow)
	default:
		k := o.newAsk(a, in)
		o.place(k, n)
		o.allocationCame(a)
	}
}

func (o *Oracle) updateAsk(in *core.Input) {
	k := o.findAsk(in.ID)
	switch {
	case k == nil:
		o.ignore(in, core.ReasonUnknownAsk)
		return
	case k.node != nil:
		o.ignore(in, core.ReasonNotPending)
		return
	case in.Resources != nil && in.Resources.IsZero():
		o.ignore(in, core.ReasonNoResources)
		return
	}
	if in.Resources != nil {
		k.resources = in.Resources
	}
	if in.HasPriority {
		k.priority = in.Ask.Priority
	}
	o.dropHopelessReservations()
}

func (o *Oracle) removeAsk(in *core.Input) {
	k := o.findAsk(in.ID)
	switch {
	case k == nil:
		o.ignore(in, core.ReasonUnknownAsk)
	case k.node != nil:
		o.ignore(in, core.ReasonNotPending)
	default:
		o.withdraw(k)
		o.forget(k)
		o.somethingLeft(k.app)
	}
}

func (o *Oracle) releaseAllocation(in *core.Input) {
	k := o.findAsk(in.ID)
	switch {
	case k == nil:
		o.ignore(in, core.ReasonUnknownAsk)
	case k.node == nil:
		o.ignore(in, core.ReasonNotAllocated)
	default:
		o.leaveNode(k, whyReleased(k))
		o.somethingLeft(k.app)
	}
}

// whyReleased tells the end that somebody else brought about from the one of its own.
func whyReleased(k *ask) core.Reason {
	if k.leavesFor != nil {
		return core.ReasonPreempted
	}
	return core.ReasonFinished
}

// withdraw ends what was kept for an ask that goes away without being allocated.
func (o *Oracle) withdraw(k *ask) {
	o.unreserve(k, "")
	if o.claimOf(k) != nil {
		o.lapse(k, core.ReasonWithdrawn)
	}
}

// forget takes the ask from its application.
func (o *Oracle) forget(k *ask) {
	k.app.asks = slices.DeleteFunc(k.app.asks, func(other *ask) bool { return other == k })
}

func (o *Oracle) place(k *ask, n *node) {
	o.placed++
	k.node, k.allocated, k.allocation, k.placement = n, o.now, o.event(), o.placed
}

// leaveNode ends an allocation for good.
func (o *Oracle) leaveNode(k *ask, why core.Reason) {
	k.node.grown = o.event()
	o.forget(k)
	o.decide(core.Decision{Type: core.Release, ID: k.id, Reason: why, Submission: k.number})
}
