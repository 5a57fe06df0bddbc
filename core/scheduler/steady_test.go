package scheduler_test

import (
	"fmt"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// steady returns a cluster whose asks are added and released by inputs that are prepared before the measurement.
func steady(t testing.TB, nodes, apps int, sort string) *cluster {
	c := newCluster(t, core.Options{}, "")
	c.configureWith(`, queues: [{name: a, resources: {guaranteed: {vcore: 10}, max: {vcore: 900}}}, {name: p, queues: [{name: b}]}]`,
		", nodesortpolicy: {type: "+sort+"}")
	for i := range nodes {
		c.say(core.Input{Event: &core.AddNode{ID: fmt.Sprintf("node-%04d", i), Capacity: cores(8, 64)}})
	}
	for i := range apps {
		c.app(fmt.Sprint("app-", i), []string{"root.a", "root.p.b"}[i%2])
	}
	return c
}

func cores(n, memory int64) resource.Set {
	return resource.NewSet(resource.Quantity{Type: "vcore", Value: n * 1000}, resource.Quantity{Type: "memory", Value: memory << 30})
}

func TestAChurnStepAllocatesNoMemory(t *testing.T) {
	for _, sort := range []string{"fair", "binpacking"} {
		t.Run(sort, func(t *testing.T) {
			c := steady(t, 64, 8, sort)
			const asks = 400
			var adds, releases []core.Input
			for i := range asks {
				id, app := fmt.Sprint("ask-", i), fmt.Sprint("app-", i%8)
				adds = append(adds, core.Input{Event: &core.AddAsk{ID: id, App: app, Resources: cores(1+int64(i%2), 4)}})
				releases = append(releases, core.Input{Event: &core.ReleaseAllocation{ID: id}})
			}
			for i := range asks / 2 {
				c.Apply(&adds[i])
			}
			if made := c.Cycle(-1); made != asks/2 {
				t.Fatalf("%d of %d are placed", made, asks/2)
			}
			c.Take()
			next := 0
			step := func() {
				out, in := &releases[next], &adds[(next+asks/2)%asks]
				next = (next + 1) % asks
				c.Apply(out)
				c.Apply(in)
				if made := c.Cycle(-1); made != 1 {
					t.Fatalf("a step placed %d", made)
				}
				c.Take()
			}
			for range 4 * asks {
				step()
			}
			many := func() { // the mean is truncated, so that one step at a time would hide one allocation in two steps
				for range 4 * asks {
					step()
				}
			}
			if allocated := testing.AllocsPerRun(5, many); allocated > asks/100 { // logs are reallocated sometimes
				t.Errorf("%d steps allocate %v times", 4*asks, allocated)
			}
		})
	}
}

func TestACycleOfAStuckClusterAllocatesNoMemory(t *testing.T) {
	c := steady(t, 16, 4, "fair")
	for i := range 200 {
		c.say(core.Input{Event: &core.AddAsk{ID: fmt.Sprint("ask-", i), App: fmt.Sprint("app-", i%4), Resources: cores(4+int64(i%7), 4)}})
	}
	c.wait(3e9)
	if waits := c.Dump().Queues[0].PendingAsks; waits == 0 {
		t.Fatal("nothing waits")
	}
	if allocated := testing.AllocsPerRun(100, func() { c.Cycle(-1); c.Take() }); allocated != 0 {
		t.Errorf("a cycle with nothing changed allocates %v times", allocated)
	}
}

func TestCycle_UselessNodeEventAllocatesNoMemory(t *testing.T) {
	c := steady(t, 16, 4, "fair")
	for i := range 200 {
		c.say(core.Input{Event: &core.AddAsk{ID: fmt.Sprint("ask-", i), App: fmt.Sprint("app-", i%4), Resources: cores(6, 4)}})
	}
	c.wait(3e9)
	more := core.Input{At: c.Now(), Event: &core.UpdateNode{ID: "node-0003", Occupied: cores(1, 1)}}
	less := core.Input{At: c.Now(), Event: &core.UpdateNode{ID: "node-0003", Occupied: cores(2, 1)}}
	step := func() {
		for _, in := range []*core.Input{&more, &less} {
			c.Apply(in)
			if c.Cycle(-1) != 0 {
				t.Fatal("something is placed")
			}
			c.Take()
		}
	}
	for range 200 {
		step()
	}
	if allocated := testing.AllocsPerRun(100, step); allocated > 2 { // the two vectors of the occupied amounts
		t.Errorf("two events allocate %v times", allocated)
	}
}
