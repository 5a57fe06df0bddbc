package yunikorn

import (
	"crypto/rand"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
)

// How much is kept of what is over.
const (
	mostCompleted = 10_000  // applications
	mostRejected  = 1_000   // applications
	mostEvents    = 100_000 // the latest
	mostStates    = 64      // of one application, the latest
	mostSamples   = 1440    // one a minute
)

// Memory keeps what a scheduler forgets. It is a server.Watcher: it begins with the snapshot that the host has started from, and knows of
// what was before only what that has. It is read in View.Read.
type Memory struct {
	id    string        // of this memory
	began time.Duration // the time of the state that it began with, or of what it was first shown

	configured time.Duration  // when the configuration was last put in force; 0: before it began
	present    *config.Config // the one in force

	apps       map[string]*appRecord           // live ones
	asks       map[string]*askRecord           // pending and allocated
	instances  map[string]string               // by node: the type of its machine, where an attribute has it
	allocating map[queueID]map[*appRecord]bool // Accepted ones with allocations

	completed, rejected *ring[*appRecord]
	events              *ring[event]
	samples             samples
}

// queueID is a queue of a partition, as decisions name them.
type queueID struct{ partition, path string }

// NewMemory makes a memory of nothing.
func NewMemory() *Memory {
	return &Memory{
		id: rand.Text(), present: config.Default(), apps: map[string]*appRecord{}, asks: map[string]*askRecord{}, instances: map[string]string{},
		allocating: map[queueID]map[*appRecord]bool{}, completed: newRing[*appRecord](mostCompleted), rejected: newRing[*appRecord](mostRejected),
		events: newRing[event](mostEvents), samples: samples{ring: newRing[sample](mostSamples)},
	}
}

// Begin implements server.Watcher.
func (m *Memory) Begin(s *scheduler.Scheduler) {
	d := s.Read(core.OfNodes | core.OfApplications)
	m.began, m.present = d.Now, s.Configuration()
	for i := range d.Nodes {
		m.learnNode(d.Nodes[i].ID, d.Nodes[i].Attributes)
	}
	for i := range d.Applications {
		m.recall(s, &d.Applications[i])
	}
	m.samples.at = d.Now
}

// recall takes over an application of a snapshot.
func (m *Memory) recall(s *scheduler.Scheduler, a *core.AppDump) {
	r := &appRecord{id: a.ID, partition: a.Partition, queue: a.Queue, submitted: a.Submitted, used: newTally(a.Used), most: newTally(a.Used)}
	r.log = []stateChange{{nanoseconds(a.Since), a.State}}
	if isTerminal(a.State) {
		r.finished = a.Since
		m.completed.add(r)
		return
	}
	if item, ok := s.App(a.ID); ok {
		r.user, r.groups = item.User, item.Groups
	}
	if starts(a.State) {
		r.started = a.Since
	}
	m.apps[a.ID] = r
	m.count(a.State, 1)
	for i := range a.Asks {
		k := &a.Asks[i]
		ask := &askRecord{id: k.ID, app: r, resources: k.Resources, placeholder: k.Placeholder, node: k.Node, at: k.Allocated}
		if item, ok := s.Ask(k.ID); ok {
			ask.group = item.TaskGroup
		}
		if item, ok := s.Ask(k.Leaving); ok { // a placeholder may also leave for a task of its own gang
			ask.preempted = item.App != a.ID
		}
		m.enter(ask)
		if k.Node != "" {
			m.samples.containers++
			m.noteAllocating(r)
		}
	}
}

// state is the one that an application is in.
func (r *appRecord) state() string {
	if len(r.log) == 0 {
		return ""
	}
	return r.log[len(r.log)-1].State
}

func (m *Memory) learnNode(id string, attributes map[string]string) {
	if kind := firstOf(attributes, attributeInstance, labelInstance); kind != "" {
		m.instances[id] = kind
	} else {
		delete(m.instances, id)
	}
}

// Step implements server.Watcher.
func (m *Memory) Step(at time.Duration, in *core.Input, refused core.Reason, decisions []core.Decision) {
	if m.began == 0 {
		m.began = at
	}
	m.samples.until(at)
	if in != nil && refused == core.Accepted {
		m.take(at, in)
	}
	for i := range decisions {
		m.decided(in, &decisions[i])
	}
}

// take learns what an input brings that was not refused, and that no decision tells.
func (m *Memory) take(at time.Duration, in *core.Input) {
	switch e := in.Event.(type) {
	case *core.AddAsk:
		m.ask(at, e)
	case *core.RestoreAllocation:
		if k := m.ask(at, &e.AddAsk); k != nil {
			m.allocated(at, k, e.PlacedOn)
		}
	case *core.UpdateAsk:
		if k := m.asks[e.ID]; k != nil && e.Resources != nil {
			k.resources = e.Resources
		}
	case *core.RemoveAsk:
		if k := m.asks[e.ID]; k != nil {
			m.tell(at, event{kind: eventApp, object: k.app.id, other: k.id, change: changeRemove, detail: requestCancel, resources: k.resources})
			m.leave(k)
		}
	case *core.SetConfig:
		m.configure(at, e)
	default:
		m.node(at, in)
	}
}

// ask learns of an ask, pending or as an allocation that was there before. It returns nil if its application is not known.
func (m *Memory) ask(at time.Duration, in *core.AddAsk) *askRecord {
	r := m.apps[in.App]
	if r == nil {
		return nil
	}
	k := &askRecord{id: in.ID, app: r, resources: in.Resources, group: in.TaskGroup, placeholder: in.Placeholder}
	m.enter(k)
	if k.placeholder {
		r.placeholdersOf(k).Count++
	} else if in.Gang != nil {
		r.joins(k, in)
	}
	m.tell(at, event{kind: eventApp, object: r.id, other: k.id, change: changeAdd, detail: appRequest, resources: k.resources})
	return k
}

// enter files an ask, in place of one of its ID that would be there by mistake.
func (m *Memory) enter(k *askRecord) {
	if old := m.asks[k.id]; old != nil {
		m.leave(old)
	}
	m.asks[k.id] = k
	k.next = k.app.first
	if k.next != nil {
		k.next.previous = k
	}
	k.app.first = k
}

// leave forgets an ask.
func (m *Memory) leave(k *askRecord) {
	delete(m.asks, k.id)
	if k.previous != nil {
		k.previous.next = k.next
	} else {
		k.app.first = k.next
	}
	if k.next != nil {
		k.next.previous = k.previous
	}
}

// node learns of a node, or of a change of one.
func (m *Memory) node(at time.Duration, in *core.Input) {
	told := func(change eventChange, detail eventDetail, resources resource.Set, message string) {
		m.tell(at, event{kind: eventNode, object: in.ID(), change: change, detail: detail, resources: resources, message: message})
	}
	switch e := in.Event.(type) {
	case *core.AddNode:
		m.learnNode(e.ID, e.Attributes)
		told(changeAdd, noDetail, e.Capacity, "")
	case *core.RemoveNode:
		delete(m.instances, e.ID)
		told(changeRemove, nodeDecommission, nil, "")
	case *core.DrainNode:
		told(changeSet, nodeSchedulable, nil, "schedulable: false")
	case *core.ResumeNode:
		told(changeSet, nodeSchedulable, nil, "schedulable: true")
	case *core.UpdateNode:
		if e.Attributes != nil {
			m.learnNode(e.ID, e.Attributes)
		}
		if e.Capacity != nil {
			told(changeSet, nodeCapacity, e.Capacity, "")
		}
		if e.Occupied != nil {
			told(changeSet, nodeOccupied, e.Occupied, "")
		}
	default:
	}
}
