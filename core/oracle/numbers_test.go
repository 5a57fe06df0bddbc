package oracle_test

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// expectNumbers compares the numbers of asks and allocations in the decisions since the last call that have any.
func (c *cluster) expectNumbers(want ...string) {
	c.t.Helper()
	var got []string
	for _, d := range c.m.Take() {
		if d.Submission > 0 || d.Placement > 0 {
			got = append(got, fmt.Sprintf("%s %s %d %d", d.Type, d.ID, d.Submission, d.Placement))
		}
	}
	if !slices.Equal(got, want) {
		c.t.Fatalf("expected %q, found %q", want, got)
	}
}

func TestAsksAreNumberedOverAllPartitions(t *testing.T) {
	c := newCluster(t, twoPartitions)
	c.nodeIn("", "n", 4)
	c.nodeIn("gpu", "g", 4)
	c.appIn("", "x")
	c.appIn("gpu", "y")
	c.ask("a", "x", 1)
	c.restore("r", "y", "g", 1)
	c.ask("b", "y", 1)
	c.ask("b", "x", 1) // rejected: not counted
	c.ask("d", "x", 1)
	c.release("r")
	c.expectNumbers("allocation a 1 0", "allocation b 3 0", "allocation d 4 0", "release r 2 0")
}

func TestLeavingPlaceholders_NameTheirAllocations(t *testing.T) {
	c := formed(t)
	c.holder("h3", "x", 2)
	c.holder("h4", "x", 4) // fits nowhere
	c.task("t", "x", 2)
	c.expectNumbers("allocation h3 3 0", "placeholder.replaced h1 0 1")
	c.pass(2 * time.Minute)
	c.expectNumbers("placeholder.timeout h2 0 2", "placeholder.timeout h3 0 3")
}

func TestVictimsOfAQuota_NameTheirAllocations(t *testing.T) {
	c := overQuota(t, 5, "")
	c.pass(10 * time.Second)
	c.expectNumbers("preemption a3 0 3", "preemption a4 0 4")
}

func TestVictimsOfAGang_NameTheirAllocations(t *testing.T) {
	c := gangVictims(t)
	for _, id := range []string{"a", "b", "d"} {
		c.member(id, "x", 1, 3)
	}
	c.pass(10 * time.Second)
	c.expectNumbers("preemption y2 0 2", "preemption y3 0 3", "preemption y4 0 4")
}
