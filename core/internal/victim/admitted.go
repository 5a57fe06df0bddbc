package victim

import (
	"cmp"
	"math"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/node"
)

// QuestionSteps is what a question to a predicate counts in steps, and mostQuestions how many a search puts at most. A search that needs more
// ends with the best set that it has.
const (
	QuestionSteps = 5_000
	mostQuestions = 100
)

// admittedSearch looks for victims of an ask whose predicate depends on what is allocated: on the chosen node it has to admit the ask once the
// victims and all leaving allocations have gone. So victims may be needed although there is room, and some may have to stay.
//
// Nodes come in the order of the least harm that room alone allows there, since no set that the predicate admits does less. On each the set
// is tried that is best as far as room and laws are concerned. If the predicate refuses that one, a set is built (build), which need
// not be the best of the node: it is marked approximate.
type admittedSearch struct {
	f    *Finder
	p    *problem
	best incumbent
	left int // questions
}

// site is a node that a search may choose.
type site struct {
	slot int32
	room bool // the ask needs nothing of it but that the predicate admits it
	candidate
}

// findAdmitted is Find for asks whose predicate foresees. It remembers nothing, and is never interrupted.
func (f *Finder) findAdmitted(p *problem) (*Set, Outcome) {
	s := &admittedSearch{f: f, p: p, best: incumbent{slot: -1}, left: mostQuestions}
	sites, fitting := s.sites()
	if fitting {
		return nil, NotNeeded
	}
	cut := false
	for i := range sites {
		if cut = s.left <= 0; cut {
			break
		}
		s.try(&sites[i])
	}
	if s.best.slot < 0 {
		return nil, NoVictims
	}
	set := s.best.set
	set.Approximate = set.Approximate || cut
	return set, Found
}

// sites lists the nodes that may have victims, in the order in which they are tried. fitting reports that one takes the ask without any.
func (s *admittedSearch) sites() (list []site, fitting bool) {
	nodes := s.f.pool.Sorted()
	if s.p.byNode() {
		nodes = nil
		if n := s.f.pool.Find(s.p.Ask.Class.Node); n != nil {
			nodes = append(nodes, n)
		}
	}
	for _, n := range nodes {
		at := site{slot: n.Slot}
		s.f.lowerBound(s.p, n.Slot, &at.candidate)
		if at.state == fits && s.admits(n, nil) {
			return nil, true
		}
		view := &s.f.views[n.Slot]
		if at.state == fits && !view.claimed && view.count > 0 && view.leaves&s.p.mask != 0 {
			at.candidate = boundOfOne(view)
			at.room = true
		}
		if at.state == bounded {
			list = append(list, at)
		}
	}
	slices.SortStableFunc(list, func(a, b site) int {
		return cmp.Or(a.harmFloor.compare(b.harmFloor), comparePriorities(&a.prios, &b.prios, few))
	})
	return list, false
}

// boundOfOne bounds a set of one victim or more, whatever they free.
func boundOfOne(view *nodeView) candidate {
	c := candidate{state: bounded, oldest: math.MaxUint64}
	c.harmFloor = harmFloor{int32(view.protect / originator), int32(view.protect % originator), 1, math.MinInt64}
	for i := range c.prios {
		c.prios[i] = math.MinInt64
	}
	if view.protect == 0 {
		c.top, c.prios[0] = view.prio, view.prio
	}
	return c
}

// try makes the best set of a node that the predicate admits the best of all, if it is.
func (s *admittedSearch) try(at *site) {
	c := at.candidate
	if s.f.dominated(s.p, at.slot, &c, &s.best) {
		return
	}
	if !at.room {
		if s.f.settle(s.p, at.slot, &c, &s.best); c.state < exactFew || s.f.dominated(s.p, at.slot, &c, &s.best) {
			return // what the predicate admits there is no better
		}
		set := s.f.setOf(s.p, at.slot, &c)
		set.Approximate = c.cut != nil
		if s.admits(set.Node, set.Victims) {
			c.takeSet(set)
			s.best = incumbent{at.slot, c}
			return
		}
	}
	set := s.build(at.slot)
	if set == nil || s.best.slot >= 0 && set.compare(s.best.set) >= 0 {
		return
	}
	c = candidate{}
	c.takeSet(set)
	s.best = incumbent{at.slot, c}
}

// build makes a set that the predicate admits of a node's victims: all that may go, if it admits the ask without them; otherwise, where it
// admits the ask as things are, as many as are needed without which it still does. Then those are spared that are not needed, the most harmful first.
func (s *admittedSearch) build(slot int32) *Set {
	view := s.f.summary(slot)
	var all []victim // least harm first
	for _, v := range s.f.victimsOf(slot, view) {
		if s.p.preemptable(&v) && !s.p.guardBinds(v.leaf, v.class) {
			all = append(all, v)
		}
	}
	if len(all) == 0 || !s.p.enough(view, all) {
		return nil
	}
	switch {
	case s.admitsVictims(view, all):
	case s.admits(view.node, nil):
		if all = s.gather(view, all); all == nil {
			return nil
		}
	default:
		return nil
	}
	chosen := s.spare(view, all)
	if len(chosen) == 0 || !s.p.spared(chosen) {
		return nil
	}
	set := s.p.newSet(view, chosen)
	set.Approximate = true
	return set
}

// gather takes victims without which the predicate still admits the ask until there is room; nil: there are not enough.
func (s *admittedSearch) gather(view *nodeView, all []victim) []victim {
	var some []victim
	for _, v := range all {
		if s.left <= 0 {
			return nil
		}
		if with := append(slices.Clone(some), v); s.admitsVictims(view, with) {
			some = with
		}
		if s.p.enough(view, some) {
			return some
		}
	}
	return nil
}

// spare leaves out the victims that are not needed, the most harmful first: as many at once as can be.
func (s *admittedSearch) spare(view *nodeView, victims []victim) []victim {
	for end, n := len(victims), len(victims); end > 0 && s.left > 0; {
		n = min(n, end)
		rest := slices.Concat(victims[:end-n], victims[end:])
		switch {
		case s.p.enough(view, rest) && s.admitsVictims(view, rest):
			victims, end = rest, end-n
		case n > 1:
			n /= 2
		default: // it is needed
			end--
			n = max(end, 1)
		}
	}
	return victims
}

func (s *admittedSearch) admitsVictims(view *nodeView, victims []victim) bool {
	list := make([]*app.Ask, len(victims))
	for i := range victims {
		list[i] = victims[i].ask
	}
	return s.admits(view.node, list)
}

// admits reports whether the predicate admits the ask once victims, and all that leave, have gone.
func (s *admittedSearch) admits(n *node.Node, victims []*app.Ask) bool {
	gone := s.f.GoneWith(n, victims)
	if len(gone) > 0 {
		s.left--
		s.f.steps += QuestionSteps
	}
	return s.p.Without(n, gone)
}

// GoneWith lists the allocations that will have gone when an ask that takes victims lands on a node: them, and all that leave the node, in the
// order of allocation there.
func (f *Finder) GoneWith(n *node.Node, victims []*app.Ask) []*app.Ask {
	var gone []*app.Ask
	for a := f.oldest(n.Slot); a != nil; a = a.Next(app.OnNode) {
		if a.Leaving {
			gone = append(gone, a)
		}
	}
	return append(gone, victims...)
}
