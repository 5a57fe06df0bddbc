package victim

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/readonly"
)

// QuestionSteps is the cost of one question to a predicate, in steps. A search asks at most mostQuestions. If it needs more, it
// returns the best set found so far.
const (
	QuestionSteps = 5_000
	mostQuestions = 100
)

// admittedSearch finds victims for an ask whose predicate depends on allocations. The predicate has to admit the ask to the chosen
// node once the victims and all leaving allocations have gone. So victims may be needed even if there is room, and some allocations
// may have to stay.
//
// Nodes are tried in the order of their lower bounds, which consider room and laws only: no set that the predicate admits does less
// harm. On each node, the set that is best by room and laws is tried first. If the predicate refuses it, build makes another set,
// which may not be the best of the node and is marked approximate.
type admittedSearch struct {
	f             *Finder
	p             *problem
	best          incumbent
	questionsLeft int
}

// site is a node on which victims may be chosen.
type site struct {
	slot int32
	room bool // there is room; only the predicate refuses the ask
	candidate
}

// findAdmitted is Find for asks whose predicate can answer as if allocations had gone. It remembers nothing between calls, and is
// not interruptible.
func (f *Finder) findAdmitted(p *problem) (*Set, Outcome) {
	s := &admittedSearch{f: f, p: p, best: incumbent{slot: -1}, questionsLeft: mostQuestions}
	sites, fitting := s.sites()
	if fitting {
		return nil, NotNeeded
	}
	truncated := false
	for i := range sites {
		if truncated = s.questionsLeft <= 0; truncated {
			break
		}
		s.try(&sites[i])
	}
	if s.best.slot < 0 {
		return nil, NoVictims
	}
	set := s.best.set
	set.Approximate = set.Approximate || truncated
	return set, Found
}

// sites lists the nodes that may have victims, in the order in which they are tried. fitting reports whether the ask fits a node
// without victims.
func (s *admittedSearch) sites() (list []site, fitting bool) {
	nodes := s.f.nodes.Sorted()
	if s.p.byNode() {
		var required []int32
		if n := s.f.nodes.Find(s.p.Ask.Class().Node()); n != app.NoNode {
			required = []int32{n}
		}
		nodes = readonly.Of(required)
	}
	for n := range nodes.All {
		at := site{slot: n}
		s.f.lowerBound(s.p, n, &at.candidate)
		if at.state == fits && s.admits(n, nil) {
			return nil, true
		}
		view := &s.f.views[n]
		if at.state == fits && !view.claimed && view.count > 0 && view.leaves&s.p.openMask != 0 {
			at.candidate = boundOfOne(view)
			at.room = true
		}
		if at.state == bounded {
			list = append(list, at)
		}
	}
	slices.SortStableFunc(list, func(a, b site) int {
		return cmp.Or(a.harmFloor.compare(b.harmFloor), comparePriorities(&a.prios, &b.prios, maxFew))
	})
	return list, false
}

// boundOfOne returns a lower bound of the harm of any set of at least one victim of a node.
func boundOfOne(view *nodeView) candidate {
	c := candidate{state: bounded, oldest: math.MaxUint64}
	c.harmFloor = floorOfProtected(view.protect)
	for i := range c.prios {
		c.prios[i] = math.MinInt64
	}
	if view.protect == 0 {
		c.top, c.prios[0] = view.prio, view.prio
	}
	return c
}

// try finds a set of a node that the predicate admits, and makes it the best one if it does less harm.
func (s *admittedSearch) try(at *site) {
	c := at.candidate
	if s.f.dominated(s.p, at.slot, &c, &s.best) {
		return
	}
	if !at.room {
		if s.f.resolve(s.p, at.slot, &c, &s.best); c.state < exactFew || s.f.dominated(s.p, at.slot, &c, &s.best) {
			return // no set of the node is better
		}
		set := s.f.setOf(s.p, at.slot, &c)
		set.Approximate = c.provenFloor != nil
		if s.admits(set.Node, set.Victims) {
			c.setExact(set)
			s.best = incumbent{at.slot, c}
			return
		}
	}
	set := s.build(at.slot)
	if set == nil || s.best.slot >= 0 && set.compare(s.best.set) >= 0 {
		return
	}
	c = candidate{}
	c.setExact(set)
	s.best = incumbent{at.slot, c}
}

// build makes a set of a node's victims that the predicate admits: of single victims and the surplus of gangs or, if these are not
// enough, of gangs that leave as a whole too.
func (s *admittedSearch) build(slot int32) *Set {
	view := s.f.summary(slot)
	victims := s.f.victimsOf(slot, view)
	if parts := s.partsOf(view, victims, false); s.p.Without == nil && !view.units && len(parts) <= mostEnumerated {
		return s.bestOf(view, parts)
	}
	set := s.buildOf(view, s.partsOf(view, victims, false))
	if set == nil && view.units {
		set = s.buildOf(view, s.partsOf(view, victims, true))
	}
	return set
}

// mostEnumerated is the largest number of victims of a node of which all sets are compared, for asks that get devices.
const mostEnumerated = 10

