package inspect

import (
	"math"
	"slices"

	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/internal/victim"
	"github.com/quern-project/quern/core/resource"
)

// considered reports whether the ask could run on a node if it had no allocations.
func (w *preemptionExplainer) considered(n int32) bool {
	return w.s.Nodes().Schedulable(n) && w.s.Nodes().FitsEmpty(n, w.ask.Class()) && (w.q.Admits == nil || w.q.Admits(n))
}

// closest fills in the node that misses least if all possible victims leave, the missing amounts, and the allocations there that cannot
// be victims.
func (w *preemptionExplainer) closest() {
	best := app.NoNode
	var missing, least []victim.Usage
	share, free := int64(math.MaxInt64), w.takeable()
	for n := range w.s.Nodes().Sorted().All {
		if !w.considered(n) || w.reserved(n) {
			continue // no allocation there can be a victim
		}
		missing = w.r.Missing(missing[:0], w.s.Nodes().View(), n, free[n], w.s.QueueOf)
		if m := w.share(missing); m < share {
			best, share, missing, least = n, m, least, missing
		}
	}
	if best == app.NoNode {
		return
	}
	w.e.Node, w.e.Short = w.s.Nodes().ID(best), w.short(least)
	for v := w.s.Asks().FirstOn(best); !v.IsNone(); v = v.NextOnNode() {
		if code := barCodes[w.barOf(v, false)]; code != "" {
			w.e.NonVictims = append(w.e.NonVictims, explain.NonVictim{ID: v.ID(), App: v.App().ID(), Queue: w.s.Queues().Shown(w.s.QueueOf(v)), Reason: code})
		}
	}
}

// takeable lists the allocations that could be victims when considered one by one, by the slot of their node.
func (w *preemptionExplainer) takeable() map[int32][]app.Ask {
	s, list := w.s, map[int32][]app.Ask{}
	take := func(v app.Ask) {
		if w.r.Bar(v, s.QueueOf(v)) == victim.Free {
			list[v.Node()] = append(list[v.Node()], v)
		}
	}
	if n := s.Nodes().Find(w.ask.Class().Node()); n != app.NoNode {
		for v := s.Asks().FirstOn(n); !v.IsNone(); v = v.NextOnNode() {
			take(v)
		}
		return list
	}
	some := make([]bool, s.Queues().Len())
	for k := range s.tally() {
		some[k.leaf] = some[k.leaf] || w.r.BarOfLike(k.class, k.priority, k.leaf) == victim.Free
	}
	for id, l := range s.Leaves {
		if !some[id] {
			continue
		}
		l.Apps(func(a app.App) bool {
			for v := a.FirstPlaced(); !v.IsNone(); v = v.NextOfApp() {
				take(v)
			}
			return true
		})
	}
	return list
}

// told passes on the missing amounts that are worth showing. If other amounts are missing, those of root are left out: when the cluster
// is full, they only repeat what the node lacks.
func (w *preemptionExplainer) told(missing []victim.Usage, yield func(victim.Usage)) {
	other := slices.ContainsFunc(missing, func(st victim.Usage) bool { return st.Queue != w.s.Queues().Root() })
	for _, st := range missing {
		if st.Queue != w.s.Queues().Root() || !other {
			yield(st)
		}
	}
}

// share returns the largest missing amount as a share of the cluster's total.
func (w *preemptionExplainer) share(missing []victim.Usage) (share int64) {
	total := w.s.Nodes().Total()
	w.told(missing, func(st victim.Usage) { share = max(share, resource.Share(st.Used, total[st.Lane])) })
	return share
}

// short returns the missing amounts for the explanation.
func (w *preemptionExplainer) short(missing []victim.Usage) (list []explain.Shortfall) {
	w.told(missing, func(st victim.Usage) {
		f := explain.Shortfall{Type: w.s.Types().Name(st.Lane), Missing: st.Used, Milli: w.s.Types().IsMilli(st.Lane)}
		if st.Queue != queues.None {
			f.Queue = w.s.Queues().Shown(st.Queue)
		}
		list = append(list, f)
	})
	return list
}
