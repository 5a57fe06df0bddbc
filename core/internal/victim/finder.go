package victim

import (
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/resumable"
	"github.com/quern-project/quern/core/resource"
)

// Finder looks for victims; make one with New.
type Finder struct {
	// Ranks returns the keys by which a victim.rank policy orders victims; nil: none is in force.
	Ranks func(*app.Ask) []int64
	// PolicyFailed reports whether a policy has failed in the search, which then stops; nil: none fails.
	PolicyFailed func() bool

	pool    *node.Pool
	oldest  func(slot int32) *app.Ask     // the first allocation on a node
	claimed func(slot int32) resource.Vec // what the asks with claims need
	cursor  node.Cursor

	views   []nodeView // by slot
	amounts []int64    // of all views
	log     []int32    // slots of nodes that changed, in order
	era     uint64     // grows when the log restarts

	searches []*search // remembered
	unused   []*search // their memory is used again
	refused  map[questionKey]*refusal
	clock    uint64 // of uses of searches

	call   uint32           // of Find
	steps  int              // taken in this call
	budget resumable.Budget // of this call
	exact  int              // steps that the search through one node may take
	moved  bool             // something was examined in this call

	// Scratch memory of one call.
	problem      problem
	needs        needs
	examination  examination
	combinations combinations
	solver       solver
	lastShares   lastShares
	remaining    []int32 // slots of candidates that may still be the best
	slots        []int32
	shares       []int64
	few          []victim
}

// New makes a finder over the nodes of a pool. oldest returns the first allocation on the node in a slot, claimed
// what the asks with claims need.
func New(pool *node.Pool, oldest func(slot int32) *app.Ask, claimed func(slot int32) resource.Vec) *Finder {
	return &Finder{pool: pool, oldest: oldest, claimed: claimed, era: 1, exact: exactSteps}
}

// Reset forgets everything: the tree of queues, the width of vectors or a policy has changed.
func (f *Finder) Reset() {
	f.searches, f.unused, f.refused, f.views, f.amounts, f.cursor, f.era = nil, nil, nil, nil, nil, node.Cursor{}, f.era+1
}

// Outcome is the result of a search.
type Outcome uint8

// The outcomes.
const (
	Unfinished Outcome = iota // it has stopped; asked again, the search resumes
	NotNeeded                 // a node takes the ask without victims, now or once leaving allocations have left
	NoVictims                 // no lawful set is enough
	Found
)

// Find looks for the best lawful set for a question within about a budget of steps; it returns the steps that
// it took. A search whose budget is exhausted, or in which a policy fails, resumes when it is asked again, and examines again only what changed.
func (f *Finder) Find(q *Question, budget resumable.Budget) (set *Set, outcome Outcome, taken int) {
	p := &f.problem
	f.begin(p, q, budget)
	f.steps += 10 + 2*(len(p.leaves)+len(p.guards))
	switch {
	case p.open == 0 && !q.Thorough:
		outcome = NoVictims
	case q.Without != nil:
		set, outcome = f.findAdmitted(p)
	case q.byNode():
		set, outcome = f.findOn(p)
	case p.open == 0:
		outcome = f.findRoom(p)
	default:
		set, outcome = f.findAnywhere(p)
	}
	return set, outcome, f.steps
}

// begin starts a call.
func (f *Finder) begin(p *problem, q *Question, budget resumable.Budget) {
	f.steps, f.budget, f.moved = 0, budget, false
	f.call++
	f.refresh()
	p.ranks = f.Ranks
	p.formulate(q)
}

// mustStop reports whether the budget is exhausted, or a policy has failed; something is examined in every call.
func (f *Finder) mustStop() bool {
	return f.moved && (f.budget.After(f.steps).Exhausted() || f.policyFailed())
}

func (f *Finder) policyFailed() bool { return f.PolicyFailed != nil && f.PolicyFailed() }

// findOn looks at the one node that an ask may run on.
func (f *Finder) findOn(p *problem) (*Set, Outcome) {
	n := f.pool.Find(p.Ask.Class.Node)
	if n == nil {
		return nil, NoVictims
	}
	var c candidate
	f.settle(p, n.Slot, &c, &incumbent{slot: -1})
	switch c.state {
	case fits:
		return nil, NotNeeded
	case infeasible:
		return nil, NoVictims
	}
	set := f.setOf(p, n.Slot, &c)
	set.Approximate = c.cut != nil
	return set, Found
}

// findAnywhere looks at every node.
func (f *Finder) findAnywhere(p *problem) (*Set, Outcome) {
	if f.stillRefused(p) {
		return nil, NoVictims
	}
	s := f.search(p)
	f.update(s, p)
	for slot, more := s.next(); more; slot, more = s.next() {
		c := &s.candidates[slot]
		s.counts[c.state]--
		f.lowerBound(p, slot, c)
		s.counts[c.state]++
		f.moved = true
		if f.mustStop() {
			return nil, Unfinished
		}
	}
	set, outcome := f.choose(p, s)
	if outcome == NoVictims {
		f.refuse(s, p)
	}
	return set, outcome
}

// findRoom finds out whether a node takes the ask without victims, where there may be none.
func (f *Finder) findRoom(p *problem) Outcome {
	s := nodeView{room: make([]int64, len(p.Total))}
	for slot := range int32(len(f.views)) {
		n := f.pool.At(slot)
		if n == nil {
			continue
		}
		s.see(n)
		var c candidate
		if f.checkNode(p, &s, &c); c.state == fits {
			return NotNeeded
		}
	}
	return NoVictims
}

// settle examines a node, and makes its candidate exact as far as it may be better than the incumbent.
func (f *Finder) settle(p *problem, slot int32, c *candidate, best *incumbent) {
	f.examine(p, slot, c)
	if c.state == bounded && !f.dominated(p, slot, c, best) {
		f.solve(p, slot, c, best)
	}
}
