package node

import (
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// Best returns the first node, in the order in force, that takes a class of asks: any that fits and is not reserved,
// and of the reserved ones those that mayTake grants. It returns nil when there is none. contested reports that a
// reserved node has the room: then another ask of the class may fare otherwise.
func (p *Pool) Best(c *class.Class, mayTake func(*Node) bool) (best *Node, contested bool) {
	if c.Node != "" {
		return p.required(c, mayTake)
	}
	p.least.search(c, len(p.byID))
	if len(c.Constraints) > 0 || p.ordered(c) {
		return p.bestOf(c, mayTake)
	}
	p.sync()
	if p.order.held.count > 0 {
		return p.bestOf(c, mayTake)
	}
	all := &p.order.all
	if position := all.first(c, nil); position != none {
		return p.nodes.Items[all.nodes[position]], false
	}
	return nil, false
}

// bestOf is Best where orders of some of the nodes are searched, or reserved nodes.
func (p *Pool) bestOf(c *class.Class, mayTake func(*Node) bool) (best *Node, contested bool) {
	q := query{pool: p, class: c, mayTake: mayTake}
	switch {
	case p.ordered(c):
		q.searchJudged(p.orderOf(c))
	case len(c.Constraints) > 0:
		p.searchAttribute(&q, c.Constraints)
	default:
		q.search(&p.order)
	}
	return q.best, q.contested
}

// searchJudged searches the order of a class until its fleeting filter, if it has one, lets the class onto the node that is found.
func (q *query) searchJudged(v *classOrder) {
	for {
		q.best, q.contested = nil, false
		if q.search(v.order); q.best == nil {
			return
		}
		if v.judge(q.best.Slot); v.passes(q.best.Slot) {
			return
		}
	}
}

// required looks at the one node that a class may run on.
func (p *Pool) required(c *class.Class, mayTake func(*Node) bool) (best *Node, contested bool) {
	n := p.byID[c.Node]
	if n == nil || !n.Schedulable || n.Hold.IsClaimed() || !n.Takes(c) || !p.Admits(c, n) {
		return nil, false
	}
	if n.Hold.IsReserved() && !mayTake(n) {
		return nil, true
	}
	return n, n.Hold.IsReserved()
}

// Admits reports whether a schedulable node passes a class's required node, constraints and predicates.
func (p *Pool) Admits(c *class.Class, n *Node) bool {
	if c.Node != "" && c.Node != n.ID {
		return false
	}
	if !class.Allows(c.Constraints, n.Attributes) {
		return false
	}
	if c.Predicate == "" && len(p.filters) == 0 {
		return true
	}
	v := p.orderOf(c)
	v.judge(n.Slot)
	return v.passes(n.Slot)
}

// Verdict is the code by which a predicate keeps a class off a node, 0 for none.
type Verdict struct {
	Code float64
	Host bool // it is of the predicate that the class names
}

// Verdict returns what predicates say of a class on a node; asked is false when they have not been asked yet. It calls only the
// built-ins that stand in for predicates that failed.
func (p *Pool) Verdict(c *class.Class, n *Node) (v Verdict, asked bool) {
	if c.Predicate == "" && len(p.filters) == 0 {
		return Verdict{}, true
	}
	order := p.byClass[c.ID]
	if order == nil && p.standIns(c) {
		order = p.orderOf(c)
	}
	if order == nil {
		return Verdict{}, false
	}
	for i, codes := range order.verdicts {
		if int(n.Slot) >= len(codes) {
			return Verdict{}, false
		}
		if code := codes[n.Slot]; code != 0 {
			return Verdict{code, i == len(p.filters)}, true
		}
	}
	if f := order.fleeting; f != nil {
		return Verdict{f.verdictOf(n.Slot), true}, f.knows(n.Slot)
	}
	return Verdict{}, true
}

// standIns reports whether built-ins answer for every predicate of a class. It makes no policy: who only looks changes nothing.
func (p *Pool) standIns(c *class.Class) bool {
	for _, f := range p.filters {
		if !f.Failing() {
			return false
		}
	}
	return !p.scoring.byAsk() && (c.Predicate == "" || p.failing(c.Predicate))
}

// FreeBound returns no less than what any available node has free, type by type: the most at the last MaxFree, or what
// a node that changed since has. It may be more than any node has left; the next search that fails shows that. The
// slice is the pool's own.
func (p *Pool) FreeBound() resource.Vec {
	p.sync()
	return p.bound
}

// MaxFree returns the most that any available node has free, type by type. The slice is the pool's own.
func (p *Pool) MaxFree() resource.Vec {
	p.sync()
	all := &p.order.all
	all.most.refresh(all.nodes, &p.free)
	for t := range p.bound {
		p.bound[t] = all.most.of(t)
	}
	return p.bound
}

// Utilisation is a node's weighted mean share of use, in billionths.
func (p *Pool) Utilisation(n *Node, weights []policy.Weight) int64 {
	var m policy.Mean
	for _, w := range weights {
		if t, ok := p.types.Find(w.Type); ok && w.Thousandths > 0 && n.Capacity[t] > 0 {
			m.Count(resource.Share(resource.Add(n.Used[t], n.Occupied[t]), n.Capacity[t]), w.Thousandths)
		}
	}
	return m.Value()
}
