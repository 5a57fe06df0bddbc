package inspect

import (
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/domain"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/preempt"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/victim"
	"github.com/quern-project/quern/core/resource"
)

// explainAtomic explains why the gang of a pending ask has not been placed; it returns nil if the ask waits by itself. It places
// members tentatively and takes that back, so that the state is unchanged.
func (s *View) explainAtomic(ask app.Ask) *explain.AtomicGang {
	g := ask.WaitingGang()
	if g.IsNone() {
		return nil
	}
	row := g.Row()
	e := &explain.AtomicGang{ID: row.ID, Pending: row.Pending, Resting: row.Resting, Min: g.Need(), Succeeded: row.Succeeded, Fallback: row.Fallback}
	e.Ends, _ = g.Ends()
	if row.Timeout == 0 {
		e.Ends = 0
	}
	s.explainAccumulation(g, e)
	e.Set = s.explainSet(ask.App(), g)
	if !g.Complete() {
		return e
	}
	members, used := s.membersOf(ask.App(), g), make(resource.Vec, s.Nodes().Width())
	where := s.explainDomains(g, members, e)
	placed, barred := s.assumeGang(members, where, g.Need(), used)
	e.Fits = len(placed)
	if e.Fits < g.Need() && !barred.IsNone() {
		e.Unplaced, e.Shortfalls, e.Limits = barred.ID(), s.lacks(barred, s.QueueOf(ask), used), s.limitLacks(barred, used)
		e.Nodes, _ = s.countNodes(barred)
	}
	s.TakeBack(placed)
	if level, size := s.SlicesOf(g); level != state.NoLevel && e.Fits == g.Need() {
		e.Fits = s.slicesIn(where, members, g.Need(), level, size)
	}
	return e
}

// explainDomains describes the room for a gang in domains, and returns the region in which its members are tried.
func (s *View) explainDomains(g app.AtomicGang, members []app.Ask, e *explain.AtomicGang) (where node.Region) {
	where = node.In(domain.None)
	switch level, required, known := s.LevelOf(g); {
	case !known:
		where = node.Nowhere()
	case level != state.NoLevel:
		e.Domains, where = s.gangDomains(g, members, level, required)
	case g.Row().Topology.Slice.Size > 0:
		sliceLevel, size := s.SlicesOf(g)
		e.Domains = s.sliceDomains(g, members, sliceLevel, size)
	}
	return where
}

// assumeGang assumes the first members that fit together in a region, as many as are needed, and adds what they use. barred is the first that does
// not fit, if any.
func (s *View) assumeGang(members []app.Ask, where node.Region, need int, used resource.Vec) (placed []state.Placement, barred app.Ask) {
	q := s.QueueOf(members[0])
	for _, m := range members {
		if !barred.IsNone() && barred.Class() == m.Class() && barred.Priority() >= m.Priority() {
			continue
		}
		n := app.NoNode
		if len(s.lacks(m, q, used)) == 0 && len(s.limitLacks(m, used)) == 0 {
			n = s.firstNode(m, where)
		}
		if n == app.NoNode {
			if barred.IsNone() {
				barred = m
			}
			continue
		}
		p := state.Placement{Ask: m, Node: n}
		s.Assume(p)
		used.Add(m.Class().Demand())
		if placed = append(placed, p); len(placed) == need {
			break
		}
	}
	return placed, barred
}

// explainSet describes the set with which a gang starts, or returns nil if it waits for itself.
func (s *View) explainSet(a app.App, g app.AtomicGang) *explain.GangSet {
	if !g.WaitsForSet() {
		return nil
	}
	first := s.WaitingSet(a, g.Row().Set)
	e := &explain.GangSet{ID: g.Row().Set, Min: g.Row().SetMin, Complete: len(first)}
	var all []state.Placement
	used := make(resource.Vec, s.Nodes().Width())
	for _, ask := range first {
		g := ask.WaitingGang()
		members := s.membersOf(a, g)
		placed, _ := s.assumeGang(members, s.explainDomains(g, members, &explain.AtomicGang{}), g.Need(), used)
		if len(placed) < g.Need() {
			s.TakeBack(placed)
			for _, p := range placed {
				used.Sub(p.Ask.Class().Demand())
			}
			continue
		}
		all = append(all, placed...)
		if e.Fits++; e.Fits == e.Min {
			break
		}
	}
	s.TakeBack(all)
	return e
}

