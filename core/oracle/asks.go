package oracle

import (
	"cmp"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// ask is a request. It is pending while node is nil, and then an allocation.
type ask struct {
	id          string
	app         *app
	resources   resource.Set // with the amounts of devices
	plain       resource.Set // without
	wishes      []core.DeviceAsk
	devices     []core.PlacedDevices // of an allocation
	follows     []core.PlacedDevices // of an ask that replaces a placeholder: the devices of that one
	priority    int32
	details     core.Ask
	submitted   time.Duration
	submission  int
	number      uint64 // order of submission, from 1
	node        *node
	allocated   time.Duration
	allocation  int           // event number of its allocation
	placement   uint64        // order of allocation, from 1
	leaves      core.Reason   // of a leaving allocation: the reason of its release; otherwise empty
	leavesSince time.Duration // of a leaving allocation: when it was told to leave
	leavesFor   *ask          // of a leaving allocation: the ask that it leaves for, which may have ended; or nil
	frees       *claim        // of a leaving allocation: the gang member's claim that it frees, or nil
	quota       string        // of a leaving allocation: the path of the queue over its max that releases it, or ""
	replaces    *replacement  // of a pending ask: it is allocated when its placeholder has left
	gaveUp      bool          // of a pending ask: no placeholder was large enough
	slice       int           // of an allocated member of a gang with slices, or one that replaces its placeholder: the number of its slice, from 1
	promise     promise
	least       time.Duration // min_runtime as stated; 0: as its queue says
	observed    bool          // of a pending ask: its victims were reported, in a partition that only observes preemption
	preempted   int64         // how often it was preempted, also before it was asked for again under its ID
}

// pending lists the application's pending asks, in scheduling order: of equal priority, those that repair a gang come first, and the surplus
// asks of elastic gangs last.
func (a *app) pending() []*ask {
	pending := a.pendingByPriority()
	if !slices.ContainsFunc(a.atomic, func(g *atomicGang) bool { return g.broken || g.Max > 0 }) {
		return pending
	}
	slices.SortStableFunc(pending, func(x, y *ask) int {
		return cmp.Or(cmp.Compare(y.priority, x.priority), compareFirst(x.isRepair(), y.isRepair()), compareFirst(y.isSurplusAsk(), x.isSurplusAsk()))
	})
	return pending
}

// compareFirst puts those for which it is true first.
func compareFirst(x, y bool) int {
	switch {
	case x == y:
		return 0
	case x:
		return -1
	}
	return 1
}

// pendingByPriority lists the application's pending asks by priority, and then in order of submission.
func (a *app) pendingByPriority() []*ask {
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

// ownAsks lists the asks of the partition, pending and allocated.
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
		id: in.ID, app: a, priority: in.Ask.Priority, details: in.Ask,
		submitted: p.now, submission: p.event(), number: p.asked, promise: a.promiseOf(in), least: in.Ask.MinRuntime, preempted: a.timesPreempted(in.ID),
	}
	k.wants(p.wishesOf(in.Resources, in.Ask.Devices))
	if g := a.atomicOf(in.Ask.Gang); g != nil { // a restored member may state other settings
		k.details.Gang, k.details.Topology = &g.Gang, g.topology
	}
	a.asks = append(a.asks, k)
	p.makeLevels(core.Topology{})
	p.joinGang(k)
	p.askAdded(k)
	return k
}

// refusesAsk returns the reason why the application refuses the ask or allocation of an input, or "".
func (a *app) refusesAsk(in *core.AddAsk) core.Reason {
	switch {
	case a.state == core.StateFailing:
		return core.ReasonAppFailing
	case in.Ask.Placeholder && a.refusesPlaceholder(in) != "":
		return a.refusesPlaceholder(in)
	}
	return ""
}

func (p *partition) rejectAsk(in *core.AddAsk, why core.Reason) {
	p.refuse(core.Decision{Type: core.AskRejected, ID: in.ID, App: in.App, Reason: why})
}

func (p *partition) addAsk(in *core.AddAsk) {
	a := p.findApp(in.App)
	p.makeLevels(in.Ask.Topology)
	switch {
	case a == nil:
		p.rejectAsk(in, core.ReasonUnknownApplication)
	case p.findAsk(in.ID) != nil:
		p.rejectAsk(in, core.ReasonDuplicate)
	case p.refusesWishes(in.Resources, in.Ask.Devices) != "":
		p.rejectAsk(in, p.refusesWishes(in.Resources, in.Ask.Devices))
	case a.refusesAsk(in) != "":
		p.rejectAsk(in, a.refusesAsk(in))
	case a.disagrees(&in.Ask):
		p.rejectAsk(in, core.ReasonGangMismatch)
	case a.isOverMax(in.Ask.Gang):
		p.rejectAsk(in, core.ReasonGangOverMax)
	case p.needsTooManyLevels(in.Ask.Topology):
		p.rejectAsk(in, core.ReasonUnknownLevel)
	case p.unknownLevel(in.Ask.Topology), p.wrongSlices(in.Ask.Topology):
		p.rejectAsk(in, core.ReasonUnknownLevel)
	case withWishes(p.wishesOf(in.Resources, in.Ask.Devices)).IsZero():
		p.rejectAsk(in, core.ReasonNoResources)
	case a.promiseOf(in).isExceededBy(in.Walltime):
		p.rejectAsk(in, core.ReasonWalltimeTooLong)
	default:
		p.newAsk(a, in)
	}
}

