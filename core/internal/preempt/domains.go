package preempt

import (
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/domain"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/readonly"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/victim"
)

// regionGroup is a list of regions in each of which a gang may be placed. The least harmful set of all of them counts.
type regionGroup struct {
	regions  readonly.List[node.Region]
	onlyRoom bool // the gang preempts nothing if it only has to wait in one of them
}

// groupsOf lists the regions in which a gang may have victims, in the order in which they are searched. Those of a preferred level are
// searched only if the gang will fit nowhere without victims, each wider level only if those before it have none.
func (s *Preemption) groupsOf(g app.AtomicGang) (groups []regionGroup) {
	level, required, known := s.state.LevelOf(g)
	whole := readonly.Of([]node.Region{node.In(domain.None)})
	switch {
	case !known:
		return nil
	case required:
		return []regionGroup{{s.state.Nodes().Regions(level), false}}
	case level == state.NoLevel:
		return []regionGroup{{whole, false}}
	}
	groups = []regionGroup{{whole, true}}
	for ; level >= 0; level-- {
		groups = append(groups, regionGroup{s.state.Nodes().Regions(level), false})
	}
	return append(groups, regionGroup{whole, false})
}

// questionIn is GangQuestion for a region.
func (s *Preemption) questionIn(g app.AtomicGang, members []app.Ask, r node.Region, onlyRoom bool) *victim.GangQuestion {
	q := s.GangQuestion(g, members)
	q.Nodes, q.OnlyRoom = s.state.Nodes().NodesIn(r), onlyRoom
	return q
}

// nextRegion begins the search in the next region. It reports false if there is none, or if the search has its result.
func (s *Preemption) nextRegion(x *gangSearch, members []app.Ask) bool {
	for len(x.groups) > 0 {
		group := &x.groups[0]
		if x.at < group.regions.Len() {
			r := group.regions.At(x.at)
			x.at++
			if group.regions.Len() > 1 {
				s.progress.Spend(victim.QuestionSteps)
			}
			x.search = s.finder.NewGangSearch(s.questionIn(x.key.gang, members, r, group.onlyRoom))
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
	if set != nil && (x.best == nil || set.Compare(x.best, s.compareNodes) < 0) {
		x.best = set
	}
}

// compareNodes compares nodes by ID.
func (s *Preemption) compareNodes(a, b int32) int {
	return s.state.Nodes().CompareNames(node.Only(a), node.Only(b))
}

// findPreferred is victim.Finder.Find for an ask with a preferred level: the victims are on nodes that have a domain at the level or, if these
// have none, at the next wider level that has some.
func (s *Preemption) findPreferred(ask app.Ask) (*victim.Set, victim.Outcome) {
	anywhere, outcome := s.find(ask, 0)
	if outcome != victim.Found {
		return nil, outcome
	}
	for within := ask.Class().Preferences(); within > 0; within-- {
		if set, outcome := s.find(ask, within); outcome != victim.NoVictims && outcome != victim.NotNeeded {
			return set, outcome
		}
	}
	return anywhere, victim.Found
}

// find finds victims for an ask on nodes with the first preferred attributes.
func (s *Preemption) find(ask app.Ask, within int) (*victim.Set, victim.Outcome) {
	q := s.Question(ask)
	if within > 0 {
		s.restrict(&q, within)
	}
	set, outcome, taken := s.finder.Find(&q, s.progress.Budget)
	s.progress.Spend(taken)
	return set, outcome
}

// restrict restricts a question to the nodes with the first preferred attributes of its ask.
func (s *Preemption) restrict(q *victim.Question, within int) {
	c, admits := q.Ask.Class(), q.Admits
	wanted := c.Preference(within)
	q.Within = within
	q.Admits = func(n int32) bool {
		return s.state.Nodes().Allows(n, wanted) && (admits == nil || admits(n))
	}
}
