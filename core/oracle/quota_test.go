package oracle_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// quotaText is a partition with root.q, of that max, whose rounds are due after 10 seconds. fields are more of root.q.
func quotaText(vcores int, fields string) string {
	return fmt.Sprintf(`
  preemption: {quotapreemptionenabled: true}
  queues:
  - {name: q, resources: {max: {vcore: %d}}, properties: {quota.preemption.delay: 10s}%s}
  - {name: o}
`, vcores, fields)
}

// overQuota is a cluster in which four allocations of 2 vcores run in root.q, a1 the oldest, whose max was lowered to so many.
func overQuota(t *testing.T, vcores int, fields string) *cluster {
	t.Helper()
	c := newCluster(t, quotaText(8, fields))
	c.node("n", 20)
	c.app("x", "root.q", "u")
	for i := range 4 {
		c.ask(fmt.Sprint("a", i+1), "x", 2)
	}
	c.config(quotaText(vcores, fields))
	c.skip()
	return c
}

func TestAQueueOverItsMaxGivesTheYoungestAfterTheDelay(t *testing.T) {
	c := overQuota(t, 5, "")
	c.pass(9 * time.Second)
	c.expect()
	c.pass(time.Second)
	c.expect("preemption a3 n root.q", "preemption a4 n root.q")
	c.release("a4")
	c.release("a3")
	c.pass(time.Hour)
	c.expect("release a4 preempted", "release a3 preempted")
}

func TestARestoreMayMakeAQueueDue(t *testing.T) {
	c := newCluster(t, quotaText(2, ""))
	c.node("n", 20)
	c.app("x", "root.q", "u")
	c.restore("a1", "x", "n", 1)
	c.restore("a2", "x", "n", 2)
	c.skip()
	c.pass(10 * time.Second)
	c.expect("preemption a2 n root.q")
}

func TestQuota_AnotherDelayMovesTheTime(t *testing.T) {
	c := overQuota(t, 6, "")
	c.pass(9 * time.Second)
	c.config(quotaText(4, ""))
	c.pass(time.Second)
	c.expect("config.accepted", "preemption a3 n root.q", "preemption a4 n root.q")

	c = overQuota(t, 6, "")
	c.pass(5 * time.Second)
	c.config(quotaText(6, "")[:len(quotaText(6, ""))-len("10s}}\n  - {name: o}\n")] + "7s}}\n  - {name: o}\n")
	c.pass(time.Second)
	c.expect("config.accepted")
	c.pass(time.Second)
	c.expect("preemption a4 n root.q")
}

func TestUsageAtTheMaxOrSwitchingOffEndsIt(t *testing.T) {
	c := overQuota(t, 6, "")
	c.pass(9 * time.Second)
	c.release("a1")
	c.skip()
	c.pass(time.Hour)
	c.expect()

	c = overQuota(t, 6, "")
	c.pass(9 * time.Second)
	c.config("  queues: [{name: q, resources: {max: {vcore: 6}}, properties: {quota.preemption.delay: 10s}}]\n")
	c.config(quotaText(6, ""))
	c.skip()
	c.pass(9 * time.Second)
	c.expect()
	c.pass(time.Second)
	c.expect("preemption a4 n root.q")
}

func TestWithoutADelayNothingIsTaken(t *testing.T) {
	for _, delay := range []string{"0s", "-1s", "soon"} {
		text := func(vcores int) string {
			return fmt.Sprintf("  preemption: {quotapreemptionenabled: true}\n  queues: [{name: q, resources: {max: {vcore: %d}}, "+
				"properties: {quota.preemption.delay: %s}}]\n", vcores, delay)
		}
		c := newCluster(t, text(4))
		c.node("n", 4)
		c.fill("x", "root.q", "u", 4)
		c.config(text(1))
		c.skip()
		c.pass(time.Hour)
		c.expect()
	}
}

func TestQuota_OrderOfProtection(t *testing.T) {
	text := func(vcores int) string { return quotaText(vcores, "") }
	c := newCluster(t, text(9))
	c.node("n", 9)
	c.gang("x", "root.q", 9, false)
	c.ask("holder", "x", 1, core.Ask{TaskGroup: "g", Placeholder: true, Priority: 9})
	c.app("y", "root.q", "u")
	c.ask("required", "y", 1, core.Ask{Node: "n"})
	c.ask("driver", "y", 1, core.Ask{Originator: true})
	c.ask("optedout", "y", 1, core.Ask{NotPreemptable: true})
	c.ask("plain", "y", 1, core.Ask{Priority: 5})
	c.ask("low", "y", 1)
	for most := 5; most >= 1; most-- {
		c.config(text(most))
		c.skip()
		c.pass(10 * time.Second)
		victim := []string{"driver", "optedout", "plain", "low", "holder"}[most-1]
		c.expect("preemption " + victim + " n root.q")
		c.release(victim)
	}
	c.config("  preemption: {quotapreemptionenabled: true}\n  queues: [{name: q, resources: {max: {vcore: 0}}, properties: {quota.preemption.delay: 10s}}]\n")
	c.skip()
	c.pass(time.Hour)
	c.expect()
}

