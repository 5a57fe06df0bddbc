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
	since      time.Duration       // of the state
	asks       []*ask              // pending and allocated, in order of submission; none once it is terminal
	made       int                 // allocations ever made, restored ones included, placeholders apart
	gang       *gang               // nil: none
	atomic     []*atomicGang       // those with members, by the first
	done       map[string]doneWork // by gang, of those without
}

// tagStraight switches the state Starting off for an application.
const tagStraight = "application.stateaware.disable"

func (a *app) isTerminal() bool {
	return a.state == core.StateCompleted || a.state == core.StateFailed || a.state == core.StateExpired
}

func (o *Oracle) findApp(id string) *app {
	for _, a := range o.apps {
		if a.id == id && !a.isTerminal() {
			return a
		}
	}
	return nil
}

func (p *partition) addApp(in *core.AddApp) {
	a, carried, why, message := p.admission(in)
	if why != "" {
		p.refuse(core.Decision{Type: core.AppRejected, ID: in.ID, Reason: why, Message: message})
		return
	}
	p.attach(a.queue)
	p.enter(a, a.queue)
	a.queue.setQuota(carried)
	a.submission = p.event()
	p.apps = append(p.apps, a)
	p.decide(core.Decision{Type: core.AppAccepted, ID: in.ID, Queue: a.queue.path()})
}

// admission makes the application in its queue, which may not be in the tree yet, with the quota that its tags set there, or
// refuses it.
func (p *partition) admission(in *core.AddApp) (a *app, carried quota, why core.Reason, message string) {
	if p.findApp(in.ID) != nil {
		return nil, quota{}, core.ReasonDuplicate, ""
	}
	path, why, message := p.chooseQueue(in)
	if why != "" {
		return nil, quota{}, why, message
	}
	a = &app{
		id: in.ID, partition: p, user: in.User, groups: in.Groups, queue: p.findQueue(path), submitted: p.now,
		straight: in.Tags[tagStraight] == "true", state: core.StateNew, since: p.now, gang: newGang(in), done: doneBefore(in),
	}
	if a.queue == nil {
		a.queue = p.newQueue(path)
	}
	if !a.queue.isManaged() && path != recoveryPath {
		readable := false
		if carried, readable = readQuota(in.Tags); !readable {
			return nil, quota{}, core.ReasonBadTag, ""
		}
	}
	before := a.queue.settings
	a.queue.settings = a.queue.settingsWith(carried)
	why = p.gangRefusal(a)
	a.queue.settings = before
	return a, carried, why, ""
}

func (p *partition) removeApp(in *core.RemoveApp) {
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
	a.asks, a.atomic = nil, nil
	p.move(a, core.StateCompleted, core.ReasonAppRemovedState)
	p.leaveQueue(a.queue)
}

// move changes the application's state.
func (p *partition) move(a *app, to string, why core.Reason) {
	p.decide(core.Decision{Type: core.AppState, ID: a.id, From: a.state, To: to, Reason: why})
	a.state, a.since = to, p.now
	if a.gang != nil {
		a.gang.ended = false
	}
}

// askCame moves the state of an application that has been given an ask.
func (p *partition) askCame(k *ask) {
	a := k.app
	switch {
	case a.state == core.StateNew:
		p.move(a, core.StateAccepted, core.ReasonAskAdded)
	case a.state == core.StateCompleting && a.gang != nil && !a.gang.formed && !a.gang.failed:
		p.move(a, core.StateAccepted, core.ReasonAskAdded)
	case a.state == core.StateCompleting && !k.isPlaceholder():
		p.move(a, core.StateRunning, core.ReasonAskAdded)
	}
}

// allocationCame moves the state of an application that has been given an allocation.
func (p *partition) allocationCame(k *ask) {
	a := k.app
	if k.isPlaceholder() {
		p.placeholderCame(a)
		return
	}
	if a.gang != nil {
		a.gang.formed = true
	}
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
	if a.gang != nil && p.gangLeft(a) {
		return
	}
	if len(a.asks) == 0 {
		p.move(a, core.StateCompleting, core.ReasonIdle)
	}
}