// explainAccumulation says which room is held for a gang, if it accumulates.
func (s *View) explainAccumulation(g app.AtomicGang, e *explain.AtomicGang) {
	x := s.Accumulation()
	if x.Gang != g {
		return
	}
	e.Accumulates, e.HeldUntil = true, x.Until
	for p := range x.Held().All {
		e.Held = append(e.Held, explain.Held{Ask: p.Ask.ID(), Node: s.Nodes().ID(p.Node)})
	}
}

// membersOf lists the pending members of a gang that do not wait for anything else, in order.
func (s *View) membersOf(a app.App, g app.AtomicGang) []app.Ask {
	return slices.DeleteFunc(s.waitingOf(a), func(ask app.Ask) bool { return ask.WaitingGang() != g || ask.WaitsForGang() })
}

// firstNode returns the first node of a region that takes an ask now, in node order. If policies or predicates are involved, it goes by ID
// instead, since no policy may be asked.
func (s *View) firstNode(ask app.Ask, where node.Region) int32 {
	if !s.AnyModule() && !s.walk.Predicated(ask.Class()) {
		n, _ := s.Nodes().BestIn(ask.Class(), where, func(n int32) bool { return s.walk.MayUse(ask, n) })
		return n
	}
	for n := range s.Nodes().NodesIn(where).All {
		if reason, _ := s.failsOn(ask, n); reason == "" && !s.Nodes().Hold(n).IsClaimed() {
			return n
		}
	}
	return app.NoNode
}

// explainGang explains the preemption for the gang of the ask. g is nil if the ask has a claim from its gang's preemption but no longer
// waits with the gang.
func (w *preemptionExplainer) explainGang(g app.AtomicGang) {
	s, e := w.s, w.e
	if w.ask.Hold().IsClaimed() {
		w.laws()
		e.Node, e.Verdict = s.Nodes().ID(w.ask.HoldOn()), explain.VerdictWaits
		for c := range s.Claims().OfGang(s.ClaimOf(w.ask).Gang) {
			w.waitsFor(c)
		}
		e.Kind = w.kind()
		return
	}
	if g.WaitsForSet() {
		w.laws()
		e.Verdict = explain.VerdictSet
		return
	}
	if !g.Complete() {
		w.laws()
		e.Verdict = explain.VerdictIncomplete
		return
	}
	members := s.membersOf(w.ask.App(), g)[:g.Need()]
	for _, m := range members {
		e.Due = max(e.Due, s.Queues().Conf(s.QueueOf(m)).PreemptionDelay.After(m.Created()))
	}
	q := s.preemption.GangQuestion(g, members)
	q.Usable = func(ask app.Ask, n int32) bool {
		return s.Nodes().Schedulable(n) && s.admitsAsKnown(ask, n) && (!s.Nodes().Hold(n).IsContested() || s.walk.MayEmpty(ask, n))
	}
	q.Admits, q.MayTake = w.q.Admits, w.q.MayTake // of the explained ask, since the statements about single nodes are about it
	search := s.preemption.DryFinder().NewGangSearch(q)
	w.q, w.r = q.Question, victim.Analyze(&q.Question)
	w.laws()
	switch {
	case slices.ContainsFunc(members, func(m app.Ask) bool { return m.NoPreemptOthers() }):
		e.Verdict = explain.VerdictNeverPreempts
	case !s.MayStart(w.ask.App()):
		e.Verdict = explain.VerdictBlocked
	case !w.ask.App().Limits().IsNone() && !s.walk.WithinLimits(members[0], preempt.Together(members, s.Types().Width()).Amounts()):
		e.Verdict = explain.VerdictLimited
	default:
		set, surplus, waits := s.gangVictims(g, q, search)
		if surplus {
			w.bySurplus()
		}
		e.Verdict = w.gangVerdict(waits, set, members)
	}
}

func (w *preemptionExplainer) gangVerdict(waits bool, set *victim.GangSet, members []app.Ask) core.Reason {
	switch {
	case waits:
		return explain.VerdictNeedsNoVictims
	case set == nil:
		return w.refusal()
	}
	place := max(0, slices.Index(members, w.ask))
	w.e.Node, w.e.Approximate = w.s.Nodes().ID(set.Nodes[place]), set.Approximate
	ends := w.s.EndingGangs(set.Victims)
	for _, v := range set.Victims {
		w.e.Victims = append(w.e.Victims, w.s.preemption.VictimOf(w.r, w.ask, v, set.Victims, ends))
	}
	w.e.Kind = w.kind()
	return explain.VerdictPreempts
}
