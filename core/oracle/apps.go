package oracle

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core"
)

// app is an application that was accepted. IDs come back once an application is terminal, so several records may
// carry one; at most one of them is live.
type app struct {
	id         string
	partition  *partition
	user       string
	groups     []string
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

func (p *partition) addApp(in *core.Input) {
	path, carried, why, message := p.admission(in)
	if why != "" {
		p.refuse(core.Decision{Type: core.AppRejected, ID: in.ID, Reason: why, Message: message})
		return
	}
	q := p.findQueue(path)
	if q == nil {
		q = p.makeQueue(path)
	}
	a := &app{
		id: in.ID, partition: p, user: in.User, groups: in.Groups, submission: p.event(), submitted: p.now,
		straight: in.Tags[tagStraight] == "true", state: core.StateNew, since: p.now,
	}
	p.enter(a, q)
	q.setQuota(carried)
	p.apps = append(p.apps, a)
	p.decide(core.Decision{Type: core.AppAccepted, ID: in.ID, Queue: path})
}

// admission gives the name of the queue that a new application goes to, and the quota that its tags set there, or refuses it.
func (p *partition) admission(in *core.Input) (path string, carried quota, why core.Reason, message string) {
	switch {
	case p.findApp(in.ID) != nil:
		return "", quota{}, core.ReasonDuplicate, ""
	case p.isUnsupported(in) || in.Placeholders != nil:
		return "", quota{}, core.ReasonNotSupported, ""
	}
	if path, why, message = p.chooseQueue(in); why != "" {
		return "", quota{}, why, message
	}
	if q := p.findQueue(path); q != nil && q.isManaged() || path == recoveryPath {
		return path, quota{}, "", ""
	}
	carried, readable := readQuota(in.Tags)
	if !readable {
		return "", quota{}, core.ReasonBadTag, ""
	}
	return path, carried, "", ""
}

func (p *partition) removeApp(in *core.Input) {
	a := p.findApp(in.ID)
	if a == nil {
		p.ignore(in, core.ReasonUnknownApplication)
		return
	}
	for _, k := range inAllocationOrder(a.allocated()) {
		p.leaveNode(k, core.ReasonAppRemoved)
	}
	for _, k := range slices.Clone(a.asks) { // in order of submission
		if k.node == nil {
			p.withdraw(k)
		}
	}
	a.asks = nil
	p.move(a, core.StateCompleted, core.ReasonAppRemovedState)
	p.leaveQueue(a.queue)
}

// move changes the application's state.
func (p *partition) move(a *app, to string, why core.Reason) {
	p.decide(core.Decision{Type: core.AppState, ID: a.id, From: a.state, To: to, Reason: why})
	a.state, a.since = to, p.now
}

// askCame moves the state of an application that has been given an ask.
func (p *partition) askCame(a *app) {
	switch a.state {
	case core.StateNew:
		p.move(a, core.StateAccepted, core.ReasonAskAdded)
	case core.StateCompleting:
		p.move(a, core.StateRunning, core.ReasonAskAdded)
	}
}

// allocationCame moves the state of an application that has been given an allocation.
func (p *partition) allocationCame(a *app) {
	a.made++
	switch {
	case a.state == core.StateAccepted && a.straight:
		p.move(a, core.StateRunning, core.ReasonFirstAllocation)
	case a.state == core.StateAccepted:
		p.move(a, core.StateStarting, core.ReasonFirstAllocation)
	case a.state == core.StateStarting && a.made >= 2:
		p.move(a, core.StateRunning, core.ReasonSecondAllocation)
	}
}

// somethingLeft moves the state of an application that lost an ask or an allocation, if it was the last.
func (p *partition) somethingLeft(a *app) {
	if len(a.asks) == 0 {
		p.move(a, core.StateCompleting, core.ReasonIdle)
	}
}
