// Package queue derives the order of a parent's children from the queues of a partition, which package state/queues owns.
//
// Order is the only way in. Package schedule has one for each partition. It follows the change log of the state with Add, Remove and
// MarkChanged, and can be made again from the state at any time, with equal decisions. Package app keeps the order of the applications in a
// leaf.
//
// A change in a queue marks it and its ancestors (MarkChanged), and the next Sync of each parent updates only marked children. So an
// allocation costs, at each level of the tree, the computation of two shares and one path of a tournament, which is logarithmic in
// the number of children. The child's row is written only if it changed. Next first tries the winner. If it does not pass the
// search, Next excludes a few children and then uses a tree, in which updating one entry costs as much as all of that together
// (BenchmarkFirstChild, BenchmarkFirstChildHalfStuck). The keys of the built-in order are integers that are computed here. A module is
// asked through a table, only about marked children.
//
// A shrink epoch is the number of a period in which room only shrinks (state.State.ShrinkEpoch): what failed in a shrink epoch cannot succeed later
// in it.
package queue

import (
	"github.com/quern-project/quern/core/internal/demandrow"
	"github.com/quern-project/quern/core/internal/state/aged"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// Cluster holds the data of the cluster that determine the place of a queue among its siblings.
type Cluster struct {
	Total       resource.Vec
	Epoch       uint64 // incremented when Total changes
	ShrinkEpoch uint64 // see the package comment
	// Within returns the classes in a set of bits that fit into room.
	Within func(bits uint64, room resource.Vec) uint64
	// Largest is an upper bound of what any ask needs, by type.
	Largest resource.Amounts
	// Scratch is memory of the length of Total for the tree's use.
	Scratch resource.Vec
}

// Policy returns the policy that orders the children of a parent.
type Policy func(parent queues.ID) *policy.Acting

// Usage returns the usage by which a parent with a half-life orders a child.
type Usage func(child queues.ID) aged.Reader

// Order keeps the order of the children of every parent. Make one with New.
type Order struct {
	view     queues.View
	types    resource.TypeView
	policyOf Policy
	usageOf  Usage

	places  []place
	pending []demandrow.Row // of the pending asks in each queue; of a parent, the summary of its children
	parents []*children     // nil for leaves
}

// place describes a queue among its siblings.
type place struct {
	failed        uint64 // the shrink epoch in which no ask in it could be allocated; 0: unknown
	parent        queues.ID
	slot          int32 // slot in the parent
	shownPriority int32 // its priority as the parent sees it, as of the last update of its row
	changed       bool  // in the parent's list of changed children
	hasPending    bool  // it has pending asks, which its row describes
	filed         bool  // in the parent's order, since it has pending asks
	limited       bool  // its own limits were applied when its row was last filed
	insideChanged bool  // its row of pending asks has changed since its row among the siblings was last filed
	excluded      bool  // filed, but excluded from the parent's tournament for now
	entryStale    bool  // in the parent's staleEntries
	bounded       bool  // it has a max or maxapplications
}

// New makes the order of the queues of a view.
func New(view queues.View, types resource.TypeView, of Policy, usage Usage) *Order {
	o := &Order{view: view, types: types, policyOf: of, usageOf: usage}
	o.Rebuild()
	return o
}

// Rebuild makes everything again from the queues. Their pending asks have to be described again.
func (o *Order) Rebuild() {
	n := o.view.Len()
	o.places, o.pending, o.parents = make([]place, n), make([]demandrow.Row, n), make([]*children, n)
	o.rebuildBelow(o.view.Root())
}

func (o *Order) rebuildBelow(q queues.ID) {
	o.add(q)
	if o.view.IsLeaf(q) {
		return
	}
	list := make([]queues.ID, 0, o.view.NumChildren(q))
	for child := range o.view.Children(q) {
		o.rebuildBelow(child)
		list = append(list, child)
	}
	o.parents[q] = o.newChildren(q, list, len(list), true)
}

// add makes the record of a queue.
func (o *Order) add(q queues.ID) {
	for int(q) >= len(o.places) {
		o.places, o.pending, o.parents = append(o.places, place{}), append(o.pending, demandrow.Row{}), append(o.parents, nil)
	}
	o.places[q], o.parents[q] = place{bounded: o.view.IsBounded(q)}, nil
	o.pending[q] = demandrow.NewRow(o.types.Width())
}

// Widen adapts rows to a new width of the table of types.
func (o *Order) Widen() {
	width := o.types.Width()
	for q := range o.pending {
		o.pending[q] = demandrow.NewRow(width)
	}
	for q, c := range o.parents {
		if c != nil {
			o.parents[q] = o.newChildren(queues.ID(q), c.byName(), len(c.bySlot), c.inOrder)
		}
	}
}

// SetPolicies adopts the policies that order the children of each parent now.
func (o *Order) SetPolicies() {
	for q, c := range o.parents {
		if c != nil && c.policy != o.policyOf(queues.ID(q)) {
			list := c.byName()
			o.parents[q] = o.newChildren(queues.ID(q), list, len(list), true)
		}
	}
}

// MarkChanged must be called when usage or pending asks of a queue change. The next Sync updates its place and those of its
// ancestors. It clears their records of Fail.
func (o *Order) MarkChanged(q queues.ID) {
	for q != queues.None {
		p := &o.places[q]
		p.failed = 0
		o.markInParent(q, p)
		q = p.parent
	}
}

// markInParent makes the parent's next Sync update the place of a queue among its siblings.
func (o *Order) markInParent(q queues.ID, p *place) {
	if p.parent != queues.None && !p.changed {
		p.changed = true
		c := o.parents[p.parent]
		c.changedChildren = append(c.changedChildren, q)
	}
}

// PendingRow returns the row of a leaf's pending asks, which the owner of the leaf writes before it calls SetPending. A parent's row is
// computed from its children.
func (o *Order) PendingRow(leaf queues.ID) *demandrow.Row { return &o.pending[leaf] }

// SetPending sets whether a leaf has pending asks, and records whether its row has changed.
func (o *Order) SetPending(leaf queues.ID, waits, changed bool) {
	p := &o.places[leaf]
	p.hasPending = waits
	p.insideChanged = p.insideChanged || changed
}

// LimitsChanged must be called when a queue gets another max or maxapplications.
func (o *Order) LimitsChanged(q queues.ID) { o.places[q].bounded = o.view.IsBounded(q) }

// IsBounded reports whether a queue has a max or maxapplications.
func (o *Order) IsBounded(q queues.ID) bool { return o.places[q].bounded }

// IsLeaf reports whether a queue is a leaf.
func (o *Order) IsLeaf(q queues.ID) bool { return o.parents[q] == nil }

// Changed lists the children of a parent that changed since the last Sync. The list belongs to the order.
func (o *Order) Changed(parent queues.ID) []queues.ID { return o.parents[parent].changedChildren }

// Stale reports whether Sync would do anything.
func (o *Order) Stale(parent queues.ID, c *Cluster) bool { return o.parents[parent].stale(c) }

// Sync brings the order of a parent's children up to date. It asks the policy about changed children. Children that are parents
// must be in sync already.
func (o *Order) Sync(parent queues.ID, c *Cluster) { o.parents[parent].sync(c) }

// Highest returns a queue's priority as its parent sees it. The queue must have pending asks.
func (o *Order) Highest(q queues.ID) int32 { return o.view.Priority(q, o.pending[q].Priority()) }
