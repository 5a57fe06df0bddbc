package schedule

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/domain"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/readonly"
	"github.com/quern-project/quern/core/internal/resumable"
	"github.com/quern-project/quern/core/internal/state"
)

// A gang with a level is placed in a domain: of the domains that take the most of its members, the one with the least room, and likewise in
// the domains of the next levels down. So domains that are whole stay whole for gangs that need them.

// domainSearch searches for the nodes of a gang with a level. Its placements are repeated from the start when it resumes, with the outcomes
// found so far.
type domainSearch struct {
	resumable.Attempt
	gang     app.AtomicGang
	members  []app.Ask // pending, in order
	places   map[app.Ask]int
	alike    bool // all members fit the same nodes, and slices have the same size
	slice    sliced
	partial  bool // the last slice that is needed is smaller than others
	steps    *int // of all searches for the gangs of a set; nil if it is of none
	outcomes [][]state.Placement
	looked   int         // number of regions compared for alike members
	tried    int         // number of outcomes that the current run has used
	inner    *gangSearch // the unfinished search in a region
	stopped  bool        // the current run has stopped, since the budget is exhausted or a policy has failed
	rooms    []shapeRooms
}

// nodesIn returns the nodes to search; region is nil for all nodes.
func (s *Walk) nodesIn(region *node.Region) readonly.List[int32] {
	if region == nil {
		return s.state.Nodes().Sorted()
	}
	return s.state.Nodes().NodesIn(*region)
}

// tryInDomains is tryGang for a gang with a level.
func (s *Walk) tryInDomains(ask app.Ask, g app.AtomicGang, level int, required bool) bool {
	w := &s.gangs
	if x := w.inDomains; x == nil || x.gang != g || !s.progress.Holds(x.Attempt) {
		if !s.planning.on && s.dormant(ask, g) {
			return false
		}
		if s.mustStop() {
			s.stopAt(ask)
			return false
		}
		again := x != nil && x.gang == g
		w.inDomains = s.newDomainSearch(ask, g)
		w.inDomains.Attempt = s.progress.Attempt(again || s.state.AnyModule()) // repeating placements would repeat calls of policies
	}
	x := w.inDomains
	x.tried, x.stopped = 0, false
	w.placed = w.placed[:0]
	found := s.placeAt(x, level, required)
	if !found || x.stopped {
		s.undo(0)
		if x.stopped || s.progress.PolicyFailed(resumable.Placement) {
			s.stopAt(ask)
			return false
		}
		w.inDomains = nil
		s.progress.Spend(x.looked)
		s.recordDormant(x, required)
		ask.RecordGangTry(s.state.LogEnd())
		if !x.alike && len(x.members) > g.Need() { // with less room, other members may be chosen
			s.reopenOnChange(ask.App(), g)
		}
		return false
	}
	w.inDomains = nil
	slices.SortFunc(w.placed, func(a, b state.Placement) int { return x.placeOf(a.Ask) - x.placeOf(b.Ask) })
	s.state.FormSlices(w.placed)
	s.landGang(w.placed)
	return true
}

func (s *Walk) newDomainSearch(first app.Ask, g app.AtomicGang) *domainSearch {
	x := &domainSearch{gang: g, alike: true}
	first.App().EachMember(first, func(ask app.Ask) bool {
		x.alike = x.alike && s.shapeOfMember(ask) == s.shapeOfMember(first)
		x.members = append(x.members, ask)
		return true
	})
	x.slice.level, x.slice.size = s.state.SlicesOf(g)
	x.partial = x.slice.size > 0 && g.Need()%x.slice.size != 0
	x.alike = x.alike && !s.planning.on && !s.Predicated(first.Class()) && !x.partial
	if x.slice.size > 0 { // rooms are those before any member is placed
		for _, kind := range s.shapesOf(x.members) {
			s.roomsOf(x, kind.first)
		}
	}
	return x
}

