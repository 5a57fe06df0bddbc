package node

import (
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/readonly"
	"github.com/quern-project/quern/core/internal/state/nodes"
)

// order is a set of nodes with their scores. Reserved nodes are also in a tournament of their own, since only some asks may use them.
type order struct {
	finder       *finder
	all          tournament // all members; contested, refused and full ones are closed
	contested    tournament // the contested members, except those reserved by an ask that requires the node
	leastVersion uint32     // leastDemand.version by which members were closed
}

// file updates a member's entry, given its score. A refused node takes part in no search. The node's free room must be up to date.
func (o *order) file(slot int32, state nodes.State, score int64, refused bool) {
	refused = refused || !state.Available()
	open := score
	if refused || state.Hold.IsContested() || !o.finder.least.fit(o.finder.free.of(slot)) {
		open = closed
	}
	at := o.all.position(slot)
	o.all.set(at, open)
	if o != &o.finder.order { // finder.file has marked the blocks of that order
		o.all.most.mark(int(at >> fanoutShift))
	}
	if state.Hold.IsContested() || o.contested.count > 0 {
		o.fileContested(slot, score, refused || !state.Hold.IsContested() || state.Hold.IsRequired())
	}
}

// fileContested updates the entry of a member in the tournament of contested nodes, or removes it.
func (o *order) fileContested(slot int32, score int64, refused bool) {
	at := o.contested.position(slot)
	if refused {
		if at != none {
			o.contested.remove(slot)
		}
		return
	}
	if at == none {
		o.contested.insert(slot)
		at = o.contested.position(slot)
	}
	o.contested.set(at, score)
	o.contested.most.mark(int(at >> fanoutShift))
}

// drop removes a member. Its slot may already be reused.
func (o *order) drop(slot int32) {
	o.all.remove(slot)
	if o.contested.position(slot) != none {
		o.contested.remove(slot)
	}
}

// outdated lists the members that have to be opened or closed after a change of the least demand.
func (o *order) outdated() (slots []int32) {
	least := &o.finder.least
	if o.leastVersion == least.version {
		return nil
	}
	o.leastVersion = least.version
	for position, slot := range o.all.nodes {
		if slot == none {
			continue
		}
		if least.fit(o.finder.free.of(slot)) == (o.all.scores.at(int32(position)) == closed) {
			slots = append(slots, slot)
		}
	}
	return slots
}

// query is a search for the best node in one or several orders.
type query struct {
	finder    *finder
	class     class.Class
	mayTake   func(int32) bool
	also      readonly.List[class.Constraint] // constraints that the searched orders do not imply; checked node by node
	within    *Region                         // which the searched orders do not imply; nil: all nodes
	contested bool

	best  int32 // or none
	score int64
}

// search includes the nodes of an order in the query.
func (q *query) search(o *order) {
	if q.also.Len() == 0 && q.within == nil {
		q.consider(&o.all, o.all.first(q.class, nil))
	} else {
		q.consider(&o.all, o.all.first(q.class, q.meets))
	}
	if o.contested.count > 0 {
		q.consider(&o.contested, o.contested.first(q.class, q.granted))
	}
}

// consider makes a node the best one if it is better.
func (q *query) consider(t *tournament, position int32) {
	if position == none {
		return
	}
	slot, score := t.nodes[position], t.scores.at(position)
	if q.best == none || score > q.score || score == q.score && q.finder.precedes(slot, q.best) {
		q.best, q.score = slot, score
	}
}

func (q *query) meets(slot int32) bool {
	return (q.also.Len() == 0 || q.finder.Allows(slot, q.also)) && (q.within == nil || q.finder.Contains(*q.within, slot))
}

// granted reports whether the class may use a contested node with enough room. It marks the query as contested.
func (q *query) granted(slot int32) bool {
	if !q.meets(slot) {
		return false
	}
	q.contested = true
	return q.mayTake(slot)
}
