package oracle

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core"
)

// A gang with a max is elastic: it grows beyond its min as it likes. Its surplus asks come after others of equal priority, and its surplus
// members give way to other applications.

// surplusAsks lists the pending members of an elastic gang beyond those that it lacks.
func (g *atomicGang) surplusAsks() []*ask {
	if g.Max == 0 || g.fellBack || g.waits() {
		return nil
	}
	lacks, surplus := max(0, g.need()-g.count()), []*ask{}
	for _, k := range g.app.pendingByPriority() {
		if g.app.atomicOf(k.details.Gang) == g && k.replaces == nil {
			surplus = append(surplus, k)
		}
	}
	return surplus[min(lacks, len(surplus)):]
}

func (k *ask) isSurplusAsk() bool {
	g := k.app.atomicOf(k.details.Gang)
	return g != nil && slices.Contains(g.surplusAsks(), k)
}

// turn is the turn of an application in the order of its leaf, for its surplus asks or for its other asks.
type turn struct {
	app     *app
	asks    []*ask // in scheduling order, never empty
	surplus bool
}

// turnsOf returns the turns of an application.
func turnsOf(a *app) []turn {
	pending := a.pending()
	others := slices.DeleteFunc(slices.Clone(pending), (*ask).isSurplusAsk)
	surplus := slices.DeleteFunc(pending, func(k *ask) bool { return !k.isSurplusAsk() })
	return slices.DeleteFunc([]turn{{a, others, false}, {a, surplus, true}}, func(t turn) bool { return len(t.asks) == 0 })
}

// asksInOrder lists the pending asks of the leaf's applications that may get allocations now, in scheduling order.
func (p *partition) asksInOrder(leaf *queue) []*ask {
	var turns []turn
	for _, a := range p.liveApps(leaf) {
		if len(a.pending()) > 0 && p.mayGetAllocations(a) {
			turns = append(turns, turnsOf(a)...)
		}
	}
	slices.SortFunc(turns, func(x, y turn) int {
		byPriority := 0
		if leaf.settings.PrioritySort {
			byPriority = cmp.Compare(y.asks[0].priority, x.asks[0].priority)
		}
		return cmp.Or(byPriority, compareFirst(x.asks[0].isRepair(), y.asks[0].isRepair()), compareFirst(y.surplus, x.surplus), p.compareEquals(leaf, x.app, y.app))
	})
	var asks []*ask
	for _, t := range turns {
		asks = append(asks, t.asks...)
	}
	return asks
}

// mayGetAllocations is eligible. While planned asks count as allocated, the answer is that from before.
func (p *partition) mayGetAllocations(a *app) bool {
	if p.sweeping != nil {
		return p.sweeping.eligible[a]
	}
	return p.eligible(a)
}

// elasticSurplus returns how many members of the gang are elastic surplus.
func (p *partition) elasticSurplus(g *atomicGang) int {
	settings := g.app.queue.settings
	if g.Max == 0 || g.fellBack || g.waits() || g.Disruption != core.DisruptUnit || settings.GangsByMember || settings.KeepsSurplus {
		return 0
	}
	return max(0, g.count()-g.need())
}

// hasElasticSurplus reports whether some gang has elastic surplus.
func (p *partition) hasElasticSurplus() bool {
	for _, a := range p.liveApps(p.root) {
		if slices.ContainsFunc(a.atomic, func(g *atomicGang) bool { return p.elasticSurplus(g) > 0 }) {
			return true
		}
	}
	return false
}

// beyondSurplus returns how many of the victims are no elastic surplus. It is 0 while no gang has any.
func (p *partition) beyondSurplus(victims []*ask) int {
	if !p.hasElasticSurplus() {
		return 0
	}
	taken := map[*atomicGang]int{}
	for _, k := range victims {
		taken[k.app.atomicOf(k.details.Gang)]++
	}
	beyond := taken[nil]
	delete(taken, nil)
	for g, count := range taken {
		beyond += max(0, count-p.elasticSurplus(g))
	}
	return beyond
}

// isElasticSurplus reports whether the victims, all of elastic gangs, are no more than the surplus of each, and end no application with
// placeholders either.
func (p *partition) isElasticSurplus(victims []*ask) bool {
	return p.beyondSurplus(victims) == 0 && len(p.ended(victims)) == 0
}

// mayTakeSurplus checks the laws about a single victim that is elastic surplus.
func (s *search) mayTakeSurplus(v *victim) bool {
	g := v.app.atomicOf(v.details.Gang)
	if g == nil || s.elasticSurplus(g) == 0 {
		return false
	}
	v.common, v.chain = meet(v.way, s.way)
	if v.common == s.way[0] {
		return v.priority <= s.ask.priority
	}
	_, chain := meet(s.way, v.way)
	return !fenced(chain) && seenAbove(v.chain, v.priority) <= seenAbove(chain, s.ask.priority)
}
