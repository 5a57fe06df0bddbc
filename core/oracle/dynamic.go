package oracle

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/instant"
)

// emptyTime is how long a dynamic leaf without applications exists.
const emptyTime = 10 * time.Second

// dynamic holds the additional state of a queue that a placement rule has created.
type dynamic struct {
	quota   quota         // set by tags of its applications
	isEmpty bool          // it is a leaf whose last application has left
	since   time.Duration // start of isEmpty
}

// quota holds the limits that tags set. Fields are nil if they were not set.
type quota struct {
	max, guaranteed *amounts
	maxApplications *uint64
}

// newQueue makes a leaf and its missing ancestors, without adding them to the tree.
func (p *partition) newQueue(path string) *queue {
	at := p.nearestAbove(path)
	missing := strings.Split(strings.TrimPrefix(path, at.path()+"."), ".")
	for i, name := range missing {
		q := &queue{parent: at, dynamic: &dynamic{}}
		q.settings = &config.Queue{Name: name, Path: at.path() + "." + name, Leaf: i == len(missing)-1}
		q.settings = q.dynamicSettings()
		at = q
	}
	return at
}

// attach adds a queue and its missing ancestors to the tree, from the top down.
func (p *partition) attach(q *queue) {
	if q.parent == nil || slices.Contains(q.parent.children, q) {
		return
	}
	p.attach(q.parent)
	q.parent.children = append(q.parent.children, q)
	p.ageQueue(q)
	p.decide(core.Decision{
		Type: core.QueueState, Queue: q.path(),
		From: core.QueueStopped, To: core.QueueActive, Reason: core.ReasonQueueCreated,
	})
}

// dynamicSettings returns the current settings of a dynamic queue: from the nearest template above, from tags, and inherited ones.
func (q *queue) dynamicSettings() *config.Queue {
	if q.path() == recoveryPath {
		settings := q.parent.settings.Dynamic(q.settings.Name, true, nil)
		settings.AppSort = config.FIFO
		return settings
	}
	settings := q.parent.settings.Dynamic(q.settings.Name, q.isLeaf(), q.nearestTemplate())
	set := q.dynamic.quota
	if set.max != nil {
		settings.Max = set.max.setWithZeros()
	}
	if set.guaranteed != nil {
		settings.Guaranteed = set.guaranteed.setWithZeros()
	}
	if set.maxApplications != nil {
		settings.MaxApplications = *set.maxApplications
	}
	return settings
}

func (q *queue) nearestTemplate() *config.Template {
	for _, at := range q.parent.chain() {
		if at.settings.Template != nil {
			return at.settings.Template
		}
	}
	return nil
}

// setQuota applies the quota tags of an application that was placed in the queue. Limits without a tag stay unchanged.
func (q *queue) setQuota(carried quota) {
	if q.dynamic != nil {
		q.dynamic.quota = q.dynamic.quota.or(carried)
		q.settings = q.dynamicSettings()
	}
}

// settingsWith returns the settings of the queue once these tags are applied.
func (q *queue) settingsWith(carried quota) *config.Queue {
	if q.dynamic == nil {
		return q.settings
	}
	with := *q
	with.dynamic = &dynamic{quota: q.dynamic.quota.or(carried)}
	return with.dynamicSettings()
}

// or returns the quota with the limits of a later one, where that sets any.
func (set quota) or(carried quota) quota {
	return quota{
		max: cmp.Or(carried.max, set.max), guaranteed: cmp.Or(carried.guaranteed, set.guaranteed),
		maxApplications: cmp.Or(carried.maxApplications, set.maxApplications),
	}
}

// renew computes the settings of the dynamic queue and the queues below it again.
func (q *queue) renew() {
	q.draining = false
	q.settings = q.dynamicSettings()
	for _, child := range q.children {
		child.renew()
	}
}

// appLeft records when the last application leaves a dynamic leaf.
func (p *partition) appLeft(q *queue) {
	if q.dynamic != nil && !p.isUsed(q) {
		q.dynamic.isEmpty, q.dynamic.since = true, p.now
	}
}

// emptyQueues lists the dynamic leaves without applications, by path.
func (p *partition) emptyQueues() []*queue {
	empty := slices.DeleteFunc(p.root.subtree(), func(q *queue) bool { return q.dynamic == nil || !q.dynamic.isEmpty })
	slices.SortFunc(empty, func(a, b *queue) int { return cmp.Compare(a.path(), b.path()) })
	return empty
}

// endEmptyQueues removes the dynamic leaves that have been empty for emptyTime, and the dynamic parents that become empty.
func (p *partition) endEmptyQueues() {
	for _, q := range p.emptyQueues() {
		if instant.Add(q.dynamic.since, emptyTime) > p.now {
			continue
		}
		for q.dynamic != nil && len(q.children) == 0 {
			q = p.endQueue(q)
		}
	}
}

// endQueue removes a queue from the tree and returns its parent.
func (p *partition) endQueue(q *queue) *queue {
	p.decide(core.Decision{
		Type: core.QueueState, Queue: q.path(), From: q.state(), To: core.QueueStopped, Reason: core.ReasonQueueEmpty,
	})
	if h := p.aging[agedName{path: q.path()}]; h != nil {
		h.setGone(true, p.now)
	}
	q.parent.children = slices.DeleteFunc(q.parent.children, func(child *queue) bool { return child == q })
	return q.parent
}
