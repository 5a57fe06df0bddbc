package manager

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/podstate"
)

// appRetry is how long the pods of a rejected application wait until it is submitted again: queues may have changed by then.
const appRetry = 30 * time.Second

// rejected keeps the pods of a rejected application from asking for a while.
func (s *apps) rejected(d *core.Decision) {
	a := s.byID[d.ID]
	if a == nil || !a.since.knownTo(d.At) {
		return
	}
	a.fire(appRejected)
	a.why = fmt.Sprintf("The application was rejected (%s): %s.", d.Reason, d.Message)
	if len(a.pods) == 0 {
		delete(s.byID, a.id)
		return
	}
	for key, p := range s.asking(a) {
		s.pods.forget(p, podstate.Released)
		s.inbox.pod(key)
	}
	time.AfterFunc(appRetry, func() { s.inbox.put(func(m *mail) { m.apps[a.id] = true }) })
}

// readmit submits applications again that were refused, if they still are there.
func (s *apps) readmit(ids, looked map[string]bool) {
	for id := range ids {
		if a := s.byID[id]; a != nil && a.fire(appReadmitted) == appRefused {
			a.lookAt(looked)
		}
	}
}

// readmitAll submits all applications again that were refused.
func (s *apps) readmitAll(looked map[string]bool) {
	ids := map[string]bool{}
	for id := range s.byID {
		ids[id] = true
	}
	s.readmit(ids, looked)
}

// lookAt adds the pods of an application to those that are looked at.
func (a *app) lookAt(looked map[string]bool) {
	for key := range a.pods {
		looked[key] = true
	}
}

// changed follows the state of an application.
func (s *apps) changed(d *core.Decision, looked map[string]bool) {
	a := s.byID[d.ID]
	if a == nil || !a.since.knownTo(d.At) {
		return
	}
	switch d.To {
	case core.StateFailing:
		s.failing(a, looked)
	case core.StateCompleted, core.StateFailed:
		s.ended(a, d.At, looked)
	}
}

// failing has the pods of an application fail that wait.
func (s *apps) failing(a *app, looked map[string]bool) {
	const why = "The application has failed: its gang was not formed in time."
	if before := a.fire(appFails); before == a.state { // it fails already, or the decision is about an application before it
		return
	}
	a.why = why
	for _, p := range s.asking(a) {
		s.pods.withdraw(p)
	}
	for key := range a.pods {
		s.pods.condemn(s.pods.at(key), why)
	}
	a.lookAt(looked)
}

// ended records that the scheduler has ended an application. Pods whose asks were submitted before its end ask again.
func (s *apps) ended(a *app, at time.Duration, looked map[string]bool) {
	if a.fire(appEnded) == appFailing { // pods that come later begin a new gang
		a.lookAt(looked)
	}
	for key, p := range s.asking(a) {
		if p.demand.since.before(at) {
			s.pods.forget(p, podstate.Released)
			looked[key] = true
		}
	}
	if len(a.pods) == 0 {
		delete(s.byID, a.id)
	}
}

// fellBack reports on pods whose gang was not placed in time that they go on singly.
func (s *apps) fellBack(d *core.Decision) {
	a := s.byID[d.App]
	if a == nil || !a.since.knownTo(d.At) {
		return
	}
	for _, p := range s.asking(a) {
		s.events.add(&event{p.seen, corev1.EventTypeWarning, reasonGangTimeout, "Scheduling", "The gang of the pod was not placed in time: its pods are scheduled one by one.", nil})
	}
}

// endings are the states in which the scheduler has forgotten an application.
var endings = []string{core.StateCompleted, core.StateFailed, core.StateRejected, core.StateExpired}

func ended(state string) bool { return slices.Contains(endings, state) }
