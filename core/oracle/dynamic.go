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

// emptyTime is how long a dynamic leaf without applications stays.
const emptyTime = 10 * time.Second

// dynamic is what a queue has that a placement rule has made.
type dynamic struct {
	quota   quota         // what the tags of its applications have set
	isEmpty bool          // a leaf whose last application has left
	since   time.Duration // of isEmpty
}

// quota is what tags set; nil: they have not set it.
type quota struct {
	max, guaranteed *amounts
	maxApplications *uint64
}

// newQueue makes the leaf of a name, and all that is missing above it, without putting them into the tree.
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

// attach puts a queue into the tree, and those above it that are not there, from the top down.
func (p *partition) attach(q *queue) {
	if q.parent == nil || slices.Contains(q.parent.children, q) {
		return
	}
	p.attach(q.parent)
	q.parent.children = append(q.parent.children, q)
	p.decide(core.Decision{
		Type: core.QueueState, Queue: q.path(),
		From: core.QueueStopped, To: core.QueueActive, Reason: core.ReasonQueueCreated,
	})
}

// dynamicSettings are those that a dynamic queue has now: of the nearest template above, of tags, and inherited.
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

// setQuota applies the tags of an application that was placed in the queue. Only those that it carries count.
func (q *queue) setQuota(carried quota) {
	if q.dynamic != nil {
		q.dynamic.quota = q.dynamic.quota.or(carried)
		q.settings = q.dynamicSettings()
	}
}

// settingsWith are the settings of the queue once these tags are applied.
func (q *queue) settingsWith(carried quota) *config.Queue {
	if q.dynamic == nil {
		return q.settings
	}
	with := *q
	with.dynamic = &dynamic{quota: q.dynamic.quota.or(carried)}
	return with.dynamicSettings()
}

// or is the quota with what was carried later.
func (set quota) or(carried quota) quota {
	return quota{
		max: cmp.Or(carried.max, set.max), guaranteed: cmp.Or(carried.guaranteed, set.guaranteed),
		maxApplications: cmp.Or(carried.maxApplications, set.maxApplications),
	}
}

// renew gives the dynamic queue and those below their settings again.
func (q *queue) renew() {
	q.draining = false
	q.settings = q.dynamicSettings()
	for _, child := range q.children {
		child.renew()
	}
}

// appLeft notes when the last application left a dynamic leaf.
func (p *partition) appLeft(q *queue) {
	if q.dynamic != nil && !p.isUsed(q) {
		q.dynamic.isEmpty, q.dynamic.since = true, p.now
	}
}

// emptyQueues lists the dynamic leaves that no application is in, by path.
func (p *partition) emptyQueues() []*queue {
	empty := slices.DeleteFunc(p.root.subtree(), func(q *queue) bool { return q.dynamic == nil || !q.dynamic.isEmpty })
	slices.SortFunc(empty, func(a, b *queue) int { return cmp.Compare(a.path(), b.path()) })
	return empty
}

// endEmptyQueues ends the dynamic leaves whose time is over, and with each the dynamic parents that it leaves empty.
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

// endQueue takes a queue out of the tree and gives the one above.
func (p *partition) endQueue(q *queue) *queue {
	p.decide(core.Decision{
		Type: core.QueueState, Queue: q.path(), From: q.state(), To: core.QueueStopped, Reason: core.ReasonQueueEmpty,
	})
	q.parent.children = slices.DeleteFunc(q.parent.children, func(child *queue) bool { return child == q })
	return q.parent
}
