package state

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core/internal/api"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/resource"
)

// Replacement is what a pending task waits for: a placeholder was told to leave for it.
type Replacement struct {
	Placeholder *app.Ask   // nil: it has left
	Node        *node.Node // where the task will land; nil: it was removed
}

// held is what the placeholder uses on the node where the task will land; nil: nothing.
func (r *Replacement) held() resource.Vec {
	if r.Placeholder == nil || r.Placeholder.Node != r.Node.Slot {
		return nil
	}
	return r.Placeholder.Class.Demand
}

// Notice is why an allocation leaves that is no victim: a placeholder that was told to, or one that its owner is ending.
type Notice struct {
	Reason api.Reason // of its release
	For    string     // the ask that it leaves for, there or not any more; empty: none
	task   *app.Ask   // that ask, while it waits
}

// Replace tells a placeholder to leave for a task, which lands on a node once it has left.
func (s *State) Replace(placeholder, task *app.Ask, n *node.Node) {
	d := s.emit(api.Replaced)
	d.ID, d.For, d.Node, d.Placement = placeholder.ID, task.ID, n.ID, placeholder.Placed
	s.notify(placeholder, &Notice{Reason: api.ReasonReplaced, For: task.ID})
	s.awaitPlaceholder(task, &Replacement{placeholder, n})
	s.memberChanged(placeholder)
}

// notify counts an allocation as leaving that is no victim.
func (s *State) notify(ask *app.Ask, why *Notice) {
	s.World++ // what its leaving frees was awaited by others
	s.Told[ask] = why
	s.countLeaving(ask)
}

// awaitPlaceholder has a task wait for its placeholder, which was told to leave, and keeps room and headroom for it.
func (s *State) awaitPlaceholder(task *app.Ask, r *Replacement) {
	s.Replacements[task] = r
	task.Member.Bound = true
	if r.Placeholder != nil {
		s.Told[r.Placeholder].task = task
	} else {
		s.placeholderGone(task)
	}
	s.promiseSwap(task, r, true)
	task.App.UpdateTask(task)
}

// promiseSwap counts on the node and up the tree what a task will use that waits for its placeholder, or takes it back.
func (s *State) promiseSwap(task *app.Ask, r *Replacement, more bool) {
	if r.Node != nil {
		r.Node.Land(task.Class.Demand, r.held(), more)
		s.nodeChanged(r.Node)
	}
	for q := s.QueueOf(task); q != nil; q = q.Parent {
		q.Land(task.Class.Demand, more)
	}
	s.countLanding(task, more)
	s.note(PromisesChanged)
}

// stopWaiting ends the wait of a task for its placeholder, without a look at what that opens to others.
func (s *State) stopWaiting(task *app.Ask) *Replacement {
	r := s.Replacements[task]
	delete(s.Replacements, task)
	task.Member.Bound = false
	s.promiseSwap(task, r, false)
	if r.Placeholder != nil {
		s.Told[r.Placeholder].task = nil
		return r
	}
	if at, _ := slices.BinarySearchFunc(s.Freed, task, bySubmission); at > 0 {
		s.Freed = slices.Delete(s.Freed, at, at+1)
	} else { // tasks land in order: most are the first
		s.Freed[0] = nil
		s.Freed = s.Freed[1:]
	}
	return r
}

// swapOpened notes that room and headroom that were kept for a task may be there for others.
func (s *State) swapOpened(task *app.Ask, r *Replacement) {
	s.World++
	if r.Node != nil {
		s.nodeOpened(r.Node)
	}
	for q := s.QueueOf(task); q != nil; q = q.Parent {
		s.queueOpened(q)
	}
}

// abandonSwap ends the wait of a task for its placeholder. The task does not land; it may be placed as before it waited.
func (s *State) abandonSwap(task *app.Ask, r *Replacement) {
	s.swapOpened(task, r)
	task.App.UpdateTask(task)
	s.memberChanged(task)
}

// Land allocates the first task whose placeholder has left, on the node that was chosen for it. Where it does not fit there any
// more, as fits says, it waits as before. priority is that of the task as root sees it.
func (s *State) Land(fits func(task *app.Ask, n *node.Node) bool) (landed bool, priority int32) {
	task := s.Freed[0]
	r := s.stopWaiting(task)
	if r.Node == nil || !fits(task, r.Node) {
		s.abandonSwap(task, r)
		return false, 0
	}
	task.App.Gang.Replaced++
	return true, s.Allocate(task, r.Node)
}

// targetGone notes that tasks cannot land any more on a node that is removed.
func (s *State) targetGone(n *node.Node) {
	if n.Swaps == nil {
		return
	}
	for _, r := range s.Replacements {
		if r.Node == n {
			r.Node = nil
		}
	}
}

func bySubmission(a, b *app.Ask) int {
	return cmp.Or(cmp.Compare(a.App.Seq, b.App.Seq), cmp.Compare(a.Seq, b.Seq))
}

// placeholderGone notes that the placeholder of a bound task has left.
func (s *State) placeholderGone(task *app.Ask) {
	at, _ := slices.BinarySearchFunc(s.Freed, task, bySubmission)
	s.Freed = slices.Insert(s.Freed, at, task)
}

// forgetNotice takes back what a placeholder's notice counted, since it leaves its node.
func (s *State) forgetNotice(placeholder *app.Ask, n *node.Node) {
	why := s.Told[placeholder]
	if why == nil {
		return
	}
	delete(s.Told, placeholder)
	if why.task == nil {
		return
	}
	r := s.Replacements[why.task]
	if r.Node == n {
		n.Land(why.task.Class.Demand, r.held(), false)
		n.Land(why.task.Class.Demand, nil, true)
	}
	r.Placeholder = nil
	s.placeholderGone(why.task)
}

// TellToLeave has a placeholder go: a pending one at once, an allocated one as soon as it can.
func (s *State) TellToLeave(placeholder *app.Ask, reason api.Reason) {
	d := s.emit(api.TimedOut)
	d.ID, d.App, d.Reason = placeholder.ID, placeholder.App.ID, reason
	if placeholder.Pending() {
		s.withdraw(placeholder)
		return
	}
	d.Node, d.Placement = s.Nodes.At(placeholder.Node).ID, placeholder.Placed
	s.notify(placeholder, &Notice{Reason: api.ReasonTimeout})
	s.memberChanged(placeholder)
}

// GiveUp has a task that exceeds the placeholders of its group, and fits nowhere else, be placed as any other ask; one of them
// is not needed any more.
func (s *State) GiveUp(task, placeholder *app.Ask) {
	task.Member.GaveUp = true
	s.copyAgain(task)
	task.App.UpdateTask(task)
	s.TellToLeave(placeholder, api.ReasonTooSmall)
}

// tellAllToLeave has all placeholders of an application go that were not told yet: pending ones in the order of the walk, then
// allocated ones, oldest first.
func (s *State) tellAllToLeave(a *app.App, reason api.Reason) {
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
func (s *State) whyTold(ask *app.Ask) api.Reason {
	if why := s.Told[ask]; why != nil {
		return why.Reason
	}
	return api.ReasonPreempted
}
