package inspect

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/internal/victim"
)

var barCodes = [...]core.Reason{
	victim.Leaving: explain.ExcludedLeaving, victim.SameApp: explain.ExcludedSameApp, victim.OnNode: explain.ExcludedNode, victim.SameQueue: explain.ExcludedSameQueue,
	victim.Off: explain.ExcludedOff, victim.OffForAsk: explain.ExcludedAsker,
	victim.Disabled: explain.ExcludedDisabled, victim.Fenced: explain.ExcludedFence, victim.NotEntitled: explain.ExcludedEntitlement, victim.Priority: explain.ExcludedPriority,
	victim.Guaranteed: explain.ExcludedGuaranteed, victim.InGang: explain.ExcludedGang, victim.GangGuaranteed: explain.ExcludedGangShare,
	victim.Spared: explain.ExcludedYoung, victim.OverBudget: explain.ExcludedBudget, victim.GangOverBudget: explain.ExcludedGangBudget,
	victim.NumBars: explain.ExcludedReserved,
}

// barOrder lists the codes in the order in which they are checked.
var barOrder = barCodes[1:]

// bars counts, by queue and reason, the allocations that cannot be victims, on the nodes where the ask could run. If the other nodes
// are fewer, it counts all allocations and subtracts those on the other nodes, unless the run times of allocations matter.
func (w *preemptionExplainer) bars() {
	s := w.s
	c := barCounter{w, make([]int, s.Queues().Len()*len(barCodes))}
	var those, others []int32
	for n := range s.Nodes().Sorted().All {
		if w.considered(n) {
			those = append(those, n)
		} else {
			others = append(others, n)
		}
	}
	if len(those) <= len(others) || w.q.Spared != nil {
		for _, n := range those {
			c.countNode(n, 1)
		}
	} else {
		c.countAll()
		for _, n := range others {
			c.countNode(n, -1)
		}
	}
	for i, n := range c.counts {
		if code := barCodes[i%len(barCodes)]; n > 0 && code != "" {
			w.e.Excluded = append(w.e.Excluded, explain.Excluded{Queue: s.Queues().Shown(queues.ID(i / len(barCodes))), Reason: code, Allocations: n})
		}
	}
	sort.Slice(w.e.Excluded, func(i, j int) bool {
		a, b := &w.e.Excluded[i], &w.e.Excluded[j]
		return cmp.Or(cmp.Compare(a.Queue, b.Queue), cmp.Compare(slices.Index(barOrder, a.Reason), slices.Index(barOrder, b.Reason))) < 0
	})
}

// barOf returns the reason why an allocation cannot be a victim of the ask. reserved says that its node is reserved or claimed for
// another ask.
func (w *preemptionExplainer) barOf(v app.Ask, reserved bool) int {
	if bar := w.r.Bar(v, w.s.QueueOf(v)); bar != victim.Free || !reserved {
		return int(bar)
	}
	return len(barCodes) - 1
}

// reserved reports whether a node is reserved or claimed for another ask.
func (w *preemptionExplainer) reserved(n int32) bool {
	hold := w.s.Nodes().Hold(n)
	return hold.IsClaimed() || hold.IsContested() && !w.q.MayTake(n)
}

// barCounter counts allocations by leaf and bar.
type barCounter struct {
	*preemptionExplainer
	counts []int
}

func (c *barCounter) add(leaf queues.ID, bar, n int) { c.counts[int(leaf)*len(barCodes)+bar] += n }

// countNode adds sign for each allocation on a node.
func (c *barCounter) countNode(n int32, sign int) {
	reserved := c.reserved(n)
	for v := c.s.Asks().FirstOn(n); !v.IsNone(); v = v.NextOnNode() {
		c.add(c.s.QueueOf(v), c.barOf(v, reserved), sign)
	}
}

// countAll counts all allocations by class, priority and leaf, without visiting each. Then it corrects the counts for those whose
// reason depends on more: the allocations of the ask's application, the leaving ones, and those on nodes that are reserved or claimed
// for another ask.
func (c *barCounter) countAll() {
	s, own := c.s, c.ask.App()
	ownLeaf, ownBars := s.QueueOf(c.ask), map[victim.Bar]bool{}
	for k, n := range s.tally() {
		bar := c.r.BarOfLike(k.class, k.priority, k.leaf)
		c.add(k.leaf, int(bar), n)
		if k.leaf == ownLeaf {
			ownBars[bar] = true
		}
	}
	if len(ownBars) == 1 {
		for bar := range ownBars {
			c.move(ownLeaf, int(bar), int(victim.SameApp), own.Allocations())
		}
	} else {
		for v := own.FirstPlaced(); !v.IsNone(); v = v.NextOfApp() {
			c.move(ownLeaf, int(c.r.BarOfLike(v.Class(), v.Priority(), ownLeaf)), int(victim.SameApp), 1)
		}
	}
	c.countGangs()
	for slot := range s.Departures().All {
		c.leaves(s.AskAt(slot))
	}
	for slot := range s.Replacements().Leaving {
		if !s.Departures().Has(slot) {
			c.leaves(s.AskAt(slot))
		}
	}
	for n := range s.Nodes().Sorted().All {
		if !c.reserved(n) {
			continue
		}
		for v := s.Asks().FirstOn(n); !v.IsNone(); v = v.NextOnNode() {
			c.move(s.QueueOf(v), c.barOf(v, false), c.barOf(v, true), 1)
		}
	}
}

// countGangs corrects the counts for the members of gangs that leave as units.
func (c *barCounter) countGangs() {
	for _, l := range c.s.Leaves {
		l.Apps(func(a app.App) bool {
			for range a.Units {
				if a != c.ask.App() {
					c.countGang(a)
				}
				break
			}
			return true
		})
	}
}

func (c *barCounter) countGang(a app.App) {
	for v := a.FirstPlaced(); !v.IsNone(); v = v.NextOfApp() {
		if leaf := c.s.QueueOf(v); !v.Leaving() {
			c.move(leaf, int(c.r.BarOfLike(v.Class(), v.Priority(), leaf)), int(c.r.Bar(v, leaf)), 1)
		}
	}
}

func (c *barCounter) move(leaf queues.ID, from, to, n int) {
	c.add(leaf, from, -n)
	c.add(leaf, to, n)
}

// leaves corrects the count for a leaving allocation.
func (c *barCounter) leaves(v app.Ask) {
	leaf, was := c.s.QueueOf(v), victim.SameApp
	if v.App() != c.ask.App() {
		was = c.r.BarOfLike(v.Class(), v.Priority(), leaf)
	}
	c.move(leaf, int(was), int(victim.Leaving), 1)
}

// again fills in when the ask looks for victims again without another change: when the first allocation that is spared has run long enough, or
// a budget permits more victims.
func (w *preemptionExplainer) again() {
	has := func(reason core.Reason) func(explain.Excluded) bool {
		return func(x explain.Excluded) bool { return x.Reason == reason }
	}
	var next time.Duration
	found := false
	if slices.ContainsFunc(w.e.Excluded, has(explain.ExcludedYoung)) {
		for v := range w.s.Asks().All {
			if !v.Pending() && w.q.Spared(v) && w.considered(v.Node()) {
				until, _ := w.s.SparedUntil(v)
				next, found = instant.Sooner(next, found, until)
			}
		}
	}
	if slices.ContainsFunc(w.e.Excluded, has(explain.ExcludedBudget)) {
		if at, waits := w.s.NextBudget(); waits {
			next, found = instant.Sooner(next, found, at)
		}
	}
	if found {
		w.e.Again = &next
	}
}
