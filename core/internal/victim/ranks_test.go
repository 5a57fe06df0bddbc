package victim

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/resumable"
)

// The keys of a victim.rank policy are compared after the highest priority and before the number of victims. The oracle ignores policies, so
// the test tries every subset of every node.
func TestVictims_RankBetweenPriorityAndNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 4))
		c := newCluster(t, `{name: a}, {name: b, resources: {guaranteed: {vcore: 1000}}}`)
		for range 1 + r.IntN(3) {
			c.fullNode(r, 1+r.IntN(7), func() int { return 0 })
		}
		keys := map[app.Ask][]int64{}
		nodes := c.allocations(0)
		for _, v := range slices.Concat(nodes...) {
			keys[v] = []int64{r.Int64N(3), r.Int64N(2)}
			c.askOwner.Protect(v.Slot(), r.IntN(9) == 0, r.IntN(6) == 0)
		}
		ask := c.ask(1, 1+r.Int64N(15), 1+r.Int64N(15), int32(r.IntN(3)))
		f := c.finder()
		f.Ranks = func(v app.Ask) []int64 { return keys[v] }
		found, _, _ := f.Find(c.question(ask), resumable.Unlimited())
		best := c.enumerate(ask, nodes, keys)
		if (found == nil) != (best == nil) || best != nil && !slices.Equal(found.Victims, best) {
			t.Fatalf("expected %v, found %v", best, found)
		}
	})
}

// enumerate tries every subset of every node's allocations.
func (c *cluster) enumerate(ask app.Ask, nodes [][]app.Ask, keys map[app.Ask][]int64) []app.Ask {
	var best []app.Ask
	for slot, on := range nodes {
		for bits := 1; bits < 1<<len(on); bits++ {
			var set []app.Ask
			enough := ask.Class().Demand().Clone()
			for t := range enough {
				enough[t] -= c.updater.FutureRoom(int32(slot), t)
			}
			for i, v := range on {
				if bits&(1<<i) != 0 {
					set = append(set, v)
					enough.Sub(v.Class().Demand())
				}
			}
			lawful := !slices.ContainsFunc(set, func(v app.Ask) bool { return v.Priority() > ask.Priority() })
			if !lawful || slices.Max(enough) > 0 || best != nil && !c.doesLessHarm(ask, set, best, keys) {
				continue
			}
			best = set
		}
	}
	return best
}

// doesLessHarm reports whether a set does less harm than another, criterion by criterion.
func (c *cluster) doesLessHarm(ask app.Ask, a, b []app.Ask, keys map[app.Ask][]int64) bool {
	count := func(set []app.Ask, is func(app.Ask) bool) int {
		return len(slices.DeleteFunc(slices.Clone(set), func(v app.Ask) bool { return !is(v) }))
	}
	prios := func(set []app.Ask) (list []int32) {
		for _, v := range set {
			list = append(list, -v.Priority())
		}
		slices.Sort(list)
		return list
	}
	ranks := func(set []app.Ask) (list [][]int64) {
		for _, v := range set {
			list = append(list, keys[v])
		}
		slices.SortFunc(list, func(x, y []int64) int { return slices.Compare(y, x) })
		return list
	}
	excess := func(set []app.Ask) (list []int64) {
		for t, total := range c.updater.Total() {
			freed := int64(0)
			for _, v := range set {
				freed += v.Class().Demand().At(t)
			}
			if freed > 0 {
				room := c.updater.FutureRoom(set[0].Node(), t)
				list = append(list, (room+freed-ask.Class().Demand().At(t))*1_000_000_000/total)
			}
		}
		slices.Sort(list)
		slices.Reverse(list)
		return list
	}
	originator := func(v app.Ask) bool { return v.Originator() }
	optedOut := func(v app.Ask) bool { return v.NotPreemptable() }
	return cmp.Or(
		cmp.Compare(count(a, originator), count(b, originator)), cmp.Compare(count(a, optedOut), count(b, optedOut)),
		cmp.Compare(prios(b)[0], prios(a)[0]), slices.CompareFunc(ranks(a), ranks(b), slices.Compare[[]int64]), cmp.Compare(len(a), len(b)),
		slices.Compare(prios(b), prios(a)), slices.Compare(excess(a), excess(b)), slices.CompareFunc(b, a, func(x, y app.Ask) int { return cmp.Compare(x.Placed(), y.Placed()) }),
	) < 0
}
