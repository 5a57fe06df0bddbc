package schedule

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/domain"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/resource"
)

// The members of a gang are planned to start together, each on the first node in order that has room for it beside those before it. If the gang
// gives a level, they start in one domain: of those that take them, in the one with the least room.

// bounds says which bounds a search looks at.
type bounds uint8

const (
	allBounds  bounds = iota
	totalAlone        // of headroom, the cluster's total alone
)

// triedGang says when a gang was last tried, and did not fit.
type triedGang struct{ log, epoch uint64 }

// placeGang places the gang of which an ask is the first member now, if that takes no room of others' plans that it must leave.
func (s *Walk) placeGang(ask app.Ask) bool {
	p, g := &s.planning, ask.App().GangOf(ask)
	if g.IsNone() {
		return false // it has ended since the search stopped
	}
	now := triedGang{s.state.LogEnd(), p.epoch}
	if p.tried[g.Row().Seq] == now {
		return false
	}
	l := p.loaded(ask.Slot())
	if l != nil {
		s.unload(l)
	}
	lifted := s.lift(func(other *planLoad) bool { return s.state.Outranks(ask, other.ask) }, s.mayOutrank(ask))
	placed := s.tryGang(ask)
	if !placed && l != nil {
		s.load(l)
	}
	s.lower(lifted, nil)
	switch {
	case placed:
		p.grew++ // it leaves the room of its plan
	case s.search.ending != atGang:
		if len(p.tried) > mostShapes {
			clear(p.tried)
		}
		p.tried[g.Row().Seq] = now
	}
	return placed
}

// earliestTogether returns the plan of a gang with the first start within the horizon and before an instant, or nil.
func (s *Walk) earliestTogether(want *planLoad, before time.Duration) *planLoad {
	horizon := s.state.Conf().Backfill.Horizon.After(s.state.Now())
	x := s.newRoomSweep(want)
	for at, ok := x.first(), true; ok && at <= horizon && at < before; at, ok = x.next() {
		if !x.mayFit() {
			continue
		}
		if l := s.placedAt(want, at, allBounds); l != nil {
			return l
		}
	}
	return nil
}

// placedAt returns the plan of a gang that starts at an instant, or nil if its members do not fit then.
func (s *Walk) placedAt(want *planLoad, at time.Duration, of bounds) *planLoad {
	asks := make([]app.Ask, 0, len(want.parts))
	for i := range want.parts {
		asks = append(asks, want.parts[i].ask)
	}
	if !s.fitTogether(want, at, of) {
		return nil
	}
	l := s.newLoad(want.ask, want.gang, at)
	level, required, _ := s.state.LevelOf(want.gang)
	for ; level != state.NoLevel && level >= 0; level = s.state.WiderLevel(level) {
		for _, r := range s.tightestAt(s.state.Nodes().Regions(level).Clone(), want, at) {
			if s.placeInRegion(l, asks, r) {
				return l
			}
		}
		if required {
			return nil
		}
	}
	if !required && s.placeInRegion(l, asks, node.In(domain.None)) {
		return l
	}
	return nil
}

// fitTogether reports whether queues and limits have room for the members of a gang from an instant on.
func (s *Walk) fitTogether(want *planLoad, at time.Duration, of bounds) bool {
	fits, made := true, 0
	for i := range want.parts {
		x := &want.parts[i]
		x.until = planEnd(x.ask, at)
		if of == totalAlone {
			fits = s.fitsTotal(x.ask, at)
		} else {
			fits = s.fitsShared(x.ask, at)
		}
		if !fits {
			break
		}
		s.countShared(want.of, x, at, true)
		made++
	}
	for i := range want.parts[:made] {
		s.countShared(want.of, &want.parts[i], at, false)
	}
	return fits
}

// fitsTotal reports whether the cluster's total has room for an ask from an instant on.
func (s *Walk) fitsTotal(ask app.Ask, at time.Duration) bool {
	if len(s.planning.overNodes) == 0 {
		return true // nodes with room leave the total room too
	}
	r := s.queueRoom(s.state.Queues().Root())
	return r == nil || r.Fits(ask.Class().Needs(), at, planEnd(ask, at))
}

// placeInRegion adds members to a plan, on nodes of a region. It reports false, and adds none, if one does not fit.
func (s *Walk) placeInRegion(l *planLoad, asks []app.Ask, r node.Region) bool {
	from := len(l.parts)
	placed := s.addMembers(l, asks, r)
	s.uncount(l.parts[from:], l.start)
	if !placed {
		l.parts = l.parts[:from]
	}
	return placed
}

// addMembers is placeInRegion that leaves the members counted on their nodes.
func (s *Walk) addMembers(l *planLoad, asks []app.Ask, r node.Region) bool {
	level, size := s.state.SlicesOf(l.gang)
	if size == 0 {
		return s.addEach(l, asks, r)
	}
	inner := s.tightestAt(s.state.Nodes().RegionsIn(r, level).Clone(), l, l.start, asks...)
	for unit := range slices.Chunk(asks, size) {
		if !slices.ContainsFunc(inner, func(d node.Region) bool { return s.addSlice(l, unit, d) }) {
			return false
		}
	}
	return true
}

