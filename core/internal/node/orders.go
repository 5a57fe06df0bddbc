package node

import (
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/index"
)

// orders are some nodes, best first: by score, then by ID, with their free room as lanes. Reserved ones stand apart,
// since who may take them depends on who asks; those held for an ask that requires them are in no search but count for
// the room there is.
type orders struct {
	open, held, bound *index.Index
}

func newOrders(width int) orders {
	return orders{open: index.New(2, width, 0), held: index.New(2, width, 0), bound: index.New(2, width, 0)}
}

// all lists the parts.
func (o *orders) all() [3]*index.Index { return [...]*index.Index{o.open, o.held, o.bound} }

// file brings a node's entry up to date; score is its key in the order.
func (o *orders) file(p *Pool, n *Node, score int64) {
	in := o.open
	switch {
	case n.Bound:
		in = o.bound
	case n.Held:
		in = o.held
	}
	for _, x := range o.all() {
		if x != in && x.Has(n.Slot) {
			x.Remove(n.Slot)
		}
	}
	for t := range p.room {
		p.room[t] = n.Free(t)
	}
	p.key = [2]int64{score, n.label}
	in.Put(n.Slot, p.key[:], p.room)
}

// drop removes the entry of a slot, if there is one.
func (o *orders) drop(slot int32) {
	for _, x := range o.all() {
		if x.Has(slot) {
			x.Remove(slot)
		}
	}
}

// query is a search for the best node.
type query struct {
	pool      *Pool
	class     *class.Class
	mayTake   func(*Node) bool
	also      []class.Constraint // to be checked node by node, beside what the orders searched are about
	contested bool

	best *Node
	key  [2]int64
}

// search lets a query look at some nodes more.
func (q *query) search(o *orders) {
	if len(q.also) == 0 {
		q.offer(o.open, o.open.FirstReaching(q.class.Needs))
	} else {
		q.offer(o.open, o.open.First(q.fits, q.meets))
	}
	if o.held.Len() > 0 {
		q.offer(o.held, o.held.First(q.fits, q.taken))
	}
}

// offer keeps a node if it is the best so far.
func (q *query) offer(x *index.Index, slot int32) {
	if slot == index.None {
		return
	}
	k := x.Key(slot)
	if q.best == nil || k[0] < q.key[0] || k[0] == q.key[0] && k[1] < q.key[1] {
		q.best, q.key = q.pool.nodes.Items[slot], [2]int64(k)
	}
}

func (q *query) fits(lanes []int64) bool {
	for _, n := range q.class.Needs {
		if lanes[n.Lane] < n.Min {
			return false
		}
	}
	return true
}

func (q *query) meets(slot int32) bool {
	return len(q.also) == 0 || class.Allows(q.also, q.pool.nodes.Items[slot].Attributes)
}

func (q *query) taken(slot int32) bool {
	if !q.meets(slot) {
		return false
	}
	q.contested = true
	return q.mayTake(q.pool.nodes.Items[slot])
}
