package state

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/resource"
)

// moveApp moves an application with its asks and allocations to another leaf. The time is proportional to their number, and does not depend
// on the rest of the state.
func (s *State) moveApp(in *core.MoveApp) {
	a := s.Apps[in.ID]
	if a == nil {
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
	from := s.Leaves[a.Leaf.ID].Queue
	d := s.emit(core.AppMoved)
	d.ID, d.From, d.To = a.ID, from.Path, to.Path
	if from != to {
		s.transfer(a, from, to)
	}
}

// moveTarget finds the leaf with a name. The reason is not empty if the application's user may not submit to it, or the leaf does not
// accept the application.
func (s *State) moveTarget(a *app.App, name string) (to *queue.Queue, reason core.Reason, message string) {
	if name == "" {
		return nil, core.ReasonNoQueue, "the input names no queue"
	}
	named := s.chooseNamed(strings.ToLower(name), &core.AddApp{Queue: name, User: a.User, Groups: a.Groups})
	if named.Reason != "" {
		return nil, named.Reason, named.Message
	}
	to = s.ByPath[named.Queue]
	if a.Gang != nil {
		reason, message = s.gangSortRefusal(to.Conf)
	}
	return to, reason, message
}

// moveRefusal returns the reason for the first bound of a leaf, or of the queues above it, that the application would exceed. It does not
// check the bounds of queues that contain the application already.
func (s *State) moveRefusal(a *app.App, to *queue.Queue) (reason core.Reason, message string) {
	from := s.Leaves[a.Leaf.ID].Queue
	common := queue.CommonAncestor(from, to)
	leaving, landing := s.promisedOf(a)
	for q := to; q != common; q = q.Parent {
		passed := -1
		for t, used := range a.Used {
			if limit := q.Max[t]; used > 0 && limit != resource.Unlimited && q.TakenWith(t, used, resource.Add(used-leaving[t], landing[t])) > limit {
				passed = s.firstType(passed, t)
			}
		}
		if passed >= 0 {
			return core.ReasonHeadroom, fmt.Sprintf("with application %q queue %q would pass its max of %s", a.ID, q.Shown, s.Types.Name(passed))
		}
	}
	limits := s.limitsEntered(a, to, common)
	later := slices.Clone(a.Used)
	later.Sub(leaving)
	later.Add(landing)
	for _, t := range limits {
		if !t.FitsMoved(a.Used, later) {
			return reasonBy(t, core.ReasonUserLimit, core.ReasonGroupLimit), fmt.Sprintf("with application %q the limit of %s would not hold in queue %q", a.ID, t.Name, core.ShownPath(s.Shown, t.Table.Queue))
		}
	}
	if !holdsStarted(a) {
		return "", ""
	}
	for q := to; q != common; q = q.Parent {
		if q.Full() {
			return core.ReasonMaxApplications, fmt.Sprintf("queue %q is at its maxapplications", q.Shown)
		}
	}
	for _, t := range limits {
		if t.Full() {
			return reasonBy(t, core.ReasonUserMaxApplications, core.ReasonGroupMaxApplications), fmt.Sprintf("%s is at its maxapplications in queue %q", t.Name, core.ShownPath(s.Shown, t.Table.Queue))
		}
	}
	return "", ""
}

// promisedOf returns the demand of an application's leaving allocations, and that of its tasks with leaving placeholders.
func (s *State) promisedOf(a *app.App) (leaving, landing resource.Vec) {
	leaving, landing = make(resource.Vec, len(a.Used)), make(resource.Vec, len(a.Used))
	for v := a.FirstPlaced(); !v.IsNone(); v = v.NextOfApp() {
		if v.Leaving() {
			leaving.Add(v.Class().Demand)
		}
	}
	if a.Gang != nil {
		a.Pending(func(ask app.Ask) bool {
			if ask.IsReplacing() {
				landing.Add(ask.Class().Demand)
			}
			return true
		})
	}
	return leaving, landing
}

// transfer moves an application. Its pending asks leave one queue and enter the other as if they were withdrawn and submitted again, but
// keep their numbers and times.
func (s *State) transfer(a *app.App, from, to *queue.Queue) {
	pending := s.PendingOf(a)
	for _, ask := range pending {
		if ask.Hold().IsReserved() {
			s.Unreserve(ask, "")
		}
		if ask.Hold().IsClaimed() {
			s.LapseClaim(ask, core.ReasonMoved)
		}
	}
	common := queue.CommonAncestor(from, to)
	leaving, landing := s.promisedOf(a)
	s.quitLimits(a, leaving, landing)
	for _, ask := range pending {
		s.unpend(ask)
	}
	if a.Allocations > 0 {
		s.usageChanged(from)
	}
	s.countApp(a, from, common, leaving, landing, false)
	a.MoveTo(s.Leaves[to.ID].Leaf, s.World)
	s.countApp(a, to, common, leaving, landing, true)
	s.Leaves[to.ID].fill()
	if a.Allocations > 0 {
		s.usageChanged(to)
	}
	for _, ask := range pending {
		s.pend(ask)
	}
	s.joinLimits(a)
	s.noteFullLimits(a)
	s.noteTransfer(a, from, to)
	s.leaveQueue(s.Leaves[from.ID])
}

// countApp adds an application's usage to a queue and those above it, below the common ancestor with another queue, or subtracts it.
func (s *State) countApp(a *app.App, q, common *queue.Queue, leaving, landing resource.Vec, comes bool) {
	sign := 1
	if !comes {
		sign = -1
	}
	if HoldsPlace(a) {
		s.countRunning(q, sign)
	}
	for ; q != common; q = q.Parent {
		if q.MayLimit(s.Classes.Largest()) {
			s.queueOpened(q)
		}
		if comes {
			q.Used.Add(a.Used)
		} else {
			q.Used.Sub(a.Used)
		}
		q.AddLeaving(leaving, comes)
		q.AddReplacing(landing, comes)
		q.Allocations += sign * a.Allocations
		q.Live += sign
	}
}

// noteTransfer records the changes of both leaves, and of the nodes with allocations of the application.
func (s *State) noteTransfer(a *app.App, from, to *queue.Queue) {
	for _, q := range []*queue.Queue{from, to} {
		c := s.note(AppMoved)
		c.App, c.Leaf, c.Queue = a, s.Leaves[q.ID], q
		s.queueChanged(q)
	}
	if a.Gang != nil {
		s.gangChanged(a, nil)
	}
	s.note(PromisesChanged)
	for v := a.FirstPlaced(); !v.IsNone(); v = v.NextOfApp() {
		s.nodeChanged(v.Node())
	}
}
