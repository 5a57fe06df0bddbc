package victim

import (
	"math"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// disabled reports whether preemption by guarantees is off for a queue or one of its ancestors.
func disabled(tree queues.View, q queues.ID) bool {
	for ; tree.Parent(q) != queues.None; q = tree.Parent(q) {
		if tree.Conf(q).PreemptionPolicy == config.PreemptionDisabled {
			return true
		}
	}
	return false
}

// fenceOf implements law 7: it returns the index in an ask's path of the highest queue in which it may have victims.
func fenceOf(tree queues.View, path []queues.ID) int {
	for i, q := range path[:len(path)-1] {
		if tree.Conf(q).PreemptionPolicy == config.PreemptionFence {
			return i
		}
	}
	return len(path) - 1
}

// entitlements implements law 4 for each queue of a path as the meeting queue: for some type that the ask needs, at least one
// queue below has a guarantee, and each queue below that has one uses less than it. Claims, victims that have not left yet, and
// beside all count as used.
func entitlements(out []bool, tree queues.View, path []queues.ID, ask app.Ask, beside resource.Vec) []bool {
	for i := range path {
		out = append(out, entitled(tree, path[:i], ask, beside))
	}
	return out
}

// entitled applies law 4 to the queues below a meeting queue, for each type that an ask needs.
func entitled(tree queues.View, chain []queues.ID, ask app.Ask, beside resource.Vec) bool {
	for need := range ask.Class().Needs().All {
		more := int64(0)
		if beside != nil {
			more = beside[need.Lane]
		}
		if underGuarantee(tree, chain, need.Lane, more) {
			return true
		}
	}
	return false
}

func underGuarantee(tree queues.View, chain []queues.ID, lane int, more int64) bool {
	guaranteed := false
	for _, q := range chain {
		g := tree.Guaranteed(q, lane)
		if g <= 0 {
			continue
		}
		if resource.Add(usedOrClaimed(tree, q, lane), more) >= g {
			return false
		}
		guaranteed = true
	}
	return guaranteed
}

// usedOrClaimed returns the usage that law 4 counts: allocations and claims.
func usedOrClaimed(tree queues.View, q queues.ID, lane int) int64 {
	return resource.Add(tree.Used(q, lane), tree.Claimed(q, lane))
}

// limitInside converts an upper bound on priorities as a queue's parent sees them to one on priorities inside the queue. It
// returns noVictims if no priority is that low. It inverts queues.View.Priority, whose sums saturate.
func limitInside(conf *config.Queue, limit int64) int64 {
	if conf.PriorityFence {
		if int64(conf.PriorityOffset) <= limit {
			return math.MaxInt32
		}
		return noVictims
	}
	if limit >= math.MaxInt32 {
		return math.MaxInt32
	}
	inside := limit - int64(conf.PriorityOffset)
	if inside < math.MinInt32 {
		return noVictims
	}
	return min(inside, math.MaxInt32)
}

// MayPreemptNow reports whether some ask of a leaf, without a required node, could be entitled to victims with the current usage
// of its queues, regardless of the types that it needs.
func MayPreemptNow(tree queues.View, leaf queues.ID, enabled bool) bool {
	if tree.Conf(leaf).IntraQueue {
		return true
	}
	if !enabled || disabled(tree, leaf) {
		return false
	}
	for lane := range tree.Types() {
		for q := leaf; mayMeetAbove(tree, q); q = tree.Parent(q) {
			g := tree.Guaranteed(q, lane)
			if g > 0 && usedOrClaimed(tree, q, lane) >= g {
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
func MayPreempt(tree queues.View, leaf queues.ID, enabled bool) bool {
	if tree.Conf(leaf).IntraQueue {
		return true
	}
	if !enabled || disabled(tree, leaf) {
		return false
	}
	for q := leaf; mayMeetAbove(tree, q); q = tree.Parent(q) {
		for lane := range tree.Types() {
			if tree.Guaranteed(q, lane) > 0 {
				return true
			}
		}
	}
	return false
}

// mayMeetAbove reports whether asks of a queue may have victims outside it.
func mayMeetAbove(tree queues.View, q queues.ID) bool {
	return tree.Parent(q) != queues.None && tree.Conf(q).PreemptionPolicy != config.PreemptionFence
}
