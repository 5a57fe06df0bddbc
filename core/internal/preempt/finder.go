package preempt

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/queue"
)

// Finder looks for victims; make one with New.
type Finder struct {
	// Ranks returns the keys by which a victim.rank policy orders victims; nil: none is in force.
	Ranks func(*app.Ask) []int64

	pool    *node.Pool
	oldest  func(slot int32) *app.Ask // the first allocation on a node
	nominee func(slot int32) *app.Ask // the ask that a node is kept for
	cursor  node.Cursor

	views   []nodeView
	amounts []int64 // of all views
	log     []int32 // slots of views that were renewed, in order
	era     uint64  // grows when the log starts anew

	known        []*search
	spare        []*search
	refused      map[questionKey]*refusal
	slots        []int32 // scratch
	clock        uint64
	problem      problem
	needs        needs
	solver       solver
	shares       []int64
	few          []victim // scratch
	lastShares   lastShares
	examination  examination
	combinations combinations
	remaining    []int32 // scratch: slots
	steps        int
	limit        int  // of steps, in this call
	exact        int  // steps that the search through one node may take
	moved        bool // something was looked at in this call
	call         uint32
}

// New makes a finder over the nodes of a pool. oldest returns the first allocation on the node in a slot, keeper the ask
// that the node is kept for.
func New(pool *node.Pool, oldest, nominee func(slot int32) *app.Ask) *Finder {
	return &Finder{pool: pool, oldest: oldest, nominee: nominee, era: 1, exact: exactSteps}
}

// Reset forgets everything: the tree of queues, the width of vectors or a policy has changed.
func (f *Finder) Reset() {
	f.known, f.spare, f.refused, f.views, f.amounts, f.cursor, f.era = nil, nil, nil, nil, nil, node.Cursor{}, f.era+1
}

// Outcome is what a search came to.
type Outcome uint8

// The outcomes.
const (
	Unfinished Outcome = iota // its steps ran out: ask again, and it goes on
	NotNeeded                 // a node takes the ask, now or once those have left who were told to
	NoVictims                 // no lawful set is enough
	Found
)

// searchesKept is how many questions are remembered with what every node had to offer.
const searchesKept = 8

// profile is what questions have in common that have the same answer as long as nothing changes.
type questionKey struct {
	leaf  *queue.Queue
	class *class.Class
	prio  int32
	app   *app.App // where it matters whose ask it is
	holds int32    // slot of the node that it has a reservation on
}

// search is a question with what is known of the nodes' offers.
type search struct {
	questionKey questionKey
	used        uint64
	candidates  []candidate       // by slot
	counts      [exactSet + 1]int // of candidates, by state
	cuts        int               // candidates whose search was cut short
	next        int32             // slots from here on have not been scanned
	todo        []int32           // those before that have to be scanned again
	era         uint64
	read        int
	before      before
}

// Find looks for the best lawful set for a question, in about so many steps of some 10 ns each; it returns the steps that
// it took. A search whose steps run out goes on when it is asked again, and looks again only at what changed.
func (f *Finder) Find(q *Question, steps int) (set *Set, outcome Outcome, taken int) {
	f.steps, f.limit, f.moved = 0, steps, false
	f.call++
	f.refresh()
	p := &f.problem
	p.ranks = f.Ranks
	p.formulate(q)
	f.steps += 10 + 2*(len(p.leaves)+len(p.guards))
	switch {
	case p.open == 0 && !q.Thorough:
		outcome = NoVictims
	case q.byNode():
		set, outcome = f.findOn(p)
	default:
		set, outcome = f.findAnywhere(p)
	}
	return set, outcome, f.steps
}

// spent reports whether the steps have run out; something is done in every call.
func (f *Finder) spent() bool { return f.moved && f.steps >= f.limit }

// findOn looks at the one node that an ask may run on.
func (f *Finder) findOn(p *problem) (*Set, Outcome) {
	n := f.pool.Find(p.Ask.Class.Node)
	if n == nil {
		return nil, NoVictims
	}
	var o candidate
	f.examine(p, n.Slot, &o)
	if o.state == bounded {
		f.solve(p, n.Slot, &o, &incumbent{slot: -1})
	}
	switch o.state {
	case fits:
		return nil, NotNeeded
	case infeasible:
		return nil, NoVictims
	}
	set := f.setOf(p, n.Slot, &o)
	set.Approximate = o.cut != nil
	return set, Found
}

