// Package queue keeps the tree of queues: their limits, their usage and pending asks, and the order of a parent's children.
//
// A Queue knows its parent and children, but not the applications in it. Package app keeps those of a leaf; package state owns both
// and keeps the sums here up to date.
//
// A change in a queue marks it and its ancestors (MarkChanged), and the next Sync of each parent updates only marked children. So an
// allocation costs, at each level of the tree, the computation of two shares and one path of a tournament, which is logarithmic in
// the number of children. The child's row is written only if it changed. Next first tries the winner. If it does not pass the
// search, Next excludes a few children and then uses a tree, in which updating one entry costs as much as all of that together
// (BenchmarkFirstChild, BenchmarkFirstChildHalfStuck). The keys of the built-in order are integers that are computed here. A module is
// asked through a table, only about marked children.
//
// A world is the number of a period in which room only shrinks (state.State.World): what failed in a world cannot succeed later
// in it.
package queue

import (
	"math"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/internal/pending"
	"github.com/quern-project/quern/core/resource"
)

// NotGuaranteed marks a type without a guarantee. An explicit zero is a guarantee of zero.
const NotGuaranteed = notSet

// notSet is the value of a limit for a type that it does not name.
const notSet = resource.Unlimited

// Queue is one queue of the tree. The fields that every allocation uses come first and take few cache lines, since with 10,000 queues
// none of them is in the cache when it is needed.
type Queue struct {
	Parent *Queue

	slot          int32  // slot in the parent
	offset        int32  // priority.offset
	shownPriority int32  // its priority as the parent sees it, as of the last update of its row
	leaf          bool   // see Leaf
	fenced        bool   // priority.policy is fence
	bounded       bool   // Max has a value for some type
	changed       bool   // in the parent's list of changed children
	hasPending    bool   // it has pending asks, which the row pending describes
	filed         bool   // in the parent's order, since it has pending asks
	limited       bool   // its own limits were applied when its row was last filed
	insideChanged bool   // pending has changed since its row was last filed
	failed        uint64 // the world in which no ask in it could be allocated; 0: unknown
	OpenedAt      uint64 // the world in which its own headroom last grew, if asks may have waited for that
	maxRunning    uint64 // maxapplications; 0: unlimited
	Running       int    // applications Starting, Running or Resuming in the subtree
	Asks          int    // pending, in the subtree

	Allocations int          // in the subtree
	Used        resource.Vec // by the allocations in the subtree
	measures    resource.Vec // denominators of shares: guaranteed, or else FairMax; Unlimited means the cluster's total
	Waiting     resource.Sum // by the pending asks in the subtree
	Max         resource.Vec // resource.Unlimited if not set; of root, the cluster's total
	pending     pending.Row  // row of the pending asks inside; of a parent, the summary of its children
	excluded    bool         // filed, but excluded from the parent's tournament for now
	entryStale  bool         // in the parent's staleEntries

	ID        int // number of the queue, set by its owner
	Depth     int // root has 0
	Live      int // applications in the subtree that have not ended
	LeavesDue int // leaves in the subtree in which an ask may be due to preempt

	children

	Conf     *config.Queue
	Path     string
	Shown    string // Path in texts; outside the first partition with its name, as in [gpu]root.a
	Draining bool
	Dynamic  bool // made by a placement rule

	Guaranteed resource.Vec // NotGuaranteed if not set
	FairMax    resource.Vec // the nearest max of the queue or an ancestor below root; Unlimited if there is none, so that root's applies

	Limits *limit.Table // of users and groups; nil if there are none

	leaving   resource.Vec // used by leaving allocations; nil if there never were any
	claimed   resource.Vec // sum of pending asks with claims; nil like leaving
	replacing resource.Vec // sum of pending tasks whose placeholders are leaving; nil like leaving
	extra     resource.Vec // additional future usage: claimed + replacing - leaving, at least 0

	Over         *Over // nil if there is no excess for preemption by quota
	QuotaVictims int   // number of victims of its quota rounds that are still leaving

	types *resource.Types
}

// New makes a queue from its configuration, below a parent, which is nil for root. The types of its limits must be known.
func New(conf *config.Queue, parent *Queue, types *resource.Types) *Queue {
	q := &Queue{Path: conf.Path, Shown: conf.Path, Parent: parent, types: types}
	q.leaf, q.fenced, q.offset = conf.Leaf, conf.PriorityFence, conf.PriorityOffset
	q.Limits = limit.NewTable(conf.Path, conf.Limits)
	if parent != nil {
		q.Depth = parent.Depth + 1
		if parent.Shown != parent.Path {
			q.Shown = parent.Shown + conf.Path[len(parent.Path):]
		}
	}
	width := types.Width()
	q.Used, q.extra, q.Waiting = make(resource.Vec, width), make(resource.Vec, width), resource.NewSum(width)
	q.SetLimits(conf)
	q.pending = pending.NewRow(width)
	return q
}