// placeOf returns the place of a member in the order of asks.
func (x *domainSearch) placeOf(ask app.Ask) int {
	if x.places == nil {
		x.places = make(map[app.Ask]int, len(x.members))
		for i, m := range x.members {
			x.places[m] = i
		}
	}
	return x.places[ask]
}

// placeAt assumes the members in a domain of a level. A level that is only preferred gives way to wider ones, and then to all nodes.
func (s *Walk) placeAt(x *domainSearch, level int, required bool) bool {
	need := x.gang.Need()
	for at := level; at >= 0 && (at == level || !required); at = s.state.WiderLevel(at) {
		if r, ok := s.chooseDomain(x, s.state.Nodes().Regions(at), x.members, need); ok || x.stopped {
			return ok && s.placeIn(x, r, x.members, need)
		}
	}
	if required {
		return false
	}
	whole := node.In(domain.None)
	return s.count(x, whole, x.members, need) >= need && s.placeIn(x, whole, x.members, need)
}

// placeIn assumes the first members that a region takes, as many as are needed: in one of its domains, if one takes them. Otherwise they
// are dealt out to several. It reports false only if the search has stopped.
func (s *Walk) placeIn(x *domainSearch, r node.Region, members []app.Ask, need int) bool {
	if s.spansSlices(x, r) && s.state.Nodes().Depth(r) == x.slice.level {
		return s.placeSlices(x, r, members, need)
	}
	return s.placeInside(x, r, members, need)
}

// placeInside is placeIn for a region in which the members need not be in whole slices, or which is wider than the slices' domains.
func (s *Walk) placeInside(x *domainSearch, r node.Region, members []app.Ask, need int) bool {
	below, rest := s.divide(x, r)
	if below.Len() == 0 {
		return s.placeHere(x, r, members, need)
	}
	if sub, ok := s.chooseDomain(x, below, members, need); ok || x.stopped {
		return ok && s.placeIn(x, sub, members, need)
	}
	if s.count(x, rest, members, need) >= need {
		return s.placeIn(x, rest, members, need)
	}
	dealt := members[:need]
	var own []state.Placement
	if !x.alike {
		if own = first(s.takes(x, r, members, need), need); x.stopped {
			return false
		}
		dealt = asksOf(own)
	}
	from := len(s.gangs.placed)
	if s.dealOut(x, append(below.Clone(), rest), dealt) || x.stopped || x.alike {
		return !x.stopped && len(s.gangs.placed) == from+need
	}
	s.undo(from)
	return s.assumeAll(own)
}

// dealOut assumes all members in several regions, the last of which comes after all others. The one with the most room comes first, and as
// soon as one holds all that are left, the tightest such takes them. It reports false if members are left, or if the search has stopped.
func (s *Walk) dealOut(x *domainSearch, regions []node.Region, members []app.Ask) bool {
	for len(members) > 0 && !x.stopped {
		sorted := s.byRoom(x, regions, members)
		if r, ok := s.tightest(x, sorted, members); ok || x.stopped {
			return ok && s.placeIn(x, r, members, len(members))
		}
		if len(sorted) == 0 || sorted[0].room == 0 {
			return false
		}
		r := sorted[0].region
		taken := s.landing(x, r, members)
		if len(taken) > 0 && !s.placeIn(x, r, taken, len(taken)) {
			return false
		}
		regions, members = without(regions, []node.Region{r}), without(members, taken)
	}
	return !x.stopped
}

// byRoom returns the regions that have room for the largest of the members, the roomiest first, and the last of all regions last.
func (s *Walk) byRoom(x *domainSearch, regions []node.Region, members []app.Ask) (list []candidate) {
	of := largest(members, s.wide.Total)
	for _, r := range regions {
		if room := s.roomIn(x, of, r); room > 0 || x.partial {
			list = append(list, candidate{region: r, room: room})
		}
	}
	named := list
	if last := len(list) - 1; last >= 0 && list[last].region.IsRest() {
		named = list[:last]
	}
	slices.SortFunc(named, func(a, b candidate) int { return s.compare(b.room, a.room, a.region, b.region) })
	return list
}

