package node

import (
	"slices"
	"strings"

	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// Pool keeps the nodes of a partition by slot and ID, with an order of them for each kind of search.
type Pool struct {
	types  *resource.Types
	nodes  index.Slots[Node]
	byID   map[string]*Node
	total  resource.Vec // exact: callers do not add nodes with which it would overflow
	sorted []*Node      // by ID; nil if it has to be listed again

	order                        order   // all nodes except newcomers, by ID
	positions, reservedPositions []int32 // positions in that order, by slot
	newcomers                    []int32 // slots of new nodes that are not in that order yet
	read                         Cursor  // the changes that the order has followed

	free            freeRoom // as of the last update of the order
	scratch         resource.Vec
	bound           resource.Vec // upper bound of the free amounts of all nodes, as of the last update of the order
	scoring         scoring
	filters         []*policy.Acting
	predicatePolicy func(predicate string) *policy.Acting
	failing         func(predicate string) bool
	least           leastDemand

	log          []int32 // slots of changed nodes, in order of change; each reader has a Cursor
	era          uint64  // incremented by each restart of the log
	otherChanges uint64  // number of changes except new and ended allocations
	releases     uint64  // number of changes in which only an allocation ended
	memberships  uint32
	byClass      map[uint64]*classOrder
	byAttribute  map[string]*attributeIndex
	clock        uint64 // counts uses of class orders and attribute indexes, to find the least recently used
}

// NewPool makes a pool without nodes, ordered by a score policy. predicatePolicy returns the policy that answers a host predicate, and
// failing reports whether the policy of a predicate is in quarantine.
func NewPool(types *resource.Types, score *policy.Acting, predicatePolicy func(string) *policy.Acting, failing func(string) bool) *Pool {
	p := &Pool{types: types, byID: map[string]*Node{}, total: make(resource.Vec, types.Width()), predicatePolicy: predicatePolicy, failing: failing}
	p.order = order{pool: p, all: newTournament(&p.free, &p.positions, p.comesBefore)}
	p.measure()
	p.SetScore(score)
	return p
}

// measure makes everything again that depends on the width of vectors.
func (p *Pool) measure() {
	width := p.types.Width()
	p.free = freeRoom{width: width, rows: make([]int64, width*len(p.nodes.Items))}
	p.bound = make(resource.Vec, width)
	p.least = newLeastDemand(width, p.least.version+1)
	p.order.all.widen(width)
	p.reservedPositions = nil
	p.order.reserved = newTournament(&p.free, &p.reservedPositions, p.precedes)
}

// SetScore puts a node score policy in force.
func (p *Pool) SetScore(score *policy.Acting) {
	p.scoring = newScoring(score)
	for _, n := range p.Sorted() {
		p.scoring.touch(n.Slot)
	}
	p.Forget()
}

// SetFilters puts predicates in force that every ask has to pass, in addition to its own.
func (p *Pool) SetFilters(filters []*policy.Acting) {
	p.filters = filters
	p.Forget()
}

// Forget drops all class orders and attribute indexes. They are made again when they are next searched, and the order of all nodes
// files every node again.
func (p *Pool) Forget() {
	p.byClass, p.byAttribute = map[uint64]*classOrder{}, map[string]*attributeIndex{}
	p.restartLog()
}

// ForgetPredicate drops the orders of the classes with a host predicate.
func (p *Pool) ForgetPredicate(name string) {
	for id, v := range p.byClass {
		if v.class.Predicate == name {
			delete(p.byClass, id)
		}
	}
}

// Widen adapts all vectors to a new width of the table of types.
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

// Total returns the sum of the nodes' capacities. The slice belongs to the pool and must not be modified.
func (p *Pool) Total() resource.Vec { return p.total }

// Find returns the node with an ID, or nil.
func (p *Pool) Find(id string) *Node { return p.byID[id] }

// At returns the node in a slot, or nil if the slot is free.
func (p *Pool) At(slot int32) *Node { return p.nodes.Items[slot] }

// Sorted returns the nodes sorted by ID, bytewise. The slice belongs to the pool and must not be modified. After nodes were added or
// removed, it takes time proportional to the number of nodes.
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

// Add adds a node. Its ID must not be in use, and the total capacity must not overflow.
func (p *Pool) Add(n *Node) {
	n.Slot = p.nodes.Take(n)
	p.byID[n.ID] = n
	p.positions = extend(p.positions, n.Slot, none)
	p.free.extend(n.Slot)
	clear(p.free.of(n.Slot)) // the slot may be reused
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

// Remove removes a node, which must have no allocations.
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

// Resize gives a node another capacity. The total capacity must not overflow.
func (p *Pool) Resize(n *Node, capacity resource.Vec) {
	p.total.Sub(n.Capacity)
	p.total.Add(capacity)
	n.Capacity = capacity
	p.Changed(n)
}

// comesBefore compares nodes by ID. precedes does so by their positions, which is faster, but requires that both are filed.
func (p *Pool) comesBefore(a, b int32) bool { return p.nodes.Items[a].ID < p.nodes.Items[b].ID }
func (p *Pool) precedes(a, b int32) bool    { return p.positions[a] < p.positions[b] }

// bulk is the number of newcomers from which they are sorted and merged, if they are also more than a sixteenth of the other nodes.
// That is less work than inserting each.
const bulk = 64

// admit files newcomers in the order of all nodes.
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
		if i == 0 || fresh[i-1] != n { // a slot that was freed and reused is listed twice
			slots = append(slots, n.Slot)
		}
	}
	all.merge(slots)
	p.newcomers = p.newcomers[:0]
}

// sync brings the order of all nodes up to date.
func (p *Pool) sync() {
	if p.behind() {
		p.follow()
	}
}

// behind reports whether the order of all nodes is out of date.
func (p *Pool) behind() bool {
	return p.read.era != p.era+1 || p.read.read != len(p.log) || p.order.leastVersion != p.least.version || len(p.newcomers) > 0 || p.scoring.table != nil
}

// follow reads the change log and files the changed nodes.
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
	if p.order.leastVersion != p.least.version {
		for _, slot := range p.order.outdated() {
			p.file(slot)
		}
	}
}

// file computes a node's free room and score, and updates its entry in the order of all nodes.
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
