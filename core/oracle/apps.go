package oracle

import (
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
)

// app is an application that was accepted. IDs come back once an application is terminal, so several records may
// carry one; at most one of them is live.
type app struct {
	id         string
	queue      *queue
	submission int
	submitted  time.Duration
	straight   bool // its tag says: straight from Accepted to Running
	state      string
	since      time.Duration // of the state
	asks       []*ask        // pending and allocated, in order of submission; none once it is terminal
	made       int           // allocations ever made, restored ones included
}

// tagStraight switches the state Starting off for an application.
const tagStraight = "application.stateaware.disable"

func (a *app) isTerminal() bool { return a.state == core.StateCompleted || a.state == core.StateFailed }

func (o *Oracle) findApp(id string) *app {
	for _, a := range o.apps {
		if a.id == id && !a.isTerminal() {
			return a
		}
	}
	return nil
}

func (o *Oracle) addApp(in *core.Input) {
	path := strings.ToLower(in.Queue)
	q, why := o.queueFor(in.ID, path)
	if why != "" {
		o.refuse(core.Decision{Type: core.AppRejected, ID: in.ID, Reason: why})
		return
	}
	o.apps = append(o.apps, &app{
		id: in.ID, queue: q, submission: o.event(), submitted: o.now,
		straight: in.Tags[tagStraight] == "true", state: core.StateNew, since: o.now,
	})
	o.decide(core.Decision{Type: core.AppAccepted, ID: in.ID, Queue: path})
}

func (o *Oracle) queueFor(id, path string) (*queue, core.Reason) {
	if o.findApp(id) != nil {
		return nil, core.ReasonDuplicate
	}
	if path == "" {
		return nil, core.ReasonNoQueue
	}
	q := o.findQueue(path)
	switch {
	case q == nil:
		return nil, core.ReasonUnknownQueue
	case !q.isLeaf():
		return nil, core.ReasonNotALeaf
	case q.draining:
		return nil, core.ReasonQueueDraining
	}
	return q, ""
}

func (o *Oracle) removeApp(in *core.Input) {
	a := o.findApp(in.ID)
	if a == nil {
		o.ignore(in, core.ReasonUnknownApplication)
		return
	}
	for _, k := range inAllocationOrder(a.allocated()) {
		o.leaveNode(k, core.ReasonAppRemoved)
	}
	for _, k := range slices.Clone(a.asks) { // in order of submission
		if k.node == nil {
			o.withdraw(k)
		}
	}
	a.asks = nil
	o.move(a, core.StateCompleted, core.ReasonAppRemovedState)
	o.leaveQueue(a.queue)
}

// move changes the application's state.
func (o *Oracle) move(a *app, to string, why core.Reason) {
	o.decide(core.Decision{Type: core.AppState, ID: a.id, From: a.state, To: to, Reason: why})
	a.state, a.since = to, o.now
}

// askCame moves the state of an application that has been given an ask.
func (o *Oracle) askCame(a *app) {
	switch a.state {
	case core.StateNew:
		o.move(a, core.StateAccepted, core.ReasonAskAdded)
	case core.StateCompleting:
		o.move(a, core.StateRunning, core.ReasonAskAdded)
	}
}

// allocationCame moves the state of an application that has been given an allocation.
func (o *Oracle) allocationCame(a *app) {
	a.made++
	switch {
	case a.state == core.StateAccepted && a.straight:
		o.move(a, core.StateRunning, core.ReasonFirstAllocation)
	case a.state == core.StateAccepted:
		o.move(a, core.StateStarting, core.ReasonFirstAllocation)
	case a.state == core.StateStarting && a.made >= 2:
		o.move(a, core.StateRunning, core.ReasonSecondAllocation)
	}
}

// somethingLeft moves the state of an application that lost an ask or an allocation, if it was the last.
func (o *Oracle) somethingLeft(a *app) {
	if len(a.asks) == 0 {
		o.move(a, core.StateCompleting, core.ReasonIdle)
	}
}
