package state

import (
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/placement"
	"github.com/quern-project/quern/core/internal/queue"
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
func (s *State) settingsOf(name string, above *queue.Queue, d *dynamicLeaf) *config.Queue {
	if above.Parent == nil && name == placement.Recovery {
		conf := above.Conf.Dynamic(name, true, nil)
		conf.AppSort = config.FIFO
		return conf
	}
	var t *config.Template
	if q := nearestTemplate(above); q != nil {
		t = q.Conf.Template
	}
	conf := above.Conf.Dynamic(name, d != nil, t)
	if d == nil {
		return conf
	}
	if d.quota.Max != nil {
		conf.Max = *d.quota.Max
	}
	if d.quota.Guaranteed != nil {
		conf.Guaranteed = *d.quota.Guaranteed
	}
	if d.quota.MaxApplications != nil {
		conf.MaxApplications = *d.quota.MaxApplications
	}
	return conf
}

// nearestTemplate returns the nearest queue with a child template, from q upwards, or nil.
func nearestTemplate(q *queue.Queue) *queue.Queue {
	for ; q != nil; q = q.Parent {
		if q.Conf.Template != nil {
			return q
		}
	}
	return nil
}

// TemplateOf returns the queue whose child template applies to a dynamic leaf, or nil if there is none or q is not a dynamic leaf.
func (s *State) TemplateOf(q *queue.Queue) *queue.Queue {
	if !q.Dynamic || !q.Leaf() || q.Path == placement.RecoveryPath {
		return nil
	}
	return nearestTemplate(q.Parent)
}

// makeQueue makes the leaf with a full name, and all missing queues above it, top down.
func (s *State) makeQueue(path string) *queue.Queue {
	at := s.nearest(path)
	names := strings.Split(path[len(at.Path)+1:], ".")
	for i, name := range names {
		at = s.addDynamic(name, at, i == len(names)-1)
		s.queueState(at.Path, core.QueueStopped, core.QueueActive, core.ReasonQueueCreated)
	}
	return at
}

// addDynamic adds a dynamic queue to the tree.
func (s *State) addDynamic(name string, above *queue.Queue, leaf bool) *queue.Queue {
	var d *dynamicLeaf
	if leaf {
		d = &dynamicLeaf{}
	}
	conf := s.settingsOf(name, above, d)
	s.admit(conf.Guaranteed, conf.Max) // before the queue exists, since a queue outside the tree would not be widened
	q := queue.New(conf, above, s.Types)
	s.attach(q, d)
	return q
}

// attach puts a dynamic queue into the tree.
func (s *State) attach(q *queue.Queue, d *dynamicLeaf) {
	q.Dynamic = true
	s.ByPath[q.Path] = q
	var l *Leaf
	if q.Leaf() {
		l = &Leaf{Leaf: app.NewLeaf(s.Types), dynamic: d}
		s.fileLeaf(l, q)
		s.enforceLeaf(l, q.Conf)
	} else {
		q.Adopt(nil, s.order(policy.QueueOrder, q.Conf.QueueSort))
	}
	q.Parent.Add(q)
	c := s.note(QueueAdded)
	c.Queue, c.Leaf = q, l
}

// nearest returns the queue with a full name, or its nearest existing ancestor.
func (s *State) nearest(path string) *queue.Queue {
	for {
		if q := s.ByPath[path]; q != nil {
			return q
		}
		path = path[:strings.LastIndexByte(path, '.')]
	}
}

// setQuota applies the tags of an application that was placed in a dynamic leaf. Quotas that it does not carry stay unchanged.
func (s *State) setQuota(l *Leaf, carried placement.Quota) {
	if l.dynamic == nil || carried.IsEmpty() {
		return
	}
	q := l.Queue
	l.dynamic.quota = carried.Or(l.dynamic.quota)
	conf := s.settingsOf(q.Conf.Name, q.Parent, l.dynamic)
	s.admit(conf.Guaranteed, conf.Max)
	q.SetLimits(conf)
	s.queueOpened(q)
	c := s.note(LimitsChanged)
	c.Queue, c.Leaf = q, l
	s.limitsChanged = true
}

// fill records that the leaf has an application.
func (l *Leaf) fill() {
	if l.dynamic != nil {
		l.dynamic.empty = false
	}
}

// leaveQueue is called after an application has left a leaf, because it ended or moved.
func (s *State) leaveQueue(l *Leaf) {
	if d := l.dynamic; d != nil && l.Queue.Live == 0 && !l.Queue.Draining {
		s.setEmpty(l, s.Now)
	}
	s.retire(l.Queue)
}

// setEmpty records the time at which a dynamic leaf became empty.
func (s *State) setEmpty(l *Leaf, since time.Duration) {
	d := l.dynamic
	d.empty, d.since = true, since
	if d.timer != d.ends() { // an application may come and go several times in an instant
		d.timer = d.ends()
		s.timers.push(timer{at: d.timer, kind: emptyTimer, leaf: l})
	}
}

// dropTimer records that a timer was dropped because it no longer applied.
func (l *Leaf) dropTimer(at time.Duration) {
	if d := l.dynamic; d != nil && d.timer == at {
		d.timer = 0
	}
}

// endEmpty removes an empty dynamic leaf, and its dynamic parents that are left without children.
func (s *State) endEmpty(q *queue.Queue) {
	for q.Dynamic && q.NumChildren() == 0 {
		q = s.endQueue(q)
	}
}

// endQueue removes an empty queue from the tree, emits the decision, and returns the parent.
func (s *State) endQueue(q *queue.Queue) *queue.Queue {
	s.queueState(q.Path, q.State(core.QueueActive, core.QueueDraining), core.QueueStopped, core.ReasonQueueEmpty)
	delete(s.ByPath, q.Path)
	above := q.Parent
	above.RemoveChild(q)
	c := s.note(QueueEnded)
	c.Queue = above
	if q.Leaf() {
		c.Leaf = s.Leaves[q.ID]
		s.unfileLeaf(c.Leaf)
	}
	return above
}
