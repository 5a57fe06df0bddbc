package victim

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/queue"
)

// searchesKept is how many searches are remembered with all their candidates.
const searchesKept = 8

// questionKey is equal for questions that have the same answer as long as nothing changes.
type questionKey struct {
	leaf  *queue.Queue
	class *class.Class
	prio  int32
	app   *app.App // where the application matters
	holds int32    // slot of the node that the ask has a reservation on
}

func (f *Finder) keyOf(p *problem) questionKey {
	key := questionKey{leaf: p.Leaf, class: p.Ask.Class, prio: p.Ask.Priority, holds: p.Ask.ReservedNode()}
	if p.Leaf.Conf.IntraQueue {
		key.app = p.Ask.App
	}
	return key
}

// search is a question with its candidates, as far as it has come.
type search struct {
	key        questionKey
	used       uint64            // when it was last used, by the finder's clock
	candidates []candidate       // by slot
	counts     [exactSet + 1]int // of candidates, by state
	cuts       int               // candidates whose search was cut short
	first      int32             // slots from here on have not been bounded
	again      []int32           // those before that have to be bounded again
	era        uint64
	read       int // of the finder's log
	prior      priorProblem
}

// search returns what is remembered of a question, or restarts.
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
	if len(f.searches) < searchesKept {
		s = &search{}
		if n := len(f.unused); n > 0 {
			s, f.unused = f.unused[n-1], f.unused[:n-1]
		}
		f.searches = append(f.searches, s)
	}
	s.key, s.used, s.era = key, f.clock, 0
	return s
}

// forget drops a search; its memory is used again.
func (f *Finder) forget(s *search) {
	f.searches = slices.DeleteFunc(f.searches, func(x *search) bool { return x == s })
	f.unused = append(f.unused, s)
}

// update resets those candidates that may have changed since the question was last asked.
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
			s.doubt(slot)
		}
		for slot := range s.candidates {
			c := &s.candidates[slot]
			if change.slack && c.guardBinds || change.less && c.maxBinds || change.more && c.state == fits {
				s.doubt(int32(slot))
			}
		}
		f.steps += len(s.candidates)
	}
	s.era, s.read = f.era, len(f.log)
	s.prior.take(p)
}

// reset has every node bounded.
func (s *search) reset(nodes int) {
	s.again, s.first, s.cuts, s.counts = s.again[:0], 0, 0, [exactSet + 1]int{unexamined: nodes}
	s.candidates = slices.Grow(s.candidates[:0], nodes)[:nodes]
	clear(s.candidates)
}

// doubt has the node in a slot bounded again.
func (s *search) doubt(slot int32) {
	if slot >= s.first {
		return // its turn is yet to come
	}
	if s.candidates[slot].state != unexamined {
		s.put(slot, &candidate{})
		s.again = append(s.again, slot)
	}
}

// next returns the next slot to be bounded.
func (s *search) next() (slot int32, more bool) {
	if last := len(s.again) - 1; last >= 0 {
		slot, s.again = s.again[last], s.again[:last]
		return slot, true
	}
	if int(s.first) == len(s.candidates) {
		return 0, false
	}
	s.first++
	return s.first - 1, true
}

// put replaces a candidate.
func (s *search) put(slot int32, c *candidate) {
	old := &s.candidates[slot]
	s.counts[old.state]--
	s.counts[c.state]++
	if old.cut != nil {
		s.cuts--
	}
	if c.cut != nil {
		s.cuts++
	}
	*old = *c
}
