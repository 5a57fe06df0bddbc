package node

import (
	"slices"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/policy"
)

// Bounds of the number of class orders in memory. An entry takes about 60 bytes.
const (
	leastOrders = 256
	mostOrders  = 4096
	mostEntries = 1 << 22 // of all class orders together, unless leastOrders of them have more
)

// ordersKept returns the maximum number of class orders in memory.
func (p *finder) ordersKept() int {
	return max(leastOrders, min(mostOrders, mostEntries/max(1, p.Sorted().Len())))
}

// classOrder is the order of the nodes that one class of asks may run on. It is needed if predicates restrict the class or the
// score depends on the ask. It is brought up to date before each search.
type classOrder struct {
	*order
	class           class.Class
	table           *policy.Table       // of a score that depends on the ask; nil if the finder's scores apply
	scores          []int64             // by slot, from the table
	placement       *placementPredicate // of a predicate that depends on placements; nil if there is none
	fits            *domainFits         // nil if no policy reads how many asks fit a domain
	filters         []*policy.Table
	tables          []*policy.Table // the filters and, if there is one, the table of the score
	domains         []domainReader  // by table
	codes           [][]float64     // by filter, then by slot: the answers
	membership      []uint32        // by slot: nodes.View.Membership when the node was filed, or 0 if it does not meet the constraints
	at, contestedAt []int32
	read            Cursor
	used            uint64
}

// ordered reports whether a class needs an order of its own.
func (p *finder) ordered(c class.Class) bool {
	return c.Predicate() != "" || len(p.filters) > 0 || p.scoring.byAsk() || c.ChecksDevices()
}

// orderOf returns the up-to-date order of a class that needs its own.
func (p *finder) orderOf(c class.Class) *classOrder {
	v := p.byClass[c.ID()]
	if v == nil {
		v = p.newClassOrder(c)
		p.evict()
		p.byClass[c.ID()] = v
	}
	p.clock++
	v.used = p.clock
	v.sync()
	return v
}

// newClassOrder makes an order with tables for the filters and, if it depends on the ask, the score.
func (p *finder) newClassOrder(c class.Class) *classOrder {
	v := &classOrder{class: c}
	v.order = p.newOrder(&v.at, &v.contestedAt)
	if p.scoring.byAsk() {
		v.table = policy.NewTable(p.scoring.acting)
	}
	filters := p.filters
	switch {
	case c.Predicate() == "":
	case OnPlacements(c):
		v.placement = newPlacementPredicate(p.predicatePolicy(c.Predicate()))
	default:
		filters = append(filters[:len(filters):len(filters)], p.predicatePolicy(c.Predicate()))
	}
	for _, f := range filters {
		v.filters = append(v.filters, policy.NewTable(f))
		v.codes = append(v.codes, nil)
	}
	v.tables = slices.Clone(v.filters)
	if v.table != nil {
		v.tables = append(v.tables, v.table)
	}
	v.domains = make([]domainReader, len(v.tables))
	return v
}

// evict removes orders until there is space for one more: the least recently searched one of the classes without pending asks or, if
// all have some, the most recently searched one. Classes with pending asks are searched in turn; if the least recently searched one
// were removed, each class would find its order gone.
func (p *finder) evict() {
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
		delete(p.byClass, goes.class.ID())
	}
}

// sync reads the changes since its last call, asks the policies about the changed nodes, and files them again. Removed nodes are
// dropped before others are filed, since their slots may be reused.
func (v *classOrder) sync() {
	p := v.finder
	p.sync()
	slots, all := p.changes(&v.read)
	if all {
		for slot := range v.membership {
			v.dropStale(int32(slot))
		}
		slots = p.order.all.slots(0, p.order.all.blocks())
	} else {
		for _, slot := range slots {
			v.dropStale(slot)
		}
	}
	v.touchDomains()
	if v.placement != nil && (all || len(slots) > 0 || v.placement.table.Stale()) {
		v.forgetAnswers(all)
	}
	if len(slots) > 0 || v.stale() {
		v.askPolicies(slots)
		for _, slot := range slots {
			v.file(slot)
		}
	}
	for _, slot := range v.outdated() {
		v.file(slot)
	}
}

// stale reports whether one of the order's policies has to be asked about all nodes again.
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

// askPolicies asks the order's policies about the changed nodes that meet the constraints.
func (v *classOrder) askPolicies(changed []int32) {
	for _, t := range v.tables {
		for _, slot := range changed {
			if !v.finder.Has(slot) || !v.meets(slot) {
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
			v.codes[i] = extend(v.codes[i], slot, 0)
			v.codes[i][slot] = answers[0]
			v.file(slot)
		})
	}
}

// Fill writes the columns of a node and the class for the order's policies.
func (v *classOrder) Fill(slot int32, columns []policy.Column, cols [][]float64) {
	v.finder.fill(slot, columns, cols, v)
}

// Name returns the ID of the node in a row.
func (v *classOrder) Name(slot int32) string { return v.finder.Name(slot) }

func (v *classOrder) meets(slot int32) bool { return v.finder.Allows(slot, v.class.Constraints()) }

// passes reports whether the predicates admit the class to the node, as far as they have been asked.
func (v *classOrder) passes(slot int32) bool {
	return v.passesFilters(slot) && (v.placement == nil || v.placement.codeOf(slot) == 0)
}

// passesFilters is passes without the predicate that depends on placements.
func (v *classOrder) passesFilters(slot int32) bool {
	if v.class.ChecksDevices() && !v.finder.Devices(slot).Fits(v.class.Devices()) {
		return false
	}
	for _, codes := range v.codes {
		if int(slot) >= len(codes) || codes[slot] != 0 {
			return false
		}
	}
	return true
}

func (v *classOrder) dropStale(slot int32) {
	if int(slot) >= len(v.membership) || v.membership[slot] == 0 {
		return
	}
	if v.finder.Membership(slot) != v.membership[slot] {
		v.drop(slot)
		v.membership[slot] = 0
	}
}

// file updates a node's entry.
func (v *classOrder) file(slot int32) {
	state := v.finder.State(slot)
	if state.Membership == 0 {
		return
	}
	v.membership = extend(v.membership, slot, 0)
	if v.membership[slot] == 0 {
		if !v.meets(slot) {
			return
		}
		v.membership[slot] = state.Membership
		v.all.insert(slot)
	}
	score := v.finder.scoring.scores[slot]
	if v.table != nil {
		v.scores = extend(v.scores, slot, 0)
		score = v.scores[slot]
	}
	v.order.file(slot, state, score, !v.passes(slot))
}
