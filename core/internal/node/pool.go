package node

import (
	"slices"
	"strings"

	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// Pool keeps the nodes by slot and ID, and an order of them for every kind of search.
type Pool struct {
	types  *resource.Types
	nodes  index.Slots[Node]
	byID   map[string]*Node
	total  resource.Vec // exact: a node that would take it beyond the largest amount is not let in
	sorted []*Node      // by ID; nil: to be listed again

	order                    order   // of all nodes; in its tournament they stand by ID, newcomers apart
	positions, heldPositions []int32 // in it, by slot
	newcomers                []int32 // slots that have yet to be filed there
	read                     Cursor  // changes that the order has followed

	free    freeRoom // of each node when the order was last brought up to date
	scratch resource.Vec
	bound   resource.Vec // no less than any node has free, as far as the order has followed the changes
	scoring scoring
	filters []*policy.Acting
	verdict func(predicate string) *policy.Acting
	failing func(predicate string) bool
	least   leastDemand

	log         []int32 // slots that changed, in order; readers remember how far they have read
	era         uint64  // grows when the log restarts
	unfilled    uint64  // changes of nodes other than that they have taken allocations, or that some have ended
	emptied     uint64  // times that allocations have ended
	memberships uint32
	byClass     map[uint64]*classOrder
	byAttribute map[string]*attributeIndex
	clock       uint64 // of uses of those
}

// NewPool makes a pool without nodes, ordered by a score policy. verdict returns the policy that answers a host
// predicate, and failing reports whether one that has been asked for is in quarantine.
func NewPool(types *resource.Types, score *policy.Acting, verdict func(string) *policy.Acting, failing func(string) bool) *Pool {
	p := &Pool{types: types, byID: map[string]*Node{}, total: make(resource.Vec, types.Width()), verdict: verdict, failing: failing}
	p.order = order{pool: p, all: newTournament(&p.free, &p.positions, p.comesBefore)}
	p.measure()
	p.SetScore(score)
	return p
}

// measure renews what depends on the width of vectors.
func (p *Pool) measure() {
	width := p.types.Width()
	p.free = freeRoom{width: width, rows: make([]int64, width*len(p.nodes.Items))}
	p.bound = make(resource.Vec, width)
	p.least = newLeastDemand(width, p.least.version+1)
	p.order.all.widen(width)
	p.heldPositions = nil
	p.order.held = newTournament(&p.free, &p.heldPositions, p.precedes)
}

// SetScore puts a node order in force.
func (p *Pool) SetScore(score *policy.Acting) {
	p.scoring = newScoring(score)
	for _, n := range p.Sorted() {
		p.scoring.touch(n.Slot)
	}
	p.Forget()
}

// SetFilters puts predicates in force that every ask has to pass, beside its own.
func (p *Pool) SetFilters(filters []*policy.Acting) {
	p.filters = filters
	p.Forget()
}

// Forget drops every order but that of all nodes, which is sorted again; each is built again when it is next searched.
func (p *Pool) Forget() {
	p.byClass, p.byAttribute = map[uint64]*classOrder{}, map[string]*attributeIndex{}
	p.restartLog()
}

// ForgetPredicate drops the orders that a host predicate decides about.
func (p *Pool) ForgetPredicate(name string) {
	for id, v := range p.byClass {
		if v.class.Predicate == name {
			delete(p.byClass, id)
		}
	}
}

// Widen follows the table of types to a new width.
func (p *Pool) Widen() {
	width := p.types.Width()
	p.total = p.total.Widen(width, 0)
	for _, n := range p.nodes.Items {
		if n == nil {
			continue
		}
		n.Capacity, n.Occupied, n.Used = n.Capacity.Widen(width, 0), n.Occupied.Widen(width, 0), n.Used.Widen(width, 0)
		if n.Leaving != nil {
			n.Leaving = n.Leaving.Widen(width, 0)
		}
		if n.Swaps != nil {
			n.Swaps.widen(width)
		}
	}
	p.measure()
	p.Forget()
}

// Total is the sum of the nodes' capacities; the slice is the pool's own.
func (p *Pool) Total() resource.Vec { return p.total }

// Find returns the node with an ID, or nil.
func (p *Pool) Find(id string) *Node { return p.byID[id] }

// At returns the node in a slot that is in use.
func (p *Pool) At(slot int32) *Node { return p.nodes.Items[slot] }

// Sorted returns the nodes by ID, bytewise; the slice is the pool's own. After nodes have come or gone it takes time in
// proportion to all.
func (p *Pool) Sorted() []*Node {
	p.admit()
	if p.sorted == nil {
		p.sorted = make([]*Node, 0, p.order.all.count)
		for _, slot := range p.order.all.nodes {
			if slot != none {
				p.sorted = append(p.sorted, p.nodes.Items[slot])
			}
		}
	}
	return p.sorted
}

// Add takes a node in; its ID is not in use, and the total must be able to hold its capacity.
func (p *Pool) Add(n *Node) {
	n.Slot = p.nodes.Take(n)
	p.byID[n.ID] = n
	p.positions = extend(p.positions, n.Slot, none)
	p.free.extend(n.Slot)
	clear(p.free.of(n.Slot)) // another node may have had the slot
	p.newcomers, p.sorted = append(p.newcomers, n.Slot), nil
	p.Relabel(n, n.Attributes)
	p.total.Add(n.Capacity)
	p.Changed(n)
}

// Relabel gives a node other attributes.
func (p *Pool) Relabel(n *Node, attributes map[string]string) {
	p.memberships++
	n.Attributes, n.membership = attributes, p.memberships
}

// Remove lets a node go; nothing is allocated on it any more.
func (p *Pool) Remove(n *Node) {
	p.Changed(n)
	p.scoring.drop(n.Slot)
	if p.positions[n.Slot] != none {
		p.order.drop(n.Slot)
	}
	p.nodes.Free(n.Slot)
	p.sorted = nil
	delete(p.byID, n.ID)
	p.total.Sub(n.Capacity)
}

// Resize gives a node another capacity; the total must be able to hold it.
func (p *Pool) Resize(n *Node, capacity resource.Vec) {
	p.total.Sub(n.Capacity)
	p.total.Add(capacity)
	n.Capacity = capacity
	p.Changed(n)
}

// comesBefore compares nodes by ID, precedes by where they are filed in that order.
func (p *Pool) comesBefore(a, b int32) bool { return p.nodes.Items[a].ID < p.nodes.Items[b].ID }
func (p *Pool) precedes(a, b int32) bool    { return p.positions[a] < p.positions[b] }

// bulk is from how many newcomers on they are sorted and merged with the others, if they are many beside those: less
// work than to find the place of each.
const bulk = 64

// admit files newcomers by ID.
func (p *Pool) admit() {
	if len(p.newcomers) == 0 {
		return
	}
	all := &p.order.all
	if len(p.newcomers) < bulk || len(p.newcomers) <= all.count/16 {
		for _, slot := range p.newcomers {
			if p.nodes.Items[slot] != nil && p.positions[slot] == none {
				all.insert(slot)
			}
		}
		p.newcomers = p.newcomers[:0]
		return
	}
	var fresh []*Node
	for _, slot := range p.newcomers {
		if n := p.nodes.Items[slot]; n != nil && p.positions[slot] == none {
			fresh = append(fresh, n)
		}
	}
	slices.SortFunc(fresh, func(a, b *Node) int { return strings.Compare(a.ID, b.ID) })
	var slots []int32
	for i, n := range fresh {
		if i == 0 || fresh[i-1] != n { // a slot that was freed and taken again is listed twice
			slots = append(slots, n.Slot)
		}
	}
	all.merge(slots)
	p.newcomers = p.newcomers[:0]
}

// sync follows what changed in the order of all nodes.
func (p *Pool) sync() {
	if p.behind() {
		p.follow()
	}
}

// behind reports whether the order of all nodes has to follow changes.
func (p *Pool) behind() bool {
	return p.read.era != p.era+1 || p.read.read != len(p.log) || p.order.seen != p.least.version || len(p.newcomers) > 0 || p.scoring.table != nil
}

// follow reads the log of changes and files the nodes in it.
func (p *Pool) follow() {
	if p.scoring.table != nil {
		p.rescore()
	}
	if len(p.newcomers) > 0 {
		p.admit()
	}
	slots, all := p.Changes(&p.read)
	if all {
		slots = p.order.all.slots(0, p.order.all.blocks())
	}
	for _, slot := range slots {
		p.file(slot)
	}
	if p.order.seen != p.least.version {
		for _, slot := range p.order.outdated() {
			p.file(slot)
		}
	}
}

// file works out what a node has free and its score, and brings its entry up to date.
func (p *Pool) file(slot int32) {
	n := p.nodes.Items[slot]
	if n == nil {
		return
	}
	row, block, available := p.free.of(slot), int(p.positions[slot]>>fanoutShift), n.available()
	occupied := n.Occupied
	if n.Swaps != nil {
		occupied = append(p.scratch[:0], occupied...)
		occupied.Add(n.Swaps.Extra)
		p.scratch = occupied
	}
	capacity, used := n.Capacity[:len(row)], n.Used[:len(row)]
	occupied = occupied[:len(row)]
	for t, was := range row {
		room := int64(0)
		if available {
			room = max(0, capacity[t]-resource.Add(used[t], occupied[t]))
		}
		if was != room {
			p.order.all.most.follow(block, t, was, room)
			p.bound[t] = max(p.bound[t], room)
			row[t] = room
		}
	}
	if p.scoring.table == nil {
		p.scoring.scores[slot] = p.scoring.utilisation(p.types, n)
	}
	p.order.file(n, p.scoring.scores[slot], false)
}
