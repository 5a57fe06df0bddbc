package node

import (
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/domain"
	"github.com/quern-project/quern/core/internal/readonly"
)

// mostIndexes bounds the number of attribute indexes in memory.
const mostIndexes = 256

// attributeIndex keeps an order of nodes for each value of one attribute, or for each domain of a level. An ask that is constrained to some
// values or to a domain searches only their orders.
type attributeIndex struct {
	attribute       string
	orders          map[string]*order // by value
	level           int               // of the topology, if inDomain is not nil; attribute and orders are not used then
	inDomain        map[domain.ID]*order
	of              []*order // by slot: the order in which the node is filed
	membership      []uint32 // by slot: nodes.View.Membership when the node was filed
	at, contestedAt []int32  // positions by slot, shared by the orders, since a node is in one order only
	read            Cursor
	used            uint64
}

// indexOf returns the up-to-date index of an attribute.
func (p *finder) indexOf(attribute string) *attributeIndex {
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

// oldestIndex returns the attribute whose index was searched least recently.
func (p *finder) oldestIndex() string {
	oldest, at := "", p.clock+1
	for attribute, x := range p.byAttribute {
		if x.used < at {
			oldest, at = attribute, x.used
		}
	}
	return oldest
}

// sync follows the changes of nodes. Nodes that were removed or relabelled are dropped before others are filed, since an order must
// not contain a reused slot while it finds the place of another node.
func (x *attributeIndex) sync(p *finder) {
	p.sync()
	if x.inDomain != nil {
		p.Domains()
	}
	slots, all := p.changes(&x.read)
	if all {
		for slot := range x.of {
			x.dropStale(p, int32(slot))
		}
		slots = p.order.all.slots(0, p.order.all.blocks())
	} else {
		for _, slot := range slots {
			if int(slot) >= len(x.membership) || x.membership[slot] != p.Membership(slot) {
				x.dropStale(p, slot)
			}
		}
	}
	for _, slot := range slots {
		x.file(p, slot)
	}
}

// dropStale drops a node that was removed or has other attributes.
func (x *attributeIndex) dropStale(p *finder, slot int32) {
	if int(slot) >= len(x.of) || x.of[slot] == nil {
		return
	}
	if p.Membership(slot) != x.membership[slot] {
		x.of[slot].drop(slot)
		x.of[slot], x.membership[slot] = nil, 0
	}
}

// file updates the entry of a node.
func (x *attributeIndex) file(p *finder, slot int32) {
	state := p.State(slot)
	if state.Membership == 0 {
		return
	}
	if int(slot) >= len(x.membership) || x.membership[slot] != state.Membership {
		x.of, x.membership = extend(x.of, slot, nil), extend(x.membership, slot, 0)
		x.membership[slot] = state.Membership
		if o := x.orderOf(p, slot); o != nil {
			x.of[slot] = o
			o.all.insert(slot)
		}
	}
	if o := x.of[slot]; o != nil {
		o.file(slot, state, p.scoring.scores[slot], false)
	}
}

// orderOf returns the order for a node's value of the attribute, or nil if the node does not have the attribute.
func (x *attributeIndex) orderOf(p *finder, slot int32) *order {
	if x.inDomain != nil {
		return x.orderInDomain(p, p.domains.tree.View().Of(slot, x.level))
	}
	value, has := p.Attribute(slot, x.attribute)
	if !has {
		return nil
	}
	o := x.orders[value]
	if o == nil {
		o = p.newOrder(&x.at, &x.contestedAt)
		x.orders[value] = o
	}
	return o
}

// orderInDomain returns the order for a domain, or nil for none.
func (x *attributeIndex) orderInDomain(p *finder, d domain.ID) *order {
	if d == domain.None {
		return nil
	}
	o := x.inDomain[d]
	if o == nil {
		o = p.newOrder(&x.at, &x.contestedAt)
		x.inDomain[d] = o
	}
	return o
}

// newOrder makes an order for a subset of the nodes.
func (p *finder) newOrder(at, contestedAt *[]int32) *order {
	return &order{finder: p, all: newTournament(&p.free, at, p.precedes), contested: newTournament(&p.free, contestedAt, p.precedes)}
}

// searchAttribute searches the nodes that meet the constraints of a class. It uses the index of the most selective attribute, and
// checks the other constraints node by node.
func (p *finder) searchAttribute(q *query, constraints readonly.List[class.Constraint]) {
	var best *attributeIndex
	var values readonly.List[string]
	fewest := 0
	if constraints.Len() > 1 {
		q.also = constraints
	}
	for k := range constraints.All {
		if k.ByID {
			p.searchNode(q, k.Values.At(0), constraints)
			return
		}
		if k.Any {
			continue
		}
		x := p.indexOf(k.Attribute)
		if n := x.count(k.Values); best == nil || n < fewest {
			best, values, fewest = x, k.Values, n
		}
	}
	if best == nil { // any value will do
		p.sync()
		q.also = constraints
		q.search(&p.order)
		return
	}
	for v := range values.All {
		if o := best.orders[v]; o != nil {
			for _, slot := range o.outdated() {
				best.file(p, slot)
			}
			q.search(o)
		}
	}
}

// count returns the number of nodes that have one of the values.
func (x *attributeIndex) count(values readonly.List[string]) int {
	n := 0
	for v := range values.All {
		if o := x.orders[v]; o != nil {
			n += o.all.count
		}
	}
	return n
}
