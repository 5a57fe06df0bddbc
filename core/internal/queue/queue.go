// Package queue holds the tree of queues: their limits, what is used and waits in them, and the order of a parent's
// children.
//
// A Queue knows the queues above and below it, not the applications in it: a leaf's are kept by package app, and
// summed up here by whoever owns both.
package queue

import (
	"math"
	"slices"
	"strings"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/pending"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// NotGuaranteed marks a type of which a queue guarantees nothing; an explicit zero is a guarantee of zero.
const NotGuaranteed = -1

// Queue is one queue of the tree.
type Queue struct {
	Conf     *config.Queue
	Path     string
	Parent   *Queue
	Children []*Queue // by name
	Depth    int      // of root: 0
	Draining bool

	Used        resource.Vec // by the allocations in the subtree
	Waiting     resource.Sum // by the pending asks in the subtree
	Asks        int          // pending, in the subtree
	Allocations int          // in the subtree
	Running     int          // applications Starting, Running or Resuming in the subtree
	Live        int          // applications that are not terminal in the subtree
	Seekers     int          // leaves in the subtree in which an ask may be due to preempt

	Max        resource.Vec // resource.Unlimited where not set; of root the cluster's total
	Guaranteed resource.Vec // NotGuaranteed where not set
	FairMax    resource.Vec // the nearest max on the queue or above, below root; Unlimited: none, so root's

	OpenedAt uint64 // the world in which its own headroom last grew while it may have mattered

	// ID is the owner's own number for the queue.
	ID int

	leaving resource.Vec // used by victims that are to leave; nil: there never were any
	awaited resource.Vec // by the pending asks that nodes are kept for; nil as well
	extra   resource.Vec // what will be used more than now: awaited - leaving, at least 0

	types  *resource.Types
	slot   int32 // in the parent
	failed uint64
	queued bool        // in the parent's list of children to sort in
	row    pending.Row // what waits inside
	shown  pending.Row // scratch: a child as this queue files it
	waits  bool        // row describes something

	cluster *Cluster // of the Sync that runs

	order  *index.Index // of children in which something waits
	table  *policy.Table
	keyLen int
	keys   [][policy.MaxKeys]int64 // of children, by slot
	dirty  []*Queue
	seen   uint64 // the epoch of the cluster's total that the order was made with
	key    []int64
}

// New makes a queue of a configuration, below a parent (nil for root). Its limits' types must be known.
func New(conf *config.Queue, parent *Queue, types *resource.Types) *Queue {
	q := &Queue{Conf: conf, Path: conf.Path, Parent: parent, types: types}
	if parent != nil {
		q.Depth = parent.Depth + 1
	}
	width := types.Width()
	q.Used, q.Waiting, q.extra = make(resource.Vec, width), resource.NewSum(width), make(resource.Vec, width)
	q.Max = types.Vec(conf.Max, resource.Unlimited)
	q.Guaranteed = types.Vec(conf.Guaranteed, NotGuaranteed)
	q.setFairMax()
	q.row, q.shown = pending.NewRow(width), pending.NewRow(width)
	return q
}

// setFairMax inherits the nearest max of each type. Root's own follows the nodes and is looked up when needed.
func (q *Queue) setFairMax() {
	q.FairMax = make(resource.Vec, len(q.Max))
	q.FairMax.Fill(resource.Unlimited)
	if q.Parent == nil {
		return
	}
	copy(q.FairMax, q.Parent.FairMax)
	for t, m := range q.Max {
		if m != resource.Unlimited {
			q.FairMax[t] = m
		}
	}
}

// Adopt gives a parent its children, and their order.
func (q *Queue) Adopt(children []*Queue, order *policy.Acting) {
	q.Children = children
	slices.SortFunc(children, func(a, b *Queue) int { return strings.Compare(a.Path, b.Path) })
	q.table = policy.NewTable(order)
	q.keys = make([][policy.MaxKeys]int64, len(children))
	q.dirty, q.waits = nil, false
	for i, c := range children {
		c.Parent, c.slot, c.queued = q, int32(i), false
		q.table.Touch(c.slot)
	}
	q.reset()
	for _, c := range children {
		c.Touch()
	}
}

// SetOrder puts another order of the children in force.
func (q *Queue) SetOrder(order *policy.Acting) {
	if q.table.Acting() != order {
		q.Adopt(q.Children, order)
	}
}

// Disown lets a child go in which nothing is left.
func (q *Queue) Disown(child *Queue) {
	q.Adopt(slices.DeleteFunc(q.Children, func(c *Queue) bool { return c == child }), q.table.Acting())
}

func (q *Queue) reset() {
	q.keyLen = q.table.Keys()
	q.order = pending.NewIndex(q.keyLen+2, q.types.Width())
}

// Leaf reports whether applications run in the queue.
func (q *Queue) Leaf() bool { return q.Conf.Leaf }

// State is the queue's state as decisions name it.
func (q *Queue) State(active, draining string) string {
	if q.Draining {
		return draining
	}
	return active
}

// Widen follows the table of types to a new width, for the queue and everything below. Orders must be adopted anew.
func (q *Queue) Widen(width int) {
	q.Used = q.Used.Widen(width, 0)
	q.Waiting.Widen(width)
	q.extra = q.extra.Widen(width, 0)
	if q.awaited != nil {
		q.leaving, q.awaited = q.leaving.Widen(width, 0), q.awaited.Widen(width, 0)
	}
	q.Max, q.FairMax = q.Max.Widen(width, resource.Unlimited), q.FairMax.Widen(width, resource.Unlimited)
	q.Guaranteed = q.Guaranteed.Widen(width, NotGuaranteed)
	q.row, q.shown = pending.NewRow(width), pending.NewRow(width)
	for _, c := range q.Children {
		c.Widen(width)
	}
	if q.table != nil {
		q.Adopt(q.Children, q.table.Acting())
	}
}

// Touch says that what is used or waits in the queue changed: its place among its siblings is looked at again.
func (q *Queue) Touch() {
	if p := q.Parent; p != nil && !q.queued {
		q.queued = true
		p.dirty = append(p.dirty, q)
	}
}

// Room is what the queue's own max leaves of a type, at least 0, for asks that no node is kept for: beside what is used
// now or, where that is more, what will be.
func (q *Queue) Room(t int) int64 {
	if q.Max[t] == resource.Unlimited {
		return resource.Most
	}
	return max(0, resource.Sub(q.Max[t]-q.extra[t], q.Used[t])) // neither is below 0
}

// Tight reports whether the queue's own max may stand in an ask's way, given the largest ask of each type.
func (q *Queue) Tight(largest resource.Vec) bool {
	for t, m := range q.Max {
		if m != resource.Unlimited && q.Room(t) < largest[t] {
			return true
		}
	}
	return false
}

// Full reports whether the queue is at its maxapplications: what has yet to start waits.
func (q *Queue) Full() bool {
	return q.Conf.MaxApplications > 0 && uint64(q.Running) >= q.Conf.MaxApplications
}

// Priority is the queue's priority as its parent sees it, given the highest priority inside.
func (q *Queue) Priority(inside int32) int32 {
	if q.Parent == nil {
		return inside
	}
	if q.Conf.PriorityFence {
		return q.Conf.PriorityOffset
	}
	sum := int64(inside) + int64(q.Conf.PriorityOffset)
	return int32(min(max(sum, math.MinInt32), math.MaxInt32))
}

// FairShare is the largest share, over the types used or guaranteed, in billionths. total is the cluster's.
func (q *Queue) FairShare(total resource.Vec) int64 {
	share := int64(0)
	for t, used := range q.Used {
		if used > 0 {
			share = max(share, resource.Share(used, q.Denominator(t, total)))
		}
	}
	return share
}

// Denominator is what usage of a type is measured by: what is guaranteed of it, else the nearest max.
func (q *Queue) Denominator(t int, total resource.Vec) int64 {
	switch {
	case q.Guaranteed[t] != NotGuaranteed:
		return q.Guaranteed[t]
	case q.FairMax[t] != resource.Unlimited:
		return q.FairMax[t]
	default:
		return total[t]
	}
}

// PendingShare is the largest share of the cluster, over types, that waits in the queue.
func (q *Queue) PendingShare(total resource.Vec) int64 {
	share := int64(0)
	for t, whole := range total {
		if amount := q.Waiting.At(t); amount > 0 {
			share = max(share, resource.Share(amount, whole))
		}
	}
	return share
}
