package preempt

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

// fenceOf is law 7: the index in a path of the farthest queue that an ask may look into.
func fenceOf(path []*queue.Queue) int {
	for i, q := range path[:len(path)-1] {
		if q.Conf.PreemptionPolicy == config.PreemptionFence {
			return i
		}
	}
	return len(path) - 1
}

// entitlements is law 4, for each queue of a path as the place where victims meet the ask: in some type that the ask
// needs, a queue below that place guarantees something, and every one that does is under it. Asks that wait for
// victims count as used; victims do so until they have left.
func entitlements(out []bool, path []*queue.Queue, ask *app.Ask) []bool {
	for i := range path {
		out = append(out, entitled(path[:i], ask))
	}
	return out
}

func entitled(chain []*queue.Queue, ask *app.Ask) bool {
	for _, need := range ask.Class.Needs {
		if under(chain, need.Lane) {
			return true
		}
	}
	return false
}

func under(chain []*queue.Queue, lane int) bool {
	guaranteed := false
	for _, q := range chain {
		if q.Guaranteed[lane] <= 0 {
			continue
		}
		if claimed(q, lane) >= q.Guaranteed[lane] {
			return false
		}
		guaranteed = true
	}
	return guaranteed
}

// claimed is what law 4 counts as used.
func claimed(q *queue.Queue, lane int) int64 { return resource.Add(q.Used[lane], q.Awaits(lane)) }

// within turns a bound on priorities as a queue's parent sees them into one as they are inside; nobody where none is
// that low. It undoes queue.Priority, whose sums saturate.
func within(q *queue.Queue, limit int64) int64 {
	if q.Conf.PriorityFence {
		if int64(q.Conf.PriorityOffset) <= limit {
			return math.MaxInt32
		}
		return noPriority
	}
	if limit >= math.MaxInt32 {
		return math.MaxInt32
	}
	inside := limit - int64(q.Conf.PriorityOffset)
	if inside < math.MinInt32 {
		return noPriority
	}
	return min(inside, math.MaxInt32)
}

// MayPreemptNow reports whether an ask of a leaf may preempt without a required node as its queues stand, whatever it needs.
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
			if g > 0 && claimed(q, lane) >= g {
				break // nor for any place further up
			}
			if g > 0 {
				return true
			}
		}
	}
	return false
}

// MayPreempt reports whether an ask of a leaf could ever preempt without a required node, as its queues are configured:
// then it is worth waiting for its delay.
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