// restoreAllocation adds an existing allocation: an ask that is added and allocated without checks of room.
func (p *partition) restoreAllocation(in *core.RestoreAllocation) {
	a, n := p.findApp(in.App), p.nodeNamed(in.PlacedOn)
	whole := withWishes(p.wishesOf(in.Resources, in.Ask.Devices))
	switch {
	case a == nil:
		p.rejectAsk(&in.AddAsk, core.ReasonUnknownApplication)
	case p.findAsk(in.ID) != nil:
		p.rejectAsk(&in.AddAsk, core.ReasonDuplicate)
	case p.refusesWishes(in.Resources, in.Ask.Devices) != "":
		p.rejectAsk(&in.AddAsk, p.refusesWishes(in.Resources, in.Ask.Devices))
	case n == nil:
		p.rejectAsk(&in.AddAsk, core.ReasonUnknownNode)
	case a.refusesAsk(&in.AddAsk) != "":
		p.rejectAsk(&in.AddAsk, a.refusesAsk(&in.AddAsk))
	case p.used(p.root).anyOverflows(whole) || p.takenOn(n).anyOverflows(whole):
		p.rejectAsk(&in.AddAsk, core.ReasonAmountOverflow)
	default:
		k := p.newAsk(a, &in.AddAsk)
		if in.Since != nil && *in.Since < p.now {
			k.promise.since = in.Since
		}
		p.place(k, n, p.restoredDevices(k, n, in.PlacedDevices))
		p.memberPlaced(k, true)
		p.joinSlice(k)
		p.allocationAdded(k)
		p.restoredAt = p.now
		p.memberAllocated(k)
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
		if !k.isLeaving() {
			k.leaves, k.leavesSince = core.ReasonFinished, p.now
		}
		return
	case k.node != nil && (in.Resources != nil || in.Devices != nil || in.Priority != nil || in.Preemptable == nil && in.Walltime == 0 || in.Predicate != ""):
		p.ignore(in, core.ReasonNotPending)
		return
	case p.refusesUpdate(k, in) != "":
		p.ignore(in, p.refusesUpdate(k, in))
		return
	case (in.Resources != nil || in.Devices != nil) && withWishes(p.updated(k, in)).IsZero():
		p.ignore(in, core.ReasonNoResources)
		return
	case k.promise.isExceededBy(in.Walltime):
		p.ignore(in, core.ReasonWalltimeTooLong)
		return
	}
	if in.Walltime != 0 {
		k.promise.walltime = in.Walltime
	}
	if in.Preemptable != nil {
		k.details.NotPreemptable = !*in.Preemptable
	}
	k.wants(p.updated(k, in))
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
		p.removed(k.app)
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
		p.removed(k.app)
	}
}

func (k *ask) isLeaving() bool { return k.leaves != "" }

// whyReleased returns the reason of a release: that of a leaving allocation, or else finished.
func whyReleased(k *ask) core.Reason { return cmp.Or(k.leaves, core.ReasonFinished) }

// withdraw ends the reservation and the claim of a pending ask that is removed.
func (p *partition) withdraw(k *ask) {
	p.unreserve(k, "")
	p.dropHeld(k)
	if p.claimOf(k) != nil {
		p.lapse(k, core.ReasonWithdrawn)
	}
}

// forget removes the ask from its application.
func (p *partition) forget(k *ask) {
	k.app.asks = slices.DeleteFunc(k.app.asks, func(other *ask) bool { return other == k })
	k.app.leaveGang()
}

// memberPlaced records that the ask's gang is placed, so that further members are ordinary asks.
func (p *partition) memberPlaced(k *ask, restored bool) {
	if g := k.app.atomicOf(k.details.Gang); g != nil {
		g.restored = g.restored || restored && g.waits()
		g.placed, g.held = true, true
		if !g.fellBack {
			g.startSet()
		}
	}
}

func (p *partition) place(k *ask, n *node, devices []core.PlacedDevices) {
	p.placed++
	k.node, k.allocated, k.allocation, k.placement = n, p.now, p.event(), p.placed
	k.devices, k.follows = devices, nil
	p.promiseByWindow(k)
	p.usageChanged(k.app, k.app.queue, nil)
}

// leaveNode ends an allocation.
func (p *partition) leaveNode(k *ask, why core.Reason) {
	d := core.Decision{Type: core.Release, ID: k.id, App: k.app.id, Queue: k.app.queue.path(), Node: k.node.id, Reason: why, Submission: k.number}
	if !k.isPlaceholder() {
		d.Began, d.Resources = k.began(), k.resources
	}
	if k.leaves == core.ReasonPreempted {
		p.victimsLeft = append(p.victimsLeft, pastVictim{k.id, k.app, p.now, k.preempted})
	}
	n := k.node
	n.grown = p.event()
	k.node = nil
	p.forget(k)
	p.dropGone(n)
	p.usageChanged(k.app, k.app.queue, nil)
	p.decide(d)
}
