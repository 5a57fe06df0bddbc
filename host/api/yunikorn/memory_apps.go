package yunikorn

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// appRecord is what is kept of an application.
type appRecord struct {
	id, partition, queue         string
	user                         string
	groups                       []string
	submitted, started, finished time.Duration // 0: not yet
	message                      string        // why it was rejected
	log                          []stateChange

	used, most   tally // by allocations
	allocations  int
	placeholders []placeholderGroup
	members      []memberGroup
	history      map[string]*usedTime // by instance type
	first        *askRecord           // of its asks
}

// askRecord is what is kept of an ask, pending or allocated.
type askRecord struct {
	id             string
	app            *appRecord
	previous, next *askRecord // of the application

	resources   resource.Set
	group       string
	gang        string // the atomic one that it is a member of; empty: none
	member      string // the name that its gang counts it by
	node        string // empty: pending
	at          time.Duration
	placeholder bool
	replaces    bool // it takes the place of a placeholder
	preempted   bool // it was told to leave for another ask, or since its queue is over its max
}

// placeholderGroup counts the placeholders of a task group.
type placeholderGroup struct {
	placeholders
	resources resource.Set
}

// usedTime is what allocations have used, times seconds.
type usedTime struct{ all, preempted, placeholders tally }

// tally adds up amounts of few types.
type tally []resource.Quantity

func newTally(s resource.Set) tally { return append(tally(nil), s...) }

func (t *tally) of(typ string) *int64 {
	for i := range *t {
		if (*t)[i].Type == typ {
			return &(*t)[i].Value
		}
	}
	*t = append(*t, resource.Quantity{Type: typ})
	return &(*t)[len(*t)-1].Value
}

// add adds so many times a set.
func (t *tally) add(s resource.Set, times int64) {
	for _, q := range s {
		sum := t.of(q.Type)
		*sum = resource.Add(*sum, saturatedProduct(q.Value, times))
	}
}

func isTerminal(state string) bool {
	return state == core.StateCompleted || state == core.StateFailed || state == core.StateExpired || state == core.StateRejected
}

// starts reports whether an application that enters a state runs from then on, if it did not before.
func starts(state string) bool { return state == core.StateStarting || state == core.StateRunning }

// isRunning reports whether an application in a state runs.
func isRunning(state string) bool {
	return state == core.StateStarting || state == core.StateRunning || state == core.StateResuming
}

// count counts an application in a state.
func (m *Memory) count(state string, change int64) {
	if isRunning(state) {
		m.samples.running += change
	}
}

// accepted begins the record of an application.
func (m *Memory) accepted(in *core.Input, d *core.Decision) {
	r := &appRecord{id: d.ID, partition: d.Partition, queue: d.Queue, submitted: d.At, log: []stateChange{{nanoseconds(d.At), core.StateNew}}}
	if app := submitted(in); app != nil {
		r.user, r.groups = app.User, app.Groups
	}
	m.apps[d.ID] = r
	m.tell(d.At, event{kind: eventApp, object: d.ID, change: changeAdd, detail: appNew})
	m.tell(d.At, event{kind: eventQueue, object: core.ShownPath(d.Partition, d.Queue), other: d.ID, change: changeAdd, detail: queueApp})
}

// submitted is the application that an input submits; nil: none.
func submitted(in *core.Input) *core.AddApp {
	if in == nil {
		return nil
	}
	app, _ := in.Event.(*core.AddApp)
	return app
}

// refused records an application that was rejected.
func (m *Memory) refused(in *core.Input, d *core.Decision) {
	r := &appRecord{id: d.ID, partition: d.Partition, submitted: d.At, finished: d.At, message: d.Message, log: []stateChange{{nanoseconds(d.At), core.StateRejected}}}
	if r.message == "" {
		r.message = string(d.Reason)
	}
	if app := submitted(in); app != nil {
		r.queue, r.user, r.groups = app.Queue, app.User, app.Groups
	}
	m.rejected.add(r)
	m.tell(d.At, event{kind: eventApp, object: d.ID, change: changeRemove, detail: appReject, message: r.message})
}

