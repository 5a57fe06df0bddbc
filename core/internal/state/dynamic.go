package state

import (
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/placement"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/policy"
)

// emptyPeriod is the time after which a dynamic leaf without applications is removed.
const emptyPeriod = instant.Delay(10 * time.Second)

// dynamicLeaf holds the properties of a leaf that a placement rule has made.
type dynamicLeaf struct {
	quota placement.Quota // set by the tags of its applications
	empty bool            // it has no applications
	since time.Duration   // the time at which it became empty
	timer time.Duration   // time of the last timer that was set and not dropped; 0 if there is none
}

// ends returns the time at which an empty leaf is removed.
func (d *dynamicLeaf) ends() time.Duration { return emptyPeriod.After(d.since) }

// settingsOf returns the current settings of a dynamic queue: those of the nearest template above, those of tags, and inherited ones. d is
// nil for a parent.
func (s *State) settingsOf(name string, above queues.ID, d *dynamicLeaf) *config.Queue {
	tree := s.Queues()
	if tree.Parent(above) == queues.None && name == placement.Recovery {
		conf := tree.Conf(above).Dynamic(name, true, nil)
		conf.AppSort = config.FIFO
		return conf
	}
	var t *config.Template
	if q := nearestTemplate(tree, above); q != queues.None {
		t = tree.Conf(q).Template
	}
	conf := tree.Conf(above).Dynamic(name, d != nil, t)
	if d == nil {
		return conf
	}
	if d.quota.Max != nil {
		conf.Max = s.deviceAmounts(*d.quota.Max)
	}
	if d.quota.Guaranteed != nil {
		conf.Guaranteed = s.deviceAmounts(*d.quota.Guaranteed)
	}
	if d.quota.MaxApplications != nil {
		conf.MaxApplications = *d.quota.MaxApplications
	}
	return conf
}

// nearestTemplate returns the nearest queue with a child template, from q upwards, or None.
func nearestTemplate(tree queues.View, q queues.ID) queues.ID {
	for q != queues.None && tree.Conf(q).Template == nil {
		q = tree.Parent(q)
	}
	return q
}

// TemplateOf returns the queue whose child template applies to a dynamic leaf, or None if there is none or q is not a dynamic leaf.
func (s *State) TemplateOf(q queues.ID) queues.ID {
	tree := s.Queues()
	if !tree.IsDynamic(q) || !tree.IsLeaf(q) || tree.Path(q) == placement.RecoveryPath {
		return queues.None
	}
	return nearestTemplate(tree, tree.Parent(q))
}

// makeQueue makes the leaf with a full name, and all missing queues above it, top down.
func (s *State) makeQueue(path string) queues.ID {
	at := s.nearest(path)
	names := strings.Split(path[len(s.Queues().Path(at))+1:], ".")
	for i, name := range names {
		at = s.addDynamic(name, at, i == len(names)-1)
		s.queueState(s.Queues().Path(at), core.QueueStopped, core.QueueActive, core.ReasonQueueCreated)
	}
	return at
}

// addDynamic adds a dynamic queue to the tree.
func (s *State) addDynamic(name string, above queues.ID, leaf bool) queues.ID {
	var d *dynamicLeaf
	if leaf {
		d = &dynamicLeaf{}
	}
	conf := s.settingsOf(name, above, d)
	s.admit(conf.Guaranteed, conf.Max) // before the queue exists, since a queue outside the tree would not be widened
	return s.attach(conf, above, d, false)
}

// attach adds a dynamic queue with known settings.
func (s *State) attach(conf *config.Queue, above queues.ID, d *dynamicLeaf, draining bool) queues.ID {
	q := s.queues.Add(conf, above, queues.Kind{Dynamic: true, Draining: draining})
	if conf.Leaf {
		l := &leaf{OwnedLeaf: app.NewLeaf(s.types), dynamic: d}
		s.fileLeaf(l, q)
		s.enforceLeaf(l, conf)
	} else {
		s.order(policy.QueueOrder, conf.QueueSort)
	}
	s.queueAdded(q)
	c := s.note(QueueAdded)
	c.queue, c.parent = q, above
	return q
}

// nearest returns the queue with a full name, or its nearest existing ancestor.
func (s *State) nearest(path string) queues.ID {
	for {
		if q := s.Queues().Find(path); q != queues.None {
			return q
		}
		path = path[:strings.LastIndexByte(path, '.')]
	}
}

// setQuota applies the tags of an application that was placed in a dynamic leaf. Quotas that it does not carry stay unchanged.
func (s *State) setQuota(l *leaf, carried placement.Quota) {
	if l.dynamic == nil || carried.IsEmpty() {
		return
	}
	q, tree := l.queue, s.Queues()
	l.dynamic.quota = carried.Or(l.dynamic.quota)
	conf := s.settingsOf(tree.Conf(q).Name, tree.Parent(q), l.dynamic)
	s.admit(conf.Guaranteed, conf.Max)
	s.queues.SetLimits(q, conf)
	s.queueOpened(q)
	s.Slipped(SlipCapacity)
	s.note(LimitsChanged).queue = q
	s.limitsChanged = true
}

// fill records that the leaf has an application.
func (l *leaf) fill() {
	if l.dynamic != nil {
		l.dynamic.empty = false
	}
}

// leaveQueue is called after an application has left a leaf, because it ended or moved.
func (s *State) leaveQueue(l *leaf) {
	if d := l.dynamic; d != nil && s.Queues().Live(l.queue) == 0 && !s.Queues().IsDraining(l.queue) {
		s.setEmpty(l, s.now)
	}
	s.retire(l.queue)
}

// setEmpty records the time at which a dynamic leaf became empty.
func (s *State) setEmpty(l *leaf, since time.Duration) {
	d := l.dynamic
	d.empty, d.since = true, since
	if d.timer != d.ends() { // an application may come and go several times in an instant
		d.timer = d.ends()
		s.timers.push(timer{at: d.timer, kind: emptyTimer, leaf: l, path: s.Queues().Path(l.queue)})
	}
}

// dropTimer records that a timer was dropped because it no longer applied.
func (l *leaf) dropTimer(at time.Duration) {
	if d := l.dynamic; d != nil && d.timer == at {
		d.timer = 0
	}
}

// endEmpty removes an empty dynamic leaf, and its dynamic parents that are left without children.
func (s *State) endEmpty(q queues.ID) {
	for tree := s.Queues(); tree.IsDynamic(q) && tree.NumChildren(q) == 0; {
		q = s.endQueue(q)
	}
}

// endQueue removes an empty queue from the tree, emits the decision, and returns the parent.
func (s *State) endQueue(q queues.ID) queues.ID {
	tree := s.Queues()
	s.queueState(tree.Path(q), tree.State(q, core.QueueActive, core.QueueDraining), core.QueueStopped, core.ReasonQueueEmpty)
	above := tree.Parent(q)
	delete(s.budgets, q)
	s.queueEnded(q)
	s.queues.Remove(q)
	c := s.note(QueueEnded)
	c.queue, c.parent = q, above
	if tree.IsLeaf(q) {
		s.unfileLeaf(q)
	}
	return above
}
