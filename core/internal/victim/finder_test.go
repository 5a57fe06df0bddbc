package victim

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core/internal/resumable"
	"github.com/quern-project/quern/core/resource"
)

// fullNode adds a full node with allocations of many sizes and few priorities.
func (c *cluster) fullNode(r *rand.Rand, allocations int, leaf func() int) int32 {
	vcore, memory := int64(0), int64(0)
	type part struct{ vcore, memory int64 }
	var parts []part
	for range allocations {
		p := part{1 + r.Int64N(9), 1 + r.Int64N(9)}
		parts = append(parts, p)
		vcore, memory = vcore+p.vcore, memory+p.memory
	}
	n := c.node(vcore, memory)
	for _, p := range parts {
		c.place(c.ask(leaf(), p.vcore, p.memory, int32(r.IntN(3))), n)
	}
	return n
}

// If the steps of the exact search run out, sets are chosen greedily. The guarantees of solver.greedy are compared with the exact answer.
func TestGreedStaysWithinItsBound(t *testing.T) {
	approximate := 0
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		r := rand.New(rand.NewPCG(seed, 1))
		c := newCluster(t, `{name: a}, {name: b, resources: {guaranteed: {vcore: 1000}}}`)
		for range 1 + r.IntN(3) {
			c.fullNode(r, 2+r.IntN(9), func() int { return 0 })
		}
		ask := c.ask(1, 1+r.Int64N(20), 1+r.Int64N(20), 5)
		exact, hasty := c.finder(), c.finder()
		hasty.exact = 1 + r.IntN(40)
		best, found, _ := exact.Find(c.question(ask), resumable.Unlimited())
		near, also, _ := hasty.Find(c.question(ask), resumable.Unlimited())
		if found != also {
			t.Fatalf("expected outcome %d, found %d", found, also)
		}
		if best == nil {
			return
		}
		if best.Approximate {
			t.Fatalf("the exact search of so few is cut short")
		}
		if near.compare(best) < 0 || near.compare(best) > 0 && !near.Approximate {
			t.Fatalf("expected %s, found %s (approximate: %v)", ids(best), ids(near), near.Approximate)
		}
		if near.Approximate {
			approximate++
		}
		if near.harm.top != best.harm.top || len(near.Victims) > 2*len(best.Victims) {
			t.Fatalf("expected highest priority %d and at most twice %d victims, found %d and %d", best.harm.top, len(best.Victims), near.harm.top, len(near.Victims))
		}
	})
	if approximate == 0 {
		t.Error("no search was cut short: nothing was tested")
	}
}

// A search that is interrupted after every few steps and then continued finds the same set.
func TestTheSizeOfABudgetDecidesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		c := newCluster(t, `{name: a, resources: {guaranteed: {vcore: 9}}}, {name: b, resources: {guaranteed: {vcore: 1000}}}, {name: c, properties: {priority.offset: "-1"}}`)
		for range 1 + r.IntN(6) {
			c.fullNode(r, 1+r.IntN(6), func() int { return 2 * r.IntN(2) })
		}
		ask := c.ask(1, 1+r.Int64N(20), 1+r.Int64N(20), int32(r.IntN(3)))
		whole, outcome, _ := c.finder().Find(c.question(ask), resumable.Unlimited())
		f := c.finder()
		for range 10_000 {
			set, now, _ := f.Find(c.question(ask), resumable.Steps(r.IntN(30)))
			if now == Unfinished {
				continue
			}
			if now != outcome || whole != nil && ids(set) != ids(whole) {
				t.Fatalf("expected outcome %d, found %d", outcome, now)
			}
			return
		}
		t.Fatal("the search does not end")
	})
}

