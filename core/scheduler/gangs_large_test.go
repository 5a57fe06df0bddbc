package scheduler_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
)

// gangOf adds an application with members placeholders and as many tasks, and ends it.
func gangOf(c *cluster, members int, timeout time.Duration) {
	apply := func(in core.Input) {
		in.At = c.Now()
		if refused := c.Apply(&in); refused != core.Accepted {
			c.t.Fatalf("%s %s: %s", in.Type(), in.ID(), refused)
		}
	}
	all := vcores(int64(members))
	apply(core.Input{Event: &core.AddApp{ID: "gang", Queue: "root.a", Placeholders: &core.Placeholders{Ask: all, Timeout: timeout}}})
	for i := range members {
		apply(core.Input{Event: &core.AddAsk{ID: fmt.Sprint("p", i), App: "gang", Resources: vcores(1), Ask: core.Ask{Placeholder: true, TaskGroup: "g"}}})
		apply(core.Input{Event: &core.AddAsk{ID: fmt.Sprint("t", i), App: "gang", Resources: vcores(1), Ask: core.Ask{TaskGroup: "g"}}})
	}
	for allocated := 0; allocated < 2*members; {
		before := allocated
		c.Cycle(-1)
		for _, d := range c.Take() {
			switch d.Type {
			case core.Allocation:
				allocated++
			case core.Replaced:
				apply(core.Input{Event: &core.ReleaseAllocation{ID: d.ID}})
			}
		}
		if allocated == before {
			c.t.Fatalf("%d of %d are allocated", allocated, 2*members)
		}
	}
	apply(core.Input{Event: &core.RemoveApp{ID: "gang"}})
	c.Take()
}

// farTooLong is exceeded by a gang of 100,000 members if its cost is quadratic. On an idle machine, the test takes seconds.
const farTooLong = 5 * time.Minute

// largeCluster has exactly the room for the placeholders of a gang.
func largeCluster(t *testing.T, members int) *cluster {
	c := newCluster(t, core.Options{}, ", queues: [{name: a}]")
	for i := range 10 {
		c.node(fmt.Sprint("n", i), int64(members/10))
	}
	return c
}

func TestAGangOf100000MembersIsReplacedInTime(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	const members = 100_000
	c, began := largeCluster(t, members), time.Now()
	gangOf(c, members, time.Hour)
	if took := time.Since(began); took > farTooLong {
		t.Errorf("a gang of %d members took %s", members, took)
	}
}

// After a second wave of gangs, no more memory is in use than after the first.
func TestGangsComeAndGoWithoutATrace(t *testing.T) {
	const members = 10_000
	c := largeCluster(t, members)
	wave := func() uint64 {
		for range 3 {
			gangOf(c, members, time.Hour)
			c.wait(73 * time.Hour) // ended applications are remembered for three days
			c.Take()
			c.decisions = nil
		}
		return heapInUse()
	}
	before := wave()
	if grown := int64(wave()) - int64(before); grown > 1<<20 {
		t.Errorf("gangs that came and went left %d bytes", grown)
	}
}

// An atomic gang of any size is accepted, placed or given up in time, explained, and removed without a trace. One of this size does not
// preempt, and the cycles of its search end.
func TestAnAtomicGangOf100000MembersIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	const members, nodes = 100_000, 1_000
	for _, tc := range []struct {
		name              string
		room, used        int64 // of each node
		placed, preempted int
	}{
		{"fits", members / nodes, 0, members, 0},
		{"does not fit", members/nodes - 1, 0, 0, 0},
		{"would preempt", members / nodes, 1, 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			before, began := heapInUse(), time.Now()
			c := newCluster(t, core.Options{}, ", queues: [{name: a, resources: {guaranteed: {vcore: 200000}}, properties: {preemption.delay: 1s}}, {name: b}]")
			c.app("x", "root.a")
			c.app("y", "root.b")
			for i := range nodes {
				c.node(fmt.Sprint("n", i), tc.room)
				if tc.used > 0 {
					c.say(core.Input{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: fmt.Sprint("y", i), App: "y", Resources: vcores(tc.used)}, PlacedOn: fmt.Sprint("n", i)}})
				}
			}
			for i := range members {
				c.askWith(fmt.Sprint("x", i), "x", 1, core.Ask{Gang: &core.Gang{ID: "g", Min: members}})
			}
			cyclesToTheEnd(c)
			c.Advance(time.Second)
			cyclesToTheEnd(c)
			made := map[core.DecisionType]int{}
			for _, d := range c.decisions {
				made[d.Type]++
			}
			if made[core.Allocation] != tc.placed || made[core.Preemption] != tc.preempted {
				t.Errorf("%d members are placed, %d allocations preempted", made[core.Allocation], made[core.Preemption])
			}
			if e, ok := c.ExplainAsk("x0"); !ok || len(e.Text) > 2000 {
				t.Errorf("found %v, %d bytes of text", ok, len(e.Text))
			}
			c.say(core.Input{Event: &core.RemoveApp{ID: "x"}})
			c.say(core.Input{Event: &core.RemoveApp{ID: "y"}})
			c.wait(73 * time.Hour)
			c.decisions = nil
			if took := time.Since(began); took > farTooLong {
				t.Errorf("it took %s", took)
			}
			if grown := int64(heapInUse()) - int64(before); grown > 2048*members {
				t.Errorf("%d bytes are left", grown)
			}
			runtime.KeepAlive(c)
		})
	}
}

// cyclesToTheEnd runs cycles until no search is unfinished.
func cyclesToTheEnd(c *cluster) {
	c.t.Helper()
	for range 10_000 {
		c.cycle()
		if at, ok := c.Deadline(); !ok || at > c.Now() {
			return
		}
	}
	c.t.Fatal("the search does not end")
}
