package victim

import (
	"math"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/resource"
)

// disabled reports whether preemption by guarantees is off for a queue, or for one that it is in.
func disabled(q *queue.Queue) bool {
	for ; q.Parent != nil; q = q.Parent {
		if q.Conf.PreemptionPolicy == config.PreemptionDisabled {
			return true
		}
	}
	return false
}

// fenceOf is law 7: the index in an ask's path of the farthest queue in which it may have victims.
func fenceOf(path []*queue.Queue) int {
	for i, q := range path[:len(path)-1] {
		if q.Conf.PreemptionPolicy == config.PreemptionFence {
			return i
		}
	}
	return len(path) - 1
}

// entitlements is law 4, for each queue of a path as the one where victims meet the ask: for some type that the ask needs,
// a queue below that one has a guarantee, and every queue that has one is below it. Asks that wait for victims count as
// used; victims count until they have left, and what counts beside them.
func entitlements(out []bool, path []*queue.Queue, ask *app.Ask, beside resource.Vec) []bool {
	for i := range path {
		out = append(out, entitled(path[:i], ask, beside))
	}
	return out
}

// entitled reports whether a chain of queues entitles an ask in some type that it needs.
func entitled(chain []*queue.Queue, ask *app.Ask, beside resource.Vec) bool {
	for _, need := range ask.Class.Needs {
		more := int64(0)
		if beside != nil {
			more = beside[need.Lane]
		}
		if underGuarantee(chain, need.Lane, more) {
			return true
		}
	}
	return false
}

func underGuarantee(chain []*queue.Queue, lane int, more int64) bool {
	guaranteed := false
	for _, q := range chain {
		if q.Guaranteed[lane] <= 0 {
			continue
		}
		if resource.Add(usedOrClaimed(q, lane), more) >= q.Guaranteed[lane] {
			return false
		}
		guaranteed = true
	}
	return guaranteed
}

// usedOrClaimed is what law 4 counts as used.
func usedOrClaimed(q *queue.Queue, lane int) int64 {
	return resource.Add(q.Used[lane], q.Claimed(lane))
}

// within turns a bound on priorities as a queue's parent sees them into one as they are inside; noVictims where none
// is that low. It undoes queue.Priority, whose sums saturate.
func within(q *queue.Queue, limit int64) int64 {
	if q.Conf.PriorityFence {
		if int64(q.Conf.PriorityOffset) <= limit {
			return math.MaxInt32
		}
		return noVictims
	}
	if limit >= math.MaxInt32 {
		return math.MaxInt32
	}
	inside := limit - int64(q.Conf.PriorityOffset)
	if inside < math.MinInt32 {
		return noVictims
	}
	return min(inside, math.MaxInt32)
}

// MayPreemptNow reports whether an ask of a leaf without a required node may preempt, by what its queues use now, whatever
// it needs.
func MayPreemptNow(leaf *queue.Queue, enabled bool) bool {
	if leaf.Conf.IntraQueue {
		return true
	}
	if !enabled || disabled(leaf) {
		return false
	}
	for lane := range leaf.Used {
		for q := leaf; q.Parent != nil && q.Conf.PreemptionPolicy != config.PreemptionFence; q = q.Parent {
			g := q.Guaranteed[lane]
			if g > 0 && usedOrClaimed(q, lane) >= g {
				break // not further up either
			}
			if g > 0 {
				return true
			}
		}
	}
	return false
}

// MayPreempt reports whether an ask of a leaf without a required node could ever preempt, by how its queues are configured;
// only then is its delay worth a timer.
func MayPreempt(leaf *queue.Queue, enabled bool) bool {
	if leaf.Conf.IntraQueue {
		return true
	}
	if !enabled || disabled(leaf) {
		return false
	}
	for q := leaf; q.Parent != nil && q.Conf.PreemptionPolicy != config.PreemptionFence; q = q.Parent {
		for _, g := range q.Guaranteed {
			if g > 0 {
				return true
			}
		}
	}
	return false
}
