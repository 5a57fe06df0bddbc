package state

import (
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/replacements"
	"github.com/quern-project/quern/core/resource"
)

// heldFor returns the demand of a placeholder on the node where its task will be allocated, or nothing if the placeholder has left
// or is on another node.
func (s *State) heldFor(r replacements.Replacement) resource.Amounts {
	if r.Placeholder == app.NoSlot || s.AskAt(r.Placeholder).Node() != r.Node {
		return resource.Amounts{}
	}
	return s.AskAt(r.Placeholder).Class().Demand()
}

// Replace asks a placeholder to leave for a task, which will be allocated on a node afterwards.
func (s *State) Replace(placeholder, task app.Ask, n int32) {
	d := s.emit(core.Replaced)
	d.ID, d.For, d.Node, d.Placement = placeholder.ID(), task.ID(), s.finder.ID(n), placeholder.Placed()
	s.notify(placeholder, replacements.Replaced, task.ID())
	s.takeOver(placeholder, task)
	if placeholder.Node() == n {
		s.devices.set(task.Slot(), s.devices.at(placeholder.Slot()))
	}
	s.awaitPlaceholder(task, placeholder.Slot(), n)
	s.memberChanged(placeholder)
}

// takeOver makes a task that replaces a member of an atomic gang a member of it, instead of that of another gang, if it is one.
func (s *State) takeOver(placeholder, task app.Ask) {
	g := placeholder.Atomic()
	if g.IsNone() || task.Atomic() == g {
		return
	}
	former := task.Atomic()
	s.unpend(task)
	if !former.IsNone() {
		s.leaveAtomic(task)
	}
	s.asks.SetAtomic(task.Slot(), g.Number())
	a := s.edit(task.App())
	a.EditGang(g).Members++
	a.GangResized()
	s.pend(task)
	t := g.Row().Bound
	if t.IsNone() {
		t = s.topologyOf(g.Row().Topology)
	}
	s.placeIn(task, t)
	if !former.IsNone() && former.Row().Members > 0 && former.HasRoles() {
		s.chooseRoles(task.App(), former) // another member may be its repair now
	}
}

// notify marks an allocation that is not a victim as leaving, for the ask with an ID or, if that is empty, for none.
func (s *State) notify(ask app.Ask, why replacements.Cause, id string) {
	s.shrinkEpoch++ // other asks may wait for the room that it will free
	s.replacements.Announce(ask.Slot(), why, id)
	s.countLeaving(ask)
}

// awaitPlaceholder makes a task wait for its leaving placeholder, and sets room and headroom aside for it.
func (s *State) awaitPlaceholder(task app.Ask, placeholder app.Slot, on int32) {
	s.replacements.Await(task, placeholder, on)
	s.asks.SetReplacing(task.Slot(), true)
	s.joinSlice(task, on)
	s.countStaying(task, 1) // it will be allocated in the place that is there
	s.replacingChanged(task)
	r, _ := s.Replacements().Of(task.Slot())
	s.promiseSwap(task, r, true)
	s.edit(task.App()).UpdateTask(task)
}

// promiseSwap adds the demand of a task that waits for its placeholder
// to the expected usage of its node, queues and limits, or subtracts it.
func (s *State) promiseSwap(task app.Ask, r replacements.Replacement, more bool) {
	if r.Node != app.NoNode {
		n := r.Node
		if more {
			s.nodes.AddTask(n, task.Class().Demand(), s.heldFor(r))
		} else {
			s.nodes.SubTask(n, task.Class().Demand(), s.heldFor(r))
		}
		s.nodeChanged(n)
	}
	s.queues.AddReplacing(s.QueueOf(task), task.Class().Demand(), more)
	s.countLanding(task, more)
	s.note(FutureUsageChanged)
}

// replacingChanged chooses the roles of an elastic gang's pending members again: one that waits for its placeholder has none.
func (s *State) replacingChanged(task app.Ask) {
	if g := task.Atomic(); !g.IsNone() && g.Elastic() {
		s.chooseRoles(task.App(), g)
	}
}

