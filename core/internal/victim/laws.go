package victim

import (
	"math"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/resource"
)

// disabled reports whether preemption by guarantees is off for a queue or one of its ancestors.
func disabled(q *queue.Queue) bool {
	for ; q.Parent != nil; q = q.Parent {
		if q.Conf.PreemptionPolicy == config.PreemptionDisabled {
			return true
		}
	}
	return false
}

// fenceOf implements law 7: it returns the index in an ask's path of the highest queue in which it may have victims.
func fenceOf(path []*queue.Queue) int {
	for i, q := range path[:len(path)-1] {
		if q.Conf.PreemptionPolicy == config.PreemptionFence {
			return i
		}
	}
	return len(path) - 1
}

// entitlements implements law 4 for each queue of a path as the meeting queue: for some type that the ask needs, at least one
// queue below has a guarantee, and each queue below that has one uses less than it. Claims, victims that have not left yet, and
// beside all count as used.
func entitlements(out []bool, path []*queue.Queue, ask app.Ask, beside resource.Vec) []bool {
	for i := range path {
		out = append(out, entitled(path[:i], ask, beside))
	}
	return out
}

// entitled applies law 4 to the queues below a meeting queue, for each type that an ask needs.
func entitled(chain []*queue.Queue, ask app.Ask, beside resource.Vec) bool {
	for _, need := range ask.Class().Needs {
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

// usedOrClaimed returns the usage that law 4 counts: allocations and claims.
func usedOrClaimed(q *queue.Queue, lane int) int64 {
	return resource.Add(q.Used[lane], q.Claimed(lane))
}

// limitInside converts an upper bound on priorities as a queue's parent sees them to one on priorities inside the queue. It
// returns noVictims if no priority is that low. It inverts queue.Priority, whose sums saturate.
func limitInside(q *queue.Queue, limit int64) int64 {
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

// MayPreemptNow reports whether some ask of a leaf, without a required node, could be entitled to victims with the current usage
// of its queues, regardless of the types that it needs.
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
				break // law 4 does not hold for any queue further up either
			}
			if g > 0 {
				return true
			}
		}
	}
	return false
}

// MayPreempt reports whether some ask of a leaf, without a required node, could ever preempt under the configuration of its
// queues. Only then does the delay of its asks need a timer.
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