func TestChildrenGiveByWhatTheyCanRelease(t *testing.T) {
	text := func(vcores int) string {
		return quotaText(vcores, ", queues: [{name: a, resources: {guaranteed: {vcore: 1}}}, {name: b}]")
	}
	c := newCluster(t, text(12))
	c.node("n", 20)
	for i := range 5 {
		c.fill(fmt.Sprint("a", i), "root.q.a", "u", 1)
	}
	for i := range 4 {
		c.fill(fmt.Sprint("b", i), "root.q.b", "u", 1)
	}
	c.config(text(5)) // 4 over; a may give 4, b 4: 2 each
	c.skip()
	c.pass(10 * time.Second)
	c.expect("preemption a31 n root.q", "preemption a41 n root.q", "preemption b21 n root.q", "preemption b31 n root.q")
}

func TestWhoIsNeedlessStays(t *testing.T) {
	c := newCluster(t, quotaText(9, ""))
	c.node("n", 20)
	c.app("x", "root.q", "u")
	c.ask("big", "x", 4)
	c.ask("small", "x", 1)
	c.config(quotaText(2, "")) // small goes first, then big, which is enough alone
	c.skip()
	c.pass(10 * time.Second)
	c.expect("preemption big n root.q")
}

func TestOnlyTypesInExcessMatter(t *testing.T) {
	text := func(vcores int) string {
		return fmt.Sprintf("  preemption: {quotapreemptionenabled: true}\n  queues: [{name: q, resources: {max: {vcore: %d, memory: 100}}, "+
			"properties: {quota.preemption.delay: 10s}}]\n", vcores)
	}
	c := newCluster(t, text(4))
	memory := resource.NewSet(resource.Quantity{Type: "memory", Value: 50})
	c.apply(core.Input{Event: &core.AddNode{ID: "n", Capacity: append(memory, cores(4)...)}})
	c.app("x", "root.q", "u")
	c.ask("a", "x", 2)
	c.apply(core.Input{Event: &core.AddAsk{ID: "m", App: "x", Resources: memory}})
	c.config(text(1))
	c.skip()
	c.pass(10 * time.Second)
	c.expect("preemption a n root.q")
}

func TestNoRoundBelowAQueueWhoseVictimsAreStillLeaving(t *testing.T) {
	text := func(q, a int) string {
		return fmt.Sprintf(`
  preemption: {quotapreemptionenabled: true}
  queues:
  - name: q
    resources: {max: {vcore: %d}}
    properties: {quota.preemption.delay: 10s}
    queues: [{name: a, resources: {max: {vcore: %d}}}, {name: b}]
`, q, a)
	}
	c := newCluster(t, text(8, 8))
	c.node("n", 20)
	for i := range 4 {
		c.fill(fmt.Sprint("a", i), "root.q.a", "u", 1)
	}
	for i := range 4 {
		c.fill(fmt.Sprint("b", i), "root.q.b", "u", 1)
	}
	c.config(text(6, 2))
	c.skip()
	c.pass(10 * time.Second)
	c.expect("preemption a31 n root.q", "preemption b31 n root.q")
	c.pass(time.Minute)
	c.release("a31")
	c.expect("release a31 preempted")
	c.release("b31")
	c.expect("release b31 preempted", "preemption a21 n root.q.a")
}

func TestObservation_PreemptsNone(t *testing.T) {
	text := func(vcores int) string {
		return fmt.Sprintf("  preemption: {quotapreemptionenabled: true, observe: true}\n  queues: [{name: q, resources: {max: {vcore: %d}}, "+
			"properties: {quota.preemption.delay: 10s}}]\n", vcores)
	}
	c := newCluster(t, text(4))
	c.node("n", 9)
	c.fill("x", "root.q", "u", 4)
	c.config(text(3))
	c.skip()
	c.pass(time.Hour)
	c.expect("preemption.observed x1 n root.q")
	if c.queue("root.q").Leaving != nil {
		t.Error("it leaves")
	}
}

func TestFencesAndDisabledDoNotMatter(t *testing.T) {
	text := func(vcores int) string {
		return quotaText(vcores, ", queues: [{name: a, properties: {preemption.policy: disabled}}, {name: b, properties: {preemption.policy: fence}}]")
	}
	c := newCluster(t, text(4))
	c.node("n", 9)
	c.fill("x", "root.q.a", "u", 2)
	c.fill("y", "root.q.b", "u", 2)
	c.config(text(1))
	c.skip()
	c.pass(10 * time.Second)
	c.expect("preemption x1 n root.q", "preemption y1 n root.q")
}