// stopWaiting ends the wait of a task for its placeholder. It does not record the room that becomes available; see swapOpened.
func (s *State) stopWaiting(task app.Ask) replacements.Replacement {
	r, _ := s.Replacements().Of(task.Slot())
	s.replacements.End(task.Slot())
	s.asks.SetReplacing(task.Slot(), false)
	s.leaveSlice(task)
	s.countStaying(task, -1)
	s.replacingChanged(task)
	s.promiseSwap(task, r, false)
	return r
}

// swapOpened records that the room and headroom that were set aside for a task may be available to others.
func (s *State) swapOpened(task app.Ask, r replacements.Replacement) {
	s.shrinkEpoch++
	if r.Node != app.NoNode {
		s.nodeOpened(r.Node)
	}
	s.queuesOpened(s.QueueOf(task))
}

// abandonSwap follows stopWaiting if the task is not allocated. The task is pending as before Replace.
func (s *State) abandonSwap(task app.Ask, r replacements.Replacement) {
	s.swapOpened(task, r)
	s.edit(task.App()).UpdateTask(task)
	s.memberChanged(task)
}

// AllocateReplacement allocates the first task whose placeholder has left, on the node that was chosen for it. If fits reports that it no longer fits, the
// task is pending as before Replace. priority is the task's priority in the view of root.
func (s *State) AllocateReplacement(fits func(task app.Ask, n int32) bool) (landed bool, priority int32) {
	task := s.AskAt(s.Replacements().FirstReady())
	r := s.stopWaiting(task)
	if r.Node == app.NoNode || !fits(task, r.Node) {
		s.abandonSwap(task, r)
		return false, 0
	}
	s.gangs.Edit(task.App().Number()).Replaced++
	return true, s.Allocate(task, r.Node)
}

// targetGone records that tasks cannot be allocated on a node, since it is being removed.
func (s *State) targetGone(n int32) {
	if s.finder.AwaitsTasks(n) {
		s.replacements.RemoveNode(n)
	}
}

// forgetNotice takes back what the notice of a leaving placeholder counted on its node.
func (s *State) forgetNotice(placeholder app.Ask, n int32) {
	why, _ := s.Replacements().Notice(placeholder.Slot())
	if r, waits := s.Replacements().Of(why.Task); waits && r.Node == n {
		demand := s.AskAt(why.Task).Class().Demand()
		s.nodes.SubTask(n, demand, s.heldFor(r))
		s.nodes.AddTask(n, demand, resource.Amounts{})
	}
	s.replacements.Left(placeholder.Slot())
}

// EndPlaceholder ends a placeholder: a pending one is removed at once, an allocated one is asked to leave.
func (s *State) EndPlaceholder(placeholder app.Ask, reason core.Reason) {
	d := s.emit(core.TimedOut)
	d.ID, d.App, d.Reason = placeholder.ID(), placeholder.App().ID(), reason
	if placeholder.Pending() {
		s.withdraw(placeholder)
		return
	}
	d.Node, d.Placement = s.finder.ID(placeholder.Node()), placeholder.Placed()
	s.notify(placeholder, replacements.TimedOut, "")
	s.memberChanged(placeholder)
}

// EndUselessPlaceholder has a task that exceeds the placeholders of its group and fits nowhere else placed like any other ask. It ends one of the
// placeholders, which is no longer needed.
func (s *State) EndUselessPlaceholder(task, placeholder app.Ask) {
	s.asks.SetNoPlaceholderFits(task.Slot())
	s.edit(task.App()).UpdateTask(task)
	s.EndPlaceholder(placeholder, core.ReasonTooSmall)
}

// endAllPlaceholders ends all placeholders of an application that are not leaving yet: pending ones in order of asks, then allocated
// ones, oldest first. A policy that orders asks does not count.
func (s *State) endAllPlaceholders(a app.App, reason core.Reason) {
	var pending []app.Ask
	a.Pending(func(ask app.Ask) bool {
		if ask.IsPlaceholder() {
			pending = append(pending, ask)
		}
		return true
	})
	slices.SortFunc(pending, app.CompareBuiltIn)
	for _, ask := range append(pending, a.StayingPlaceholders()...) {
		s.EndPlaceholder(ask, reason)
	}
}

// whyTold returns the reason for the release of an allocation that was asked to leave.
func (s *State) whyTold(ask app.Ask) core.Reason {
	if why, leaves := s.Replacements().Notice(ask.Slot()); leaves {
		return why.Cause.Reason()
	}
	return core.ReasonPreempted
}