// tightest returns, of regions in the order of byRoom, the one with the least room that takes all members.
func (s *Walk) tightest(x *domainSearch, sorted []candidate, members []app.Ask) (best node.Region, ok bool) {
	takes := func(r node.Region) bool {
		return s.mostIn(x, r, members) >= len(members) && s.count(x, r, members, len(members)) >= len(members)
	}
	named := len(sorted)
	if named > 0 && sorted[named-1].region.IsRest() {
		named--
	}
	for end := named; end > 0 && !x.stopped; {
		first := end - 1 // among those with equal room, the first by name
		for first > 0 && sorted[first-1].room == sorted[end-1].room {
			first--
		}
		for _, c := range sorted[first:end] {
			if takes(c.region) {
				return c.region, !x.stopped
			}
		}
		end = first
	}
	if named < len(sorted) && !x.stopped && takes(sorted[named].region) {
		return sorted[named].region, !x.stopped
	}
	return best, false
}

// landing returns the members that land in a region in order.
func (s *Walk) landing(x *domainSearch, r node.Region, members []app.Ask) []app.Ask {
	if x.alike {
		return members[:s.count(x, r, members, 1)]
	}
	if s.spansSlices(x, r) {
		return asksOf(s.slicesInOrder(x, r, members))
	}
	return asksOf(s.takesMembers(x, r, members, 1))
}

// placeHere assumes the first members that a region takes on its nodes, in node order.
func (s *Walk) placeHere(x *domainSearch, r node.Region, members []app.Ask, need int) bool {
	if !x.alike {
		list := s.takesMembers(x, r, members, need)
		return !x.stopped && len(list) >= need && s.assumeAll(first(list, need))
	}
	for _, ask := range members[:need] {
		if !s.assumeIn(r, ask) {
			return false
		}
	}
	return true
}

// assumeIn assumes a member on the best node of a region. It reports whether headroom and a node allow that.
func (s *Walk) assumeIn(r node.Region, ask app.Ask) bool {
	w, c := &s.gangs, ask.Class()
	if !c.Fits(w.headroom) || s.planning.on && !s.fitsShared(ask, s.state.Now()) {
		return false
	}
	s.trying = ask
	n, _ := s.state.Nodes().BestIn(c, r, s.grants)
	if n == app.NoNode {
		return false
	}
	s.assumeAt(state.Placement{Ask: ask, Node: n})
	return true
}

func (s *Walk) assumeAt(p state.Placement) {
	s.assumeOn(p)
	s.gangs.headroom.Sub(p.Ask.Class().Demand())
	s.gangs.placed = append(s.gangs.placed, p)
}

func (s *Walk) assumeAll(list []state.Placement) bool {
	for _, p := range list {
		s.assumeAt(p)
	}
	return true
}

// undo takes back all but the first few assumed placements.
func (s *Walk) undo(first int) {
	w := &s.gangs
	s.takeBack(w.placed[first:])
	for _, p := range w.placed[first:] {
		w.headroom.Add(p.Ask.Class().Demand())
	}
	w.placed = w.placed[:first]
}

// count returns how many members a region takes, or a number below need if these are fewer.
func (s *Walk) count(x *domainSearch, r node.Region, members []app.Ask, need int) int {
	if !x.alike {
		return len(s.takes(x, r, members, need))
	}
	most := s.mostByHeadroom(members)
	if s.spansSlices(x, r) {
		return int(x.alikeInSlices(s.roomIn(x, members[0], r), most))
	}
	return int(min(most, s.roomsOf(x, members[0]).Of(r)))
}

