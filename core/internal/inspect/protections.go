package inspect

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/api"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/internal/victim"
	"github.com/quern-project/quern/core/resource"
)

// barOf is what protects an allocation of a queue from the ask; reserved stands for a node that is kept for others.
func (w *preemptionExplainer) barOf(v *app.Ask, q *queue.Queue, reserved bool) int {
	if bar := w.r.Bar(v, q); bar != victim.Free || !reserved {
		return int(bar)
	}
	return len(barCodes) - 1
}

// reserved reports whether a node is kept for others than the ask.
func (w *preemptionExplainer) reserved(n *node.Node) bool { return n.Kept || n.Held && !w.q.MayTake(n) }

var barCodes = [...]api.Reason{
	victim.Leaving: explain.BarredLeaving, victim.SameApp: explain.BarredSameApp, victim.OnNode: explain.BarredNode, victim.SameQueue: explain.BarredSameQueue,
	victim.Off: explain.BarredOff, victim.OffForAsk: explain.BarredAsker,
	victim.Disabled: explain.BarredDisabled, victim.Fenced: explain.BarredFence, victim.NotEntitled: explain.BarredEntitlement, victim.Priority: explain.BarredPriority,
	victim.Guaranteed: explain.BarredGuaranteed, victim.Guaranteed + 1: explain.BarredReserved,
}

// barOrder are the codes in the order in which they are looked at.
var barOrder = barCodes[1:]

// considered reports whether the ask could run on a node at all.
func (w *preemptionExplainer) considered(n *node.Node) bool {
	return n.Schedulable && n.Holds(w.ask.Class) && (w.q.Admits == nil || w.q.Admits(n))
}

// bars counts what protects the allocations on the nodes that the ask could run on.
func (w *preemptionExplainer) bars() {
	counts := make([]int, len(w.s.Leaves)*len(barCodes)) // by leaf and code
	for _, n := range w.s.Nodes.Sorted() {
		if !w.considered(n) {
			continue
		}
		reserved := w.reserved(n)
		for v := w.s.OnNode[n.Slot].Placed.First; v != nil; v = v.Next(app.OnNode) {
			l := w.s.LeafOf(v)
			counts[l.ID*len(barCodes)+w.barOf(v, l.Queue, reserved)]++
		}
	}
	for i, n := range counts {
		if code := barCodes[i%len(barCodes)]; n > 0 && code != "" {
			w.e.Barred = append(w.e.Barred, explain.Barred{Queue: w.s.Leaves[i/len(barCodes)].Queue.Shown, Reason: code, Allocations: n})
		}
	}
	sort.Slice(w.e.Barred, func(i, j int) bool {
		a, b := &w.e.Barred[i], &w.e.Barred[j]
		return cmp.Or(cmp.Compare(a.Queue, b.Queue), cmp.Compare(slices.Index(barOrder, a.Reason), slices.Index(barOrder, b.Reason))) < 0
	})
}

// closest finds the node on which the least is missing once all allocations have left that may be taken.
func (w *preemptionExplainer) closest() {
	least := int64(math.MaxInt64)
	for _, n := range w.s.Nodes.Sorted() {
		if !w.considered(n) || n.Kept || n.Held && !w.q.MayTake(n) {
			continue // nothing can be taken there, whatever it is
		}
		var free []*app.Ask
		var stay []explain.InTheWay
		reserved := w.reserved(n)
		for v := w.s.OnNode[n.Slot].Placed.First; v != nil; v = v.Next(app.OnNode) {
			if code := barCodes[w.barOf(v, w.s.QueueOf(v), reserved)]; code != "" {
				stay = append(stay, explain.InTheWay{ID: v.ID, App: v.App.ID, Queue: w.s.QueueOf(v).Shown, Reason: code})
			} else {
				free = append(free, v)
			}
		}
		short, share := w.short(w.r.Missing(n, free, w.s.QueueOf))
		if share < least {
			least, w.e.Node, w.e.Short, w.e.InWay = share, n.ID, short, stay
		}
	}
}

// short turns what is missing into words, with the largest share of the cluster that it comes to.
func (w *preemptionExplainer) short(missing []victim.Usage) (list []explain.Shortfall, share int64) {
	other := slices.ContainsFunc(missing, func(st victim.Usage) bool { return st.Queue != w.s.Root })
	for _, st := range missing {
		if st.Queue == w.s.Root && other {
			continue // of a full cluster root's max is what the node's room says already
		}
		f := explain.Shortfall{Type: w.s.Types.Name(st.Lane), Missing: st.Used}
		if st.Queue != nil {
			f.Queue = st.Queue.Shown
		}
		list = append(list, f)
		share = max(share, resource.Share(st.Used, w.s.Nodes.Total()[st.Lane]))
	}
	return list, share
}