// addSlice adds the members of a slice to a plan, or none of them.
func (s *Walk) addSlice(l *planLoad, unit []app.Ask, r node.Region) bool {
	from := len(l.parts)
	if s.addEach(l, unit, r) {
		return true
	}
	s.uncount(l.parts[from:], l.start)
	l.parts = l.parts[:from]
	return false
}

// uncount takes members back that are counted on their nodes.
func (s *Walk) uncount(parts []planPart, start time.Duration) {
	for i := range parts {
		s.countOnNode(&parts[i], start, false)
	}
}

// addEach adds each member on the first node in order that has room for it beside those before it. It reports whether there is always one.
func (s *Walk) addEach(l *planLoad, asks []app.Ask, r node.Region) bool {
	orders := map[startShape][]int32{}
	for _, ask := range asks {
		of := startShape{ask.Class(), ask.Walltime().Limit}
		order, known := orders[of]
		if !known {
			order = s.orderAt(ask, r, l.start)
		}
		for len(order) > 0 && !s.fitsNode(ask, order[0], l.start) { // room only shrinks
			order = order[1:]
		}
		if orders[of] = order; len(order) == 0 {
			return false
		}
		s.countOnNode(l.add(ask, order[0]), l.start, true)
	}
	return true
}

// orderAt lists the nodes of a region that have room for an ask from an instant on, in the order of now.
func (s *Walk) orderAt(ask app.Ask, r node.Region, at time.Duration) (list []int32) {
	all := s.state.Nodes().NodesIn(r)
	s.progress.Spend(1 + all.Len()/8)
	for n := range all.All {
		if s.state.Nodes().FitsEmpty(n, ask.Class()) && s.fitsNode(ask, n, at) && s.state.Nodes().Admits(ask.Class(), n) {
			list = append(list, n)
		}
	}
	scores := s.state.Nodes().Scores(ask.Class())
	score := func(n int32) int64 {
		if x, known := scores.Of(n); known {
			return x
		}
		return minScore
	}
	slices.SortStableFunc(list, func(a, b int32) int {
		switch p, q := score(a), score(b); {
		case p > q:
			return -1
		case p < q:
			return 1
		}
		return 0
	})
	return list
}

// tightestAt sorts regions by their room for the largest of some members at an instant, and then by name. Without members they are all of a plan.
func (s *Walk) tightestAt(regions []node.Region, of *planLoad, at time.Duration, members ...app.Ask) []node.Region {
	if len(members) == 0 {
		for i := range of.parts {
			members = append(members, of.parts[i].ask)
		}
	}
	level, size := s.state.SlicesOf(of.gang)
	ask, rooms := largest(members, s.wide.Total), map[node.Region]int64{}
	for _, r := range regions {
		if size > 0 && s.state.Nodes().Depth(r) < level {
			for inner := range s.state.Nodes().RegionsIn(r, level).All {
				rooms[r] += s.roomAt(ask, inner, at) / int64(size)
			}
			continue
		}
		rooms[r] = s.roomAt(ask, r, at)
	}
	slices.SortFunc(regions, func(a, b node.Region) int { return s.compare(rooms[a], rooms[b], a, b) })
	return regions
}

// roomAt returns how many asks like one the nodes of a region have room for from an instant on.
func (s *Walk) roomAt(ask app.Ask, r node.Region, at time.Duration) (sum int64) {
	for n := range s.state.Nodes().NodesIn(r).All {
		sum = resource.Add(sum, s.copiesAt(ask, n, at))
	}
	return sum
}

// copiesAt returns how many asks like one a node has room for from an instant on.
func (s *Walk) copiesAt(ask app.Ask, n int32, at time.Duration) int64 {
	r := s.room(n)
	if !r.usable || at < r.closed && !s.ignoresKeeping(ask, n, r) || !s.state.Nodes().Admits(ask.Class(), n) {
		return 0
	}
	if _, may := s.state.PromiseOn(ask, n, at); !may {
		return 0
	}
	return r.Holds(ask.Class().Needs(), at, planEnd(ask, at))
}

// inTheirDomains reports whether the members of a planned gang are in the domains that its level and slices require.
func (s *Walk) inTheirDomains(l *planLoad) bool {
	if l.gang.IsNone() {
		return true
	}
	level, required, known := s.state.LevelOf(l.gang)
	if !known || required && !s.partsInDomain(l.parts, level) {
		return false
	}
	level, size := s.state.SlicesOf(l.gang)
	if size == 0 {
		return true
	}
	for unit := range slices.Chunk(l.parts, size) {
		if !s.partsInDomain(unit, level) {
			return false
		}
	}
	return true
}

func (s *Walk) partsInDomain(parts []planPart, level int) bool {
	return !slices.ContainsFunc(parts, func(x planPart) bool { return !s.state.InOneDomain(level, parts[0].node, x.node) })
}

// countOnNode counts an ask on its node alone, or takes it back.
func (s *Walk) countOnNode(x *planPart, start time.Duration, more bool) {
	s.room(x.node)
	use(s.planning.nodes[x.node].Profile, x.class, start, x.until, more)
	s.planning.touch(x.node)
}
