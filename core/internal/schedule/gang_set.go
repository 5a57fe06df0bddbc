package schedule

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/domain"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/resumable"
	"github.com/quern-project/quern/core/internal/state"
)

// trySet is tryGang for a gang of a set that waits: it allocates as many gangs of the set as must start together, or none. A gang that does not
// fit in addition to those before it is passed over.
func (s *Walk) trySet(ask app.Ask, g app.AtomicGang) bool {
	w, a, need := &s.gangs, ask.App(), g.Row().SetMin
	set := s.state.WaitingSet(a, g.Row().Set)
	if len(set) < need {
		if !s.hideIncomplete(ask) {
			s.setFailed(set)
		}
		return false
	}
	if of, alike := s.shapeOfSet(set); alike && !s.roomForSet(ask, of) {
		if !s.hideSet(ask, of) {
			s.setFailed(set)
		}
		return false
	}
	if s.mustStop() {
		s.stopAt(ask)
		return false
	}
	s.headroomFor(ask)
	w.placed = w.placed[:0]
	var ends []int // of each gang that fits, in placed
	steps := 0
	for _, first := range set {
		if s.placeNextOfSet(first, &steps) {
			ends = append(ends, len(w.placed))
		}
		if len(ends) == need || s.progress.PolicyFailed(resumable.Placement) {
			break
		}
	}
	if len(ends) < need {
		s.undo(0)
		if s.progress.PolicyFailed(resumable.Placement) {
			s.stopAt(ask)
		} else {
			s.setFailed(set)
		}
		return false
	}
	from := 0
	for _, end := range ends {
		s.state.FormSlices(w.placed[from:end])
		from = end
	}
	s.landGang(w.placed)
	return true
}

// setFailed records that a set does not start now. It is tried again at the first member of each of its gangs once anything has changed: a change
// that matters to one of them may make the others start.
func (s *Walk) setFailed(set []app.Ask) {
	for _, first := range set {
		first.RecordGangTry(s.state.LogEnd())
		s.reopenOnChange(first.App(), first.WaitingGang())
	}
}

// placeNextOfSet assumes the members of a gang in addition to those that are assumed already. It reports whether enough of them fit. steps counts
// the steps of the searches for all gangs of the set.
func (s *Walk) placeNextOfSet(first app.Ask, steps *int) bool {
	g, from := first.WaitingGang(), len(s.gangs.placed)
	level, required, known := s.state.LevelOf(g)
	if !known {
		return false
	}
	x := s.newDomainSearch(first, g)
	x.Attempt, x.steps = s.progress.Attempt(true), steps
	if !s.placeOfSet(x, level, required) || x.stopped {
		s.undo(from)
		return false
	}
	slices.SortFunc(s.gangs.placed[from:], func(p, q state.Placement) int { return x.placeOf(p.Ask) - x.placeOf(q.Ask) })
	return true
}

func (s *Walk) placeOfSet(x *domainSearch, level int, required bool) bool {
	need := x.gang.Need()
	if level != state.NoLevel || x.slice.size > 0 {
		return s.placeAt(x, level, required)
	}
	list := s.takesMembers(x, node.In(domain.None), x.members, need)
	return len(list) >= need && s.assumeAll(first(list, need))
}
