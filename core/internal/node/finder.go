package node

import (
	"slices"
	"strings"

	"github.com/quern-project/quern/core/internal/readonly"
	"github.com/quern-project/quern/core/internal/state/nodes"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// Finder reads the nodes of a partition, in the orders that searches need. It cannot change what it reads.
type Finder struct{ *finder }

// Updater is a Finder that also receives changes. Only the owner of the nodes has one.
type Updater struct{ inner }

// Finder returns the reader.
func (p Updater) Finder() Finder { return p.inner }

// View returns the nodes without their orders.
func (p *finder) View() nodes.View { return p.view }

// inner and view are names for embedding, which would be exported otherwise. Updater embeds a Finder, since a struct of a finder could be
// converted to it anywhere.
type (
	inner = Finder
	view  = nodes.View
)

// finder orders the nodes of a partition for each kind of search. Its view reads them.
type finder struct {
	view
	types  *resource.Types
	sorted []int32 // slots by ID; nil if they have to be listed again

	order                         order   // all nodes except newcomers, by ID
	positions, contestedPositions []int32 // positions in that order, by slot
	newcomers                     []int32 // slots of new nodes that are not in that order yet
	read                          Cursor  // the changes that the order has followed

	free            freeRoom     // as of the last update of the order
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
	byClass      map[uint64]*classOrder
	byAttribute  map[string]*attributeIndex
	domains      domains
	clock        uint64 // counts uses of class orders and attribute indexes, to find the least recently used
}

// New makes a finder for the nodes that a view has, and will have, ordered by a score policy. predicatePolicy returns the policy that answers a host predicate, and
// failing reports whether the policy of a predicate is in quarantine.
func New(view nodes.View, types *resource.Types, score *policy.Acting, predicatePolicy func(string) *policy.Acting, failing func(string) bool) Updater {
	return NewSorted(view, readonly.List[int32]{}, types, score, predicatePolicy, failing)
}

// NewSorted is New for nodes that are sorted by ID already, which takes less time.
func NewSorted(view nodes.View, sorted readonly.List[int32], types *resource.Types, score *policy.Acting, predicatePolicy func(string) *policy.Acting, failing func(string) bool) Updater {
	p := &finder{view: view, types: types, predicatePolicy: predicatePolicy, failing: failing}
	p.order = order{finder: p, all: newTournament(&p.free, &p.positions, p.comesBefore)}
	p.measure()
	for slot := range sorted.All {
		p.list(slot)
	}
	for slot := range int32(p.Slots()) {
		if sorted.Len() == 0 && p.Has(slot) {
			p.list(slot)
		}
	}
	u := Updater{Finder{p}}
	u.SetTopology(nil)
	u.SetScore(score)
	return u
}

// measure makes everything again that depends on the width of vectors.
func (p *finder) measure() {
	width := p.types.Width()
	p.free = freeRoom{width: width, rows: make([]int64, width*p.Slots())}
	p.bound = make(resource.Vec, width)
	p.least = newLeastDemand(width, p.least.version+1)
	p.order.all.widen(width)
	p.contestedPositions = nil
	p.order.contested = newTournament(&p.free, &p.contestedPositions, p.precedes)
}

// SetScore puts a node score policy in force.
func (p Updater) SetScore(score *policy.Acting) {
	p.scoring = newScoring(score)
	for n := range p.Sorted().All {
		p.scoring.touch(n)
	}
	p.Forget()
}

// SetFilters puts predicates in force that every ask has to pass, in addition to its own.
func (p Updater) SetFilters(filters []*policy.Acting) {
	p.filters = filters
	p.Forget()
}

// Forget drops all class orders and attribute indexes. They are made again when they are next searched, and the order of all nodes
// files every node again.
func (p Updater) Forget() {
	p.byClass, p.byAttribute = map[uint64]*classOrder{}, map[string]*attributeIndex{}
	clear(p.domains.orders)
	clear(p.domains.rooms)
	p.restartLog()
}

// ForgetPredicate drops the orders of the classes with a host predicate.
func (p Updater) ForgetPredicate(name string) {
	for id, v := range p.byClass {
		if v.class.Predicate() == name {
			delete(p.byClass, id)
		}
	}
}

// Widen adapts to a new width of vectors.
func (p Updater) Widen() {
	p.measure()
	clear(p.domains.sums)
	p.scoring.domains = domainReader{}
	p.Forget()
}

// Sorted returns the slots of the nodes, sorted by ID, bytewise. After nodes were added or
// removed, it takes time proportional to the number of nodes.
func (p *finder) Sorted() readonly.List[int32] {
	p.admit()
	if p.sorted == nil {
		p.sorted = make([]int32, 0, p.order.all.count)
		for _, slot := range p.order.all.nodes {
			if slot != none {
				p.sorted = append(p.sorted, slot)
			}
		}
	}
	return readonly.Of(p.sorted)
}

// Added reports a new node to the finder.
func (p Updater) Added(slot int32) {
	p.list(slot)
	p.Changed(slot)
}

// list makes a node a newcomer.
func (p *finder) list(slot int32) {
	p.positions = extend(p.positions, slot, none)
	p.free.extend(slot)
	clear(p.free.of(slot)) // the slot may be reused
	p.newcomers, p.sorted = append(p.newcomers, slot), nil
}

// Removing reports to the finder that a node is about to be removed.
func (p Updater) Removing(slot int32) {
	p.Changed(slot)
	p.scoring.drop(slot)
	if p.positions[slot] != none {
		p.order.drop(slot)
	}
	p.sorted = nil
}

// comesBefore compares nodes by ID. precedes does so by their positions, which is faster, but requires that both are filed.
func (p *finder) comesBefore(a, b int32) bool { return p.ID(a) < p.ID(b) }
func (p *finder) precedes(a, b int32) bool    { return p.positions[a] < p.positions[b] }

// bulk is the number of newcomers from which they are sorted and merged, if they are also more than a sixteenth of the other nodes.
// That is less work than inserting each.
const bulk = 64

// admit files newcomers in the order of all nodes.
func (p *finder) admit() {
	if len(p.newcomers) == 0 {
		return
	}
	all := &p.order.all
	if len(p.newcomers) < bulk || len(p.newcomers) <= all.count/16 {
		for _, slot := range p.newcomers {
			if p.Has(slot) && p.positions[slot] == none {
				all.insert(slot)
			}
		}
		p.newcomers = p.newcomers[:0]
		return
	}
	var fresh []int32
	for _, slot := range p.newcomers {
		if p.Has(slot) && p.positions[slot] == none {
			fresh = append(fresh, slot)
		}
	}
	slices.SortFunc(fresh, func(a, b int32) int { return strings.Compare(p.ID(a), p.ID(b)) })
	all.merge(slices.Compact(fresh)) // a slot that was freed and reused is listed twice
	p.newcomers = p.newcomers[:0]
}

// sync brings the order of all nodes up to date.
func (p *finder) sync() {
	if p.behind() {
		p.follow()
	}
}

// behind reports whether the order of all nodes is out of date.
func (p *finder) behind() bool {
	return p.read.era != p.era+1 || p.read.read != len(p.log) || p.order.leastVersion != p.least.version || len(p.newcomers) > 0 || p.scoring.table != nil
}

// follow reads the change log and files the changed nodes.
func (p *finder) follow() {
	if p.scoring.table != nil {
		p.rescore()
	}
	if len(p.newcomers) > 0 {
		p.admit()
	}
	slots, all := p.changes(&p.read)
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
func (p *finder) file(slot int32) {
	state := p.State(slot)
	if state.Membership == 0 {
		return
	}
	amounts, available, block := p.Amounts(slot), state.Available(), int(p.positions[slot]>>fanoutShift)
	row := p.free.of(slot)
	devices := p.Devices(slot)
	weights, m := p.scoring.weightsOf(p.types)[:len(row)], policy.Mean{}
	for t, was := range row {
		capacity, taken, room := amounts.Of(t)
		countShare(&m, taken, capacity, weights[t])
		if devices != nil {
			if of, ok := devices.Room(t); ok {
				room = of
			}
		}
		if !available {
			room = 0
		}
		if was != room {
			p.order.all.most.follow(block, t, was, room)
			p.bound[t] = max(p.bound[t], room)
			row[t] = room
		}
	}
	if p.scoring.table == nil {
		p.scoring.scores[slot] = p.scoring.fromMean(&m)
	}
	p.order.file(slot, state, p.scoring.scores[slot], false)
}
