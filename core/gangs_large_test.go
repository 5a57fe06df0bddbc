package core_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
)

// gangOf has an application with so many placeholders, and as many tasks, come and go.
func gangOf(c *cluster, members int, timeout time.Duration) {
	apply := func(in core.Input) {
		in.At = c.Now()
		if refused := c.Apply(&in); refused != core.Accepted {
			c.t.Fatalf("%s %s: %s", in.Type, in.ID, refused)
		}
	}
	all := vcores(int64(members))
	apply(core.Input{Type: core.AppAdd, ID: "gang", Queue: "root.a", Placeholders: &core.Placeholders{Ask: all, Timeout: timeout}})
	for i := range members {
		apply(core.Input{Type: core.AskAdd, ID: fmt.Sprint("p", i), App: "gang", Resources: vcores(1), Ask: core.Ask{Placeholder: true, TaskGroup: "g"}})
		apply(core.Input{Type: core.AskAdd, ID: fmt.Sprint("t", i), App: "gang", Resources: vcores(1), Ask: core.Ask{TaskGroup: "g"}})
	}
	for allocated := 0; allocated < 2*members; {
		before := allocated
		c.Cycle(-1)
		for _, d := range c.Take() {
			switch d.Type {
			case core.Allocation:
				allocated++
			case core.Replaced:
				apply(core.Input{Type: core.AllocationRelease, ID: d.ID})
			}
		}
		if allocated == before {
			c.t.Fatalf("%d of %d are allocated", allocated, 2*members)
		}
	}
	apply(core.Input{Type: core.AppRemove, ID: "gang"})
	c.Take()
}

// largeCluster has just the room for the placeholders of a gang.
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
	if took := time.Since(began); took > time.Minute {
		t.Errorf("a gang of %d members took %s", members, took)
	}
}

// Gangs come and go; what is left of the second wave is not more than what the first left.
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
