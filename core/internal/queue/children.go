package queue

import (
	"math"

	"github.com/quern-project/quern/core/internal/demandrow"
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/policy"
)

// children keeps the order of a parent's children with pending asks, in three parts. rows describes each of them for the
// search. The tournament finds the first child in order, which nearly always passes the search. If it does not pass, but a sibling
// may, tree finds the next one. It is an ordered tree that is made and updated only when needed.
type children struct {
	order  *Order
	id     queues.ID   // of the parent
	bySlot []queues.ID // None if the slot is free
	free   []int32     // slots that are free
	// inOrder is set while slots are in the order of names, so that slots break ties. It ends with the first add, since children keep
	// their slots. From then on, keys contain names.
	inOrder bool
	policy  *policy.Acting // the policy that orders the children
	table   *policy.Table  // for calls of the policy; nil if native from the start
	native  bool           // keys are computed here, since the built-in rule is in force

	byPriority bool   // priority is the first key
	ages       bool   // children are compared by aged usage
	aged       bool   // the aged usage of all children is that of a later instant than at the last Sync
	epoch      uint64 // Cluster.Epoch with which the keys were made

	changedChildren []queues.ID // since the last Sync
	vacated         bool        // a child with pending asks was removed since the last Sync
	waiting         int         // number of children with pending asks
	rows            demandrow.Rows
	tournament

	// exclusions are the children that did not pass a search in the shrink epoch excludedIn. They cannot pass a later one in that shrink epoch, so
	// they are removed from the tournament until the next shrink epoch.
	exclusions []queues.ID
	excludedIn uint64
	stuckIn    uint64 // the shrink epoch of the last search in the tree

	tree         *index.Index // nil until first needed
	staleEntries []queues.ID  // children whose entries in the tree are out of date
	treeKey      []int64      // scratch

	cluster *Cluster // argument of the current Sync
}

// newChildren makes the order of a parent's children, which are listed by name, with a number of slots.
func (o *Order) newChildren(parent queues.ID, list []queues.ID, slots int, inOrder bool) *children {
	c := &children{
		order: o, id: parent, policy: o.policyOf(parent), byPriority: o.view.Conf(parent).PrioritySort, ages: o.view.Conf(parent).HalfLife > 0,
		rows: demandrow.NewRows(slots, o.types.Width()), bySlot: make([]queues.ID, slots), inOrder: inOrder,
	}
	o.parents[parent] = c
	o.pending[parent] = c.rows.Summary()
	o.places[parent].hasPending, o.places[parent].insideChanged = false, true
	for i := slots - 1; i >= len(list); i-- {
		c.free = append(c.free, int32(i))
	}
	for i, id := range list {
		child := &o.places[id]
		child.parent, child.slot, c.bySlot[i] = parent, int32(i), id
		child.changed, child.filed, child.excluded, child.entryStale = false, false, false, false
		o.markInParent(id, child)
	}
	if c.native = c.answersNatively() && !c.policy.Failing(); !c.native {
		c.makeTable()
	}
	c.reset()
	return c
}

// reset empties the order after a change of the key length. All children have to be filed afterwards.
func (c *children) reset() {
	keyLen := nativeKeys
	if !c.native {
		keyLen = c.table.Keys()
	}
	c.staleEntries, c.tree = nil, nil
	if c.inOrder {
		c.tournament = newTournament(len(c.bySlot), keyLen, 0)
		return
	}
	c.tournament = newTournament(len(c.bySlot), keyLen, nameKeys)
	for slot, child := range c.bySlot {
		if child != queues.None {
			c.tournament.putName(int32(slot), c.order.nameOf(child))
		}
	}
}

func (c *children) stale(cluster *Cluster) bool {
	return len(c.changedChildren) > 0 || c.vacated || c.aged || c.epoch != cluster.Epoch || c.native != c.answersNatively() || !c.native && c.table.Stale()
}

func (c *children) sync(cluster *Cluster) {
	if !c.stale(cluster) {
		return
	}
	c.cluster = cluster
	native, moved := c.answersNatively(), c.epoch != cluster.Epoch || c.aged
	c.epoch, c.aged = cluster.Epoch, false
	all := moved || native != c.native
	if native != c.native {
		c.switchRule(native)
	}
	if !native {
		c.askPolicy(moved)
	} else if all {
		c.fileOthers()
	}
	for _, id := range c.changedChildren {
		child := &c.order.places[id]
		child.changed = false
		c.file(id, child)
	}
	c.changedChildren = c.changedChildren[:0]
	c.vacated = false
	own := &c.order.places[c.id]
	own.hasPending = c.waiting > 0
	if c.rows.TakeChanged() {
		own.insideChanged = true
	}
}

// fileOthers files the children that have not changed themselves.
func (c *children) fileOthers() {
	for _, id := range c.bySlot {
		if child := &c.order.places[id]; id != queues.None && !child.changed {
			c.file(id, child)
		}
	}
}

// file updates a child's row and its place in the order.
func (c *children) file(id queues.ID, child *place) {
	c.markEntryStale(id, child)
	if !child.hasPending {
		if child.filed {
			child.filed, child.excluded = false, false
			c.waiting--
			c.rows.Clear(child.slot)
			c.leave(child.slot)
		}
		return
	}
	limited := false
	if child.bounded {
		limits, full := c.order.view.Bars(id, c.cluster.Largest)
		limited = limits || full
	}
	if limited || child.limited || child.insideChanged || !child.filed || !c.rows.Shows(child.slot, child.failed, c.order.view.OpenedAt(id)) {
		c.fileRow(id, child, limited)
	}
	child.excluded = false
	if c.native {
		first, second := c.computeKey(id, child.slot)
		c.play(c.packed(child, first, packRest(second)))
	} else {
		c.play(c.contestant(child))
	}
}

// fileRow updates a child's row.
func (c *children) fileRow(id queues.ID, child *place, limited bool) {
	if !child.filed {
		child.filed = true
		c.waiting++
	}
	child.limited, child.insideChanged = limited, false
	started, fresh := uint64(math.MaxUint64), uint64(math.MaxUint64)
	if limited {
		started, fresh = c.admitted(id)
	}
	child.shownPriority = c.order.Highest(id)
	c.rows.Set(child.slot, &c.order.pending[id], demandrow.Outside{
		Priority: child.shownPriority, Failed: child.failed, Changed: c.order.view.OpenedAt(id), Started: started, Fresh: fresh,
	})
}

// admitted returns the classes that a child's own max and maxapplications permit: of started applications, and of those that
// have not started yet.
func (c *children) admitted(id queues.ID) (started, fresh uint64) {
	view, row := c.order.view, &c.order.pending[id]
	started, fresh = math.MaxUint64, math.MaxUint64
	if view.MayLimit(id, c.cluster.Largest) {
		room := c.cluster.Scratch
		for t := range room {
			room[t] = view.Room(id, t)
		}
		if row.Exceeds(room) {
			return 0, 0
		}
		started = c.cluster.Within(row.Bits(), room)
		fresh = started
	}
	if view.Full(id) {
		fresh = 0
	}
	return started, fresh
}
