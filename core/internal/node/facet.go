package node

import "github.com/quern-project/quern/core/internal/class"

// facet orders the nodes by the value they have of one attribute: asks bound to some values search only those.
type facet struct {
	attribute string
	values    map[string]*orders
	filed     []*orders // by slot: where the node is
	judged    []uint64  // by slot: the labels of the node when it was filed
	era       uint64
	read      int
	used      uint64
}

// facetOf returns the facet of an attribute, up to date.
func (p *Pool) facetOf(attribute string) *facet {
	f := p.facets[attribute]
	if f == nil {
		f = &facet{attribute: attribute, era: p.era - 1}
		if len(p.facets) >= viewLimit {
			delete(p.facets, p.oldestFacet())
		}
		p.facets[attribute] = f
	}
	p.clock++
	f.used = p.clock
	f.sync(p)
	return f
}

// oldestFacet is the one searched longest ago.
func (p *Pool) oldestFacet() string {
	oldest, at := "", p.clock+1
	for name, f := range p.facets {
		if f.used < at {
			oldest, at = name, f.used
		}
	}
	return oldest
}

func (f *facet) sync(p *Pool) {
	p.flushScores()
	changed := p.log[min(f.read, len(p.log)):]
	if f.era != p.era {
		f.era = p.era
		f.values, f.filed, f.judged = map[string]*orders{}, nil, nil
		changed = p.slots()
	}
	f.read = len(p.log)
	for _, slot := range changed {
		f.file(p, slot)
	}
}

func (f *facet) file(p *Pool, slot int32) {
	f.filed, f.judged = reach(f.filed, slot), reach(f.judged, slot)
	n := p.nodes.Items[slot]
	to := f.filed[slot]
	if n == nil || !n.Schedulable || n.Kept {
		to = nil
	} else if to == nil || f.judged[slot] != n.labelled {
		to = f.home(p, n)
		f.judged[slot] = n.labelled
	}
	if from := f.filed[slot]; from != nil && from != to {
		from.drop(slot)
	}
	f.filed[slot] = to
	if to != nil {
		to.file(p, n, p.keys[slot])
	}
}

// home finds the orders of a node's value, or nil when it has none.
func (f *facet) home(p *Pool, n *Node) *orders {
	value, has := n.Attributes[f.attribute]
	if !has {
		return nil
	}
	o := f.values[value]
	if o == nil {
		made := newOrders(p.types.Width())
		o = &made
		f.values[value] = o
	}
	return o
}

// searchFacet lets a query look at the nodes that meet the constraints of its class: through the attribute that fewest
// nodes are left by, the rest checked node by node.
func (p *Pool) searchFacet(q *query, constraints []class.Constraint) {
	var best *facet
	var values []string
	fewest := 0
	for _, k := range constraints {
		f := p.facetOf(k.Attribute)
		if n := f.count(k.Values); best == nil || n < fewest {
			best, values, fewest = f, k.Values, n
		}
	}
	if len(constraints) > 1 {
		q.also = constraints
	}
	for _, v := range values {
		if o := best.values[v]; o != nil {
			q.search(o)
		}
	}
}

func (f *facet) count(values []string) int {
	n := 0
	for _, v := range values {
		if o := f.values[v]; o != nil {
			n += o.open.Len() + o.held.Len()
		}
	}
	return n
}

// reach makes a list long enough for a slot.
func reach[T any](list []T, slot int32) []T {
	for int(slot) >= len(list) {
		var zero T
		list = append(list, zero)
	}
	return list
}
