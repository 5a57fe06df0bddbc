package node

import (
	"github.com/quern-project/quern/core/class"
	"github.com/quern-project/quern/core/index"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// viewKey names an order of nodes: those that meet some constraints and, where a predicate or a score looks at the ask,
// for one class of asks.
type viewKey struct {
	where string
	class uint64
}

// viewLimit bounds the orders kept beside the one of all nodes; the one searched longest ago makes room.
const viewLimit = 256

// view is an order of some nodes, best first. It is brought up to date when it is searched.
type view struct {
	class    *class.Class // whose constraints the nodes meet; nil: all nodes
	open     *index.Index // by score and ID, lanes: free room
	held     *index.Index // the reserved ones among them
	scores   *policy.Table
	filters  []*policy.Table
	verdicts [][]float64 // by filter and slot
	keys     []int64     // by slot, where scores depend on the ask
	era      uint64
	read     int
	used     uint64
	pool     *Pool
	demand   resource.Vec
}

func (p *Pool) newView(k viewKey) *view {
	width := p.types.Width()
	return &view{open: index.New(2, width, 0), held: index.New(2, width, 0), pool: p, era: p.era - 1}
}

// viewOf returns the order that a class is searched in, up to date.
func (p *Pool) viewOf(c *class.Class) *view {
	k := viewKey{where: c.Where}
	onAsk := p.score.Spec().Depends == policy.OnAsk
	if onAsk || c.Predicate != "" || len(p.filters) > 0 {
		k.class = c.ID
	}
	if k == (viewKey{}) {
		p.all.sync(p)
		return p.all
	}
	v := p.views[k]
	if v == nil {
		v = p.newView(k)
		v.class, v.demand = c, c.Demand
		p.specialise(v, c, onAsk)
		p.makeRoom()
		p.views[k] = v
	}
	p.clock++
	v.used = p.clock
	v.sync(p)
	return v
}

// specialise gives a view of one class its own score and filters, as far as they look at the ask.
func (p *Pool) specialise(v *view, c *class.Class, onAsk bool) {
	if onAsk {
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
	var oldest viewKey
	first := true
	for k, v := range p.views {
		if first || v.used < p.views[oldest].used {
			oldest, first = k, false
		}
	}
	delete(p.views, oldest)
}

// sync reads the changes since it last did, asks the policies about them, and files the nodes anew.
func (v *view) sync(p *Pool) {
	p.flushScores()
	var changed []int32
	if v.era != p.era {
		changed = v.restart(p)
	} else {
		changed = p.log[v.read:]
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

// restart empties the view and returns all nodes as changed.
func (v *view) restart(p *Pool) []int32 {
	fresh := p.newView(viewKey{})
	v.open, v.held, v.era = fresh.open, fresh.held, p.era
	slots := make([]int32, 0, len(p.sorted))
	for _, n := range p.sorted {
		slots = append(slots, n.Slot)
	}
	return slots
}

// flushScores asks about the nodes that changed, which the log names. Where others may have got another score too,
// every order is built anew.
func (p *Pool) flushScores() {
	if !p.scores.Stale() || p.score.Spec().Depends == policy.OnAsk {
		return
	}
	epoch := p.scores.Epoch()
	p.scores.Flush(p, p.store)
	if p.scores.Epoch() != epoch || p.score.Spec().Depends == policy.OnSiblings {
		p.log, p.era = p.log[:0], p.era+1
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
			if n := p.nodes[slot]; n == nil || !v.meets(n) {
				t.Drop(slot)
			} else {
				t.Touch(slot)
			}
		}
	}
	if v.scores != nil {
		v.scores.Flush(v, func(slot int32, keys []float64) {
			v.keys = store(v.keys, slot, policy.SortKey(-keys[0]))
			v.file(p, slot)
		})
	}
	for i, f := range v.filters {
		f.Flush(v, func(slot int32, keys []float64) {
			v.verdicts[i] = store(v.verdicts[i], slot, keys[0])
			v.file(p, slot)
		})
	}
}

func store[T any](list []T, slot int32, value T) []T {
	for int(slot) >= len(list) {
		var zero T
		list = append(list, zero)
	}
	list[slot] = value
	return list
}

// Fill describes a node, and the class of asks, to the view's policies.
func (v *view) Fill(slot int32, columns []policy.Column, cols [][]float64) {
	v.pool.fill(slot, columns, cols, v.demand)
}

// Name is the ID of the node in a row.
func (v *view) Name(slot int32) string { return v.pool.Name(slot) }

func (v *view) meets(n *Node) bool {
	if v.class == nil {
		return true
	}
	_, ok := v.class.Allows(n.Attributes)
	return ok
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
	n := p.nodes[slot]
	in, out := v.open, v.held
	if n != nil && n.Held {
		in, out = out, in
	}
	if out.Has(slot) {
		out.Remove(slot)
	}
	if n == nil || !n.Schedulable || !v.meets(n) || !v.passes(slot) {
		if in.Has(slot) {
			in.Remove(slot)
		}
		return
	}
	for t := range p.room {
		p.room[t] = n.Free(t)
	}
	p.key = [2]int64{p.keys[slot], n.label}
	if v.scores != nil {
		p.key[0] = v.keys[slot]
	}
	in.Put(slot, p.key[:], p.room, nil)
}
