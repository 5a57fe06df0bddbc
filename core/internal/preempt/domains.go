package preempt

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/domain"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/readonly"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/victim"
)

// RegionGroup is a list of regions in each of which a gang may be placed. The least harmful set of all of them counts.
type RegionGroup struct {
	Regions  readonly.List[node.Region]
	OnlyRoom bool // the gang preempts nothing if it only has to wait in one of them
	Surplus  bool // victims are elastic surplus
}

// GroupsOf lists the regions in which a gang may have victims, in the order in which they are searched. Those of a preferred level are
// searched only if the gang will fit nowhere without victims, each wider level only if those before it have none.
// Elastic surplus is tried in all of them first.
func (s *Preemption) GroupsOf(g app.AtomicGang) (groups []RegionGroup) {
	level, required, known := s.state.LevelOf(g)
	whole := readonly.Of([]node.Region{node.In(domain.None)})
	switch {
	case !known:
		return nil
	case required:
		groups = []RegionGroup{{Regions: s.state.Nodes().Regions(level)}}
	case level == state.NoLevel:
		groups = []RegionGroup{{Regions: whole}}
	default:
		groups = []RegionGroup{{Regions: whole, OnlyRoom: true}}
		for ; level >= 0; level = s.state.WiderLevel(level) {
			groups = append(groups, RegionGroup{Regions: s.state.Nodes().Regions(level)})
		}
		groups = append(groups, RegionGroup{Regions: whole})
	}
	if s.hasSurplus() {
		first := slices.Clone(groups)
		for i := range first {
			first[i].Surplus = true
		}
		groups = slices.Concat(first, groups)
	}
	return groups
}

// questionIn is GangQuestion for a region of a group.
func (s *Preemption) questionIn(g app.AtomicGang, members []app.Ask, r node.Region, group *RegionGroup) *victim.GangQuestion {
	q := s.GangQuestion(g, members)
	q.Nodes, q.OnlyRoom, q.Surplus = s.state.Nodes().NodesIn(r), group.OnlyRoom, group.Surplus
	return q
}

// addSlices restricts a question to assignments that keep the slices of a gang in their domains.
func (s *Preemption) addSlices(q *victim.GangQuestion, g app.AtomicGang) {
	level, size := s.state.SlicesOf(g)
	if size == 0 || level == state.NoLevel {
		return
	}
	v := s.state.Nodes().Domains()
	q.SliceSize = size
	q.DomainOf = func(n int32) int32 {
		if level == v.Levels() {
			return n
		}
		return int32(v.Of(n, level))
	}
}

// nextRegion begins the search in the next region. It reports false if there is none, or if the search has its result.
func (s *Preemption) nextRegion(x *gangSearch, members []app.Ask) bool {
	for len(x.groups) > 0 {
		group := &x.groups[0]
		if x.at < group.Regions.Len() {
			r := group.Regions.At(x.at)
			x.at++
			if group.Regions.Len() > 1 {
				s.progress.Spend(victim.QuestionSteps)
			}
			x.search = s.finder.NewGangSearch(s.questionIn(x.key.gang, members, r, group))
			return true
		}
		if x.waits || x.best != nil {
			return false
		}
		x.groups, x.at = x.groups[1:], 0
	}
	return false
}

// regionDone takes in the result of the search in a region.
func (s *Preemption) regionDone(x *gangSearch, set *victim.GangSet) {
	x.waits = x.waits || x.search.OnlyWaits()
	if set != nil && (x.best == nil || s.CompareSets(set, x.best) < 0) {
		x.best, x.surplus = set, x.groups[0].Surplus
	}
}

// CompareSets compares sets of victims that were found in different regions: the less harmful one first, and then by the IDs of its nodes.
func (s *Preemption) CompareSets(a, b *victim.GangSet) int {
	return a.Compare(b, func(x, y int32) int { return s.state.Nodes().CompareNames(node.Only(x), node.Only(y)) })
}

// findPreferred is victim.Finder.Find for an ask with a preferred level: the victims are on nodes that have a domain at the level or, if these
// have none, at the next wider level that has some.
func (s *Preemption) findPreferred(ask app.Ask, surplus bool) (*victim.Set, victim.Outcome) {
	anywhere, outcome := s.find(ask, 0, surplus)
	if outcome != victim.Found {
		return nil, outcome
	}
	for within := ask.Class().Preferences(); within > 0; within-- {
		if set, outcome := s.find(ask, within, surplus); outcome != victim.NoVictims && outcome != victim.NotNeeded {
			return set, outcome
		}
	}
	return anywhere, victim.Found
}

// find finds victims for an ask on nodes with the first preferred attributes.
func (s *Preemption) find(ask app.Ask, within int, surplus bool) (*victim.Set, victim.Outcome) {
	q := s.Question(ask)
	q.Surplus = surplus
	if within > 0 {
		s.Restrict(&q, within)
	}
	set, outcome, taken := s.finder.Find(&q, s.progress.Budget)
	s.progress.Spend(taken)
	return set, outcome
}

// Restrict restricts a question to the nodes with the first preferred attributes of its ask.
func (s *Preemption) Restrict(q *victim.Question, within int) {
	c, admits := q.Ask.Class(), q.Admits
	wanted := c.Preference(within)
	q.Within = within
	q.Admits = func(n int32) bool {
		return s.state.Nodes().Allows(n, wanted) && (admits == nil || admits(n))
	}
}