func TestQuota_NextRoundAfterChange(t *testing.T) {
	c := newCluster(t, quotaText(8, ""))
	c.node("n", 20)
	c.app("x", "root.q", "u")
	c.ask("r1", "x", 2, core.Ask{Node: "n"})
	c.ask("r2", "x", 2, core.Ask{Node: "n"})
	c.config(quotaText(1, ""))
	c.pass(time.Minute)
	c.restore("a", "x", "n", 2)
	c.skip()
	c.pass(9 * time.Second)
	c.expect()
	c.pass(time.Second)
	c.expect("preemption a n root.q")
}

// Corner 36.
func TestRaisedInTheInstantOfTheRoundItIsCancelled(t *testing.T) {
	c := overQuota(t, 6, "")
	c.pass(9 * time.Second)
	c.m.Advance(10 * time.Second)
	c.config(quotaText(8, ""))
	c.expect("config.accepted")
	c.pass(time.Hour)
	c.expect()
}

// Corner 37.
func TestWithAMaxEqualToTheGuaranteedNoQueueGoesBelowIt(t *testing.T) {
	text := func(vcores int) string {
		return fmt.Sprintf("  preemption: {quotapreemptionenabled: true}\n  queues: [{name: q, resources: {guaranteed: {vcore: %[1]d}, max: {vcore: %[1]d}}, "+
			"properties: {quota.preemption.delay: 10s}}]\n", vcores)
	}
	c := newCluster(t, text(6))
	c.node("n", 6)
	c.fill("x", "root.q", "u", 4)
	c.fill("y", "root.q", "u", 2)
	c.config(text(3))
	c.skip()
	c.pass(time.Hour)
	c.expect("preemption y1 n root.q") // the other one would leave less than 3
}

// Corner 38.
func TestDynamicQueuesGiveAndAreNeverDue(t *testing.T) {
	text := func(vcores, template int) string {
		return userRule + quotaText(vcores, fmt.Sprintf(", parent: true, childtemplate: {resources: {max: {vcore: %d}}}", template))
	}
	c := newCluster(t, text(8, 8))
	c.node("n", 9)
	c.fill("x", "root.q.a", "u", 2)
	c.fill("y", "root.q.a", "u", 2)
	c.config(text(8, 1))
	c.skip()
	c.pass(time.Hour)
	c.expect()
	c.config(text(2, 1))
	c.pass(10 * time.Second)
	c.expect("config.accepted", "preemption y1 n root.q")
}

// Corner 39.
func TestQuota_RaisingRecallsNone(t *testing.T) {
	c := overQuota(t, 6, "")
	c.pass(10 * time.Second)
	c.config(quotaText(8, ""))
	c.release("a4")
	c.expect("preemption a4 n root.q", "config.accepted", "release a4 preempted")
}

// Corner 40.
func TestSwitchedOnWhileOverItCountsFromThen(t *testing.T) {
	const off = "  queues: [{name: q, resources: {max: {vcore: 2}}, properties: {quota.preemption.delay: 10s}}]\n"
	c := newCluster(t, off)
	c.node("n", 9)
	c.app("x", "root.q", "u")
	c.restore("a", "x", "n", 4)
	c.pass(time.Hour)
	c.config(quotaText(2, ""))
	c.skip()
	c.pass(9 * time.Second)
	c.expect()
	c.pass(time.Second)
	c.expect("preemption a n root.q")
}

// A change in a cycle counts from that cycle on, even if it is the last of the cycle.
func TestQuota_ChangeInACycleCountsFromIt(t *testing.T) {
	c := newCluster(t, quotaText(8, ""))
	c.apply(core.Input{Event: &core.AddNode{ID: "n", Capacity: append(resource.NewSet(resource.Quantity{Type: "gpu", Value: 4}), cores(20)...)}})
	c.app("x", "root.q", "u")
	c.ask("r1", "x", 4, core.Ask{Node: "n"})
	c.config(quotaText(1, ""))
	c.pass(time.Minute)
	c.m.Apply(&core.Input{At: c.m.Now(), Event: &core.AddAsk{ID: "g", App: "x", Resources: resource.NewSet(resource.Quantity{Type: "gpu", Value: 1})}})
	c.m.Cycle(1)
	if at, ok := c.m.Deadline(); !ok || at != c.m.Now()+10*time.Second {
		t.Errorf("the round is due at %s (%t)", at, ok)
	}
}

// Moving an application between leaves of the queue changes the amounts that the leaves may release.
func TestAMoveInsideTheQueueIsAChangeOfUsage(t *testing.T) {
	text := func(vcores, kept int) string {
		return quotaText(vcores, fmt.Sprintf(", queues: [{name: kept, resources: {guaranteed: {vcore: %d}}}, {name: free}]", kept))
	}
	c := newCluster(t, text(4, 4))
	c.node("n", 20)
	c.fill("x", "root.q.kept", "u", 4)
	c.config(text(2, 2))
	c.skip()
	c.pass(time.Minute)
	c.expect()
	c.move("x", "root.q.free")
	c.skip()
	c.pass(10 * time.Second)
	c.expect("preemption x1 n root.q")
}
