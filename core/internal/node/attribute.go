package node

import "github.com/quern-project/quern/core/internal/class"

// mostIndexes bounds the indexes of attributes that are kept.
const mostIndexes = 256

// attributeIndex orders the nodes by the value they have of one attribute: asks bound to some values search only those.
type attributeIndex struct {
	attribute  string
	orders     map[string]*order // by value
	of         []*order          // by slot: where the node is filed
	filed      []uint32          // by slot: the membership of the node when it was filed
	at, heldAt []int32           // positions by slot: a node is in one order
	read       Cursor
	used       uint64
}

// indexOf returns the index of an attribute, up to date.
func (p *Pool) indexOf(attribute string) *attributeIndex {
	x := p.byAttribute[attribute]
	if x == nil {
		x = &attributeIndex{attribute: attribute, orders: map[string]*order{}}
		if len(p.byAttribute) >= mostIndexes {
			delete(p.byAttribute, p.oldestIndex())
		}
		p.byAttribute[attribute] = x
	}
	p.clock++
	x.used = p.clock
	x.sync(p)
	return x
}

// oldestIndex is the one searched longest ago.
func (p *Pool) oldestIndex() string {
	oldest, at := "", p.clock+1
	for attribute, x := range p.byAttribute {
		if x.used < at {
			oldest, at = attribute, x.used
		}
	}
	return oldest
}

// sync follows what changed. Nodes that went, or have other attributes, are dropped before any is filed: an order must
// not hold a slot that is another node's by now when it looks for a place.
func (x *attributeIndex) sync(p *Pool) {
	p.sync()
	slots, all := p.Changes(&x.read)
	if all {
		for slot := range x.of {
			x.dropGone(p, int32(slot))
		}
		slots = p.order.all.slots(0, p.order.all.blocks())
	} else {
		for _, slot := range slots {
			if int(slot) >= len(x.filed) || p.nodes.Items[slot] == nil || x.filed[slot] != p.nodes.Items[slot].membership {
				x.dropGone(p, slot)
			}
		}
	}
	for _, slot := range slots {
		x.file(p, slot)
	}
}

// dropGone drops a node that went or has other attributes.
func (x *attributeIndex) dropGone(p *Pool, slot int32) {
	if int(slot) >= len(x.of) || x.of[slot] == nil {
		return
	}
	if n := p.nodes.Items[slot]; n == nil || n.membership != x.filed[slot] {
		x.of[slot].drop(slot)
		x.of[slot], x.filed[slot] = nil, 0
	}
}

// file brings the entry of a node up to date.
func (x *attributeIndex) file(p *Pool, slot int32) {
	n := p.nodes.Items[slot]
	if n == nil {
		return
	}
	if int(slot) >= len(x.filed) || x.filed[slot] != n.membership {
		x.of, x.filed = extend(x.of, slot, nil), extend(x.filed, slot, 0)
		x.filed[slot] = n.membership
		if o := x.orderOf(p, n); o != nil {
			x.of[slot] = o
			o.all.insert(slot)
		}
	}
	if o := x.of[slot]; o != nil {
		o.file(n, p.scoring.scores[slot], false)
	}
}

// orderOf finds the order for a node's value, or nil when it has none.
func (x *attributeIndex) orderOf(p *Pool, n *Node) *order {
	value, has := n.Attributes[x.attribute]
	if !has {
		return nil
	}
	o := x.orders[value]
	if o == nil {
		o = p.newOrder(&x.at, &x.heldAt)
		x.orders[value] = o
	}
	return o
}

// newOrder makes an order of some of the nodes.
func (p *Pool) newOrder(at, heldAt *[]int32) *order {
	return &order{pool: p, all: newTournament(&p.free, at, p.precedes), held: newTournament(&p.free, heldAt, p.precedes)}
}

// searchAttribute lets a query look at the nodes that meet the constraints of its class: through the attribute that fewest
// nodes are left by, the rest checked node by node.
func (p *Pool) searchAttribute(q *query, constraints []class.Constraint) {
	var best *attributeIndex
	var values []string
	fewest := 0
	for _, k := range constraints {
		x := p.indexOf(k.Attribute)
		if n := x.count(k.Values); best == nil || n < fewest {
			best, values, fewest = x, k.Values, n
		}
	}
	if len(constraints) > 1 {
		q.also = constraints
	}
	for _, v := range values {
		if o := best.orders[v]; o != nil {
			for _, slot := range o.outdated() {
				best.file(p, slot)
			}
			q.search(o)
		}
	}
}

// count is the number of nodes with one of some values.
func (x *attributeIndex) count(values []string) int {
	n := 0
	for _, v := range values {
		if o := x.orders[v]; o != nil {
			n += o.all.count
		}
	}
	return n
}
