package node

import (
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// Best returns the best node for a class of asks, or nodes.None if there is none. Contested nodes (which are reserved, or on which room is
// held) are considered only if mayTake permits them. contested reports whether one of them has enough room. The result may then differ for another ask of the class.
func (p *finder) Best(c class.Class, mayTake func(int32) bool) (best int32, contested bool) {
	if c.Node() != "" {
		return p.required(c, mayTake)
	}
	p.least.recordSearch(c, p.Len())
	if c.Preferences() > 0 {
		return p.preferred(c, mayTake)
	}
	if c.Constraints().Len() > 0 || p.ordered(c) {
		return p.bestOf(c, mayTake)
	}
	p.sync()
	if p.order.contested.count > 0 {
		return p.bestOf(c, mayTake)
	}
	all := &p.order.all
	if position := all.first(c, nil); position != none {
		return all.nodes[position], false
	}
	return none, false
}

// bestOf is Best for searches in orders of subsets of the nodes, or among contested nodes.
func (p *finder) bestOf(c class.Class, mayTake func(int32) bool) (best int32, contested bool) {
	q := query{finder: p, class: c, mayTake: mayTake, best: none}
	switch {
	case p.ordered(c):
		q.searchWithPredicate(p.orderOf(c))
	case c.Constraints().Len() > 0:
		p.searchAttribute(&q, c.Constraints())
	default:
		q.search(&p.order)
	}
	return q.best, q.contested
}

// searchWithPredicate searches the order of a class until its placement predicate, if it has one, admits the class to the node found.
func (q *query) searchWithPredicate(v *classOrder) {
	for {
		q.best, q.contested = none, false
		if q.search(v.order); q.best == none {
			return
		}
		if v.askPredicate(q.best); v.passes(q.best) {
			return
		}
	}
}

// required is Best for a class with a required node.
func (p *finder) required(c class.Class, mayTake func(int32) bool) (best int32, contested bool) {
	n := p.Find(c.Node())
	if n == none || !p.Available(n) || !p.Fits(n, c) || !p.Admits(c, n) {
		return none, false
	}
	contested = p.Hold(n).IsContested()
	if contested && !mayTake(n) {
		return none, true
	}
	return n, contested
}

// Admits reports whether a schedulable node meets a class's required node, constraints and predicates.
func (p *finder) Admits(c class.Class, n int32) bool {
	if c.Node() != "" && c.Node() != p.ID(n) {
		return false
	}
	if !p.Allows(n, c.Constraints()) {
		return false
	}
	if c.Predicate() == "" && len(p.filters) == 0 {
		return true
	}
	v := p.orderOf(c)
	v.askPredicate(n)
	return v.passes(n)
}

// Refusal is the code with which a predicate refuses a class on a node; 0 if none does.
type Refusal struct {
	Code float64
	Host bool // the code is from the host predicate of the class
}

// Refusal returns the first refusal of a class on a node. asked is false if a predicate has not been asked yet. Refusal does not
// ask it, except built-in policies that replace failed ones.
func (p *finder) Refusal(c class.Class, n int32) (v Refusal, asked bool) {
	if c.Predicate() == "" && len(p.filters) == 0 {
		return Refusal{}, true
	}
	order := p.byClass[c.ID()]
	if order == nil && p.standIns(c) {
		order = p.orderOf(c)
	}
	if order == nil {
		return Refusal{}, false
	}
	for i, codes := range order.codes {
		if int(n) >= len(codes) {
			return Refusal{}, false
		}
		if code := codes[n]; code != 0 {
			return Refusal{code, i == len(p.filters)}, true
		}
	}
	if f := order.placement; f != nil {
		return Refusal{f.codeOf(n), true}, f.knows(n)
	}
	return Refusal{}, true
}

// standIns reports whether built-in policies answer for all predicates of a class. It does not create policies, since Refusal must
// not change the state.
func (p *finder) standIns(c class.Class) bool {
	for _, f := range p.filters {
		if !f.Failing() {
			return false
		}
	}
	return !p.scoring.byAsk() && (c.Predicate() == "" || p.failing(c.Predicate()))
}

// FreeBound returns an upper bound, by type, of the free amounts of all available nodes: the maximum at the last MaxFree, raised by
// nodes that changed since. It is valid until a node changes.
func (p *finder) FreeBound() resource.Amounts {
	p.sync()
	return p.bound.Amounts()
}

// MaxFree returns, by type, the largest free amount of all available nodes. It is valid until a node changes.
func (p *finder) MaxFree() resource.Amounts {
	p.sync()
	all := &p.order.all
	all.most.refresh(all.nodes, &p.free)
	for t := range p.bound {
		p.bound[t] = all.most.of(t)
	}
	return p.bound.Amounts()
}

// Utilisation returns the weighted mean of a node's used shares, in billionths.
func (p *finder) Utilisation(n int32, weights []policy.Weight) int64 {
	var m policy.Mean
	amounts := p.Amounts(n)
	for _, w := range weights {
		if t, ok := p.types.Find(w.Type); ok && w.Thousandths > 0 && amounts.Capacity(t) > 0 {
			m.Count(resource.Share(amounts.Taken(t), amounts.Capacity(t)), w.Thousandths)
		}
	}
	return m.Value()
}
