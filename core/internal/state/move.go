package state

import (
	"fmt"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// moveApp moves an application with its asks and allocations to another leaf. The time is proportional to their number, and does not depend
// on the rest of the state.
func (s *State) moveApp(in *core.MoveApp) {
	a := s.orders.AppWithID(in.ID)
	if a.IsNone() {
		s.unknownApp(in, in.ID)
		return
	}
	to, reason, message := s.moveTarget(a, in.Queue)
	if reason == "" {
		reason, message = s.moveRefusal(a, to)
	}
	if reason != "" {
		s.ignore(in, reason, message)
		return
	}
	from := QueueOfApp(a)
	d := s.emit(core.AppMoved)
	d.ID, d.From, d.To = a.ID(), s.Queues().Path(from), s.Queues().Path(to)
	if from != to {
		s.transfer(a, from, to)
	}
}

// moveTarget finds the leaf with a name. The reason is not empty if the application's user may not submit to it, or the leaf does not
// accept the application.
func (s *State) moveTarget(a app.App, name string) (to queues.ID, reason core.Reason, message string) {
	if name == "" {
		return queues.None, core.ReasonNoQueue, "the input names no queue"
	}
	named := s.chooseNamed(&core.AddApp{Queue: name, User: a.User(), Groups: a.Groups()})
	if named.Reason != "" {
		return queues.None, named.Reason, named.Message
	}
	to = s.Queues().Find(named.Queue)
	if a.HasGang() {
		reason, message = s.gangSortRefusal(s.Queues().Conf(to))
	}
	return to, reason, message
}

// moveRefusal returns the reason for the first bound of a leaf, or of the queues above it, that the application would exceed. It does not
// check the bounds of queues that contain the application already.
func (s *State) moveRefusal(a app.App, to queues.ID) (reason core.Reason, message string) {
	tree := s.Queues()
	common := tree.CommonAncestor(QueueOfApp(a), to)
	leaving, landing := s.promisedOf(a)
	now := a.Used()
	for q := to; q != common; q = tree.Parent(q) {
		passed := -1
		for t, used := range now {
			if limit := tree.Max(q, t); used > 0 && limit != resource.Unlimited && tree.TakenWith(q, t, used, resource.Add(used-leaving[t], landing[t])) > limit {
				passed = s.firstType(passed, t)
			}
		}
		if passed >= 0 {
			return core.ReasonHeadroom, fmt.Sprintf("with application %q queue %q would pass its max of %s", a.ID(), tree.Shown(q), s.types.Name(passed))
		}
	}
	limits := s.limitsEntered(a, to, common)
	later := slices.Clone(now)
	later.Sub(leaving.Amounts())
	later.Add(landing.Amounts())
	for _, t := range limits {
		if !t.FitsMoved(now, later) {
			return reasonBy(t, core.ReasonUserLimit, core.ReasonGroupLimit), fmt.Sprintf("with application %q the limit of %s would not hold in queue %q", a.ID(), t.Name(), core.ShownPath(s.shown, t.Queue()))
		}
	}
	if !holdsStarted(a) {
		return "", ""
	}
	for q := to; q != common; q = tree.Parent(q) {
		if tree.Full(q) {
			return core.ReasonMaxApplications, fmt.Sprintf("queue %q is at its maxapplications", tree.Shown(q))
		}
	}
	for _, t := range limits {
		if t.Full() {
			return reasonBy(t, core.ReasonUserMaxApplications, core.ReasonGroupMaxApplications), fmt.Sprintf("%s is at its maxapplications in queue %q", t.Name(), core.ShownPath(s.shown, t.Queue()))
		}
	}
	return "", ""
}

// promisedOf returns the demand of an application's leaving allocations, and that of its tasks with leaving placeholders.
func (s *State) promisedOf(a app.App) (leaving, landing resource.Vec) {
	leaving, landing = make(resource.Vec, s.types.Width()), make(resource.Vec, s.types.Width())
	for v := a.FirstPlaced(); !v.IsNone(); v = v.NextOfApp() {
		if v.Leaving() {
			leaving.Add(v.Class().Demand())
		}
	}
	if a.HasGang() {
		a.Pending(func(ask app.Ask) bool {
			if ask.IsReplacing() {
				landing.Add(ask.Class().Demand())
			}
			return true
		})
	}
	return leaving, landing
}

// transfer moves an application. Its pending asks leave one queue and enter the other as if they were withdrawn and submitted again, but
// keep their numbers and times.
func (s *State) transfer(a app.App, from, to queues.ID) {
	pending := s.PendingOf(a)
	for _, ask := range pending {
		if ask.Hold().IsReserved() {
			s.Unreserve(ask, "")
		}
		if ask.Hold().IsClaimed() {
			s.LapseClaim(ask, core.ReasonMoved)
		}
		if s.Accumulates() {
			s.letGoOf(ask)
		}
	}
	common := s.Queues().CommonAncestor(from, to)
	leaving, landing := s.promisedOf(a)
	s.quitLimits(a, leaving, landing)
	for _, ask := range pending {
		s.planChanged(ask)
		s.unpend(ask)
	}
	if a.Allocations() > 0 {
		s.usageChanged(from)
	}
	s.countApp(a, from, common, leaving, landing, false)
	s.apps.Move(a.Number(), to)
	s.edit(a).MoveTo(s.leafOf(a).OwnedLeaf, s.leaves[to].OwnedLeaf, s.shrinkEpoch)
	s.countApp(a, to, common, leaving, landing, true)
	s.leaves[to].fill()
	if a.Allocations() > 0 {
		s.usageChanged(to)
	}
	for _, ask := range pending {
		s.pend(ask)
	}
	for g := range a.AtomicGangs {
		if g.HasRoles() {
			s.chooseRoles(a, g)
		}
	}
	s.joinLimits(a)
	s.noteFullLimits(a)
	s.noteTransfer(a, from, to)
	s.leaveQueue(s.leaves[from])
}

// countApp adds an application's usage to a queue and those above it, below the common ancestor with another queue, or subtracts it.
func (s *State) countApp(a app.App, q, common queues.ID, leaving, landing resource.Vec, comes bool) {
	sign := 1
	if !comes {
		sign = -1
	}
	if HoldsPlace(a) {
		s.countRunning(q, sign)
	}
	s.maximaOpened(q, common)
	usage := &queues.Usage{Used: a.Used(), Leaving: leaving, Replacing: landing, Allocations: a.Allocations()}
	if comes {
		s.queues.Enter(q, common, usage)
	} else {
		s.queues.Leave(q, common, usage)
	}
	if s.aging.on && a.Allocations() > 0 {
		s.countUse(a, q, common, usage.Used.Amounts(), comes)
		s.leaves[q].UserChanged(a.User())
	}
}

// noteTransfer records the changes of both leaves, and of the nodes with allocations of the application.
func (s *State) noteTransfer(a app.App, from, to queues.ID) {
	for _, q := range []queues.ID{from, to} {
		c := s.note(AppTransferred)
		c.app, c.queue = a, q
		s.queueChanged(q)
	}
	if a.HasGang() {
		s.gangChanged(a, app.TaskGroup{})
	}
	s.note(FutureUsageChanged)
	for v := a.FirstPlaced(); !v.IsNone(); v = v.NextOfApp() {
		s.nodeChanged(v.Node())
	}
}
