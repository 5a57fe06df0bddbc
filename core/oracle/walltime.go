package oracle

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
)

// A walltime is a promise: the allocation ends at most that long after it was made. An allocation that is still there then, after all inputs
// of the instant, is asked to leave, unless it may stay.

// promise is the walltime of an ask as it was worked out when the ask was added.
type promise struct {
	walltime time.Duration  // 0: no end is promised
	most     time.Duration  // the walltime.max that was in force; 0: none
	allow    bool           // it may stay
	since    *time.Duration // of a restored allocation: when it was made, if that was before
	by       *time.Duration // of an allocation: the end that a window sets, if its walltime does not set an earlier one
}

// promiseOf works out the walltime of an ask in its queue.
func (a *app) promiseOf(in *core.AddAsk) promise {
	s := a.queue.settings.Walltime
	p := promise{walltime: in.Walltime, most: time.Duration(s.Max), allow: s.AllowOverrun}
	if in.Overrun != "" {
		p.allow = in.Overrun == core.OverrunAllow
	}
	if p.walltime == 0 && !in.Placeholder {
		p.walltime = time.Duration(s.Default)
		if p.most > 0 && (p.walltime == 0 || p.walltime > p.most) {
			p.walltime = p.most
		}
	}
	return p
}

func (p promise) isExceededBy(walltime time.Duration) bool { return p.most > 0 && walltime > p.most }

// began returns when an allocation was made, also if that was before it was restored.
func (k *ask) began() time.Duration {
	if k.promise.since != nil {
		return *k.promise.since
	}
	return k.allocated
}

// ends returns the promised end of an allocation, or instant.Never.
func (k *ask) ends() time.Duration {
	end := instant.Never
	if k.node != nil && k.promise.walltime > 0 {
		end = instant.Add(k.began(), k.promise.walltime)
	}
	if k.promise.by != nil {
		end = min(end, *k.promise.by)
	}
	return end
}

// mustEnd reports whether the end of an allocation is enforced. One that was asked to leave is not asked again.
func (k *ask) mustEnd() bool {
	return k.ends() != instant.Never && !k.promise.allow && !k.isLeaving()
}

// promisedEnds lists when allocations must leave.
func (p *partition) promisedEnds() []time.Duration {
	var all []time.Duration
	for _, k := range p.ownAsks() {
		if k.mustEnd() {
			all = append(all, k.ends())
		}
	}
	return all
}

// endOverruns asks the allocations to leave that have stayed after their promised ends. It reports whether there are any.
func (o *Oracle) endOverruns() (ended bool) {
	for _, p := range o.partitions {
		for _, k := range inAllocationOrder(p.ownAsks()) {
			if !k.mustEnd() || k.ends() > o.now {
				continue
			}
			p.decide(core.Decision{Type: core.Exceeded, ID: k.id, App: k.app.id, Node: k.node.id, Reason: k.whyEnds(), Placement: k.placement})
			k.leaves, k.leavesSince = core.ReasonTimeout, p.now
			k.lost(core.ReasonTimeout)
			ended, o.changed = true, true
		}
		p.updateOverQuota()
	}
	return ended
}

// whyEnds returns whether the walltime or a window sets the promised end of an allocation.
func (k *ask) whyEnds() core.Reason {
	own := *k
	own.promise.by = nil
	if own.ends() > k.ends() {
		return core.ReasonWindow
	}
	return core.ReasonWalltime
}
