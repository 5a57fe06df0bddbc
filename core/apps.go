package core

import (
	"fmt"
	"strings"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/queue"
)

// stateAwareOff is the tag by which an application is Running from its first allocation on.
const stateAwareOff = "application.stateaware.disable"

func (s *Scheduler) addApp(in *Input) {
	q, reason, message := s.queueFor(in)
	if reason != "" {
		d := s.emit(AppRejected)
		d.ID, d.Reason, d.Message = in.ID, reason, message
		return
	}
	s.counters.App++
	a := app.NewApp(in.ID, s.counters.App, s.types.Width())
	a.User, a.Groups, a.Tags = in.User, in.Groups, in.Tags
	a.State, a.Since, a.Submitted = StateNew, s.now, s.now
	s.apps[in.ID] = a
	s.leaves[q.ID].Admit(a)
	for p := q; p != nil; p = p.Parent {
		p.Live++
	}
	d := s.emit(AppAccepted)
	d.ID, d.Queue = in.ID, q.Path
}

// queueFor finds the leaf that an application goes to, or says why it cannot be had.
func (s *Scheduler) queueFor(in *Input) (q *queue.Queue, reason Reason, message string) {
	if s.apps[in.ID] != nil {
		return nil, ReasonDuplicate, fmt.Sprintf("application %q is there already", in.ID)
	}
	if in.Queue == "" {
		return nil, ReasonNoQueue, "the application names no queue, and no placement rule chooses one"
	}
	q = s.byPath[strings.ToLower(in.Queue)]
	switch {
	case q == nil:
		return nil, ReasonUnknownQueue, fmt.Sprintf("there is no queue %q", in.Queue)
	case !q.Leaf():
		return nil, ReasonNotALeaf, fmt.Sprintf("queue %q is a parent: applications run in leaf queues", q.Path)
	case q.Draining:
		return nil, ReasonQueueDraining, fmt.Sprintf("queue %q is draining: it takes no new applications", q.Path)
	}
	return q, "", ""
}

func (s *Scheduler) removeApp(in *Input) {
	a := s.apps[in.ID]
	if a == nil {
		s.ignore(in, ReasonUnknownApplication, fmt.Sprintf("there is no application %q", in.ID))
		return
	}
	for ask := a.Placed.First; ask != nil; ask = a.Placed.First {
		s.freeAllocation(ask, ReasonAppRemoved)
		s.forget(ask)
	}
	for _, ask := range s.pendingOf(a) {
		s.withdraw(ask)
	}
	s.complete(a, ReasonAppRemovedState)
}

// pendingOf lists an application's pending asks in order of submission.
func (s *Scheduler) pendingOf(a *app.App) []*app.Ask {
	list := make([]*app.Ask, 0, a.Asks)
	a.Pending(func(ask *app.Ask) bool { list = append(list, ask); return true })
	sortBySeq(list)
	return list
}

// setState moves an application to another state and says so.
func (s *Scheduler) setState(a *app.App, state string, reason Reason) {
	d := s.emit(AppState)
	d.ID, d.From, d.To, d.Reason = a.ID, a.State, state, reason
	s.seek.wake()
	l := s.leaves[a.Leaf.ID]
	s.changePlaces(a, func() {
		l.SetState(a, state, state != StateNew && state != StateAccepted, s.now, s.search.world)
	})
	l.walked = 0
	s.touch(l.queue)
	switch state {
	case StateStarting:
		s.timers.push(timer{at: s.now + startingPeriod, kind: appTimer, seq: a.Seq, app: a})
	case StateCompleting:
		s.timers.push(timer{at: s.now + completingPeriod, kind: appTimer, seq: a.Seq, app: a})
	}
}

// changePlaces counts the places under maxapplications that a change of an application takes or gives back.
func (s *Scheduler) changePlaces(a *app.App, change func()) {
	before := places(a)
	change()
	l := s.leaves[a.Leaf.ID]
	if n := places(a) - before; n != 0 {
		s.countRunning(l.queue, n)
		if n < 0 && (l.Reservation != nil || l.holds > 0) { // its own need a new place now
			s.kept.doubt()
		}
	}
}

// places is how many places under maxapplications an application holds. It holds its own while a node is kept for it, so
// that it can land: otherwise the node, its victims and the place would wait for one another.
func places(a *app.App) int {
	if a.Kept > 0 || a.State == StateStarting || a.State == StateRunning || a.State == StateResuming {
		return 1
	}
	return 0
}

func (s *Scheduler) countRunning(q *queue.Queue, change int) {
	for ; q != nil; q = q.Parent {
		full := q.Full()
		q.Running += change
		switch {
		case full && !q.Full():
			s.opened(q)
		case !full && q.Full():
			s.kept.doubt()
		}
	}
}

// idle moves an application that has nothing left to Completing.
func (s *Scheduler) idle(a *app.App) {
	if a.Asks == 0 && a.Allocations == 0 && a.State != StateNew && a.State != StateCompleting {
		s.setState(a, StateCompleting, ReasonIdle)
	}
}

// complete ends an application; its ID is free again.
func (s *Scheduler) complete(a *app.App, reason Reason) {
	l := s.leaves[a.Leaf.ID]
	s.setState(a, StateCompleted, reason)
	l.Dismiss(a)
	delete(s.apps, a.ID)
	s.ended = append(s.ended, endedApp{a.ID, a.Seq, l.queue.Path, StateCompleted, a.Submitted, s.now})
	for q := l.queue; q != nil; q = q.Parent {
		q.Live--
	}
	s.retire(l.queue)
}

// allocated moves an application on after an allocation.
func (s *Scheduler) allocated(a *app.App) {
	a.Ever++
	switch {
	case a.State == StateAccepted && a.Tags[stateAwareOff] == "true":
		s.setState(a, StateRunning, ReasonFirstAllocation)
	case a.State == StateAccepted:
		s.setState(a, StateStarting, ReasonFirstAllocation)
	case a.State == StateStarting && a.Ever >= 2:
		s.setState(a, StateRunning, ReasonSecondAllocation)
	}
}

// asked moves an application on after an ask came.
func (s *Scheduler) asked(a *app.App) {
	switch a.State {
	case StateNew:
		s.setState(a, StateAccepted, ReasonAskAdded)
	case StateCompleting:
		s.setState(a, StateRunning, ReasonAskAdded)
	}
}