// bestOf returns the best lawful set of some victims that frees fitting devices, and none of which is needless.
func (s *admittedSearch) bestOf(view *nodeView, parts [][]victim) (best *Set) {
	var enough []uint
	for size := 1; size <= len(parts); size++ {
		for set := uint(1); set < 1<<len(parts); set++ {
			if bits.OnesCount(set) != size || slices.ContainsFunc(enough, func(less uint) bool { return less&^set == 0 }) {
				continue
			}
			s.f.steps += size
			var chosen [][]victim
			for i := range parts {
				if set>>i&1 != 0 {
					chosen = append(chosen, parts[i])
				}
			}
			victims := slices.Concat(chosen...)
			if !s.p.enough(view, victims) || !s.p.guardsAllow(victims) || !s.admitsParts(view, chosen) {
				continue
			}
			enough = append(enough, set)
			if found := s.p.newSet(view, victims); best == nil || found.compare(best) < 0 {
				best = found
			}
		}
	}
	return best
}

// partsOf lists the permitted victims of a node, least harm first: each alone, or with its whole gang.
func (s *admittedSearch) partsOf(view *nodeView, victims []victim, whole bool) (parts [][]victim) {
	var taken takenUnits
	for _, v := range victims {
		if !s.p.preemptable(&v) || s.p.guardBinds(v.leaf, v.class) {
			continue
		}
		u := (*takenUnit)(nil)
		if view.units {
			u = taken.of(s.p.unitOf(&v), nil)
		}
		switch one := []victim{v}; {
		case u == nil:
			parts = append(parts, one)
		case !whole && u.allows(one):
			u.add(one, 1)
			parts = append(parts, one)
		case whole:
			for u != nil && !u.restMayLeave(u.members) {
				u = u.outer
			}
			if u != nil {
				u.end(u.members, 1)
				parts = append(parts, u.members)
			}
		}
	}
	return parts
}

// buildOf starts with all parts, if the predicate admits the ask without them. Otherwise, if it admits the ask with all of them present,
// it gathers parts that do not change that answer until there is room. Then it drops unnecessary ones, from the most harmful.
func (s *admittedSearch) buildOf(view *nodeView, parts [][]victim) *Set {
	if len(parts) == 0 || !s.p.enough(view, slices.Concat(parts...)) {
		return nil
	}
	switch {
	case s.admitsParts(view, parts):
	case s.admits(view.node, nil):
		if parts = s.gather(view, parts); parts == nil {
			return nil
		}
	default:
		return nil
	}
	chosen := slices.Concat(s.dropNeedless(view, parts)...)
	if len(chosen) == 0 || !s.p.guardsAllow(chosen) {
		return nil
	}
	set := s.p.newSet(view, chosen)
	set.Approximate = true
	return set
}

// gather collects parts without which the predicate still admits the ask, until there is room. It returns nil if they are not enough.
func (s *admittedSearch) gather(view *nodeView, parts [][]victim) [][]victim {
	var some [][]victim
	for _, part := range parts {
		if s.questionsLeft <= 0 {
			return nil
		}
		if with := append(slices.Clone(some), part); s.admitsParts(view, with) {
			some = with
		}
		if s.p.enough(view, slices.Concat(some...)) {
			return some
		}
	}
	return nil
}

// dropNeedless removes unnecessary parts, from the most harmful. It tries to remove many at once, to ask few questions.
func (s *admittedSearch) dropNeedless(view *nodeView, parts [][]victim) [][]victim {
	for end, n := len(parts), len(parts); end > 0 && s.questionsLeft > 0; {
		n = min(n, end)
		rest := slices.Concat(parts[:end-n], parts[end:])
		switch {
		case s.p.enough(view, slices.Concat(rest...)) && s.admitsParts(view, rest):
			parts, end = rest, end-n
		case n > 1:
			n /= 2
		default: // this part is needed
			end--
			n = max(end, 1)
		}
	}
	return parts
}

func (s *admittedSearch) admitsParts(view *nodeView, parts [][]victim) bool {
	var list []app.Ask
	for _, part := range parts {
		for i := range part {
			list = append(list, part[i].ask)
		}
	}
	return s.admits(view.node, list)
}

// admits reports whether the predicate admits the ask to a node once the victims there and all leaving allocations have gone.
func (s *admittedSearch) admits(n int32, victims []app.Ask) bool {
	gone := s.f.GoneWith(n, victims)
	if s.p.Devices != nil && !s.p.Devices(n, gone) {
		return false
	}
	if s.p.Without == nil {
		return true
	}
	if len(gone) > 0 {
		s.questionsLeft--
		s.f.steps += QuestionSteps
	}
	return s.p.Without(n, gone)
}

// GoneWith lists the allocations that will have gone from a node when an ask that preempts victims is allocated there: the leaving
// allocations of the node in order of allocation, and then the victims there.
func (f *Finder) GoneWith(n int32, victims []app.Ask) []app.Ask {
	var gone []app.Ask
	for a := f.oldest(n); !a.IsNone(); a = a.NextOnNode() {
		if a.Leaving() {
			gone = append(gone, a)
		}
	}
	for _, v := range victims {
		if v.Node() == n {
			gone = append(gone, v)
		}
	}
	return gone
}
