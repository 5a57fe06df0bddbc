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
	allocation int          // its place among allocations
	placement  uint64       // counts the allocations, from 1
	leaves     core.Reason  // allocated: why it will be released, since it was told to leave; empty: it stays
	leavesFor  *ask         // allocated: the ask that it was told to leave for, there or not any more; nil: none
	frees      *claim       // allocated: it was told to leave so that this one of a gang can land; nil: for no such
	quota      string       // allocated: the path of the queue over its max for which it was told to leave; empty: none
	replaces   *replacement // pending: it lands when its placeholder has left
	gaveUp     bool         // pending: no placeholder was large enough
	observed   bool         // pending: its victims were reported, in observation
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

// everyAsk lists the asks of all partitions, pending and allocated.
func (o *Oracle) everyAsk() []*ask {
	var all []*ask
	for _, a := range o.apps {
		all = append(all, a.asks...)
	}
	return all
}

// ownAsks lists those of the partition.
func (p *partition) ownAsks() []*ask {
	return slices.DeleteFunc(p.everyAsk(), func(k *ask) bool { return k.app.partition != p })
}

func (o *Oracle) findAsk(id string) *ask {
	for _, k := range o.everyAsk() {
		if k.id == id {
			return k
		}
	}
	return nil
}

func (p *partition) newAsk(a *app, in *core.AddAsk) *ask {
	p.asked++
	k := &ask{
		id: in.ID, app: a, resources: in.Resources, priority: in.Ask.Priority, details: in.Ask,
		submitted: p.now, submission: p.event(), number: p.asked,
	}
	a.asks = append(a.asks, k)
	p.joinGang(k)
	p.askCame(k)
	return k
}

// refusesAsk says why the application takes no ask or allocation of that kind; empty: it takes it.
func (a *app) refusesAsk(in *core.AddAsk) core.Reason {
	switch {
	case a.state == core.StateFailing:
		return core.ReasonAppFailing
	case in.Ask.Placeholder && a.refusesPlaceholder(in) != "":
		return a.refusesPlaceholder(in)
	case a.disagrees(in.Ask.Gang):
		return core.ReasonGangMismatch
	}
	return ""
}

func (p *partition) rejectAsk(in *core.AddAsk, why core.Reason) {
	p.refuse(core.Decision{Type: core.AskRejected, ID: in.ID, App: in.App, Reason: why})
}

func (p *partition) addAsk(in *core.AddAsk) {
	a := p.findApp(in.App)
	switch {
	case a == nil:
		p.rejectAsk(in, core.ReasonUnknownApplication)
	case p.findAsk(in.ID) != nil:
		p.rejectAsk(in, core.ReasonDuplicate)
	case a.refusesAsk(in) != "":
		p.rejectAsk(in, a.refusesAsk(in))
	case in.Resources.IsZero():
		p.rejectAsk(in, core.ReasonNoResources)
	default:
		p.newAsk(a, in)
	}
}

// restoreAllocation takes in an allocation that exists already: as an ask that is added and allocated, unchecked.
func (p *partition) restoreAllocation(in *core.RestoreAllocation) {
	a, n := p.findApp(in.App), p.nodeNamed(in.PlacedOn)
	switch {
	case a == nil:
		p.rejectAsk(&in.AddAsk, core.ReasonUnknownApplication)
	case p.findAsk(in.ID) != nil:
		p.rejectAsk(&in.AddAsk, core.ReasonDuplicate)
	case n == nil:
		p.rejectAsk(&in.AddAsk, core.ReasonUnknownNode)
	case a.refusesAsk(&in.AddAsk) != "":
		p.rejectAsk(&in.AddAsk, a.refusesAsk(&in.AddAsk))
	case p.used(p.root).anyPasses(in.Resources) || p.takenOn(n).anyPasses(in.Resources):
		p.rejectAsk(&in.AddAsk, core.ReasonAmountOverflow)
	default:
		k := p.newAsk(a, &in.AddAsk)
		p.place(k, n)
		p.joined(k)
		p.allocationCame(k)
	}
}

func (p *partition) updateAsk(in *core.UpdateAsk) {
	k := p.findAsk(in.ID)
	switch {
	case k == nil:
		p.ignore(in, core.ReasonUnknownAsk)
		return
	case in.Leaving && k.node == nil:
		p.ignore(in, core.ReasonNotAllocated)
		return
	case in.Leaving:
		k.leaves = cmp.Or(k.leaves, core.ReasonFinished)
		return
	case k.node != nil && (in.Resources != nil || in.Priority != nil || in.Preemptable == nil || in.Predicate != ""):
		p.ignore(in, core.ReasonNotPending)
		return
	case in.Resources != nil && in.Resources.IsZero():
		p.ignore(in, core.ReasonNoResources)
		return
	}
	if in.Preemptable != nil {
		k.details.NotPreemptable = !*in.Preemptable
	}
	if in.Resources != nil {
		k.resources = in.Resources
	}
	if in.Predicate != "" {
		k.details.Predicate = in.Predicate
	}
	if in.Priority != nil {
		k.priority = *in.Priority
	}
	p.dropHopelessReservations()
}

func (p *partition) removeAsk(in *core.RemoveAsk) {
	k := p.findAsk(in.ID)
	switch {
	case k == nil:
		p.ignore(in, core.ReasonUnknownAsk)
	case k.node != nil:
		p.ignore(in, core.ReasonNotPending)
	default:
		p.withdraw(k)
		p.forget(k)
		p.somethingLeft(k.app)
	}
}

func (p *partition) releaseAllocation(in *core.ReleaseAllocation) {
	k := p.findAsk(in.ID)
	switch {
	case k == nil:
		p.ignore(in, core.ReasonUnknownAsk)
	case k.node == nil:
		p.ignore(in, core.ReasonNotAllocated)
	default:
		k.memberReleased(in.Failed)
		p.leaveNode(k, whyReleased(k))
		p.somethingLeft(k.app)
	}
}

func (k *ask) isLeaving() bool { return k.leaves != "" }

// whyReleased tells an end that was asked for from one of its own.
func whyReleased(k *ask) core.Reason { return cmp.Or(k.leaves, core.ReasonFinished) }

// withdraw ends what was kept for an ask that goes away without being allocated.
func (p *partition) withdraw(k *ask) {
	p.unreserve(k, "")
	if p.claimOf(k) != nil {
		p.lapse(k, core.ReasonWithdrawn)
	}
}

// forget takes the ask from its application.
func (p *partition) forget(k *ask) {
	k.app.asks = slices.DeleteFunc(k.app.asks, func(other *ask) bool { return other == k })
	k.app.leaveGang()
}

// joined notes that a member of a gang was placed: the others are ordinary asks.
func (p *partition) joined(k *ask) {
	if g := k.app.atomicOf(k.details.Gang); g != nil {
		g.placed = true
	}
}

func (p *partition) place(k *ask, n *node) {
	p.placed++
	k.node, k.allocated, k.allocation, k.placement = n, p.now, p.event(), p.placed
}

// leaveNode ends an allocation for good.
func (p *partition) leaveNode(k *ask, why core.Reason) {
	d := core.Decision{Type: core.Release, ID: k.id, App: k.app.id, Queue: k.app.queue.path(), Node: k.node.id, Reason: why, Submission: k.number}
	k.node.grown = p.event()
	k.node = nil
	p.forget(k)
	p.decide(d)
}
