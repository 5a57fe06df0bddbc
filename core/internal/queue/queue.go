// Package queue holds the tree of queues: their limits, what is used and waits in them, and the order of a parent's
// children.
//
// A Queue knows the queues above and below it, not the applications in it: a leaf's are kept by package app, and
// summed up here by whoever owns both.
//
// What changes in a queue marks it and the queues above it (MarkChanged), and the next Sync of each parent looks at the
// marked children only. One allocation therefore costs, at each level of the tree: two shares and one path of a tournament,
// the logarithm of the number of children; the child's row is written only where something of it changed. Next looks at the
// winner; where that does not pass the search it passes over a few, and then asks a tree in which an entry costs as much as
// all of the former together (BenchmarkFirstChild, BenchmarkFirstChildHalfStuck). The built-in order works its keys out
// itself, as integers; a module is asked through a table, about the marked children only.
package queue

import (
	"math"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/internal/pending"
	"github.com/quern-project/quern/core/resource"
)

// NotGuaranteed marks a type of which a queue guarantees nothing; an explicit zero is a guarantee of zero.
const NotGuaranteed = notSet

// notSet is what a limit is of a type that it does not name.
const notSet = resource.Unlimited

// Queue is one queue of the tree. What every allocation reads and writes stands first and takes few cache lines; with
// 10,000 queues none of them is in the cache when it is needed.
type Queue struct {
	Parent *Queue

	slot          int32  // in the parent
	offset        int32  // priority.offset
	seenAs        int32  // the highest priority in it as its parent sees it, when its row was last filed
	leaf          bool   // applications run in it
	fenced        bool   // priority.policy is fence
	bounded       bool   // Max bounds some type
	changed       bool   // in the parent's list of children to look at again
	waits         bool   // pending describes something
	filed         bool   // in the parent's order, since something waits
	limited       bool   // its own limits may have kept something out of its row when that was last filed
	insideChanged bool   // pending has changed since its row was last filed
	failed        uint64 // the world in which nothing in it could be placed; 0: not known
	OpenedAt      uint64 // the world in which its own headroom last grew while it may have mattered
	maxRunning    uint64 // maxapplications; 0: no bound
	Running       int    // applications Starting, Running or Resuming in the subtree
	Asks          int    // pending, in the subtree

	Allocations int          // in the subtree
	Used        resource.Vec // by the allocations in the subtree
	measures    resource.Vec // what shares are measured by: guaranteed, else FairMax; Unlimited: the cluster's total
	Waiting     resource.Sum // by the pending asks in the subtree
	Max         resource.Vec // resource.Unlimited where not set; of root the cluster's total
	pending     pending.Row  // what waits inside; of a parent the summary of its children's
	excluded    bool         // filed, but out of the parent's tournament for now
	entryStale  bool         // in the parent's list of children whose entry in the tree is out of date

	ID        int // the owner's own number for the queue
	Depth     int // of root: 0
	Live      int // applications that are not terminal in the subtree
	LeavesDue int // leaves in the subtree in which an ask may be due to preempt

	children

	Conf     *config.Queue
	Path     string
	Shown    string // Path in texts: outside the first partition the name of its own stands before it, as in [gpu]root.a
	Draining bool
	Dynamic  bool // a placement rule has made it

	Guaranteed resource.Vec // NotGuaranteed where not set
	FairMax    resource.Vec // the nearest max on the queue or above, below root; Unlimited: none, so root's

	Limits *limit.Table // of users and groups; nil: none

	leaving resource.Vec // used by allocations that are to leave; nil: there never were any
	claimed resource.Vec // by the pending asks that have claims; nil as well
	landing resource.Vec // by the pending tasks that placeholders leave for; nil as well
	extra   resource.Vec // what will be used more than now: claimed + landing - leaving, at least 0

	Over   *Over // nil: no excess that preemption by quota would end
	Giving int   // victims of its rounds that are still leaving

	types *resource.Types
}

// New makes a queue of a configuration, below a parent (nil for root). Its limits' types must be known.
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

// SetLimits gives a queue the guaranteed, max and maxapplications of a configuration that is otherwise as its own. Nothing
// below it may have inherited them. Their types must be known.
func (q *Queue) SetLimits(conf *config.Queue) {
	q.Conf, q.maxRunning = conf, conf.MaxApplications
	q.Max = q.types.Vec(conf.Max, resource.Unlimited)
	q.Guaranteed = q.types.Vec(conf.Guaranteed, NotGuaranteed)
	q.setFairMax()
	q.pack()
}

// pack moves the vectors that every allocation reads together: those of two types share a cache line.
func (q *Queue) pack() {
	width := len(q.Max)
	memory := make(resource.Vec, 4*width)
	for _, v := range []*resource.Vec{&q.Used, &q.measures, &q.Max} {
		copy(memory, *v)
		*v, memory = memory[:width:width], memory[width:]
	}
	q.Waiting.MoveTo(memory)
}

// setFairMax inherits the nearest max of each type. Root's own follows the nodes and is looked up when needed.
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

// Leaf reports whether applications run in the queue.
func (q *Queue) Leaf() bool { return q.leaf }

// State is the queue's state as decisions name it.
func (q *Queue) State(active, draining string) string {
	if q.Draining {
		return draining
	}
	return active
}

// Widen follows the table of types to a new width, for the queue and everything below. Orders must be adopted again.
func (q *Queue) Widen(width int) {
	q.Waiting.Widen(width)
	for _, v := range []*resource.Vec{&q.Used, &q.extra, &q.leaving, &q.claimed, &q.landing} {
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
		q.house(children, q.policy, len(q.bySlot), q.inOrder)
	}
}

// Room is what the queue's own max leaves of a type, at least 0, for asks without claims: beside what is used
// now or, where that is more, what will be.
func (q *Queue) Room(t int) int64 {
	if q.Max[t] == resource.Unlimited {
		return resource.Most
	}
	return max(0, resource.Sub(q.Max[t]-q.extra[t], q.Used[t])) // neither is below 0
}

// RoomWithout is Room if an allocation of an amount were gone from the queue; below 0 where too much is in use.
func (q *Queue) RoomWithout(t int, amount int64) int64 {
	if q.Max[t] == resource.Unlimited {
		return resource.Most
	}
	return resource.Add(resource.Sub(q.Max[t]-q.extra[t], q.Used[t]), amount)
}

// MayLimit reports whether the queue's own max may stand in an ask's way, given the largest ask of each type.
func (q *Queue) MayLimit(largest resource.Vec) bool {
	if !q.bounded {
		return false
	}
	extra, used := q.extra[:len(q.Max)], q.Used[:len(q.Max)]
	for t, m := range q.Max {
		if m == resource.Unlimited || largest[t] == 0 {
			continue
		}
		if room := m - extra[t]; room < largest[t] || room-used[t] < largest[t] { // the first keeps the second from overflow
			return true
		}
	}
	return false
}

// Full reports whether the queue is at its maxapplications: what has yet to start waits.
func (q *Queue) Full() bool {
	return q.maxRunning > 0 && uint64(q.Running) >= q.maxRunning
}

// Priority is the queue's priority as its parent sees it, given the highest priority inside.
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
