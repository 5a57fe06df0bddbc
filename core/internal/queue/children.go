package queue

import (
	"math"
	"slices"

	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/pending"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// Cluster holds the data of the cluster that determine the place of a queue among its siblings.
type Cluster struct {
	Total resource.Vec
	Epoch uint64 // incremented when Total changes
	World uint64 // see the package comment
	// Within returns the classes in a set of bits that fit into room.
	Within func(bits uint64, room resource.Vec) uint64
	// Largest is an upper bound of what any ask needs, by type.
	Largest resource.Vec
	// Scratch is memory of the length of Total for the tree's use.
	Scratch resource.Vec
}

// children keeps the order of a parent's children with pending asks, in three parts. rows describes each of them for the
// search. The tournament finds the first child in order, which nearly always passes the search. If it does not pass, but a sibling
// may, tree finds the next one. It is an ordered tree that is made and updated only when needed.
type children struct {
	bySlot []*Queue // nil if the slot is free
	free   []int32  // slots that are free
	// inOrder is set while slots are in the order of names, so that slots break ties. It ends with the first Add, since children keep
	// their slots. From then on, keys contain names.
	inOrder   bool
	removable bool // children may be removed, so lists that were read must not refer to any
	byName
	policy *policy.Acting // the policy that orders the children
	table  *policy.Table  // for calls of the policy; nil if native from the start
	native bool           // keys are computed here, since the built-in rule is in force

	byPriority bool   // priority is the first key
	epoch      uint64 // Cluster.Epoch with which the keys were made

	changedChildren []*Queue // since the last Sync
	vacated         bool     // a child with pending asks was removed since the last Sync
	waiting         int      // number of children with pending asks
	rows            pending.Rows
	tournament

	// exclusions are the children that did not pass a search in the world excludedIn. They cannot pass a later one in that world, so
	// they are removed from the tournament until the next world.
	exclusions []*Queue
	excludedIn uint64
	stuckIn    uint64 // the world of the last search in the tree

	tree         *index.Index // nil until first needed
	staleEntries []*Queue     // children whose entries in the tree are out of date
	treeKey      []int64      // scratch

	cluster *Cluster // argument of the current Sync
}

// Adopt sets the children of a parent, and the policy that orders them.
func (q *Queue) Adopt(list []*Queue, order *policy.Acting) {
	slices.SortFunc(list, comparePaths)
	q.rebuild(list, order, len(list), true)
}

// rebuild makes the order again, with a number of slots.
func (q *Queue) rebuild(list []*Queue, order *policy.Acting, slots int, inOrder bool) {
	q.children = children{
		policy: order, byPriority: q.Conf.PrioritySort, rows: pending.NewRows(slots, q.types.Width()),
		bySlot: make([]*Queue, slots), inOrder: inOrder, byName: byName{list: list},
	}
	q.pending, q.hasPending, q.insideChanged = q.rows.Summary(), false, true
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

// SetOrder changes the policy that orders the children.
func (q *Queue) SetOrder(order *policy.Acting) {
	if q.policy != order {
		q.Adopt(q.Children(), order)
	}
}

// reset empties the order after a change of the key length. All children have to be filed afterwards.
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

// markInParent makes the parent's next Sync update the place of the queue among its siblings.
func (q *Queue) markInParent() {
	if p := q.Parent; p != nil && !q.changed {
		q.changed = true
		p.changedChildren = append(p.changedChildren, q)
	}
}

// MarkChanged must be called when usage or pending asks of the queue change. The next Sync updates its place and those of its
// ancestors. It clears their records of Fail.
func (q *Queue) MarkChanged() {
	for ; q != nil; q = q.Parent {
		q.failed = 0
		q.markInParent()
	}
}

// PendingRow returns the row of a leaf's pending asks, which the owner of the leaf writes before it calls SetPending. A parent's row is
// computed from its children.
func (q *Queue) PendingRow() *pending.Row { return &q.pending }

// SetPending sets whether a leaf has pending asks, and records whether its row has changed.
func (q *Queue) SetPending(waits, changed bool) {
	q.hasPending = waits
	q.insideChanged = q.insideChanged || changed
}

// Changed lists the children that changed since the last Sync.
func (q *Queue) Changed() []*Queue { return q.changedChildren }

// Stale reports whether Sync would do anything.
func (q *Queue) Stale(c *Cluster) bool {
	return len(q.changedChildren) > 0 || q.vacated || q.epoch != c.Epoch || q.native != q.answersNatively() || !q.native && q.table.Stale()
}

// Sync brings the order of a parent's children up to date. It asks the policy about changed children. Children that are parents
// must be in sync already.
func (q *Queue) Sync(c *Cluster) {
	if !q.Stale(c) {
		return
	}
	q.cluster = c
	native, moved := q.answersNatively(), q.epoch != c.Epoch
	q.epoch = c.Epoch
	all := moved || native != q.native
	if native != q.native {
		q.switchRule(native)
	}
	if !native {
		q.askPolicy(moved)
	} else if all {
		q.fileOthers()
	}
	for _, child := range q.changedChildren {
		child.changed = false
		q.file(child)
	}
	if q.removable {
		clear(q.changedChildren)
	}
	q.changedChildren = q.changedChildren[:0]
	q.vacated = false
	q.hasPending = q.waiting > 0
	if q.rows.TakeChanged() {
		q.insideChanged = true
	}
}

// fileOthers files the children that have not changed themselves.
func (q *Queue) fileOthers() {
	for _, child := range q.bySlot {
		if child != nil && !child.changed {
			q.file(child)
		}
	}
}

// file updates a child's row and its place in the order.
func (q *Queue) file(child *Queue) {
	q.markEntryStale(child)
	if !child.hasPending {
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
		first, second := q.computeKey(child)
		q.play(q.packed(child, first, packRest(second)))
	} else {
		q.play(q.contestant(child))
	}
}

// fileRow updates a child's row.
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
	child.shownPriority = child.Highest()
	q.rows.Set(child.slot, &child.pending, pending.Outside{
		Priority: child.shownPriority, Failed: child.failed, Changed: child.OpenedAt, Started: started, Fresh: fresh,
	})
}

// admitted returns the classes that the queue's own max and maxapplications permit: of started applications, and of those that
// have not started yet.
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

// Highest returns the queue's priority as its parent sees it. The queue must have pending asks.
func (q *Queue) Highest() int32 { return q.Priority(q.pending.Priority()) }