// A node without a better set than the best one of another node may have the best set once that one is gone.
func TestTheBestSetIsFoundAfterEachChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 5))
		c := newCluster(t, `{name: a}, {name: b, resources: {guaranteed: {vcore: 1000}}}`)
		for range 3 + r.IntN(6) {
			n := c.node(16, 16, 5)
			for range 5 {
				v := c.place(c.ask(0, 2+r.Int64N(2), 2+r.Int64N(2), int32(r.IntN(3)-3), r.Int64N(2)), n)
				c.askOwner.Protect(v.Slot(), r.IntN(9) == 0, r.IntN(5) == 0)
			}
		}
		vcore, memory, gpu := 7+r.Int64N(3), 7+r.Int64N(3), r.Int64N(4)
		f := c.finder()
		for range 5 {
			ask := c.ask(1, vcore, memory, 2, gpu)
			found, _, _ := f.Find(c.question(ask), resumable.Unlimited())
			best := c.enumerate(ask, c.allocations(0), nil)
			if (found == nil) != (best == nil) || best != nil && !slices.Equal(found.Victims, best) {
				t.Fatalf("expected %v, found %v", best, found)
			}
			if found == nil {
				return
			}
			for _, v := range found.Victims {
				c.release(v)
			}
			c.place(ask, found.Node)
		}
	})
}

// Remembered candidates are reused while nothing changes, and only changed nodes are examined again.
func TestAskingAgainCostsWhatChanged(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	c := newCluster(t, `{name: a}, {name: b, resources: {guaranteed: {vcore: 1000}}}`)
	for range 500 {
		c.fullNode(r, 8, func() int { return 0 })
	}
	f := c.finder()
	q := c.question(c.ask(1, 9, 9, 0))
	first, _, all := f.Find(q, resumable.Unlimited())
	again, _, least := f.Find(q, resumable.Unlimited())
	if ids(first) != ids(again) || least > all/4 {
		t.Errorf("expected %s in much less than %d steps, found %s in %d", ids(first), all, ids(again), least)
	}
	c.updater.Changed(c.updater.Sorted().At(7))
	if _, _, one := f.Find(q, resumable.Unlimited()); one > least+500 {
		t.Errorf("expected a few steps more than %d after one node changed, found %d", least, one)
	}
}

// The limits of the exact search, as stated in docs/concepts/preemption.md.
func TestTheExactSearchReachesFar(t *testing.T) {
	for _, c := range []struct {
		allocations int
		need        int64 // of both types; an allocation has 5 on average
		exact       int   // of 20 searches, at least
	}{{20, 15, 20}, {110, 15, 20}, {20, 60, 20}, {110, 30, 20}, {110, 60, 0}} {
		exact, most := 0, 0
		for seed := range 20 {
			r := rand.New(rand.NewPCG(uint64(seed), uint64(c.allocations)))
			full := newCluster(t, `{name: a}, {name: b, resources: {guaranteed: {vcore: 100000}}}`)
			full.fullNode(r, c.allocations, func() int { return 0 })
			set, outcome, steps := full.finder().Find(full.question(full.ask(1, c.need, c.need, 5)), resumable.Unlimited())
			if outcome != Found {
				t.Fatalf("%d allocations: outcome %d", c.allocations, outcome)
			}
			if !set.Approximate {
				exact++
			}
			most = max(most, steps)
		}
		t.Logf("%d allocations of 81 sizes and 3 priorities, %d needed: %d of 20 searches are exact, in %d steps at most", c.allocations, c.need, exact, most)
		if exact < c.exact {
			t.Errorf("expected %d exact searches, found %d", c.exact, exact)
		}
	}
}

// An ask that is larger than all bounds is refused at once, without counting the many small allocations that it would need.
func TestAnAskBeyondAllBoundsIsRefused(t *testing.T) {
	c := newCluster(t, `{name: a}, {name: b, resources: {guaranteed: {vcore: 1000}}}`)
	n := c.node(math.MaxInt64, 4)
	for range 4 {
		c.place(c.ask(0, 1, 1, 0), n)
	}
	c.nodes.Occupy(n, resource.Vec{math.MaxInt64 - 4, 0, 0})
	c.updater.Changed(n)
	if _, outcome, _ := c.finder().Find(c.question(c.ask(1, math.MaxInt64, 1, 5)), resumable.Unlimited()); outcome != NoVictims {
		t.Errorf("expected no victims, found outcome %d", outcome)
	}
}
