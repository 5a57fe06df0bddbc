package state

import (
	"fmt"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/asks"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

func (s *State) releaseAllocation(in *core.ReleaseAllocation) {
	ask := s.askOf(in, in.ID, false)
	if ask.IsNone() {
		return
	}
	switch {
	case ask.Atomic().IsNone():
	case !in.Failed:
		s.memberSucceeded(ask)
	case !ask.Leaving() || s.whyTold(ask) == core.ReasonFinished:
		s.memberLost(ask, core.ReasonMemberFailed)
	}
	s.release(ask, core.ReasonFinished)
}

// release ends an allocation and forgets its ask.
func (s *State) release(ask app.Ask, reason core.Reason) {
	a := ask.App()
	s.freeAllocation(ask, reason)
	s.memberChanged(ask)
	s.forget(ask)
	s.idle(a)
}

func (s *State) restoreAllocation(in *core.RestoreAllocation) {
	a, place := s.identify(&in.AddAsk)
	if a.IsNone() {
		return
	}
	counted, ok := s.withDevices(&in.AddAsk)
	if !ok {
		return
	}
	if counted != &in.AddAsk {
		own := *in
		own.AddAsk = *counted
		in = &own
	}
	n := s.finder.Find(in.PlacedOn)
	if n == app.NoNode {
		message := fmt.Sprintf("there is no node %q", in.PlacedOn)
		if s.partitionOfNode(in.PlacedOn) != nil {
			message += " in partition " + s.name
		}
		s.rejectAsk(&in.AddAsk, core.ReasonUnknownNode, message)
		return
	}
	if s.rejectMember(a, &in.AddAsk) {
		return
	}
	if message := s.restoreOverflows(n, in.Resources); message != "" {
		s.rejectAsk(&in.AddAsk, core.ReasonAmountOverflow, message)
		return
	}
	ask := s.newAsk(asItsGang(&in.AddAsk, a), place, a, 0)
	s.restoreWalltime(ask, in)
	s.recallPreempted(ask)
	s.asked(ask, a)
	s.restore(ask, n, in.PlacedDevices)
	if !ask.IsPlaceholder() {
		s.apps.CountMade(a.Number())
	}
	first := !ask.WaitingGang().IsNone()
	s.atomicPlaced(ask)
	s.allocated(ask, a)
	s.memberRestored(ask, first)
}

// Allocate allocates a pending ask on a node. It returns the ask's priority in the view of root.
func (s *State) Allocate(ask app.Ask, n int32) (priority int32) {
	var r asks.Ask
	ask.Read(&r)
	s.nodes.Allocate(n, s.classes.At(r.Class).Demand())
	s.takeDevices(ask, s.classes.At(r.Class).Devices(), n)
	s.finder.Filled(n)
	priority = s.place(ask, &r, n)
	if r.Atomic != 0 {
		s.atomicPlaced(ask)
	}
	s.allocated(ask, s.orders.App(r.App))
	if r.Atomic != 0 {
		s.memberRuns(ask)
		s.bindGangs()
	}
	return priority
}

// place is Allocate for an ask, with its row, that its node already counts, without the change of the application's state.
func (s *State) place(ask app.Ask, r *asks.Ask, n int32) (priority int32) {
	kept := ""
	if r.Hold.IsClaimed() {
		kept = s.landsElsewhere(ask, n)
		s.endClaim(ask)
	}
	c, a := s.classes.At(r.Class), s.orders.App(r.App)
	s.classes.Dequeue(c)
	q, demand := QueueOfApp(a), c.Demand()
	s.apps.Allocate(a.Number(), demand, !r.Grouped || !ask.IsPlaceholder())
	s.edit(a).DropAsk(ask, r)
	if r.Grouped {
		s.dequeueMember(ask, a)
	}
	s.occupy(ask, a, demand, n)
	s.queues.Allocate(q, demand)
	if s.aging.on {
		s.countUse(a, q, queues.None, demand, true)
	}
	s.usageChanged(q)
	s.noteAsk(AskAllocated, ask, c, a, r.Atomic != 0).node = n
	d := s.emit(core.Allocation)
	d.ID, d.App, d.Queue, d.Node = ask.ID(), a.ID(), s.Queues().Path(q), s.finder.ID(n)
	d.Priority, d.Resources, d.Submission = r.Priority, c.Resources(), r.Seq
	if len(c.Devices()) > 0 {
		d.Devices = s.devices.at(ask.Slot())
	}
	priority = s.Queues().SeenBy(q, s.Queues().Root(), r.Priority)
	s.precedence.add(s.now, priority)
	if r.Hold.IsReserved() {
		s.Unreserve(ask, "")
	}
	if s.Plans().Len() > 0 {
		s.planWithdrawn(ask, true)
	}
	if r.Atomic != 0 && s.Accumulates() {
		s.letGoOf(ask)
	}
	if kept != "" {
		d := s.emit(core.Lapsed)
		d.For, d.Node, d.Reason = ask.ID(), kept, core.ReasonElsewhere
	}
	return priority
}

// restore counts an allocation that was made earlier, on the devices named, or on others of the types not named.
func (s *State) restore(ask app.Ask, n int32, placed []core.PlacedDevices) {
	demand, q := ask.Class().Demand(), s.QueueOf(ask)
	s.nodes.Allocate(n, demand)
	s.restoreDevices(ask, ask.Class().Devices(), n, placed)
	s.finder.Changed(n)
	s.apps.AddAllocation(ask.App().Number(), demand)
	s.occupy(ask, ask.App(), demand, n)
	s.queues.Restore(q, demand)
	if s.aging.on {
		s.countUse(ask.App(), q, queues.None, demand, true)
	}
	s.usageGrew(q)
	s.usageChanged(q)
	s.askChanged(AllocationMade, ask, n)
}

// occupy counts an allocation at its limits, and lists it in its application and on a node, which already count it.
func (s *State) occupy(ask app.Ask, a app.App, demand resource.Amounts, n int32) {
	s.counters.Placed++
	s.policies.symbols.Made++
	s.asks.Place(ask.Slot(), n, s.counters.Placed, s.now)
	if s.windows.View().Len() > 0 {
		s.promiseByWindow(ask, n)
	}
	s.timeWalltime(ask)
	s.edit(a).AddPlaced(ask, n)
	if !ask.Alone() {
		s.joinSlice(ask, n)
		s.countStaying(ask, 1)
	}
	s.leafOf(a).UsageChanged(a)
	if !a.Limits().IsNone() {
		s.limits.Use(a.Limits().Trackers(), demand)
		if s.limitIndex != nil {
			s.noteLimitUsage(a)
		}
	}
	if a.HasGang() {
		s.placeMember(ask)
	}
	if s.options.Placements != nil {
		s.reportPlacement(ask, n, false)
	}
}

// reportPlacement reports to the provider of host predicates that an ask counts on a node, or no longer does.
func (s *State) reportPlacement(ask app.Ask, n int32, ended bool) {
	if tell := s.options.Placements; tell != nil {
		tell(core.Placed{Ask: ask.ID(), Node: s.finder.ID(n), Ended: ended})
	}
}

// freeAllocation undoes occupy and the counts of the node and the queues, and emits the decision.
func (s *State) freeAllocation(ask app.Ask, reason core.Reason) {
	if ask.Leaving() && reason == core.ReasonFinished {
		reason = s.whyTold(ask)
	}
	d := s.emit(core.Release)
	d.ID, d.Reason, d.Submission = ask.ID(), reason, ask.Seq()
	d.App, d.Queue, d.Node = ask.App().ID(), s.Queues().Path(s.QueueOf(ask)), s.finder.ID(ask.Node())
	if !ask.IsPlaceholder() {
		d.Began, d.Resources = ask.Began(), ask.Class().Resources()
	}
	demand := ask.Class().Demand()
	n := ask.Node()
	if ask.Leaving() {
		s.depart(ask, n)
	} else {
		s.countStaying(ask, -1)
	}
	s.nodes.Release(n, demand)
	s.releaseDevices(ask, ask.Class().Devices(), n)
	a := ask.App()
	s.apps.EndAllocation(a.Number(), demand)
	if !a.Limits().IsNone() {
		s.countFreed(a, demand)
		if s.limitIndex != nil {
			s.noteLimitUsage(a)
		}
	}
	if ask.Grouped() {
		s.freeMember(ask)
	}
	s.edit(a).RemovePlaced(ask, n)
	q := QueueOfApp(a)
	s.maximaOpened(q, queues.None)
	s.queues.Free(q, demand)
	if s.aging.on {
		s.countUse(a, q, queues.None, demand, false)
	}
	s.usageChanged(q)
	s.leafOf(a).UsageChanged(a)
	s.askChanged(AllocationEnded, ask, n)
	s.reportPlacement(ask, n, true)
	s.nodeEmptied(n)
}
