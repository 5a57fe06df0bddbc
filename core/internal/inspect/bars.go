package inspect

import (
	"cmp"
	"slices"
	"sort"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/victim"
)

var barCodes = [...]core.Reason{
	victim.Leaving: explain.BarredLeaving, victim.SameApp: explain.BarredSameApp, victim.OnNode: explain.BarredNode, victim.SameQueue: explain.BarredSameQueue,
	victim.Off: explain.BarredOff, victim.OffForAsk: explain.BarredAsker,
	victim.Disabled: explain.BarredDisabled, victim.Fenced: explain.BarredFence, victim.NotEntitled: explain.BarredEntitlement, victim.Priority: explain.BarredPriority,
	victim.Guaranteed: explain.BarredGuaranteed, victim.Guaranteed + 1: explain.BarredReserved,
}

// barOrder are the codes in the order in which they are looked at.
var barOrder = barCodes[1:]

// bars counts what protects the allocations on the nodes that the ask could run on. Those on the other nodes are taken off where they
// are the fewer.
func (w *preemptionExplainer) bars() {
	s := w.s
	c := barCounter{w, make([]int, len(s.Leaves)*len(barCodes))}
	var those, others []*node.Node
	for _, n := range s.Nodes.Sorted() {
		if w.considered(n) {
			those = append(those, n)
		} else {
			others = append(others, n)
		}
	}
	if len(those) <= len(others) {
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
			w.e.Barred = append(w.e.Barred, explain.Barred{Queue: s.Leaves[i/len(barCodes)].Queue.Shown, Reason: code, Allocations: n})
		}
	}
	sort.Slice(w.e.Barred, func(i, j int) bool {
		a, b := &w.e.Barred[i], &w.e.Barred[j]
		return cmp.Or(cmp.Compare(a.Queue, b.Queue), cmp.Compare(slices.Index(barOrder, a.Reason), slices.Index(barOrder, b.Reason))) < 0
	})
}

// barOf is what protects an allocation from the ask; reserved says that its node is held for others.
func (w *preemptionExplainer) barOf(v *app.Ask, reserved bool) int {
	if bar := w.r.Bar(v, w.s.QueueOf(v)); bar != victim.Free || !reserved {
		return int(bar)
	}
	return len(barCodes) - 1
}

// reserved reports whether a node is held for others than the ask.
func (w *preemptionExplainer) reserved(n *node.Node) bool {
	return n.Hold.IsClaimed() || n.Hold.IsReserved() && !w.q.MayTake(n)
}

// barCounter counts allocations by leaf and by what protects them.
type barCounter struct {
	*preemptionExplainer
	counts []int
}

func (c *barCounter) add(leaf, bar, n int) { c.counts[leaf*len(barCodes)+bar] += n }

// countNode counts the allocations on a node, or takes them off.
func (c *barCounter) countNode(n *node.Node, sign int) {
	reserved := c.reserved(n)
	for v := c.s.OnNode[n.Slot].Placed.First; v != nil; v = v.Next(app.OnNode) {
		c.add(v.App.Leaf.ID, c.barOf(v, reserved), sign)
	}
}

// countAll counts all allocations by what they have in common, and puts right what is counted of those that have more to themselves: that
// they are of the ask's application, leave, or are on a node that is held for others.
func (c *barCounter) countAll() {
	s, own := c.s, c.ask.App
	ownLeaf, ownBars := s.LeafOf(c.ask), map[victim.Bar]bool{}
	for k, n := range s.tally() {
		bar := c.r.BarOfLike(k.class, k.priority, k.leaf.Queue)
		c.add(k.leaf.ID, int(bar), n)
		if k.leaf == ownLeaf {
			ownBars[bar] = true
		}
	}
	if len(ownBars) == 1 {
		for bar := range ownBars {
			c.move(ownLeaf, int(bar), int(victim.SameApp), own.Allocations)
		}
	} else {
		for v := own.Placed.First; v != nil; v = v.Next(app.OfApp) {
			c.move(ownLeaf, int(c.r.BarOfLike(v.Class, v.Priority, ownLeaf.Queue)), int(victim.SameApp), 1)
		}
	}
	for v := range s.Victims {
		c.leaves(v)
	}
	for slot := range s.Replacements().Leaving {
		if v := s.AskAt(slot); !isVictim(s, v) {
			c.leaves(v)
		}
	}
	for _, n := range s.Nodes.Sorted() {
		if !c.reserved(n) {
			continue
		}
		for v := s.OnNode[n.Slot].Placed.First; v != nil; v = v.Next(app.OnNode) {
			c.move(s.LeafOf(v), c.barOf(v, false), c.barOf(v, true), 1)
		}
	}
}

func isVictim(s *View, v *app.Ask) bool {
	_, victim := s.Departure(v)
	return victim
}

func (c *barCounter) move(l *state.Leaf, from, to, n int) {
	c.add(l.ID, from, -n)
	c.add(l.ID, to, n)
}

// leaves puts right what is counted of an allocation that leaves.
func (c *barCounter) leaves(v *app.Ask) {
	l, was := c.s.LeafOf(v), victim.SameApp
	if v.App != c.ask.App {
		was = c.r.BarOfLike(v.Class, v.Priority, l.Queue)
	}
	c.move(l, int(was), int(victim.Leaving), 1)
}
