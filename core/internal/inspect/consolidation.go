package inspect

import (
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/consolidate"
	"github.com/quern-project/quern/core/internal/domain"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/preempt"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// GangMember returns the ID of the first pending member of a gang, or else of any member. It is empty if there is no such gang.
func (s *View) GangMember(appID, gang string) string {
	a := s.Asks().AppWithID(appID)
	if a.IsNone() {
		return ""
	}
	for g := range a.AtomicGangs {
		if g.Row().ID != gang {
			continue
		}
		of := func(ask app.Ask) bool { return ask.Atomic() == g }
		if i := slices.IndexFunc(s.PendingOf(a), of); i >= 0 {
			return s.PendingOf(a)[i].ID()
		}
		for v := a.FirstPlaced(); !v.IsNone(); v = v.NextOfApp() {
			if of(v) {
				return v.ID()
			}
		}
	}
	return ""
}

// Consolidate says which moves of allocations would make room for an ask, with its gang if it is placed with it. ok is false if no ask has the
// ID. The state is unchanged, and no policy is asked.
func (s *View) Consolidate(id string) (e explain.Consolidation, ok bool) {
	ask := s.Asks().Find(id)
	if ask.IsNone() {
		return e, false
	}
	s.walk.SortAll()
	e = explain.Consolidation{ID: id, App: ask.App().ID(), Queue: s.Queues().Shown(s.QueueOf(ask))}
	asks := []app.Ask{ask}
	g := ask.WaitingGang()
	if ask.Pending() && !g.IsNone() {
		e.Gang, asks = g.Row().ID, s.membersOf(ask.App(), g)
		asks = asks[:min(len(asks), g.Need())]
	}
	if e.Verdict = s.excludesMoves(ask, asks); e.Verdict == "" {
		s.searchMoves(asks, &e)
	}
	e.Text = e.Sentences()
	return e, true
}

// excludesMoves returns why an ask, or as many members of its gang as it needs, cannot be allocated whatever is moved. It is empty if they can.
func (s *View) excludesMoves(ask app.Ask, asks []app.Ask) core.Reason {
	g := ask.WaitingGang()
	switch {
	case !ask.Pending():
		return explain.VerdictRuns
	case ask.Hold().IsClaimed():
		return explain.VerdictWaits
	case len(ask.Class().Devices()) > 0:
		return explain.VerdictDevices
	case ask.WaitsForGang():
		return explain.VerdictGang
	case !g.IsNone() && (!g.Complete() || len(asks) < g.Need()):
		return explain.VerdictIncomplete
	case !g.IsNone() && g.WaitsForSet():
		return explain.VerdictSet
	case !g.IsNone() && g.Row().Topology.Slice.Size > 0:
		return explain.VerdictSlices
	case !s.MayStart(ask.App()):
		return explain.VerdictBlocked
	}
	sum := preempt.Together(asks, s.Types().Width())
	switch {
	case !ask.App().Limits().IsNone() && !s.walk.WithinLimits(asks[0], sum.Amounts()):
		return explain.VerdictLimited
	case s.exceedsMax(s.QueueOf(ask), sum):
		return explain.VerdictHeadroom
	}
	return ""
}

// exceedsMax reports whether an amount exceeds the headroom of a queue or of one above it.
func (s *View) exceedsMax(q queues.ID, more resource.Vec) bool {
	tree := s.Queues()
	for ; tree.Parent(q) != queues.None; q = tree.Parent(q) {
		for t, amount := range more {
			if most := tree.Max(q, t); amount > 0 && most != resource.Unlimited && tree.TakenWith(q, t, amount, amount) > most {
				return true
			}
		}
	}
	return false
}

// searchMoves searches for moves that make room for asks. If their gang has to be in one domain, it is that to which the best moves lead.
func (s *View) searchMoves(asks []app.Ask, e *explain.Consolidation) {
	c := s.newConsolidation(asks)
	e.Movable = len(c.movable)
	e.Verdict = explain.VerdictNoMoves
	best, found := consolidate.Plan{}, false
	for _, r := range c.regions {
		plan, is := consolidate.Find(c.problemIn(r))
		e.Approximate = e.Approximate || plan.Approximate
		if is && (!found || plan.Compare(&best) < 0) {
			best, found = plan, true
		}
	}
	if !found {
		return
	}
	e.Verdict = explain.VerdictFits
	if len(best.Moves) > 0 {
		e.Verdict = explain.VerdictMoves
	}
	for _, m := range best.Moves {
		v := c.movable[m.Item]
		e.Moves = append(e.Moves, explain.Relocation{ID: v.ID(), App: v.App().ID(), Queue: s.Queues().Shown(s.QueueOf(v)),
			From: s.Nodes().ID(v.Node()), To: s.Nodes().ID(c.nodes[m.To]), Resources: v.Class().Resources()})
	}
	for i, n := range best.Asks {
		e.Places = append(e.Places, explain.Held{Ask: asks[i].ID(), Node: s.Nodes().ID(c.nodes[n])})
	}
}

// consolidation builds the problem of making room for asks.
type consolidation struct {
	s       *View
	asks    []app.Ask
	movable []app.Ask
	nodes   []int32 // by number in the problem: sorted by ID
	numbers map[int32]int
	regions []node.Region // in each of which the asks may be
	problem consolidate.Problem
	shapes  map[shape]int
}

// shape identifies items that may be on the same nodes.
type shape struct {
	of    class.Class
	waits bool // an ask may use what is reserved for it
}

func (s *View) newConsolidation(asks []app.Ask) *consolidation {
	c := &consolidation{s: s, asks: asks, numbers: map[int32]int{}, shapes: map[shape]int{}}
	c.problem.Total = s.Nodes().Total()
	for n := range s.Nodes().Sorted().All {
		free := make(resource.Vec, len(c.problem.Total))
		for t := range free {
			free[t] = s.Nodes().Free(n, t)
		}
		c.numbers[n] = len(c.nodes)
		c.nodes, c.problem.Free = append(c.nodes, n), append(c.problem.Free, free)
	}
	for i, n := range c.nodes {
		for v := s.Asks().FirstOn(n); !v.IsNone(); v = v.NextOnNode() {
			if mayMove(v) {
				c.movable = append(c.movable, v)
				c.problem.Movable = append(c.problem.Movable, c.item(v, i))
			}
		}
	}
	for _, ask := range asks {
		c.problem.Asks = append(c.problem.Asks, c.item(ask, -1))
	}
	c.regions = s.regionsOf(asks[0])
	return c
}

// everywhere is the region of all nodes.
func everywhere() node.Region { return node.In(domain.None) }

// mayMove reports whether an allocation may be moved. Members of gangs in a domain stay in their place.
func mayMove(v app.Ask) bool {
	if !v.Movable() || v.Leaving() || v.Class().Node() != "" || len(v.Class().Devices()) > 0 {
		return false
	}
	g := v.Atomic()
	return g.IsNone() || g.Row().Topology.Required == "" && g.Row().Topology.Slice.Size == 0
}

// regionsOf returns the regions in one of which an ask has to be placed with its gang.
func (s *View) regionsOf(ask app.Ask) (list []node.Region) {
	if g := ask.WaitingGang(); !g.IsNone() && g.Row().Topology.Required != "" {
		level, _, known := s.LevelOf(g)
		if !known {
			return nil
		}
		for r := range s.Nodes().Regions(level).All {
			list = append(list, r)
		}
		return list
	}
	return []node.Region{everywhere()}
}

// item makes an item of an ask or an allocation, and finds the nodes on which it may be.
func (c *consolidation) item(ask app.Ask, on int) consolidate.Item {
	key := shape{ask.Class(), on < 0}
	at, known := c.shapes[key]
	if !known {
		at = len(c.problem.Allowed)
		c.shapes[key] = at
		allowed := make([]bool, len(c.nodes))
		for i, n := range c.nodes {
			allowed[i] = c.s.mayBeOn(ask, n, on < 0)
		}
		c.problem.Allowed = append(c.problem.Allowed, allowed)
	}
	demand := make(resource.Vec, len(c.problem.Total))
	demand.Add(ask.Class().Demand())
	return consolidate.Item{Demand: demand, On: on, Shape: at}
}

// mayBeOn reports whether a node would take an ask, or a moved allocation, if it had room.
func (s *View) mayBeOn(ask app.Ask, n int32, waits bool) bool {
	switch hold := s.Nodes().Hold(n); {
	case hold.IsClaimed(), !s.admitsAsKnown(ask, n):
		return false
	case hold.IsContested():
		return waits && s.walk.MayEmpty(ask, n)
	}
	return true
}

// problemIn returns the problem with the asks restricted to a region.
func (c *consolidation) problemIn(r node.Region) *consolidate.Problem {
	if r == everywhere() {
		return &c.problem
	}
	inside := make([]bool, len(c.nodes))
	for n := range c.s.Nodes().NodesIn(r).All {
		inside[c.numbers[n]] = true
	}
	p := c.problem
	p.Asks, p.Allowed = slices.Clone(p.Asks), slices.Clone(p.Allowed)
	for i := range p.Asks {
		allowed := slices.Clone(p.Allowed[p.Asks[i].Shape])
		for n := range allowed {
			allowed[n] = allowed[n] && inside[n]
		}
		if i > 0 && c.problem.Asks[i].Shape == c.problem.Asks[i-1].Shape {
			p.Asks[i].Shape = p.Asks[i-1].Shape
			continue
		}
		p.Asks[i].Shape = len(p.Allowed)
		p.Allowed = append(p.Allowed, allowed)
	}
	return &p
}
