package queue

import (
	"math"
	"slices"

	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/pending"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// Cluster is what a queue's place among its siblings is measured against.
type Cluster struct {
	Total resource.Vec
	Epoch uint64 // grows when Total changes
	World uint64
	// Within returns those of some classes that fit into room.
	Within func(bits uint64, room resource.Vec) uint64
	// Largest is at least the largest ask of each type.
	Largest resource.Vec
	// Scratch is as long as Total, and the tree's to write.
	Scratch resource.Vec
}

// children is the order of a parent's children in which something waits, in three parts. rows describes each of them to
// the search. The tournament finds the first in order, which nearly always passes the search. Where it does not and its
// siblings may, tree finds the next one: a tree in order, made when first needed and brought up to date only then.
type children struct {
	bySlot []*Queue // nil where a slot is free
	free   []int32  // slots that are free
	// inOrder says that slots are in the order of names, so that they tell equals apart. It ends with the first Add, since a child
	// keeps its slot: from then on keys have names in them.
	inOrder bool
	loose   bool // children come and go: lists that have been read hold none
	byName
	policy *policy.Acting // orders them
	table  *policy.Table  // asks the policy, unless native
	native bool           // the keys are worked out here: the policy is the built-in rule

	byPriority bool   // priority is the first key
	seen       uint64 // the epoch of the cluster's total that the keys were made with

	changedChildren []*Queue // since the last Sync
	vacated         bool     // a child that waited is gone since the last Sync
	waiting         int      // children in which something waits
	rows            pending.Rows
	tournament

	// exclusions are the children that a search of the world excludedIn passed over. What cannot be placed in a world cannot be
	// placed later in it either, so they are out of the tournament until the next world.
	exclusions []*Queue
	excludedIn uint64
	stuckIn    uint64 // the world in which the first child in order was last passed over

	tree         *index.Index // nil until needed
	staleEntries []*Queue     // whose entries in the tree are out of date
	treeKey      []int64      // scratch

	cluster *Cluster // of the Sync that runs
}

// Adopt gives a parent its children, and the policy that orders them.
func (q *Queue) Adopt(list []*Queue, order *policy.Acting) {
	slices.SortFunc(list, comparePaths)
	q.house(list, order, len(list), true)
}

// house makes the order again, with so many slots.
func (q *Queue) house(list []*Queue, order *policy.Acting, slots int, inOrder bool) {
	q.children = children{
		policy: order, byPriority: q.Conf.PrioritySort, rows: pending.NewRows(slots, q.types.Width()),
		bySlot: make([]*Queue, slots), inOrder: inOrder, byName: byName{list: list},
	}
	q.pending, q.waits, q.insideChanged = q.rows.Summary(), false, true
	for i := slots - 1; i >= len(list); i-- {
		q.free = append(q.free, int32(i))
	}
	for i, c := range list {
		c.Parent, c.slot, q.bySlot[i] = q, int32(i), c
		c.changed, c.filed, c.excluded, c.entryStale = false, false, false, false
		c.markInParent()
	}
	if q.native = q.answersNatively() && !order.Failing(); !q.native {
		q.makeTable()
	}
	q.reset()
}

// SetOrder puts another policy in force.
func (q *Queue) SetOrder(order *policy.Acting) {
	if q.policy != order {
		q.Adopt(q.Children(), order)
	}
}

// reset empties the order, for keys of another length; every child is about to be filed.
func (q *Queue) reset() {
	keyLen := nativeKeys
	if !q.native {
		keyLen = q.table.Keys()
	}
	q.staleEntries, q.tree = nil, nil
	if q.inOrder {
		q.tournament = newTournament(len(q.bySlot), keyLen, 0)
		return
	}
	q.tournament = newTournament(len(q.bySlot), keyLen, nameKeys)
	for slot, child := range q.bySlot {
		if child != nil {
			q.tournament.putName(int32(slot), q.nameOf(child))
		}
	}
}

// markInParent has the place of the queue among its siblings looked at again.
func (q *Queue) markInParent() {
	if p := q.Parent; p != nil && !q.changed {
		q.changed = true
		p.changedChildren = append(p.changedChildren, q)
	}
}

// MarkChanged says that what is used or waits in the queue changed: its place and those of the queues above it are looked at
// again, and what Fail noted of them no longer holds.
func (q *Queue) MarkChanged() {
	for ; q != nil; q = q.Parent {
		q.failed = 0
		q.markInParent()
	}
}

// Inside is the row of what waits in a leaf, to be written before Describe; a parent's follows from its children.
func (q *Queue) Inside() *pending.Row { return &q.pending }

// Describe takes in whether anything waits in a leaf, and whether its row has changed.
func (q *Queue) Describe(waits, changed bool) {
	q.waits = waits
	q.insideChanged = q.insideChanged || changed
}

// Changed are the children that changed since the last Sync.
func (q *Queue) Changed() []*Queue { return q.changedChildren }

// Stale reports whether Sync has anything to do.
func (q *Queue) Stale(c *Cluster) bool {
	return len(q.changedChildren) > 0 || q.vacated || q.seen != c.Epoch || q.native != q.answersNatively() || !q.native && q.table.Stale()
}

// Sync brings the order of a parent's children up to date, asking the policy about those that changed. Children that
// are parents are in sync already.
func (q *Queue) Sync(c *Cluster) {
	if !q.Stale(c) {
		return
	}
	q.cluster = c
	native, moved := q.answersNatively(), q.seen != c.Epoch
	q.seen = c.Epoch
	all := moved || native != q.native
	if native != q.native {
		q.answer(native)
	}
	if !native {
		q.askPolicy(moved)
	} else if all {
		q.fileUnchanged()
	}
	for _, child := range q.changedChildren {
		child.changed = false
		q.file(child)
	}
	if q.loose {
		clear(q.changedChildren)
	}
	q.changedChildren = q.changedChildren[:0]
	q.vacated = false
	q.waits = q.waiting > 0
	if q.rows.TakeChanged() {
		q.insideChanged = true
	}
}

// fileUnchanged has every child measured again that Sync does not come to for its own sake.
func (q *Queue) fileUnchanged() {
	for _, child := range q.bySlot {
		if child != nil && !child.changed {
			q.file(child)
		}
	}
}

// file brings a child's row and its place in the order up to date.
func (q *Queue) file(child *Queue) {
	q.markEntryStale(child)
	if !child.waits {
		if child.filed {
			child.filed, child.excluded = false, false
			q.waiting--
			q.rows.Clear(child.slot)
			q.leave(child.slot)
		}
		return
	}
	limited := child.MayLimit(q.cluster.Largest) || child.Full()
	if limited || child.limited || child.insideChanged || !child.filed || !q.rows.Shows(child.slot, child.failed, child.OpenedAt) {
		q.fileRow(child, limited)
	}
	child.excluded = false
	if q.native {
		first, second := q.workOutKey(child)
		q.play(q.packed(child, first, restOf(second)))
	} else {
		q.play(q.contestant(child))
	}
}

// fileRow brings a child's row up to date.
func (q *Queue) fileRow(child *Queue, limited bool) {
	if !child.filed {
		child.filed = true
		q.waiting++
	}
	child.limited, child.insideChanged = limited, false
	started, fresh := uint64(math.MaxUint64), uint64(math.MaxUint64)
	if limited {
		started, fresh = child.admitted(q.cluster)
	}
	child.seenAs = child.Highest()
	q.rows.Set(child.slot, &child.pending, pending.Outside{
		Priority: child.seenAs, Failed: child.failed, Changed: child.OpenedAt, Started: started, Fresh: fresh,
	})
}

// admitted are the classes that the queue's own limits let in: of applications that have started, and of those that have
// yet to.
func (q *Queue) admitted(c *Cluster) (started, fresh uint64) {
	started, fresh = math.MaxUint64, math.MaxUint64
	if q.MayLimit(c.Largest) {
		room := c.Scratch
		for t := range room {
			room[t] = q.Room(t)
		}
		if q.pending.Exceeds(room) {
			return 0, 0
		}
		started = c.Within(q.pending.Bits(), room)
		fresh = started
	}
	if q.Full() {
		fresh = 0
	}
	return started, fresh
}

// Highest is the queue's priority as its parent sees it; something must wait.
func (q *Queue) Highest() int32 { return q.Priority(q.pending.Priority()) }
