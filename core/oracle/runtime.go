package oracle

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
)

// minRuntime returns how long the allocation of an ask runs before it may be a victim. A min_runtime of its own takes the place of its queue's,
// up to the most that the queue permits: as much as its own, unless it says more.
func (k *ask) minRuntime() time.Duration {
	s := k.app.queue.settings.MinRuntime
	switch {
	case k.isPlaceholder():
		return 0
	case k.least == 0:
		return time.Duration(s.Default)
	case s.Max > 0:
		return min(k.least, time.Duration(s.Max))
	}
	return min(k.least, time.Duration(s.Default))
}

// sparedUntil returns when an allocation has run long enough to be a victim, or 0 if it has.
func (p *partition) sparedUntil(v *ask) time.Duration {
	since := v.allocated
	if v.promise.since != nil {
		since = *v.promise.since
	}
	if until := instant.Add(since, v.minRuntime()); v.minRuntime() > 0 && until > p.now {
		return until
	}
	return 0
}

// spares reports whether an allocation has not run long enough. Preemption for required nodes and by quota waits only for those of queues that
// say so.
func (p *partition) spares(v *ask, byRight core.Right) bool {
	free := byRight == core.RightRequiredNode || byRight == core.RightQuota
	return p.sparedUntil(v) > 0 && (!free || v.app.queue.settings.MinRuntime.Required)
}

// nextUnspared returns the first instant at which an allocation in the queue that preemption by quota spares has run long enough, or 0.
func (p *partition) nextUnspared(q *queue) time.Duration {
	next := time.Duration(0)
	for _, a := range p.liveApps(q) {
		for _, k := range a.allocated() {
			if until := p.sparedUntil(k); !k.isLeaving() && p.spares(k, core.RightQuota) && (next == 0 || until < next) {
				next = until
			}
		}
	}
	return next
}

// chances lists when asks that find no victims now may find some: an allocation has run long enough, or a budget permits more.
func (p *partition) chances() []time.Duration {
	var all []time.Duration
	for _, k := range p.ownAsks() {
		if k.node != nil {
			all = append(all, p.sparedUntil(k))
		}
	}
	for _, q := range p.root.subtree() {
		for _, at := range q.victims {
			all = append(all, q.settings.Budget.Within.After(at))
		}
	}
	return all
}
