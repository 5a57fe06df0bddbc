package node

import (
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/policy"
)

// viewLimit bounds the orders of each kind kept beside the one of all nodes; the one searched longest ago makes room.
const viewLimit = 256

// view is an order of nodes that is brought up to date when it is searched: of all nodes or, where predicates or the
// score look at the ask, of those that one class of asks may run on.
type view struct {
	orders
	class    *class.Class // nil: all nodes
	scores   *policy.Table
	filters  []*policy.Table
	verdicts [][]float64 // by filter and slot
	keys     []int64     // by slot, where scores depend on the ask
	era      uint64
	read     int
	used     uint64
	pool     *Pool
}

func (p *Pool) newView() *view {
	return &view{orders: newOrders(p.types.Width()), pool: p, era: p.era - 1}
}

// own reports whether a class is searched in a view of its own.
func (p *Pool) own(c *class.Class) bool {
	return c.Predicate != "" || len(p.filters) > 0 || p.score.Spec().Depends == policy.OnAsk
}

// viewOf returns the view of a class that has its own, up to date.
func (p *Pool) viewOf(c *class.Class) *view {
	v := p.views[c.ID]
	if v == nil {
		v = p.newView()
		v.class = c
		p.specialise(v, c)
		p.makeRoom()
		p.views[c.ID] = v
	}
	p.clock++
	v.used = p.clock
	v.sync(p)
	return v
}

// specialise gives a view of one class its own score and filters, as far as they look at the ask.
func (p *Pool) specialise(v *view, c *class.Class) {
	if p.score.Spec().Depends == policy.OnAsk {
		v.scores = policy.NewTable(p.score)
	}
	filters := p.filters
	if c.Predicate != "" {
		filters = append(filters[:len(filters):len(filters)], p.verdict(c.Predicate))
	}
	for _, f := range filters {
		v.filters = append(v.filters, policy.NewTable(f))
		v.verdicts = append(v.verdicts, nil)
	}
}

func (p *Pool) makeRoom() {
	if len(p.views) < viewLimit {
		return
	}
	var oldest *view
	for _, v := range p.views {
		if oldest == nil || v.used < oldest.used {
			oldest = v
		}
	}
	delete(p.views, oldest.class.ID)
}

// sync reads the changes since it last did, asks the policies about them, and files the nodes anew.
func (v *view) sync(p *Pool) {
	p.flushScores()
	changed := p.log[min(v.read, len(p.log)):]
	if v.era != p.era {
		v.era, v.orders = p.era, newOrders(p.types.Width())
		changed = p.slots()
	}
	v.read = len(p.log)
	if len(changed) == 0 && !v.stale() {
		return
	}
	v.flush(p, changed)
	for _, slot := range changed {
		v.file(p, slot)
	}
}

// slots lists the slots in use.
func (p *Pool) slots() []int32 {
	slots := make([]int32, 0, len(p.sorted))
	for _, n := range p.sorted {
		slots = append(slots, n.Slot)
	}
	return slots
}

// stale reports whether a policy of the view's own has to be asked about everything again.
func (v *view) stale() bool {
	if v.scores != nil && v.scores.Stale() {
		return true
	}
	for _, f := range v.filters {
		if f.Stale() {
			return true
		}
	}
	return false
}

// flushScores asks about the nodes that changed, which the log names. Where another module answers than before, every
// order is built anew.
func (p *Pool) flushScores() {
	if !p.scores.Stale() || p.score.Spec().Depends == policy.OnAsk {
		return
	}
	epoch, long := p.scores.Epoch(), false
	if p.score.Spec().Depends == policy.OnSiblings {
		p.scores.Flush(p, p.rescore)
		long = len(p.log) > p.longestLog()
	} else {
		p.scores.Flush(p, p.store)
	}
	if long || p.scores.Epoch() != epoch {
		p.log, p.era = p.log[:0], p.era+1
	}
}

// rescore keeps a node's score, and logs the node where it has got another one, which siblings may cause.
func (p *Pool) rescore(slot int32, keys []float64) {
	if p.keys[slot] != policy.SortKey(-keys[0]) {
		p.store(slot, keys)
		p.log = append(p.log, slot)
	}
}

// store keeps a node's score, negated: best first.
func (p *Pool) store(slot int32, keys []float64) { p.keys[slot] = policy.SortKey(-keys[0]) }

// flush asks the view's own policies about the nodes that changed and meet its constraints.
func (v *view) flush(p *Pool, changed []int32) {
	if v.scores == nil && len(v.filters) == 0 {
		return
	}
	tables := v.filters
	if v.scores != nil {
		tables = append(tables[:len(tables):len(tables)], v.scores)
	}
	for _, t := range tables {
		for _, slot := range changed {
			if n := p.nodes.Items[slot]; n == nil || !v.meets(n) {
				t.Drop(slot)
			} else {
				t.Touch(slot)
			}
		}
	}
	if v.scores != nil {
		v.scores.Flush(v, func(slot int32, keys []float64) {
			v.keys = reach(v.keys, slot)
			v.keys[slot] = policy.SortKey(-keys[0])
			v.file(p, slot)
		})
	}
	for i, f := range v.filters {
		f.Flush(v, func(slot int32, keys []float64) {
			v.verdicts[i] = reach(v.verdicts[i], slot)
			v.verdicts[i][slot] = keys[0]
			v.file(p, slot)
		})
	}
}

// Fill describes a node, and the class of asks, to the view's policies.
func (v *view) Fill(slot int32, columns []policy.Column, cols [][]float64) {
	v.pool.fill(slot, columns, cols, v.class.Demand)
}

// Name is the ID of the node in a row.
func (v *view) Name(slot int32) string { return v.pool.Name(slot) }

func (v *view) meets(n *Node) bool {
	return v.class == nil || class.Allows(v.class.Constraints, n.Attributes)
}

// passes reports whether the filters let the class onto the node.
func (v *view) passes(slot int32) bool {
	for _, verdict := range v.verdicts {
		if int(slot) >= len(verdict) || verdict[slot] != 0 {
			return false
		}
	}
	return true
}

// file brings a node's entry up to date.
func (v *view) file(p *Pool, slot int32) {
	n := p.nodes.Items[slot]
	if n == nil || !n.Schedulable || n.Kept || !v.meets(n) || !v.passes(slot) {
		v.drop(slot)
		return
	}
	score := p.keys[slot]
	if v.scores != nil {
		score = v.keys[slot]
	}
	v.orders.file(p, n, score)
}
