package state

import (
	"fmt"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// stateAwareOff is the tag that makes an application Running from its first allocation.
const stateAwareOff = "application.stateaware.disable"

func (s *State) addApp(in *core.AddApp) {
	to := s.Admit(in)
	if to.Reason != "" {
		s.refuse(core.AppRejected, in.ID, to.Reason, to.Message).Partition = s.Shown
		return
	}
	q := s.Queues().Find(to.Queue)
	if q == queues.None {
		q = s.makeQueue(to.Queue)
	}
	l := s.leaves[q]
	gang := s.newGang(in.Placeholders)
	s.Counters.App++
	a := app.NewApp(s.Asks, in.ID, s.Counters.App, s.Types.Width())
	a.User, a.Groups, a.Tags, a.Gang = in.User, in.Groups, in.Tags, gang
	a.State, a.Since, a.Submitted, a.Placement = core.StateNew, s.Now, s.Now, to.Outcome
	a.Succeeded = succeededBefore(in.Succeeded)
	s.enter(a, l)
	s.setQuota(l, to.quota)
	s.joinLimits(a)
	d := s.emit(core.AppAccepted)
	d.ID, d.Queue, d.Partition = in.ID, s.Queues().Path(q), s.Shown
}

// enter adds an application to a leaf.
func (s *State) enter(a *app.App, l *leaf) {
	s.Apps[a.ID] = a
	l.Admit(a)
	s.queues.Enter(l.queue, queues.None, &queues.Usage{})
	l.fill()
	s.note(AppAdded).App = a
}

func (s *State) unknownApp(e core.Event, id string) {
	s.ignore(e, core.ReasonUnknownApplication, fmt.Sprintf("there is no application %q", id))
}

func (s *State) removeApp(in *core.RemoveApp) {
	a := s.Apps[in.ID]
	if a == nil {
		s.unknownApp(in, in.ID)
		return
	}
	for ask := a.FirstPlaced(); !ask.IsNone(); ask = a.FirstPlaced() {
		s.freeAllocation(ask, core.ReasonAppRemoved)
		s.forget(ask)
	}
	for _, ask := range s.PendingOf(a) {
		s.withdraw(ask)
	}
	s.end(a, core.StateCompleted, core.ReasonAppRemovedState)
}

// PendingOf returns an application's pending asks in order of submission.
func (s *State) PendingOf(a *app.App) []app.Ask {
	list := make([]app.Ask, 0, a.Asks)
	a.Pending(func(ask app.Ask) bool { list = append(list, ask); return true })
	sortBySeq(list)
	return list
}

// setState changes the state of an application and emits the decision.
func (s *State) setState(a *app.App, state string, reason core.Reason) {
	d := s.emit(core.AppState)
	d.ID, d.From, d.To, d.Reason = a.ID, a.State, state, reason
	s.changePlaces(a, func() {
		a.Leaf.SetState(a, state, state != core.StateNew && state != core.StateAccepted, s.Now, s.ShrinkEpoch)
	})
	if a.Gang != nil {
		a.Gang.Ended = false
		s.gangChanged(a, nil)
	}
	switch state {
	case core.StateStarting:
		s.timers.push(timer{at: startingPeriod.After(s.Now), kind: appTimer, seq: a.Seq, app: a})
	case core.StateCompleting:
		s.timers.push(timer{at: completingPeriod.After(s.Now), kind: appTimer, seq: a.Seq, app: a})
	}
}

// changePlaces applies a change of an application, and counts the place under maxapplications that it takes or gives back.
func (s *State) changePlaces(a *app.App, change func()) {
	held := HoldsPlace(a)
	change()
	if holds := HoldsPlace(a); holds != held {
		n := 1
		if held {
			n = -1
		}
		s.countRunning(QueueOfApp(a), n)
		s.countLimitPlaces(a, n)
	}
	c := s.note(AppMoved)
	c.App, c.Queue = a, QueueOfApp(a)
}

// HoldsPlace reports whether an application holds a place under maxapplications of queues and limits. It holds one while it has a claim, so
// that the claim can be allocated; otherwise the node, its victims and the place would wait for each other. It also holds one for the tasks
// that will follow an allocated placeholder.
func HoldsPlace(a *app.App) bool { return a.Claims > 0 || holdsStarted(a) }

// holdsStarted is HoldsPlace without regard to claims.
func holdsStarted(a *app.App) bool {
	return a.State == core.StateStarting || a.State == core.StateRunning || a.State == core.StateResuming ||
		a.State == core.StateAccepted && a.HoldsPlaceholder()
}

func (s *State) countRunning(leaf queues.ID, change int) {
	s.queues.AddRunning(leaf, change, func(q queues.ID, full bool) {
		if full {
			s.note(QueueFull).Queue = q
		} else {
			s.queueOpened(q)
		}
	})
}

// idle updates the state of an application that has lost an ask or an allocation: it is Completing if it has none left.
func (s *State) idle(a *app.App) {
	if a.Gang != nil && s.gangLeft(a) {
		return
	}
	if a.Asks == 0 && a.Allocations == 0 && a.State != core.StateNew && a.State != core.StateCompleting {
		s.setState(a, core.StateCompleting, core.ReasonIdle)
	}
}

// end moves an application to a terminal state. Its ID may be used again.
func (s *State) end(a *app.App, state string, reason core.Reason) {
	l := s.leafOf(a)
	s.setState(a, state, reason)
	s.leaveLimits(a)
	l.Dismiss(a)
	delete(s.Apps, a.ID)
	s.log.apps = append(s.log.apps, a)
	s.Ended = append(s.Ended, EndedApp{a.ID, a.Seq, s.Queues().Path(l.queue), state, a.Submitted, s.Now, s.Name})
	s.queues.Leave(l.queue, queues.None, &queues.Usage{})
	s.leaveQueue(l)
}

// allocated updates the state of an application after an allocation.
func (s *State) allocated(ask app.Ask, a *app.App) {
	if a.Gang != nil && s.memberAllocated(ask) {
		return
	}
	a.AllocationsMade++
	switch {
	case a.State == core.StateAccepted && a.Tags[stateAwareOff] == "true":
		s.setState(a, core.StateRunning, core.ReasonFirstAllocation)
	case a.State == core.StateAccepted:
		s.setState(a, core.StateStarting, core.ReasonFirstAllocation)
	case a.State == core.StateStarting && a.AllocationsMade >= 2:
		s.setState(a, core.StateRunning, core.ReasonSecondAllocation)
	}
}

// asked updates the state of an application after a new ask. A gang that has not formed yet must form first.
func (s *State) asked(ask app.Ask, a *app.App) {
	switch {
	case a.State == core.StateNew, a.State == core.StateCompleting && a.Gang != nil && !a.Gang.Formed && !a.Gang.Failed:
		s.setState(a, core.StateAccepted, core.ReasonAskAdded)
	case a.State == core.StateCompleting && !ask.IsPlaceholder():
		s.setState(a, core.StateRunning, core.ReasonAskAdded)
	}
}

// MayStart reports whether an application may be allocated to, regardless of room.
func (s *State) MayStart(a *app.App) bool {
	if !a.Eligible() {
		return false
	}
	tree := s.Queues()
	for q := QueueOfApp(a); q != queues.None && !a.HasPlace(); q = tree.Parent(q) {
		if tree.Full(q) {
			return false
		}
	}
	return a.LacksPlace() == nil
}
