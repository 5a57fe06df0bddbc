package victim

import (
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/resumable"
	"github.com/quern-project/quern/core/resource"
)

// Finder finds victims for the asks of one partition. It remembers recent searches and what it derived from nodes, so that asking
// again costs only what changed. Create one with New.
type Finder struct {
	// Ranks returns the keys of an allocation under the victim.rank policy in force. It is nil if there is none.
	Ranks func(app.Ask) []int64
	// PolicyFailed reports whether a policy has failed during the search. Find then returns Unfinished. It is nil if no policy takes part.
	PolicyFailed func() bool

	nodes         node.Finder
	oldest        func(slot int32) app.Ask          // the first allocation on a node
	claimedDemand func(slot int32) resource.Amounts // sum of the demands of the asks that claim a node
	cursor        node.Cursor

	views   []nodeView // by slot
	amounts []int64    // backing memory of the vectors of all views
	log     []int32    // slots of changed nodes, in order of change
	era     uint64     // incremented when the log restarts

	searches []*search // at most maxSearches, with all their candidates
	unused   []*search // dropped searches, for reuse of their memory
	refused  map[questionKey]*refusal
	clock    uint64 // counts uses of searches, to find the least recently used one

	call     uint32           // number of the current call of Find
	steps    int              // steps taken in this call
	budget   resumable.Budget // of this call
	exact    int              // step limit of the search within one node
	examined bool             // at least one candidate was examined in this call

	// Scratch memory of one call.
	problem      problem
	needs        needs
	examination  examination
	combinations combinations
	solver       solver
	lastShares   lastShares
	remaining    []int32 // slots of bounded candidates that are not dominated
	slots        []int32
	shares       []int64
	few          []victim
}

// New makes a finder for nodes. oldest returns the first allocation on the node in a slot, and claimedDemand the sum
// of the demands of the asks that claim the node.
func New(nodes node.Finder, oldest func(slot int32) app.Ask, claimedDemand func(slot int32) resource.Amounts) *Finder {
	return &Finder{nodes: nodes, oldest: oldest, claimedDemand: claimedDemand, era: 1, exact: exactSteps}
}

// Reset discards everything remembered. Call it after a change of the queue tree, of the width of vectors, or of a policy.
func (f *Finder) Reset() {
	f.searches, f.unused, f.refused, f.views, f.amounts, f.cursor, f.era = nil, nil, nil, nil, nil, node.Cursor{}, f.era+1
}

// Outcome is the result of a search.
type Outcome uint8

// The outcomes.
const (
	Unfinished Outcome = iota // out of steps, or a policy failed; the next call with the same question continues
	NotNeeded                 // the ask fits a node without victims, now or once leaving allocations have left
	NoVictims                 // no lawful set is enough
	Found                     // the set is the best one found
)

// Find searches for the best lawful set of victims, within a budget of steps of about 10 ns each. It returns the steps that it took,
// which may exceed the budget slightly. After Unfinished, a call with the same question continues the search and examines again
// only what changed meanwhile.
func (f *Finder) Find(q *Question, budget resumable.Budget) (set *Set, outcome Outcome, taken int) {
	p := &f.problem
	f.begin(p, q, budget)
	f.steps += 10 + 2*(len(p.leaves)+len(p.guards))
	switch {
	case p.openLeaves == 0 && !q.Thorough:
		outcome = NoVictims
	case q.Without != nil, q.Devices != nil:
		set, outcome = f.findAdmitted(p)
	case q.byNode():
		set, outcome = f.findOn(p)
	case p.openLeaves == 0:
		outcome = f.findRoom(p)
	default:
		set, outcome = f.findAnywhere(p)
	}
	return set, outcome, f.steps
}

// begin starts a call: it follows the changes of nodes and prepares the problem.
func (f *Finder) begin(p *problem, q *Question, budget resumable.Budget) {
	f.steps, f.budget, f.examined = 0, budget, false
	f.call++
	f.refresh()
	p.ranks = f.Ranks
	p.formulate(q)
}

// mustStop reports whether this call has to end: the budget is exhausted or a policy has failed. Each call examines at least one
// candidate, so that repeated calls make progress.
func (f *Finder) mustStop() bool {
	return f.examined && (f.budget.After(f.steps).Exhausted() || f.policyFailed())
}

func (f *Finder) policyFailed() bool { return f.PolicyFailed != nil && f.PolicyFailed() }

// findOn searches the required node of an ask.
func (f *Finder) findOn(p *problem) (*Set, Outcome) {
	n := f.nodes.Find(p.Ask.Class().Node())
	if n == app.NoNode {
		return nil, NoVictims
	}
	var c candidate
	f.resolve(p, n, &c, &incumbent{slot: -1})
	switch c.state {
	case fits:
		return nil, NotNeeded
	case infeasible:
		return nil, NoVictims
	}
	set := f.setOf(p, n, &c)
	set.Approximate = c.provenFloor != nil
	return set, Found
}

// findAnywhere searches all nodes.
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
		f.examined = true
		if f.mustStop() {
			return nil, Unfinished
		}
	}
	set, outcome := f.choose(p, s)
	if outcome == NoVictims {
		f.rememberRefusal(s, p)
	}
	return set, outcome
}

// findRoom reports whether the ask fits some node without victims, for asks that may not preempt.
func (f *Finder) findRoom(p *problem) Outcome {
	s := nodeView{room: make([]int64, len(p.Total))}
	for slot := range int32(len(f.views)) {
		if !f.nodes.Has(slot) {
			continue
		}
		f.observe(&s, slot)
		var c candidate
		if f.checkNode(p, &s, &c); c.state == fits {
			return NotNeeded
		}
	}
	return NoVictims
}

// resolve examines a node. It solves the candidate exactly unless the incumbent dominates it.
func (f *Finder) resolve(p *problem, slot int32, c *candidate, best *incumbent) {
	f.examine(p, slot, c)
	if c.state == bounded && !f.dominated(p, slot, c, best) {
		f.solve(p, slot, c, best)
	}
}