// takes returns the placements of the members that a region takes: of all that land in order or, if these are fewer than needed, of the first
// that fit by themselves. It returns nil if there is none, or if the search has stopped.
func (s *Walk) takes(x *domainSearch, r node.Region, members []app.Ask, need int) []state.Placement {
	if s.spansSlices(x, r) {
		return s.takesSlices(x, r, members, need)
	}
	return s.takesMembers(x, r, members, need)
}

// takesMembers is takes for single members, of which the first may be assigned in any way.
func (s *Walk) takesMembers(x *domainSearch, r node.Region, members []app.Ask, need int) []state.Placement {
	if x.stopped {
		return nil
	}
	if x.tried < len(x.outcomes) {
		x.tried++
		return x.outcomes[x.tried-1]
	}
	if x.inner == nil {
		if s.progress.MustStopIn(resumable.Placement, x.Attempt) {
			x.stopped = true
			return nil
		}
		if list := s.inOrder(r, members); len(list) >= need {
			return x.record(list)
		}
		x.inner = &gangSearch{
			Attempt: x.Attempt, gang: x.gang, need: need, region: &r, pending: members, width: len(s.wide.Total), index: map[int32]int32{},
			headroom: slices.Clone(s.gangs.headroom),
		}
		if x.steps != nil {
			x.inner.steps = *x.steps
		}
		if !s.MayUseHeld(members[0]) {
			x.inner.held = s.accumulating.onNode
		}
	}
	found, done := s.run(x.inner)
	if !done {
		x.stopped = true
		return nil
	}
	inner := x.inner
	x.inner = nil
	if x.steps != nil {
		*x.steps = inner.steps
	}
	if !found {
		return x.record(nil)
	}
	return x.record(s.admitted(inner))
}

func (x *domainSearch) record(list []state.Placement) []state.Placement {
	x.outcomes = append(x.outcomes, list)
	x.tried++
	return list
}

// inOrder returns where members land in a region, each in order on the best node that takes it in addition to those before it.
func (s *Walk) inOrder(r node.Region, members []app.Ask) []state.Placement {
	w := &s.gangs
	from := len(w.placed)
	unfit := map[startShape]int32{}
	for _, ask := range members {
		if tried, known := unfit[s.fitShape(ask)]; known && tried >= ask.Priority() {
			continue // room only shrinks, and only higher priorities may take reserved nodes
		}
		if !s.assumeIn(r, ask) && !s.Predicated(ask.Class()) {
			unfit[s.fitShape(ask)] = ask.Priority()
		}
	}
	s.progress.Spend(memberSteps * len(members))
	list := slices.Clone(w.placed[from:])
	s.undo(from)
	return list
}

// admitted returns the placements of a finished search in the order of asks, or nil if a predicate rejects a member together with those
// before it.
func (s *Walk) admitted(x *gangSearch) []state.Placement {
	from := len(s.gangs.placed)
	slices.SortFunc(x.chosen, func(a, b member) int { return a.place - b.place })
	for i := range x.chosen {
		p := state.Placement{Ask: x.chosen[i].ask, Node: x.nodes[x.chosen[i].node]}
		if node.OnPlacements(p.Ask.Class()) && !s.state.Nodes().Admits(p.Ask.Class(), p.Node) {
			s.undo(from)
			return nil
		}
		s.assumeAt(p)
	}
	list := slices.Clone(s.gangs.placed[from:])
	s.undo(from)
	return list
}

// first returns the first placements of a list, which may be shorter.
func first(list []state.Placement, n int) []state.Placement { return list[:min(len(list), n)] }

func asksOf(list []state.Placement) (asks []app.Ask) {
	for _, p := range list {
		asks = append(asks, p.Ask)
	}
	return asks
}

// without returns the elements of a list that are not in another one.
func without[T comparable](list, others []T) (rest []T) {
	for _, x := range list {
		if !slices.Contains(others, x) {
			rest = append(rest, x)
		}
	}
	return rest
}
