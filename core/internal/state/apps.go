package state

import (
	"fmt"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/apps"
	"github.com/quern-project/quern/core/internal/state/gangs"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// stateAwareOff is the tag that makes an application Running from its first allocation.
const stateAwareOff = "application.stateaware.disable"

func (s *State) addApp(in *core.AddApp) {
	to := s.admission(in)
	if to.Reason != "" {
		s.refuse(core.AppRejected, in.ID, to.Reason, to.Message).Partition = s.shown
		return
	}
	q := to.queue
	if q == queues.None {
		q = s.makeQueue(to.Queue)
	}
	l := s.leaves[q]
	gang := s.declared(in.Placeholders)
	s.counters.App++
	a := s.enter(in.ID, l, apps.App{Seq: s.counters.App, Since: s.now, Submitted: s.now},
		&apps.Details{User: in.User, Groups: in.Groups, Tags: in.Tags, Placement: to.Outcome}, gang)
	s.gangs.SetSucceeded(a.Number(), succeededBefore(in.Succeeded))
	s.setQuota(l, to.quota)
	s.joinLimits(a)
	s.lastAsking.id, s.lastAsking.app = in.ID, a
	d := s.emit(core.AppAccepted)
	d.ID, d.Queue, d.Partition = in.ID, s.Queues().Path(q), s.shown
}

// enter adds a new application to a leaf. gang is nil if it has no placeholders.
func (s *State) enter(id string, l *leaf, of apps.App, d *apps.Details, gang *core.Placeholders) app.App {
	of.Queue = l.queue
	r := s.orders.NewApp(s.apps.Add(id, of, d))
	a := r.App()
	if gang != nil {
		s.gangs.Declare(a.Number(), gang.Ask, gangs.Gang{Hard: gang.Hard, Unit: gang.Unit, Timeout: gang.Timeout})
		s.edit(a).DeclareGang()
	}
	l.Admit(a)
	s.queues.Enter(l.queue, queues.None, &queues.Usage{})
	l.fill()
	s.note(AppAdded).app = a
	return a
}

func (s *State) unknownApp(e core.Event, id string) {
	s.ignore(e, core.ReasonUnknownApplication, fmt.Sprintf("there is no application %q", id))
}

func (s *State) removeApp(in *core.RemoveApp) {
	a := s.orders.AppWithID(in.ID)
	if a.IsNone() {
		s.unknownApp(in, in.ID)
		return
	}
	for ask := a.FirstPlaced(); !ask.IsNone(); ask = a.FirstPlaced() {
		s.freeAllocation(ask, core.ReasonAppRemoved)
		s.forget(ask)
	}
	for _, ask := range s.PendingOf(a) {
		s.planWithdrawn(ask, true)
		s.withdraw(ask)
	}
	s.end(a, apps.StateCompleted, core.ReasonAppRemovedState)
}

// PendingOf returns an application's pending asks in order of submission.
func (s *State) PendingOf(a app.App) []app.Ask {
	list := make([]app.Ask, 0, a.PendingAsks())
	a.Pending(func(ask app.Ask) bool { list = append(list, ask); return true })
	sortBySeq(list)
	return list
}

// setState changes the state of an application and emits the decision.
func (s *State) setState(a app.App, state apps.State, reason core.Reason) {
	if from := a.State(); !from.MayBecome(state) {
		panic("state: a " + from.String() + " application cannot become " + state.String()) // our bug
	}
	s.startState(a, state, reason)
}

// startState is setState also for the state of a restored application, which may be any.
func (s *State) startState(a app.App, state apps.State, reason core.Reason) {
	d := s.emit(core.AppState)
	d.ID, d.From, d.To, d.Reason = a.ID(), a.State().String(), state.String(), reason
	s.changePlaces(a, func() {
		s.edit(a).Change(s.shrinkEpoch, func() { s.apps.SetState(a.Number(), state, s.now) })
	})
	if a.HasGang() {
		s.gangs.Edit(a.Number()).Ended = false
		s.gangChanged(a, app.TaskGroup{})
	}
	switch state {
	case apps.StateStarting:
		s.timers.push(timer{at: startingPeriod.After(s.now), kind: appTimer, seq: a.Seq(), app: a})
	case apps.StateCompleting:
		s.timers.push(timer{at: completingPeriod.After(s.now), kind: appTimer, seq: a.Seq(), app: a})
	}
}

// changePlaces applies a change of an application, and counts the place under maxapplications that it takes or gives back.
func (s *State) changePlaces(a app.App, change func()) {
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
	c.app, c.queue = a, QueueOfApp(a)
}

// HoldsPlace reports whether an application holds a place under maxapplications of queues and limits. It holds one while it has a claim, so
// that the claim can be allocated; otherwise the node, its victims and the place would wait for each other. It also holds one for the tasks
// that will follow an allocated placeholder.
func HoldsPlace(a app.App) bool { return a.Claims() > 0 || holdsStarted(a) }

// holdsStarted is HoldsPlace without regard to claims.
func holdsStarted(a app.App) bool {
	switch a.State() {
	case apps.StateStarting, apps.StateRunning, apps.StateResuming:
		return true
	case apps.StateAccepted:
		return a.HoldsPlaceholder()
	default:
		return false
	}
}

func (s *State) countRunning(leaf queues.ID, change int) {
	s.queues.AddRunning(leaf, change, func(q queues.ID, full bool) {
		if full {
			s.note(QueueFull).queue = q
		} else {
			s.queueOpened(q)
		}
	})
}

// idle updates the state of an application that has lost an ask or an allocation: it is Completing if it has none left.
func (s *State) idle(a app.App) {
	if a.HasGang() && s.gangLeft(a) {
		return
	}
	if a.PendingAsks()+a.Allocations() > 0 {
		return
	}
	if state := a.State(); state != apps.StateNew && state != apps.StateCompleting {
		s.setState(a, apps.StateCompleting, core.ReasonIdle)
	}
}

// end moves an application to a terminal state. Its ID may be used again.
func (s *State) end(a app.App, state apps.State, reason core.Reason) {
	l := s.leafOf(a)
	s.setState(a, state, reason)
	s.leaveLimits(a)
	l.Dismiss(a)
	s.apps.Remove(a.Number())
	s.log.apps = append(s.log.apps, a)
	s.ended = append(s.ended, EndedApp{
		ID: a.ID(), Seq: a.Seq(), Queue: s.Queues().Path(l.queue), State: state.String(), Submitted: a.Submitted(), Since: s.now, Partition: s.name,
	})
	s.queues.Leave(l.queue, queues.None, &queues.Usage{})
	s.leaveQueue(l)
}

// allocated updates the state of an application after an allocation.
func (s *State) allocated(ask app.Ask, a app.App) {
	if a.HasGang() && s.memberAllocated(ask) {
		return
	}
	switch state := a.State(); {
	case state == apps.StateAccepted && a.Tag(stateAwareOff) == "true":
		s.setState(a, apps.StateRunning, core.ReasonFirstAllocation)
	case state == apps.StateAccepted:
		s.setState(a, apps.StateStarting, core.ReasonFirstAllocation)
	case state == apps.StateStarting && a.AllocationsMade() >= 2:
		s.setState(a, apps.StateRunning, core.ReasonSecondAllocation)
	}
}

// asked updates the state of an application after a new ask. A gang that has not formed yet must form first.
func (s *State) asked(ask app.Ask, a app.App) {
	switch state := a.State(); {
	case state == apps.StateNew, state == apps.StateCompleting && s.mayForm(a):
		s.setState(a, apps.StateAccepted, core.ReasonAskAdded)
	case state == apps.StateCompleting && !ask.IsPlaceholder():
		s.setState(a, apps.StateRunning, core.ReasonAskAdded)
	}
}

// MayStart reports whether an application may be allocated to, regardless of room.
func (s *State) MayStart(a app.App) bool {
	if !a.Eligible() {
		return false
	}
	tree := s.Queues()
	for q := QueueOfApp(a); q != queues.None && !a.HasPlace(); q = tree.Parent(q) {
		if tree.Full(q) {
			return false
		}
	}
	return a.LacksPlace().IsNone()
}
