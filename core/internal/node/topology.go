package node

import (
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/readonly"
)

// preferred is Best for a class that prefers nodes with some attributes: the more of them a node has, from the first on, the earlier it comes.
func (p *finder) preferred(c class.Class, mayTake func(int32) bool) (best int32, contested bool) {
	p.sync()
	for have := c.Preferences(); have >= 0; have-- {
		q := query{finder: p, class: c, mayTake: mayTake, best: none}
		q.searchWith(c.Preference(have))
		contested = contested || q.contested
		if q.best != none {
			return q.best, contested
		}
	}
	return none, contested
}

// searchWith searches the nodes that meet some constraints, which include those of the class itself.
func (q *query) searchWith(constraints readonly.List[class.Constraint]) {
	p := q.finder
	switch {
	case p.ordered(q.class):
		q.also = constraints
		q.searchWithPredicate(p.orderOf(q.class))
	case constraints.Len() > 0:
		p.searchAttribute(q, constraints)
	default:
		q.search(&p.order)
	}
}

// searchNode considers the node with an ID, if it meets all constraints.
func (p *finder) searchNode(q *query, id string, constraints readonly.List[class.Constraint]) {
	n := p.Find(id)
	if n == none || !p.Available(n) || !p.Fits(n, q.class) || !p.Allows(n, constraints) {
		return
	}
	if hold := p.Hold(n); hold.IsRequired() || hold.IsContested() && !q.granted(n) {
		return
	}
	q.best = n
}
