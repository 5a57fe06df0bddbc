package state

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/state/asks"
	"github.com/quern-project/quern/core/internal/state/replacements"
)

// sortBySeq sorts asks by submission.
func sortBySeq(list []app.Ask) { sortByNumber(list, app.Ask.Seq) }

// sortByNumber sorts asks by distinct numbers. If these are dense, as when most asks ever submitted still exist, it places each ask by its
// number, without comparisons (BenchmarkStart). Otherwise it compares copies of the numbers, since rows may not be in the cache.
func sortByNumber(list []app.Ask, number func(app.Ask) uint64) {
	least, most := uint64(math.MaxUint64), uint64(0)
	for _, ask := range list {
		least, most = min(least, number(ask)), max(most, number(ask))
	}
	if most-least >= 4*uint64(len(list)) || len(list) < 64 {
		type numbered struct {
			number uint64
			ask    app.Ask
		}
		keyed := make([]numbered, 0, len(list))
		for _, ask := range list {
			keyed = append(keyed, numbered{number(ask), ask})
		}
		slices.SortFunc(keyed, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
		for i := range keyed {
			list[i] = keyed[i].ask
		}
		return
	}
	places := make([]app.Ask, most-least+1)
	for _, ask := range list {
		places[number(ask)-least] = ask
	}
	sorted := list[:0]
	for _, ask := range places {
		if !ask.IsNone() {
			sorted = append(sorted, ask)
		}
	}
}

func (s *State) rejectAsk(in *core.AddAsk, reason core.Reason, message string) {
	s.refuse(core.AskRejected, in.ID, reason, message).App = in.App
}

// identify checks the application and the ID of an ask or a restored allocation, and refuses the input if they are invalid. It returns the
// application, nil if the input is refused, and the place for the ID.
func (s *State) identify(in *core.AddAsk) (app.App, asks.Place) {
	a := s.askingApp(in.App)
	if a.IsNone() {
		s.rejectAsk(in, core.ReasonUnknownApplication, fmt.Sprintf("there is no application %q", in.App))
		return app.App{}, asks.Place{}
	}
	slot, place := s.asks.View().Locate(in.ID)
	if slot != app.NoSlot || len(s.partitions) > 1 && s.PartitionOfAsk(in.ID) != nil {
		s.rejectAsk(in, core.ReasonDuplicate, fmt.Sprintf("ask %q already exists", in.ID))
		return app.App{}, asks.Place{}
	}
	return a, place
}

// askingApp returns the application with an ID, or nil. Most asks are of the same application as the one before, or of the one that was just
// added, which is found without a search (workloads gangs and openb).
func (s *State) askingApp(id string) app.App {
	last := &s.lastAsking
	if id != last.id || last.app.IsNone() || last.app.Ended() {
		last.id, last.app = id, s.orders.AppWithID(id)
	}
	return last.app
}

func (s *State) addAsk(in *core.AddAsk) {
	a, place := s.identify(in)
	if a.IsNone() {
		return
	}
	in, counted := s.withDevices(in)
	if !counted {
		return
	}
	if (a.HasGang() || in.Ask.Placeholder) && s.rejectMember(a, in) {
		return
	}
	if in.Ask.Gang != nil && s.rejectAtomic(in, a) {
		return
	}
	if !in.Ask.Topology.IsZero() && s.rejectLevel(in) {
		return
	}
	if in.Resources.IsZero() {
		s.rejectAsk(in, core.ReasonNoResources, "an ask must ask for some amount of some resource")
		return
	}
	walltime := s.walltimeOf(in, a)
	if walltime.IsTooLong(walltime.Limit) {
		s.rejectAsk(in, core.ReasonWalltimeTooLong, tooLong(walltime.Limit, walltime.Most))
		return
	}
	ask := s.newAsk(in, place, a, walltime.Limit)
	s.asks.SetWalltime(ask.Slot(), walltime)
	s.recallPreempted(ask)
	if in.Ask.Gang != nil {
		s.firstAnew(ask)
	}
	s.pend(ask)
	if in.Ask.Gang != nil {
		s.pendingChanged(ask)
		s.slicesChanged(ask)
	}
	s.asked(ask, a)
	if a.HasGang() {
		s.memberChanged(ask)
	}
}

// newAsk makes an ask from an input and counts it. place is where its ID is stored, and limit its walltime.
func (s *State) newAsk(in *core.AddAsk, place asks.Place, a app.App, limit time.Duration) app.Ask {
	s.counters.Ask++
	if !in.Ask.Topology.IsZero() {
		s.makeLevels(in.Ask.Topology)
	}
	c := s.classOf(&class.Shape{Resources: in.Resources, Constraints: in.Ask.Constraints, Node: in.Ask.Node, Predicate: in.Ask.Predicate,
		Topology: s.topologyFor(a, in), Walltime: s.walltimeOfClass(limit), Devices: in.Ask.Devices})
	slot := s.asks.Put(in.ID, place, asks.Ask{
		App: int32(a.Number()), Class: c.Number(), Seq: s.counters.Ask, Priority: in.Ask.Priority, Created: s.now,
		Originator: in.Ask.Originator, NoPreemptOthers: in.Ask.NoPreemptOthers, NotPreemptable: in.Ask.NotPreemptable,
	})
	if in.Ask.Movable {
		s.asks.MarkMovable(slot)
	}
	ask := s.orders.Begin(slot)
	if a.HasGang() {
		s.asks.Join(slot, asks.Member{Group: s.edit(a).JoinGroup(in.Ask.TaskGroup), Placeholder: in.Ask.Placeholder})
	}
	if in.Ask.Gang != nil {
		s.joinAtomic(ask, in.Ask.Gang, in.Ask.Topology)
	}
	return ask
}

// classOf returns the class of a shape, and counts one more ask in it. It registers new resource types.
func (s *State) classOf(shape *class.Shape) class.Class {
	if c := s.classes.Recent(shape); !c.IsNone() {
		return c
	}
	s.admit(shape.Resources)
	return s.classes.Of(shape)
}

// pend adds a new ask to the pending ones of its application and queues.
func (s *State) pend(ask app.Ask) {
	var r asks.Ask
	ask.Read(&r)
	c, a := s.classes.At(r.Class), s.orders.App(r.App)
	s.classes.Enqueue(c)
	if a.HasGang() {
		s.enqueueMember(ask, a)
	}
	s.apps.Enqueue(a.Number(), c.Demand())
	if r.Atomic != 0 {
		s.edit(a).StartRole(ask)
	}
	s.edit(a).AddAsk(ask, &r, s.shrinkEpoch)
	if r.Atomic != 0 {
		s.raiseLargest(ask)
	}
	s.queues.Enqueue(QueueOfApp(a), c.Demand())
	s.noteAsk(AskPending, ask, c, a, r.Atomic != 0)
}

// unpend undoes pend.
func (s *State) unpend(ask app.Ask) {
	r := ask.Row()
	c, a := s.classes.At(r.Class), s.orders.App(r.App)
	s.classes.Dequeue(c)
	s.apps.Dequeue(a.Number(), c.Demand())
	s.edit(a).DropAsk(ask, &r)
	if a.HasGang() {
		s.dequeueMember(ask, a)
	}
	s.queues.Dequeue(QueueOfApp(a), c.Demand())
	s.noteAsk(AskGone, ask, c, a, r.Atomic != 0)
}

// forget removes an ask. Its ID may be used again.
func (s *State) forget(ask app.Ask) {
	if ask.Grouped() {
		s.edit(ask.App()).LeaveGroup(ask)
	}
	s.devices.set(ask.Slot(), nil)
	s.asks.Remove(ask.Slot())
	s.classes.Release(ask.Class())
	if !ask.Atomic().IsNone() {
		s.leaveAtomic(ask)
	}
	s.log.left = append(s.log.left, ask.Slot())
}

func unknownAsk(id string) string {
	return fmt.Sprintf("there is no ask and no allocation %q", id)
}

// askOf returns the ask with an ID if it is pending or allocated as the event requires. Otherwise it ignores the event and returns nil.
func (s *State) askOf(e core.Event, id string, pending bool) app.Ask {
	ask := s.orders.Find(id)
	switch {
	case ask.IsNone():
		s.ignore(e, core.ReasonUnknownAsk, unknownAsk(id))
	case pending && !ask.Pending():
		s.ignore(e, core.ReasonNotPending, fmt.Sprintf("ask %q is allocated already", id))
	case !pending && ask.Pending():
		s.ignore(e, core.ReasonNotAllocated, fmt.Sprintf("ask %q is still pending", id))
	default:
		return ask
	}
	return app.Ask{}
}

func (s *State) updateAsk(in *core.UpdateAsk) {
	switch {
	case in.Leaving:
		s.endsItself(in)
		return
	case (in.Preemptable != nil || in.Walltime != 0) && in.Resources == nil && in.Devices == nil && in.Priority == nil && in.Predicate == "":
		s.updateAny(in)
		return
	}
	ask := s.askOf(in, in.ID, true)
	if ask.IsNone() {
		return
	}
	shape, reshaped := s.shapeOf(ask, in)
	if !reshaped {
		return
	}
	if !s.mayLast(in, ask) {
		return
	}
	if in.Preemptable != nil {
		s.asks.Protect(ask.Slot(), ask.Originator(), !*in.Preemptable)
	}
	if s.Plans().Len() > 0 {
		s.planChanged(ask)
	}
	s.setWalltime(ask, in.Walltime)
	a := ask.App()
	if in.Resources != nil || in.Devices != nil || in.Predicate != "" {
		swap, waits := s.Replacements().Of(ask.Slot())
		if waits {
			s.promiseSwap(ask, swap, false)
			s.countPresent(ask, -1)
		}
		s.promise(ask, false)
		s.reshape(ask, shape)
		s.promise(ask, true)
		if waits {
			s.promiseSwap(ask, swap, true)
			s.countPresent(ask, 1)
			s.swapOpened(ask, swap)
		}
		s.heldReshaped(ask)
	}
	if in.Priority != nil {
		s.asks.SetPriority(ask.Slot(), *in.Priority)
		s.edit(a).UpdateAsk(ask)
		s.pendingChanged(ask)
		s.slicesChanged(ask)
	}
	s.askChanged(AskUpdated, ask, app.NoNode)
	s.memberChanged(ask)
	if ask.Hold().IsClaimed() {
		s.nodeChanged(ask.HoldOn())
	}
	if ask.Hold().IsReserved() {
		n := ask.HoldOn()
		s.nodeChanged(n)
		s.lapse(n)
	}
}

// updateAny changes what may be changed of an allocation too: whether it may be preempted, and its walltime.
func (s *State) updateAny(in *core.UpdateAsk) {
	ask := s.orders.Find(in.ID)
	if ask.IsNone() {
		s.ignore(in, core.ReasonUnknownAsk, unknownAsk(in.ID))
		return
	}
	if !s.mayLast(in, ask) {
		return
	}
	if s.conf.Backfill.Plans() {
		s.promiseUpdated(ask, in.Walltime)
	}
	s.setWalltime(ask, in.Walltime)
	if in.Preemptable == nil {
		return
	}
	if s.asks.Protect(ask.Slot(), ask.Originator(), !*in.Preemptable); !ask.Pending() {
		s.nodeChanged(ask.Node()) // so that searches for victims reconsider it
		s.countStaying(ask, 0)
	}
}

// endsItself marks an allocation as leaving that its owner is ending, so that its room need not be preempted.
func (s *State) endsItself(in *core.UpdateAsk) {
	if ask := s.askOf(in, in.ID, false); !ask.IsNone() && !ask.Leaving() {
		s.notify(ask, replacements.Finished, "")
		s.memberChanged(ask)
	}
}

// shapeOf returns the shape of an ask after an update of its resources, devices or predicate. ok is false if the update was refused.
func (s *State) shapeOf(ask app.Ask, in *core.UpdateAsk) (shape *class.Shape, ok bool) {
	old := ask.Class()
	shape = &class.Shape{Resources: in.Resources, Node: old.Node(), Predicate: cmp.Or(in.Predicate, old.Predicate()), Constraints: map[string][]string{},
		Topology: old.Topology(), Walltime: old.Walltime(), Devices: old.Devices()}
	if shape.Resources == nil {
		shape.Resources = old.Resources()
	}
	for c := range old.Own().All {
		shape.Constraints[c.Attribute] = c.Values.Clone()
	}
	if !s.countDevices(ask, shape, in) {
		return nil, false
	}
	if (in.Resources != nil || in.Devices != nil) && shape.Resources.IsZero() {
		s.ignore(in, core.ReasonNoResources, "an ask must ask for some amount of some resource")
		return nil, false
	}
	return shape, true
}

// reshape gives a pending ask another shape. It keeps its place in the order of submission.
func (s *State) reshape(ask app.Ask, shape *class.Shape) {
	old := ask.Class()
	s.admit(shape.Resources) // before the ask is removed, since new types widen the vectors of all pending asks
	s.unpend(ask)
	s.asks.SetClass(ask.Slot(), s.classOf(shape).Number())
	s.classes.Release(old)
	s.pend(ask)
	s.pendingChanged(ask)
}

func (s *State) removeAsk(in *core.RemoveAsk) {
	ask := s.askOf(in, in.ID, true)
	if ask.IsNone() {
		return
	}
	a := ask.App()
	s.withdraw(ask)
	s.idle(a)
}

// withdraw removes a pending ask with its reservation, claim and wait for a placeholder.
func (s *State) withdraw(ask app.Ask) {
	if s.Plans().Len() > 0 {
		s.planWithdrawn(ask, false)
	}
	if ask.Hold().IsReserved() {
		s.Unreserve(ask, "")
	}
	if ask.Hold().IsClaimed() {
		s.LapseClaim(ask, core.ReasonWithdrawn)
	}
	if s.Accumulates() {
		s.letGoOf(ask)
	}
	if ask.IsReplacing() {
		s.abandonSwap(ask, s.stopWaiting(ask))
	}
	s.unpend(ask)
	s.pendingChanged(ask)
	s.slicesChanged(ask)
	s.memberChanged(ask)
	s.forget(ask)
}
