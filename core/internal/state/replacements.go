package state

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/state/replacements"
	"github.com/quern-project/quern/core/resource"
)

// heldFor is what a placeholder uses on the node where the task will land that waits for it; nil: nothing.
func (s *State) heldFor(r replacements.Replacement) resource.Vec {
	if r.Placeholder == app.NoSlot || s.AskAt(r.Placeholder).Node != r.Node {
		return nil
	}
	return s.AskAt(r.Placeholder).Class.Demand
}

// Replace tells a placeholder to leave for a task, which lands on a node once it has left.
func (s *State) Replace(placeholder, task *app.Ask, n *node.Node) {
	d := s.emit(core.Replaced)
	d.ID, d.For, d.Node, d.Placement = placeholder.ID, task.ID, n.ID, placeholder.Placed
	s.notify(placeholder, replacements.Replaced, task.ID)
	s.awaitPlaceholder(task, placeholder.Slot, n.Slot)
	s.memberChanged(placeholder)
}

// notify counts an allocation as leaving that is no victim, for the ask with an ID or for none.
func (s *State) notify(ask *app.Ask, why replacements.Cause, id string) {
	s.World++ // what its leaving frees was awaited by others
	s.replacements.Announce(ask.Slot, why, id)
	s.countLeaving(ask)
}

// awaitPlaceholder has a task wait for its placeholder, which was told to leave, and keeps room and headroom for it.
func (s *State) awaitPlaceholder(task *app.Ask, placeholder app.Slot, on int32) {
	s.replacements.Await(task, placeholder, on)
	task.Member.Bound = true
	r, _ := s.Replacements().Of(task.Slot)
	s.promiseSwap(task, r, true)
	task.App.UpdateTask(task)
}

// promiseSwap counts on the node and up the tree what a task will use that waits for its placeholder, or takes it back.
func (s *State) promiseSwap(task *app.Ask, r replacements.Replacement, more bool) {
	if r.Node != app.NoNode {
		n := s.Nodes.At(r.Node)
		n.Land(task.Class.Demand, s.heldFor(r), more)
		s.nodeChanged(n)
	}
	for q := s.QueueOf(task); q != nil; q = q.Parent {
		q.Land(task.Class.Demand, more)
	}
	s.countLanding(task, more)
	s.note(PromisesChanged)
}

// stopWaiting ends the wait of a task for its placeholder, without a look at what that opens to others.
func (s *State) stopWaiting(task *app.Ask) replacements.Replacement {
	r, _ := s.Replacements().Of(task.Slot)
	s.replacements.End(task.Slot)
	task.Member.Bound = false
	s.promiseSwap(task, r, false)
	return r
}

// swapOpened notes that room and headroom that were kept for a task may be there for others.
func (s *State) swapOpened(task *app.Ask, r replacements.Replacement) {
	s.World++
	if r.Node != app.NoNode {
		s.nodeOpened(s.Nodes.At(r.Node))
	}
	for q := s.QueueOf(task); q != nil; q = q.Parent {
		s.queueOpened(q)
	}
}

// abandonSwap ends the wait of a task for its placeholder. The task does not land; it may be placed as before it waited.
func (s *State) abandonSwap(task *app.Ask, r replacements.Replacement) {
	s.swapOpened(task, r)
	task.App.UpdateTask(task)
	s.memberChanged(task)
}

// Land allocates the first task whose placeholder has left, on the node that was chosen for it. Where it does not fit there any
// more, as fits says, it waits as before. priority is that of the task as root sees it.
func (s *State) Land(fits func(task *app.Ask, n *node.Node) bool) (landed bool, priority int32) {
	task := s.AskAt(s.Replacements().FirstReady())
	r := s.stopWaiting(task)
	if r.Node == app.NoNode || !fits(task, s.Nodes.At(r.Node)) {
		s.abandonSwap(task, r)
		return false, 0
	}
	task.App.Gang.Replaced++
	return true, s.Allocate(task, s.Nodes.At(r.Node))
}

// targetGone notes that tasks cannot land any more on a node that is removed.
func (s *State) targetGone(n *node.Node) {
	if n.Swaps != nil {
		s.replacements.RemoveNode(n.Slot)
	}
}

// forgetNotice takes back what a placeholder's notice counted, since it leaves its node.
func (s *State) forgetNotice(placeholder *app.Ask, n *node.Node) {
	why, _ := s.Replacements().Notice(placeholder.Slot)
	if r, waits := s.Replacements().Of(why.Task); waits && r.Node == n.Slot {
		demand := s.AskAt(why.Task).Class.Demand
		n.Land(demand, s.heldFor(r), false)
		n.Land(demand, nil, true)
	}
	s.replacements.Left(placeholder.Slot)
}

// TellToLeave has a placeholder go: a pending one at once, an allocated one as soon as it can.
func (s *State) TellToLeave(placeholder *app.Ask, reason core.Reason) {
	d := s.emit(core.TimedOut)
	d.ID, d.App, d.Reason = placeholder.ID, placeholder.App.ID, reason
	if placeholder.Pending() {
		s.withdraw(placeholder)
		return
	}
	d.Node, d.Placement = s.Nodes.At(placeholder.Node).ID, placeholder.Placed
	s.notify(placeholder, replacements.TimedOut, "")
	s.memberChanged(placeholder)
}

// GiveUp has a task that exceeds the placeholders of its group, and fits nowhere else, be placed as any other ask; one of them
// is not needed any more.
func (s *State) GiveUp(task, placeholder *app.Ask) {
	task.Member.GaveUp = true
	s.copyAgain(task)
	task.App.UpdateTask(task)
	s.TellToLeave(placeholder, core.ReasonTooSmall)
}

// tellAllToLeave has all placeholders of an application go that were not told yet: pending ones in the order of the walk, then
// allocated ones, oldest first.
func (s *State) tellAllToLeave(a *app.App, reason core.Reason) {
	var pending []*app.Ask
	a.Pending(func(ask *app.Ask) bool {
		if ask.IsPlaceholder() {
			pending = append(pending, ask)
		}
		return true
	})
	slices.SortFunc(pending, func(x, y *app.Ask) int { return cmp.Or(cmp.Compare(y.Priority, x.Priority), cmp.Compare(x.Seq, y.Seq)) })
	for _, ask := range append(pending, a.StayingPlaceholders()...) {
		s.TellToLeave(ask, reason)
	}
}

// whyTold is the reason of the release of an allocation that was told to leave.
func (s *State) whyTold(ask *app.Ask) core.Reason {
	if why, leaves := s.Replacements().Notice(ask.Slot); leaves {
		return why.Cause.Reason()
	}
	return core.ReasonPreempted
}
