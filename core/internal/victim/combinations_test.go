package victim

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core/internal/resumable"
	"github.com/quern-project/quern/core/resource"
	_ "github.com/quern-project/quern/internal/seeded"
)

// combinations and the solver find the same set, with and without an incumbent.
func TestCombinationsFindWhatTheSearchThroughANodeFinds(t *testing.T) {
	better, dominated := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 5))
		c := newCluster(t, `{name: a, resources: {guaranteed: {vcore: 12}}}, {name: b, resources: {guaranteed: {vcore: 1000}, max: {memory: 30}}}, {name: c}`)
		for range 8 {
			c.fullNode(r, 2+r.IntN(9), func() int { return 2 * r.IntN(2) })
		}
		f, p := c.finder(), &problem{}
		f.begin(p, c.question(c.ask(1, 1+r.Int64N(20), 1+r.Int64N(20), int32(r.IntN(4)))), resumable.Unlimited())
		best := incumbent{slot: -1}
		for slot := range int32(8) {
			var found candidate
			if f.examine(p, slot, &found); found.state != bounded || f.dominated(p, slot, &found, &best) {
				continue
			}
			searched := found
			if !f.combine(p, slot, &found, &best) {
				continue
			}
			f.searchNode(p, slot, &searched, &best)
			if searched.provenFloor != nil {
				t.Fatal("the search through a node is cut short where combinations are not")
			}
			if searched.state != exactSet {
				if found.state != bounded || !f.dominated(p, slot, &found, &best) {
					t.Fatal("combinations find what the search through the node does not")
				}
				dominated++
				continue
			}
			if found.state != exactFew || ids(f.setOf(p, slot, &found)) != ids(searched.set) {
				t.Fatalf("expected %s, found state %d", ids(searched.set), found.state)
			}
			better++
			best = incumbent{slot, searched}
		}
	})
	if better == 0 || dominated == 0 {
		t.Errorf("%d nodes had a better set than the incumbent and %d had none: both are to be tested", better, dominated)
	}
	t.Logf("%d nodes had a better set than the incumbent, %d had none", better, dominated)
}

func TestAmountOfShareIsTheLargestThatHasIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.Int64Range(1, math.MaxInt64).Draw(t, "total")
		share := resource.Share(rapid.Int64Range(0, math.MaxInt64).Draw(t, "used"), total)
		if share == resource.ShareCap {
			return
		}
		most := largestWithShare(share, total)
		if resource.Share(most, total) > share || most < math.MaxInt64 && resource.Share(most+1, total) <= share {
			t.Fatalf("%d of %d is not the largest amount of share %d", most, total, share)
		}
	})
}
