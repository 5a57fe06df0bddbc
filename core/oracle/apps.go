package oracle

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core"
)

// app is an application that was accepted. An ID may be reused once its application is terminal, so several records may have the same ID;
// at most one of them is live.
type app struct {
	id            string
	partition     *partition
	user          string
	groups        []string
	queue         *queue
	submission    int
	submitted     time.Duration
	skipsStarting bool // it goes from Accepted to Running, see tagStraight
	state         string
	since         time.Duration       // start of the state
	asks          []*ask              // pending and allocated, in order of submission; empty once it is terminal
	made          int                 // number of allocations made, including restored ones, without placeholders
	gang          *gang               // nil if it has no placeholders
	atomic        []*atomicGang       // gangs with members, in the order of their first members
	done          map[string]doneWork // by ID, of gangs without members
	setsStarted   map[string]bool     // sets of gangs of which one was placed
	preempted     int64               // number of its allocations that were preempted
}

// tagStraight is the tag that disables the state Starting for an application.
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

// admission makes the application with its queue, which may not be in the tree yet, and the quota that its tags set there. Otherwise it
// returns the reason for refusing it.
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
		skipsStarting: in.Tags[tagStraight] == "true", state: core.StateNew, since: p.now, gang: newGang(in), done: doneBefore(in), setsStarted: map[string]bool{},
	}
	if a.queue == nil {
		a.queue = p.newQueue(path)
	}
	if !a.queue.isManaged() && path != recoveryPath {
		readable := false
		if carried, readable = p.readQuota(in.Tags); !readable {
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

// askAdded updates the state of an application after an ask was added.
func (p *partition) askAdded(k *ask) {
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

// allocationAdded updates the state of an application after an allocation was made.
func (p *partition) allocationAdded(k *ask) {
	a := k.app
	if k.isPlaceholder() {
		p.placeholderAllocated(a)
		return
	}
	if a.gang != nil {
		a.gang.formed = true
	}
	a.made++
	switch {
	case a.state == core.StateAccepted && a.skipsStarting:
		p.move(a, core.StateRunning, core.ReasonFirstAllocation)
	case a.state == core.StateAccepted:
		p.move(a, core.StateStarting, core.ReasonFirstAllocation)
	case a.state == core.StateStarting && a.made >= 2:
		p.move(a, core.StateRunning, core.ReasonSecondAllocation)
	}
}

// removed updates the state of an application after its last ask or allocation was removed.
func (p *partition) removed(a *app) {
	if a.gang != nil && p.gangMemberRemoved(a) {
		return
	}
	if len(a.asks) == 0 {
		p.move(a, core.StateCompleting, core.ReasonIdle)
	}
}
