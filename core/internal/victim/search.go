package victim

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// maxSearches is the number of searches that are remembered with all their candidates.
const maxSearches = 8

// questionKey identifies questions that have the same answer as long as the cluster does not change.
type questionKey struct {
	leaf     queues.ID
	class    class.Class
	prio     int32
	app      app.App // none unless victims may be of the same leaf, where law 3 matters
	reserves int32   // slot of the node that the ask has reserved
	within   int     // Question.Within
	elastic  bool    // Question.Elastic
	surplus  bool    // Question.Surplus
}

func (f *Finder) keyOf(p *problem) questionKey {
	key := questionKey{leaf: p.Leaf, class: p.Ask.Class(), prio: p.Ask.Priority(), reserves: p.Ask.ReservedNode(), within: p.Within, elastic: p.Elastic, surplus: p.Surplus}
	if p.Queues.Conf(p.Leaf).IntraQueue || p.Surplus {
		key.app = p.Ask.App()
	}
	return key
}

// search is the state of the search for one question: a candidate for each node, and how far they have been bounded.
type search struct {
	key        questionKey
	used       uint64            // Finder.clock at the last use
	candidates []candidate       // by slot
	counts     [exactSet + 1]int // number of candidates, by state
	truncated  int               // candidates whose search within the node ran out of steps
	first      int32             // slots from here on have not been bounded yet
	recheck    []int32           // slots below first that have to be bounded again
	era        uint64
	read       int // entries of Finder.log that were read
	aged       agedAt
	prior      priorProblem
}

// search returns the remembered search for a question, or a new one in place of the least recently used.
func (f *Finder) search(p *problem) *search {
	f.clock++
	key := f.keyOf(p)
	s := &search{}
	for _, known := range f.searches {
		if known.key == key {
			known.used = f.clock
			return known
		}
		if s.used == 0 || known.used < s.used {
			s = known
		}
	}
	if len(f.searches) < maxSearches {
		s = &search{}
		if n := len(f.unused); n > 0 {
			s, f.unused = f.unused[n-1], f.unused[:n-1]
		}
		f.searches = append(f.searches, s)
	}
	s.key, s.used, s.era = key, f.clock, 0
	return s
}

// forget drops a search and keeps its memory for reuse.
func (f *Finder) forget(s *search) {
	f.searches = slices.DeleteFunc(f.searches, func(x *search) bool { return x == s })
	f.unused = append(f.unused, s)
}

// update invalidates the candidates that may have changed since the question was last asked.
func (f *Finder) update(s *search, p *problem) {
	change := s.prior.change(p)
	if s.era != f.era || change.anew {
		s.reset(len(f.views))
	} else {
		for len(s.candidates) < len(f.views) {
			s.candidates = append(s.candidates, candidate{})
			s.counts[unexamined]++
		}
		for _, slot := range f.log[s.read:] {
			s.invalidate(slot)
		}
		for slot := range s.candidates {
			c := &s.candidates[slot]
			if change.slack && c.guardBinds || change.less && c.maxBinds || change.more && c.state == fits {
				s.invalidate(int32(slot))
			}
		}
		f.steps += len(s.candidates)
	}
	s.era, s.read = f.era, len(f.log)
	f.outdate(s, p)
	s.prior.record(p)
}

// reset restarts the search: every node has to be bounded.
func (s *search) reset(nodes int) {
	s.recheck, s.first, s.truncated, s.counts = s.recheck[:0], 0, 0, [exactSet + 1]int{unexamined: nodes}
	s.candidates = slices.Grow(s.candidates[:0], nodes)[:nodes]
	clear(s.candidates)
}

// invalidate schedules the node in a slot to be bounded again.
func (s *search) invalidate(slot int32) {
	if slot >= s.first {
		return // it has not been bounded yet
	}
	if s.candidates[slot].state != unexamined {
		s.put(slot, &candidate{})
		s.recheck = append(s.recheck, slot)
	}
}

// next returns the next slot that has to be bounded.
func (s *search) next() (slot int32, more bool) {
	if last := len(s.recheck) - 1; last >= 0 {
		slot, s.recheck = s.recheck[last], s.recheck[:last]
		return slot, true
	}
	if int(s.first) == len(s.candidates) {
		return 0, false
	}
	s.first++
	return s.first - 1, true
}

// put replaces a candidate and updates the counts.
func (s *search) put(slot int32, c *candidate) {
	old := &s.candidates[slot]
	s.counts[old.state]--
	s.counts[c.state]++
	if old.provenFloor != nil {
		s.truncated--
	}
	if c.provenFloor != nil {
		s.truncated++
	}
	*old = *c
}
