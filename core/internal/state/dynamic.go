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

// emptyPeriod is how long a dynamic leaf without applications stays.
const emptyPeriod = instant.Delay(10 * time.Second)

// dynamicLeaf is what a leaf has that a placement rule has made.
type dynamicLeaf struct {
	quota placement.Quota // what the tags of its applications have set
	empty bool            // its last application has left
	since time.Duration   // of empty
	timer time.Duration   // when the last timer goes off that was set and not given up; 0: none
}

// ends is when an empty leaf goes.
func (d *dynamicLeaf) ends() time.Duration { return emptyPeriod.After(d.since) }

// settingsOf are those that a dynamic queue has now: of the nearest template above, of tags, and inherited. d is nil for a
// parent.
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

// nearestTemplate is the nearest queue, from one upwards, that has a child template; nil: there is none.
func nearestTemplate(q *queue.Queue) *queue.Queue {
	for ; q != nil; q = q.Parent {
		if q.Conf.Template != nil {
			return q
		}
	}
	return nil
}

// TemplateOf is the queue whose child template a dynamic leaf has; nil: it has none, or is no such leaf.
func (s *State) TemplateOf(q *queue.Queue) *queue.Queue {
	if !q.Dynamic || !q.Leaf() || q.Path == placement.RecoveryPath {
		return nil
	}
	return nearestTemplate(q.Parent)
}

// makeQueue makes the leaf of a full name, and every queue that is missing above it, top down.
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
	s.admit(conf.Guaranteed, conf.Max) // what is half made cannot be widened
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

// nearest is the queue of a full name or, where there is none, the nearest one above that exists.
func (s *State) nearest(path string) *queue.Queue {
	for {
		if q := s.ByPath[path]; q != nil {
			return q
		}
		path = path[:strings.LastIndexByte(path, '.')]
	}
}

// setQuota applies the tags of an application that was placed in a dynamic leaf. Only those that it carries count.
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

// fill notes that an application has come.
func (l *Leaf) fill() {
	if l.dynamic != nil {
		l.dynamic.empty = false
	}
}

// leaveQueue is called when an application has left a leaf, ended or moved.
func (s *State) leaveQueue(l *Leaf) {
	if d := l.dynamic; d != nil && l.Queue.Live == 0 && !l.Queue.Draining {
		s.setEmpty(l, s.Now)
	}
	s.retire(l.Queue)
}

// setEmpty notes since when a dynamic leaf has no applications.
func (s *State) setEmpty(l *Leaf, since time.Duration) {
	d := l.dynamic
	d.empty, d.since = true, since
	if d.timer != d.ends() { // applications may come and go often in an instant
		d.timer = d.ends()
		s.timers.push(timer{at: d.timer, kind: emptyTimer, leaf: l})
	}
}

// dropTimer notes that a timer was given up, since it held no longer.
func (l *Leaf) dropTimer(at time.Duration) {
	if d := l.dynamic; d != nil && d.timer == at {
		d.timer = 0
	}
}

// endEmpty ends a dynamic leaf whose time is over, and the dynamic parents that this leaves empty.
func (s *State) endEmpty(q *queue.Queue) {
	for q.Dynamic && q.HowMany() == 0 {
		q = s.endQueue(q)
	}
}

// endQueue takes a queue out of the tree in which nothing is left, says so, and returns the one above.
func (s *State) endQueue(q *queue.Queue) *queue.Queue {
	s.queueState(q.Path, q.State(core.QueueActive, core.QueueDraining), core.QueueStopped, core.ReasonQueueEmpty)
	delete(s.ByPath, q.Path)
	above := q.Parent
	above.Disown(q)
	c := s.note(QueueEnded)
	c.Queue = above
	if q.Leaf() {
		c.Leaf = s.Leaves[q.ID]
		s.unfileLeaf(c.Leaf)
	}
	return above
}
