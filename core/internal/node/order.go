package node

import "github.com/quern-project/quern/core/internal/class"

// order is some of the nodes, each with a score. Reserved ones stand apart as well, since who may take them depends on
// the ask.
type order struct {
	pool *Pool
	all  tournament // every member; closed are those that no search for the first open node may return
	held tournament // the members that are reserved, and not bound to an ask that requires them
	seen uint32     // the least demand by which nodes are closed
}

// file brings a member's entry up to date, given its score and what it has free. A node that is refused takes part in no
// search.
func (o *order) file(n *Node, score int64, refused bool) {
	refused = refused || !n.available()
	open := score
	if refused || n.Hold.IsReserved() || n.Hold.IsRequired() || !o.pool.least.fit(o.pool.free.of(n.Slot)) {
		open = closed
	}
	at := o.all.position(n.Slot)
	o.all.set(at, open)
	if o != &o.pool.order { // whose blocks are marked where the most free may be another one
		o.all.most.mark(int(at >> fanoutShift))
	}
	if n.Hold.IsReserved() || o.held.count > 0 {
		o.fileHeld(n, score, refused)
	}
}

// fileHeld brings the entry of a reserved node up to date, and drops that of another one.
func (o *order) fileHeld(n *Node, score int64, refused bool) {
	at := o.held.position(n.Slot)
	if refused || !n.Hold.IsReserved() || n.Hold.IsRequired() {
		if at != none {
			o.held.remove(n.Slot)
		}
		return
	}
	if at == none {
		o.held.insert(n.Slot)
		at = o.held.position(n.Slot)
	}
	o.held.set(at, score)
	o.held.most.mark(int(at >> fanoutShift))
}

// drop removes a member, whose slot may be another node's by now.
func (o *order) drop(slot int32) {
	o.all.remove(slot)
	if o.held.position(slot) != none {
		o.held.remove(slot)
	}
}

// outdated lists the members that the least demand closes or opens otherwise than when they were filed.
func (o *order) outdated() (slots []int32) {
	least := &o.pool.least
	if o.seen == least.version {
		return nil
	}
	o.seen = least.version
	for position, slot := range o.all.nodes {
		if slot == none {
			continue
		}
		if least.fit(o.pool.free.of(slot)) == (o.all.scores.at(int32(position)) == closed) {
			slots = append(slots, slot)
		}
	}
	return slots
}

// query is a search for the best node of one or several orders.
type query struct {
	pool      *Pool
	class     *class.Class
	mayTake   func(*Node) bool
	also      []class.Constraint // to be checked node by node, beside what the orders searched are about
	contested bool

	best  *Node
	score int64
}

// search lets a query look at the nodes of an order.
func (q *query) search(o *order) {
	if len(q.also) == 0 {
		q.consider(&o.all, o.all.first(q.class, nil))
	} else {
		q.consider(&o.all, o.all.first(q.class, q.meets))
	}
	if o.held.count > 0 {
		q.consider(&o.held, o.held.first(q.class, q.granted))
	}
}

// consider keeps a node if it is the best so far.
func (q *query) consider(t *tournament, position int32) {
	if position == none {
		return
	}
	slot, score := t.nodes[position], t.scores.at(position)
	if q.best == nil || score > q.score || score == q.score && q.pool.precedes(slot, q.best.Slot) {
		q.best, q.score = q.pool.nodes.Items[slot], score
	}
}

func (q *query) meets(slot int32) bool {
	return len(q.also) == 0 || class.Allows(q.also, q.pool.nodes.Items[slot].Attributes)
}

// granted reports whether the class may take a reserved node that has the room.
func (q *query) granted(slot int32) bool {
	if !q.meets(slot) {
		return false
	}
	q.contested = true
	return q.mayTake(q.pool.nodes.Items[slot])
}
