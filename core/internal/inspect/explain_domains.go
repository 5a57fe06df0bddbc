package inspect

import (
	"cmp"
	"slices"
	"strings"

	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/domain"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/readonly"
	"github.com/quern-project/quern/core/internal/resumable"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/victim"
	"github.com/quern-project/quern/core/resource"
)

// regionRoom is a region and the number of members that it has room for.
type regionRoom struct {
	region node.Region
	fits   int
}

// gangDomains describes the room for a gang in the domains of its level, and returns the region in which its members are tried: the domain
// with the most room or, for a level that is only preferred, all nodes.
func (s *View) gangDomains(g app.AtomicGang, members []app.Ask, level int, required bool) (*explain.GangDomains, node.Region) {
	said := g.Row().Topology
	sliceLevel, size := s.SlicesOf(g)
	e, first := s.domainsOf(s.Nodes().Regions(level), members, g.Need(), func(r node.Region) int {
		if size > 0 {
			return s.slicesIn(r, members, g.Need(), sliceLevel, size)
		}
		return s.fitsIn(r, members, g.Need())
	})
	e.Level, e.Preferred = cmp.Or(said.Required, said.Preferred), !required
	if size > 0 {
		e.Slices = &explain.Slices{Level: said.Slice.Level, Size: size}
	}
	if !required {
		return e, node.In(domain.None)
	}
	return e, first
}

// domainsOf describes the room for members in regions, of which fits tells how many a region takes. It returns the region that takes the most.
func (s *View) domainsOf(regions readonly.List[node.Region], members []app.Ask, need int, fits func(node.Region) int) (*explain.GangDomains, node.Region) {
	e, first := &explain.GangDomains{Total: regions.Len()}, node.Nowhere()
	var list []regionRoom
	for r := range regions.All {
		list = append(list, regionRoom{r, fits(r)})
	}
	slices.SortFunc(list, func(a, b regionRoom) int {
		return cmp.Or(b.fits-a.fits, s.Nodes().CompareNames(a.region, b.region))
	})
	for i, r := range list {
		if r.fits == need {
			e.Enough++
		}
		if i < explain.MostDomains {
			e.Nearest = append(e.Nearest, s.domainRoom(r, members[0], need, i < explain.NearDomains))
		}
	}
	if len(list) > 0 {
		first = list[0].region
	}
	return e, first
}

// fitsIn returns how many members fit together in a region, in order, at most as many as are needed. Headroom does not count.
func (s *View) fitsIn(r node.Region, members []app.Ask, need int) int {
	var placed []state.Placement
	for _, m := range members {
		if n := s.firstNode(m, r); n != app.NoNode {
			p := state.Placement{Ask: m, Node: n}
			s.Assume(p)
			if placed = append(placed, p); len(placed) == need {
				break
			}
		}
	}
	s.TakeBack(placed)
	return len(placed)
}

func (s *View) domainRoom(r regionRoom, member app.Ask, need int, near bool) explain.DomainRoom {
	e := explain.DomainRoom{Domain: s.nameOf(r.region), Fits: r.fits, Missing: need - r.fits}
	if near && e.Missing > 0 {
		e.Takers = s.takersIn(r.region, member)
	}
	return e
}

// nameOf returns the name of a domain.
func (s *View) nameOf(r node.Region) string {
	if d, whole := r.Domain(); whole {
		return strings.Join(s.Nodes().Domains().Path(d), "/")
	}
	return s.Nodes().ID(s.Nodes().NodesIn(r).At(0))
}

// takersIn lists the applications that use most of those nodes of a region on which more members would fit without allocations, those with
// the most nodes first.
func (s *View) takersIn(r node.Region, member app.Ask) (list []explain.Taker) {
	nodesOf := map[string][]string{}
	for n := range s.Nodes().NodesIn(r).All {
		c := member.Class()
		if !s.Nodes().Schedulable(n) || !s.Nodes().FitsEmpty(n, c) || s.Nodes().Fits(n, c) {
			continue
		}
		if taker := s.mostUsed(n); taker != "" {
			nodesOf[taker] = append(nodesOf[taker], s.Nodes().ID(n))
		}
	}
	for id, nodes := range nodesOf {
		t := explain.Taker{App: id, Nodes: nodes}
		if len(nodes) > explain.MostTakenFrom {
			t.Nodes, t.More = nodes[:explain.MostTakenFrom], len(nodes)-explain.MostTakenFrom
		}
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b explain.Taker) int {
		return cmp.Or(cmp.Compare(len(b.Nodes)+b.More, len(a.Nodes)+a.More), strings.Compare(a.App, b.App))
	})
	return list[:min(len(list), explain.MostTakers)]
}

// mostUsed returns the application that uses the largest share of the cluster on a node, the first by ID among equals.
func (s *View) mostUsed(n int32) (taker string) {
	used := map[string]resource.Vec{}
	for a := s.Asks().FirstOn(n); !a.IsNone(); a = a.NextOnNode() {
		id := a.App().ID()
		if used[id] == nil {
			used[id] = make(resource.Vec, s.Nodes().Width())
		}
		used[id].Add(a.Class().Demand())
	}
	most, total := int64(-1), s.Nodes().Total()
	for id, amounts := range used {
		share := int64(0)
		for t, amount := range amounts {
			share = max(share, resource.Share(amount, total[t]))
		}
		if share > most || share == most && id < taker {
			taker, most = id, share
		}
	}
	return taker
}

// gangVictims returns the victims of a gang, in the region that its level asks for. q is a question about all nodes, and search has begun with
// it.
func (s *View) gangVictims(g app.AtomicGang, q *victim.GangQuestion, search *victim.GangSearch) (best *victim.GangSet, surplus, waits bool) {
	if level, _, known := s.LevelOf(g); known && level == state.NoLevel && !q.Elastic {
		set, _, _ := search.Run(resumable.Unlimited())
		return set, false, search.OnlyWaits()
	}
	for _, group := range s.preemption.GroupsOf(g) {
		for r := range group.Regions.All {
			own := *q
			own.Nodes, own.OnlyRoom, own.Surplus = s.Nodes().NodesIn(r), group.OnlyRoom, group.Surplus
			search := s.preemption.DryFinder().NewGangSearch(&own)
			set, _, _ := search.Run(resumable.Unlimited())
			waits = waits || search.OnlyWaits()
			if set != nil && (best == nil || s.preemption.CompareSets(set, best) < 0) {
				best, surplus = set, group.Surplus
			}
		}
		if waits || best != nil {
			break
		}
	}
	return best, surplus, waits
}