func (f *Finder) findAnywhere(p *problem) (*Set, Outcome) {
	if f.stillRefused(p) {
		return nil, NoVictims
	}
	s := f.search(p)
	f.update(s, p)
	for slot, more := s.take(); more; slot, more = s.take() {
		c := &s.candidates[slot]
		s.counts[c.state]--
		f.lowerBound(p, slot, c)
		s.counts[c.state]++
		f.moved = true
		if f.spent() {
			return nil, Unfinished
		}
	}
	set, outcome := f.choose(p, s)
	if outcome == NoVictims {
		f.refuse(s, p)
	}
	return set, outcome
}

func (f *Finder) keyOf(p *problem) questionKey {
	key := questionKey{leaf: p.Leaf, class: p.Ask.Class, prio: p.Ask.Priority, holds: p.Ask.Reserves}
	if p.Leaf.Conf.IntraQueue {
		key.app = p.Ask.App
	}
	return key
}

// search finds what is remembered of a question, or begins anew.
func (f *Finder) search(p *problem) *search {
	f.clock++
	key := f.keyOf(p)
	s := &search{}
	for _, known := range f.known {
		if known.questionKey == key {
			known.used = f.clock
			return known
		}
		if s.used == 0 || known.used < s.used {
			s = known
		}
	}
	if len(f.known) < searchesKept {
		s = &search{}
		if n := len(f.spare); n > 0 {
			s, f.spare = f.spare[n-1], f.spare[:n-1]
		}
		f.known = append(f.known, s)
	}
	s.questionKey, s.used, s.era = key, f.clock, 0
	return s
}

// forget lets a search go; its memory is used again.
func (f *Finder) forget(s *search) {
	f.known = slices.DeleteFunc(f.known, func(x *search) bool { return x == s })
	f.spare = append(f.spare, s)
}

// put notes a node's offer.
func (s *search) put(slot int32, o *candidate) {
	s.counts[s.candidates[slot].state]--
	s.counts[o.state]++
	if s.candidates[slot].cut != nil {
		s.cuts--
	}
	if o.cut != nil {
		s.cuts++
	}
	s.candidates[slot] = *o
}

// update has those offers looked at again that may have changed since the question was last asked.
func (f *Finder) update(s *search, p *problem) {
	change := s.before.change(p)
	if s.era != f.era || change.anew {
		f.examineAll(s)
	} else {
		for len(s.candidates) < len(f.views) {
			s.candidates = append(s.candidates, candidate{})
			s.counts[unexamined]++
		}
		for _, slot := range f.log[s.read:] {
			s.again(slot)
		}
		for slot := range s.candidates {
			o := &s.candidates[slot]
			if change.slack && o.guardBinds || change.less && o.maxBinds || change.more && o.state == fits {
				s.again(int32(slot))
			}
		}
		f.steps += len(s.candidates)
	}
	s.era, s.read = f.era, len(f.log)
	s.before.take(p)
}

// scanAll has every node looked at.
func (f *Finder) examineAll(s *search) {
	s.todo, s.next, s.cuts, s.counts = s.todo[:0], 0, 0, [exactSet + 1]int{unexamined: len(f.views)}
	s.candidates = slices.Grow(s.candidates[:0], len(f.views))[:len(f.views)]
	clear(s.candidates)
}

// again has the node in a slot looked at again.
func (s *search) again(slot int32) {
	if slot >= s.next {
		return // its turn is yet to come
	}
	if s.candidates[slot].state != unexamined {
		s.put(slot, &candidate{})
		s.todo = append(s.todo, slot)
	}
}

// take takes the next slot to be scanned.
func (s *search) take() (slot int32, more bool) {
	if last := len(s.todo) - 1; last >= 0 {
		slot, s.todo = s.todo[last], s.todo[:last]
		return slot, true
	}
	if int(s.next) == len(s.candidates) {
		return 0, false
	}
	s.next++
	return s.next - 1, true
}