// SetLimits sets guaranteed, max and maxapplications from a configuration that is otherwise equal to the current one. No queue below
// may have inherited them. The types of the limits must be known.
func (q *Queue) SetLimits(conf *config.Queue) {
	q.Conf, q.maxRunning = conf, conf.MaxApplications
	q.Max = q.types.Vec(conf.Max, resource.Unlimited)
	q.Guaranteed = q.types.Vec(conf.Guaranteed, NotGuaranteed)
	q.setFairMax()
	q.pack()
}

// pack moves the vectors that every allocation reads into contiguous memory. With two types, they share a cache line.
func (q *Queue) pack() {
	width := len(q.Max)
	memory := make(resource.Vec, 4*width)
	for _, v := range []*resource.Vec{&q.Used, &q.measures, &q.Max} {
		copy(memory, *v)
		*v, memory = memory[:width:width], memory[width:]
	}
	q.Waiting.MoveTo(memory)
}

// setFairMax computes FairMax and the denominators of shares. Root's max follows the nodes, and is read when needed.
func (q *Queue) setFairMax() {
	q.FairMax = make(resource.Vec, len(q.Max))
	q.FairMax.Fill(resource.Unlimited)
	if q.Parent != nil {
		copy(q.FairMax, q.Parent.FairMax)
		for t, m := range q.Max {
			if m != resource.Unlimited {
				q.FairMax[t] = m
			}
		}
	}
	q.measures = append(q.measures[:0], q.FairMax...)
	q.bounded = q.Parent == nil
	for t, g := range q.Guaranteed {
		if g != NotGuaranteed {
			q.measures[t] = g
		}
		q.bounded = q.bounded || q.Max[t] != resource.Unlimited
	}
}

// Leaf reports whether the queue is a leaf, which contains applications.
func (q *Queue) Leaf() bool { return q.leaf }

// State returns one of two names of states: active or draining.
func (q *Queue) State(active, draining string) string {
	if q.Draining {
		return draining
	}
	return active
}

// Widen adapts the vectors of the queue and all queues below to a new width of the table of types.
func (q *Queue) Widen(width int) {
	q.Waiting.Widen(width)
	for _, v := range []*resource.Vec{&q.Used, &q.extra, &q.leaving, &q.claimed, &q.replacing} {
		if *v != nil {
			*v = v.Widen(width, 0)
		}
	}
	for _, v := range []*resource.Vec{&q.Max, &q.Guaranteed} {
		*v = v.Widen(width, notSet)
	}
	q.setFairMax()
	q.pack()
	q.pending = pending.NewRow(width)
	children := q.Children()
	for _, c := range children {
		c.Widen(width)
	}
	if q.policy != nil {
		q.rebuild(children, q.policy, len(q.bySlot), q.inOrder)
	}
}

// Room returns how much of a type the queue's own max leaves for asks without claims, at least 0: the max minus Taken.
func (q *Queue) Room(t int) int64 {
	if q.Max[t] == resource.Unlimited {
		return resource.Most
	}
	return max(0, resource.Sub(q.Max[t]-q.extra[t], q.Used[t])) // neither operand is negative
}

// RoomWithout is Room if an allocation of some amount were gone from the queue. It is negative if usage exceeds the max.
func (q *Queue) RoomWithout(t int, amount int64) int64 {
	if q.Max[t] == resource.Unlimited {
		return resource.Most
	}
	return resource.Add(resource.Sub(q.Max[t]-q.extra[t], q.Used[t]), amount)
}

// MayLimit reports whether the queue's own max may bar an ask, given the largest ask of each type.
func (q *Queue) MayLimit(largest resource.Vec) bool {
	if !q.bounded {
		return false
	}
	extra, used := q.extra[:len(q.Max)], q.Used[:len(q.Max)]
	for t, m := range q.Max {
		if m == resource.Unlimited || largest[t] == 0 {
			continue
		}
		if room := m - extra[t]; room < largest[t] || room-used[t] < largest[t] { // the first condition prevents overflow in the second
			return true
		}
	}
	return false
}

// Full reports whether the queue is at its maxapplications, so that no further application may start.
func (q *Queue) Full() bool {
	return q.maxRunning > 0 && uint64(q.Running) >= q.maxRunning
}

// Priority returns the queue's priority as its parent sees it, given the highest priority inside.
func (q *Queue) Priority(inside int32) int32 {
	if q.Parent == nil {
		return inside
	}
	if q.fenced {
		return q.offset
	}
	sum := int64(inside) + int64(q.offset)
	return int32(min(max(sum, math.MinInt32), math.MaxInt32))
}
