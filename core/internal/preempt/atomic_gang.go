package preempt

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/resumable"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/internal/victim"
	"github.com/quern-project/quern/core/resource"
)

// gangSearch is an unfinished search for the victims of a gang. Without one, search is nil.
type gangSearch struct {
	resumable.Attempt
	key    searchKey
	search *victim.GangSearch

	groups  []RegionGroup // where to search, from the current group on
	at      int           // the next region of the current group
	waits   bool          // the gang only has to wait in one of the regions searched
	best    *victim.GangSet
	surplus bool // best is elastic surplus
}

// atomicChanged handles the arrival, end or allocation of an ask that may be a gang member. The gang, or its other members without that
// one, may now be due.
func (s *Preemption) atomicChanged(c state.Change) {
	if c.InGang() {
		s.mayBeDue(c.Queue())
	}
}

// dueGangs lists the first member of each of the application's gangs that may look for victims.
func (s *Preemption) dueGangs(leaf queues.ID, a app.App) (first []app.Ask) {
	for g := range a.AtomicGangs {
		if g.Row().Placed || g.WaitsForSet() || !g.Complete() || s.leaf(leaf).delay == 0 {
			continue
		}
		members := s.firstMembers(a, g)
		if !slices.ContainsFunc(members, func(ask app.Ask) bool { return ask.NoPreemptOthers() || !s.dueInGang(leaf, ask) }) {
			first = append(first, members[0])
		}
	}
	return first
}

// dueInGang reports whether a member's preemption delay is over. If the partition only observes preemption, asks that were observed
// already do not count.
func (s *Preemption) dueInGang(leaf queues.ID, ask app.Ask) bool {
	return s.leaf(leaf).delay.After(ask.Created()) <= s.state.Now() && !(ask.Observed() && s.state.Conf().PreemptionObserve)
}

// firstMembers lists the pending members that would be placed together: as many as the gang needs, in order, without those that wait
// for a placeholder or for their application's gang to form.
func (s *Preemption) firstMembers(a app.App, g app.AtomicGang) []app.Ask {
	var list []app.Ask
	a.Pending(func(ask app.Ask) bool {
		if ask.WaitingGang() == g && !ask.WaitsForGang() {
			list = append(list, ask)
		}
		return true
	})
	slices.SortFunc(list, a.Compare)
	return list[:g.Need()]
}

// Together returns the sum of what the members ask for.
func Together(members []app.Ask, width int) resource.Vec {
	sum := make(resource.Vec, width)
	for _, ask := range members {
		sum.Add(ask.Class().Demand())
	}
	return sum
}

// GangQuestion describes the search for victims of the first members of a gang to the finder.
func (s *Preemption) GangQuestion(g app.AtomicGang, members []app.Ask) *victim.GangQuestion {
	q := &victim.GangQuestion{
		Question: victim.Question{
			Queues: s.state.Queues(), Leaf: s.state.QueueOf(members[0]), Total: s.state.Nodes().Total(), Largest: s.state.Classes().Largest(), Enabled: s.guaranteesPreempt(),
			Held: s.walk.HeldFrom(members[0]), Elastic: s.hasSurplus(),
			Spared: s.sparedFromOthers(), BudgetLeft: s.state.BudgetLeft,
		},
		Members: members,
		Nodes:   s.state.Nodes().Sorted(),
		Usable: func(ask app.Ask, n int32) bool {
			return s.state.Nodes().Schedulable(n) && s.state.Nodes().Admits(ask.Class(), n) && (!s.state.Nodes().Hold(n).IsContested() || s.walk.MayEmpty(ask, n))
		},
		ClaimedOn: s.state.ClaimedOn,
	}
	s.addShares(&q.Question)
	s.addSlices(q, g)
	return q
}

// searchForGang resumes the search for the victims of a gang, or begins one. It returns nil if there are none, or if the search is
// unfinished.
func (s *Preemption) searchForGang(key searchKey, first app.Ask) *choice {
	x := &s.gang
	members := s.firstMembers(first.App(), key.gang)
	if x.search == nil || x.key != key || !s.progress.Holds(x.Attempt) {
		again := x.search != nil && x.key.gang == key.gang
		*x = gangSearch{Attempt: s.progress.Attempt(again), key: key, groups: s.GroupsOf(key.gang)}
		s.nextRegion(x, members)
	}
	for x.search != nil {
		found, done, spent := x.search.Run(s.progress.BudgetOf(x.Attempt))
		s.progress.Spend(spent)
		if !done {
			s.progress.Stop(resumable.Victims)
			return nil
		}
		if s.regionDone(x, found); !s.nextRegion(x, members) {
			break
		}
	}
	set, surplus := x.best, x.surplus
	if x.waits {
		set = nil
	}
	*x = gangSearch{}
	if set == nil || !s.admitsGang(members, set) {
		s.failed[key] = true
		return nil
	}
	return &choice{ask: first, gang: set, by: members, surplus: surplus}
}

// admitsGang reports whether each member's predicate admits it to its node once the victims have gone. Only predicates that can answer
// as if allocations had gone are asked.
func (s *Preemption) admitsGang(members []app.Ask, set *victim.GangSet) bool {
	for i, ask := range members {
		c := ask.Class()
		if !node.SupportsDepartures(c) {
			continue
		}
		s.progress.Spend(victim.QuestionSteps)
		if !s.admitsWithout(c, set.Nodes[i], s.finder.GoneWith(set.Nodes[i], set.Victims)) {
			return false
		}
	}
	return true
}

// placements lists the node chosen for each member.
func (c *choice) placements() []state.Placement {
	list := make([]state.Placement, len(c.by))
	for i, ask := range c.by {
		list[i] = state.Placement{Ask: ask, Node: c.gang.Nodes[i]}
	}
	return list
}

// explainGangVictims returns the victims, each with the member that it leaves for and the law that permits this. A victim leaves for
// the first member on its node, or else for the first of all.
func (s *Preemption) explainGangVictims(c *choice) []state.Victim {
	var all []state.Victim
	list := c.placements()
	ends := s.state.EndingGangs(c.gang.Victims)
	laws := map[app.Ask]*victim.Analysis{}
	for _, v := range c.gang.Victims {
		set := &victim.Set{Node: v.Node(), Victims: c.gang.Victims}
		ask := state.LandsFor(list, v, c.gang.Victims)
		if laws[ask] == nil {
			q := s.Question(ask)
			q.Surplus = c.surplus
			laws[ask] = victim.Analyze(&q)
		}
		all = append(all, s.explainVictim(laws[ask], ask, v, set, ends))
	}
	return all
}
