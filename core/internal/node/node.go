// Package node keeps the nodes of a partition and finds, for a class of asks, the best one that takes it.
//
// Pool is the only way in. It is owned by one goroutine; nothing here locks.
package node

import (
	"math"
	"slices"
	"strings"

	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// Node is one node. Its fields are read by all and changed through the Pool's methods, or followed by its Changed.
type Node struct {
	ID          string
	Slot        int32
	Capacity    resource.Vec
	Occupied    resource.Vec // used by others
	Used        resource.Vec // by allocations
	Attributes  map[string]string
	Schedulable bool
	Held        bool         // reserved for an ask: only those who may take it do
	Bound       bool         // Held for an ask that requires it: nobody else is placed by any order
	Kept        bool         // kept for an ask that preempts here: nobody is placed by any order
	GrownAt     uint64       // the moment (see core) at which its room last grew
	Leaving     resource.Vec // used by victims that are to leave; nil: there are none

	label    int64  // orders nodes by ID
	labelled uint64 // a number of its own for each set of attributes it has had
}

// Free is the room for a type, at least 0.
func (n *Node) Free(t int) int64 {
	return max(0, resource.Sub(resource.Sub(n.Capacity[t], n.Occupied[t]), n.Used[t]))
}

// RoomToBe is the room for a type once all have left that were told to; below 0 where others use too much.
func (n *Node) RoomToBe(t int) int64 {
	room := resource.Sub(resource.Sub(n.Capacity[t], n.Occupied[t]), n.Used[t])
	if n.Leaving != nil {
		room = resource.Add(room, n.Leaving[t])
	}
	return room
}

// Empty is the room for a type if no allocation were there, at least 0.
func (n *Node) Empty(t int) int64 { return max(0, resource.Sub(n.Capacity[t], n.Occupied[t])) }

// Pool keeps the nodes by slot and ID, and an order of them for every kind of search.
type Pool struct {
	types  *resource.Types
	nodes  index.Slots[Node]
	byID   map[string]*Node
	sorted []*Node      // by ID
	total  resource.Vec // exact: a node that would take it beyond the largest amount is not let in

	score   *policy.Acting
	filters []*policy.Acting
	verdict func(predicate string) *policy.Acting
	scores  *policy.Table // of a score that does not depend on the ask
	keys    []int64       // by slot, from scores

	labelled uint64
	log      []int32 // slots that changed, in order; views remember how far they have read
	era      uint64  // grows when the log starts anew
	all      *view
	views    map[uint64]*view  // by class
	facets   map[string]*facet // by attribute
	clock    uint64
	room     []int64
	key      [2]int64
}

// NewPool makes a pool without nodes, ordered by a score policy. verdict returns the policy that answers a host
// predicate.
func NewPool(types *resource.Types, score *policy.Acting, verdict func(string) *policy.Acting) *Pool {
	p := &Pool{types: types, byID: map[string]*Node{}, total: make(resource.Vec, types.Width()), verdict: verdict}
	p.SetScore(score)
	return p
}

// SetScore puts a node order in force.
func (p *Pool) SetScore(score *policy.Acting) {
	p.score = score
	p.scores = policy.NewTable(score)
	for _, n := range p.sorted {
		p.scores.Touch(n.Slot)
	}
	p.Forget()
}

// SetFilters puts predicates in force that every ask has to pass, beside its own.
func (p *Pool) SetFilters(filters []*policy.Acting) {
	p.filters = filters
	p.Forget()
}

// Forget drops every order; each is built anew when it is next searched.
func (p *Pool) Forget() {
	p.views, p.facets = map[uint64]*view{}, map[string]*facet{}
	p.room = make([]int64, p.types.Width())
	p.all = p.newView()
	p.log, p.era = p.log[:0], p.era+1
}

// Widen follows the table of types to a new width.
func (p *Pool) Widen() {
	width := p.types.Width()
	p.total = p.total.Widen(width, 0)
	for _, n := range p.sorted {
		n.Capacity, n.Occupied, n.Used = n.Capacity.Widen(width, 0), n.Occupied.Widen(width, 0), n.Used.Widen(width, 0)
		if n.Leaving != nil {
			n.Leaving = n.Leaving.Widen(width, 0)
		}
	}
	p.Forget()
}

// Total is the sum of the nodes' capacities; the slice is the pool's own.
func (p *Pool) Total() resource.Vec { return p.total }

// Find returns the node with an ID, or nil.
func (p *Pool) Find(id string) *Node { return p.byID[id] }

// At returns the node in a slot that is in use.
func (p *Pool) At(slot int32) *Node { return p.nodes.Items[slot] }

// Sorted returns the nodes by ID, bytewise; the slice is the pool's own.
func (p *Pool) Sorted() []*Node { return p.sorted }

// Add takes a node in; its ID is not in use, and the total must be able to hold its capacity.
func (p *Pool) Add(n *Node) {
	n.Slot = p.nodes.Take(n)
	if int(n.Slot) == len(p.keys) {
		p.keys = append(p.keys, 0)
	}
	p.byID[n.ID] = n
	p.Relabel(n, n.Attributes)
	p.place(n)
	p.total.Add(n.Capacity)
	p.Changed(n)
}

// Relabel gives a node other attributes.
func (p *Pool) Relabel(n *Node, attributes map[string]string) {
	p.labelled++
	n.Attributes, n.labelled = attributes, p.labelled
}

// labelGap is how far apart the labels of neighbours are when they are handed out.
const labelGap = 1 << 40

// place files the node by ID and labels it between its neighbours, so that orders compare numbers, not names.
func (p *Pool) place(n *Node) {
	i, _ := slices.BinarySearchFunc(p.sorted, n.ID, func(m *Node, id string) int { return strings.Compare(m.ID, id) })
	p.sorted = slices.Insert(p.sorted, i, n)
	low, high := int64(math.MinInt64/2), int64(math.MaxInt64/2)
	if i > 0 {
		low = p.sorted[i-1].label
	}
	if i+1 < len(p.sorted) {
		high = p.sorted[i+1].label
	}
	switch {
	case i == 0 && len(p.sorted) == 1:
		n.label = 0
	case i+1 == len(p.sorted) && low < math.MaxInt64/4:
		n.label = low + labelGap
	case high-low > 1:
		n.label = low + (high-low)/2
	default:
		p.relabel()
	}
}

// relabel spreads the labels evenly. It happens when names keep falling into one gap, and rarely.
func (p *Pool) relabel() {
	for i, n := range p.sorted {
		n.label = int64(i) * labelGap
	}
	p.Forget()
}

// Remove lets a node go; nothing is allocated on it any more.
func (p *Pool) Remove(n *Node) {
	p.Changed(n)
	p.scores.Drop(n.Slot)
	p.nodes.Free(n.Slot)
	delete(p.byID, n.ID)
	i := slices.Index(p.sorted, n)
	p.sorted = slices.Delete(p.sorted, i, i+1)
	p.total.Sub(n.Capacity)
}

// Resize gives a node another capacity; the total must be able to hold it.
func (p *Pool) Resize(n *Node, capacity resource.Vec) {
	p.total.Sub(n.Capacity)
	p.total.Add(capacity)
	n.Capacity = capacity
	p.Changed(n)
}

// Changed says that anything about the node changed that orders and searches look at.
func (p *Pool) Changed(n *Node) {
	p.scores.Touch(n.Slot)
	p.log = append(p.log, n.Slot)
	if len(p.log) > p.longestLog() {
		p.trimLog()
	}
}

// longestLog is how long the log may become before orders are rather built anew.
func (p *Pool) longestLog() int { return 4*len(p.nodes.Items) + 1024 }

// trimLog starts the log anew. The view of all nodes is brought up to date first; others are rebuilt when needed.
func (p *Pool) trimLog() {
	p.all.sync(p)
	p.log, p.era = p.log[:0], p.era+1
	p.all.era, p.all.read = p.era, 0
}

// Fill describes a node to a policy.
func (p *Pool) Fill(slot int32, columns []policy.Column, cols [][]float64) {
	p.fill(slot, columns, cols, nil)
}

// Name is the ID of the node in a row.
func (p *Pool) Name(slot int32) string { return p.nodes.Items[slot].ID }

func (p *Pool) fill(slot int32, columns []policy.Column, cols [][]float64, demand resource.Vec) {
	n := p.nodes.Items[slot]
	for i := range columns {
		c := &columns[i]
		v := c.Default
		if c.Kind == policy.Attribute {
			v = policy.Number(n.Attributes[c.Arg], c.Default)
		} else if c.Kind == policy.AttributeCode {
			v = c.Code(n.Attributes[c.Arg])
		} else if t, ok := c.TypeIn(p.types); ok {
			v = n.amount(c.Kind, t, demand)
		} else if c.Kind == policy.Share {
			v = -1
		}
		cols[i][slot] = v
	}
}

func (n *Node) amount(kind policy.ColumnKind, t int, demand resource.Vec) float64 {
	used := resource.Add(n.Used[t], n.Occupied[t])
	switch kind {
	case policy.Used:
		return float64(used)
	case policy.Capacity:
		return float64(n.Capacity[t])
	case policy.Free:
		return float64(n.Free(t))
	case policy.Asked:
		if demand != nil {
			return float64(demand[t])
		}
		return 0
	default:
		if n.Capacity[t] <= 0 {
			return -1
		}
		return float64(resource.Share(used, n.Capacity[t]))
	}
}
