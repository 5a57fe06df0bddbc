package node

import (
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/policy"
)

// Bounds of the orders of classes that are kept beside the one of all nodes. An entry takes some 60 bytes.
const (
	leastOrders = 256
	mostOrders  = 4096
	mostEntries = 1 << 22 // unless leastOrders have more
)

// ordersKept is how many orders of classes are kept.
func (p *Pool) ordersKept() int {
	return max(leastOrders, min(mostOrders, mostEntries/max(1, len(p.Sorted()))))
}

// classOrder orders the nodes that one class of asks may run on, where predicates or the score look at the ask. It is
// brought up to date when it is searched.
type classOrder struct {
	*order
	class      *class.Class
	table      *policy.Table   // of a score that depends on the ask; nil: the score is that of all orders
	scores     []int64         // by slot, from the table
	fleeting   *fleetingFilter // of a predicate whose answers fall with every change; nil: there is none
	filters    []*policy.Table
	verdicts   [][]float64 // by filter and slot
	filed      []uint32    // by slot: the membership of the node when it was filed, 0 where it does not meet the constraints
	at, heldAt []int32
	read       Cursor
	used       uint64
}

// ordered reports whether a class is searched in an order of its own.
func (p *Pool) ordered(c *class.Class) bool {
	return c.Predicate != "" || len(p.filters) > 0 || p.scoring.byAsk()
}

// orderOf returns the order of a class that has its own, up to date.
func (p *Pool) orderOf(c *class.Class) *classOrder {
	v := p.byClass[c.ID]
	if v == nil {
		v = p.newClassOrder(c)
		p.evict()
		p.byClass[c.ID] = v
	}
	p.clock++
	v.used = p.clock
	v.sync()
	return v
}

// newClassOrder makes an order with its own score and filters, as far as they look at the ask.
func (p *Pool) newClassOrder(c *class.Class) *classOrder {
	v := &classOrder{class: c}
	v.order = p.newOrder(&v.at, &v.heldAt)
	if p.scoring.byAsk() {
		v.table = policy.NewTable(p.scoring.acting)
	}
	filters := p.filters
	switch {
	case c.Predicate == "":
	case OnPlacements(c):
		v.fleeting = newFleetingFilter(p.verdict(c.Predicate))
	default:
		filters = append(filters[:len(filters):len(filters)], p.verdict(c.Predicate))
	}
	for _, f := range filters {
		v.filters = append(v.filters, policy.NewTable(f))
		v.verdicts = append(v.verdicts, nil)
	}
	return v
}

// evict makes room for another order: that of a class of which nothing waits goes, the one searched longest ago. Where there is none, the one searched
// last does: classes that wait are searched in turn, so that each would find its own gone if the oldest made room.
func (p *Pool) evict() {
	for kept := p.ordersKept(); len(p.byClass) >= kept; {
		var idle, last *classOrder
		for _, v := range p.byClass {
			switch waits := v.class.Waits(); {
			case waits && (last == nil || v.used > last.used):
				last = v
			case !waits && (idle == nil || v.used < idle.used):
				idle = v
			}
		}
		goes := idle
		if goes == nil {
			goes = last
		}
		delete(p.byClass, goes.class.ID)
	}
}

// sync reads the changes since it last did, asks the policies about them, and files the nodes again; those that went
// are dropped before any is filed.
func (v *classOrder) sync() {
	p := v.pool
	p.sync()
	slots, all := p.Changes(&v.read)
	if all {
		for slot := range v.filed {
			v.dropGone(int32(slot))
		}
		slots = p.order.all.slots(0, p.order.all.blocks())
	} else {
		for _, slot := range slots {
			v.dropGone(slot)
		}
	}
	if v.fleeting != nil && (all || len(slots) > 0 || v.fleeting.table.Stale()) {
		v.forgetVerdicts(all)
	}
	if len(slots) > 0 || v.stale() {
		v.ask(slots)
		for _, slot := range slots {
			v.file(slot)
		}
	}
	for _, slot := range v.outdated() {
		v.file(slot)
	}
}

// stale reports whether a policy of the order's own has to be asked about everything again.
func (v *classOrder) stale() bool {
	if v.table != nil && v.table.Stale() {
		return true
	}
	for _, f := range v.filters {
		if f.Stale() {
			return true
		}
	}
	return false
}

// ask asks the order's own policies about the nodes that changed and meet the constraints.
func (v *classOrder) ask(changed []int32) {
	tables := v.filters
	if v.table != nil {
		tables = append(tables[:len(tables):len(tables)], v.table)
	}
	for _, t := range tables {
		for _, slot := range changed {
			if n := v.pool.nodes.Items[slot]; n == nil || !v.meets(n) {
				t.Drop(slot)
			} else {
				t.Touch(slot)
			}
		}
	}
	if v.table != nil {
		v.table.Flush(v, func(slot int32, answers []float64) {
			v.scores = extend(v.scores, slot, 0)
			v.scores[slot] = scoreOf(answers[0])
			v.file(slot)
		})
	}
	for i, f := range v.filters {
		f.Flush(v, func(slot int32, answers []float64) {
			v.verdicts[i] = extend(v.verdicts[i], slot, 0)
			v.verdicts[i][slot] = answers[0]
			v.file(slot)
		})
	}
}

// Fill describes a node, and the class of asks, to the order's policies.
func (v *classOrder) Fill(slot int32, columns []policy.Column, cols [][]float64) {
	v.pool.fill(slot, columns, cols, v.class.Demand)
}

// Name is the ID of the node in a row.
func (v *classOrder) Name(slot int32) string { return v.pool.Name(slot) }

func (v *classOrder) meets(n *Node) bool { return class.Allows(v.class.Constraints, n.Attributes) }

// passes reports whether the filters let the class onto the node.
func (v *classOrder) passes(slot int32) bool {
	return v.passesFilters(slot) && (v.fleeting == nil || v.fleeting.verdictOf(slot) == 0)
}

// passesFilters leaves out the fleeting filter.
func (v *classOrder) passesFilters(slot int32) bool {
	for _, verdict := range v.verdicts {
		if int(slot) >= len(verdict) || verdict[slot] != 0 {
			return false
		}
	}
	return true
}

func (v *classOrder) dropGone(slot int32) {
	if int(slot) >= len(v.filed) || v.filed[slot] == 0 {
		return
	}
	if n := v.pool.nodes.Items[slot]; n == nil || n.membership != v.filed[slot] {
		v.drop(slot)
		v.filed[slot] = 0
	}
}

// file brings a node's entry up to date.
func (v *classOrder) file(slot int32) {
	n := v.pool.nodes.Items[slot]
	if n == nil {
		return
	}
	v.filed = extend(v.filed, slot, 0)
	if v.filed[slot] == 0 {
		if !v.meets(n) {
			return
		}
		v.filed[slot] = n.membership
		v.all.insert(slot)
	}
	score := v.pool.scoring.scores[slot]
	if v.table != nil {
		v.scores = extend(v.scores, slot, 0)
		score = v.scores[slot]
	}
	v.order.file(n, score, !v.passes(slot))
}