// moves records another state of an application.
func (m *Memory) moves(d *core.Decision) {
	r := m.apps[d.ID]
	if r == nil || d.To == core.StateExpired { // it has ended before, and another one may have its ID
		return
	}
	m.count(d.From, -1)
	m.count(d.To, 1)
	if r.log = append(r.log, stateChange{nanoseconds(d.At), d.To}); len(r.log) > mostStates {
		r.log = append([]stateChange(nil), r.log[1:]...)
	}
	if r.started == 0 && starts(d.To) {
		r.started = d.At
	}
	m.endAllocating(r)
	if detail, ok := stateDetails[d.To]; ok && !(d.From == core.StateStarting && d.To == core.StateRunning) {
		m.tell(d.At, event{kind: eventApp, object: d.ID, change: changeSet, detail: detail, message: string(d.Reason)})
	}
	if isTerminal(d.To) {
		r.finished = d.At
		for r.first != nil {
			m.leave(r.first)
		}
		delete(m.apps, r.id)
		m.completed.add(r)
		m.tell(d.At, event{kind: eventQueue, object: core.ShownPath(r.partition, r.queue), other: r.id, change: changeRemove, detail: queueApp})
	}
}

// placeholdersOf is the count of the placeholders of an ask's task group.
func (r *appRecord) placeholdersOf(k *askRecord) *placeholderGroup {
	for i := range r.placeholders {
		if r.placeholders[i].TaskGroupName == k.group {
			return &r.placeholders[i]
		}
	}
	r.placeholders = append(r.placeholders, placeholderGroup{placeholders{TaskGroupName: k.group}, k.resources})
	return &r.placeholders[len(r.placeholders)-1]
}

// allocated records an allocation.
func (m *Memory) allocated(at time.Duration, k *askRecord, node string) {
	k.node, k.at = node, at
	r := k.app
	if g := r.membersOf(k); g != nil {
		g.placed++
	}
	r.used.add(k.resources, 1)
	for _, q := range r.used {
		if most := r.most.of(q.Type); *most < q.Value {
			*most = q.Value
		}
	}
	m.samples.containers++
	m.noteAllocating(r)
	m.tell(at, event{kind: eventApp, object: r.id, other: k.id, change: changeRemove, detail: requestAlloc, resources: k.resources})
	m.tell(at, event{kind: eventApp, object: r.id, other: k.id, change: changeAdd, detail: appAlloc, resources: k.resources})
	m.tell(at, event{kind: eventNode, object: node, other: k.id, change: changeAdd, detail: nodeAlloc, resources: k.resources})
	m.tell(at, event{kind: eventQueue, object: core.ShownPath(r.partition, r.queue), other: k.id, change: changeAdd, detail: queueAlloc, resources: k.resources})
}

func (m *Memory) noteAllocating(r *appRecord) {
	r.allocations++
	if r.state() == core.StateAccepted {
		m.fileAllocating(r)
	}
}

func (m *Memory) fileAllocating(r *appRecord) {
	q := queueID{r.partition, r.queue}
	if m.allocating[q] == nil {
		m.allocating[q] = map[*appRecord]bool{}
	}
	m.allocating[q][r] = true
}

// endAllocating takes an application from those that are Accepted and have allocations, and reports whether it was one.
func (m *Memory) endAllocating(r *appRecord) bool {
	q := queueID{r.partition, r.queue}
	was := m.allocating[q][r]
	delete(m.allocating[q], r)
	if len(m.allocating[q]) == 0 {
		delete(m.allocating, q)
	}
	return was
}

// released records the end of an allocation.
func (m *Memory) released(d *core.Decision) {
	k := m.asks[d.ID]
	if k == nil || k.node == "" {
		return
	}
	r := k.app
	r.used.add(k.resources, -1)
	if r.allocations--; r.allocations == 0 {
		m.endAllocating(r)
	}
	m.samples.containers--
	m.spend(k, d)
	m.tell(d.At, event{kind: eventApp, object: r.id, other: k.id, change: changeRemove, detail: releaseDetails[d.Reason], resources: k.resources})
	m.tell(d.At, event{kind: eventNode, object: k.node, other: k.id, change: changeRemove, detail: nodeAlloc, resources: k.resources})
	m.tell(d.At, event{kind: eventQueue, object: core.ShownPath(r.partition, r.queue), other: k.id, change: changeRemove, detail: queueAlloc, resources: k.resources})
	m.leave(k)
}

// spend adds up what an allocation has used over its time.
func (m *Memory) spend(k *askRecord, d *core.Decision) {
	kind := m.instances[k.node]
	if kind == "" {
		kind = "UNKNOWN"
	}
	if k.app.history == nil {
		k.app.history = map[string]*usedTime{}
	}
	u := k.app.history[kind]
	if u == nil {
		u = &usedTime{}
		k.app.history[kind] = u
	}
	seconds := int64((d.At - k.at) / time.Second)
	switch {
	case k.placeholder:
		u.placeholders.add(k.resources, seconds)
	case d.Reason == core.ReasonPreempted:
		u.preempted.add(k.resources, seconds)
	default:
		u.all.add(k.resources, seconds)
	}
}
