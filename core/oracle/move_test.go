package oracle_test

import (
	"testing"
	"time"

	"github.com/quern-project/quern/core"
)

const moveQueues = `
  queues:
  - {name: a, limits: [{groups: [h], maxresources: {vcore: 50}}]}
  - {name: small, resources: {max: {vcore: 2}}}
  - {name: one, maxapplications: 1}
  - {name: user, limits: [{users: [u], maxresources: {vcore: 2}}]}
  - {name: group, limits: [{groups: [g], maxresources: {vcore: 2}}]}
  - {name: users, limits: [{users: [u], maxapplications: 1}]}
  - {name: groups, limits: [{groups: [g], maxapplications: 1}]}
  - {name: parent, queues: [{name: b}]}
  - {name: old}
`

func TestAMoveTakesUsageAndPendingAsksAlong(t *testing.T) {
	c := newCluster(t, moveQueues)
	c.node("n", 4)
	c.fill("x", "root.a", "u", 4)
	c.ask("x2", "x", 1)
	c.skip()
	c.move("x", "ROOT.parent.b")
	c.expect("app.moved x root.a root.parent.b")
	for path, asks := range map[string]int{"root.a": 0, "root.parent": 1, "root.parent.b": 1} {
		q := c.queue(path)
		if used, _ := q.Used.Value("vcore"); q.PendingAsks != asks || used != int64(asks)*4000 {
			t.Errorf("%s: %d pending, %d used", path, q.PendingAsks, used)
		}
	}
	c.release("x1")
	c.expect("release x1 finished", "allocation x2 n")
}

func TestMove_RefusedByItsTarget(t *testing.T) {
	for queue, why := range map[string]string{
		"": "no-queue", "root.none": "unknown-queue", "root.parent": "not-a-leaf", "root.old": "queue-draining", "root.@recovery@": "unknown-queue",
		"root.small": "headroom", "root.one": "max-applications", "root.user": "user-limit", "root.group": "group-limit",
		"root.users": "user-max-applications", "root.groups": "group-max-applications",
	} {
		t.Run(why, func(t *testing.T) {
			c := newCluster(t, moveQueues)
			c.node("n", 100)
			c.app("o", "", "o", "application.create.force", "true")
			c.fill("d", "root.old", "d", 1)
			c.config(moveQueues[:len(moveQueues)-len("  - {name: old}\n")])
			c.fill("y", "root.one", "y", 1)
			c.fill("v", "root.users", "u", 1)
			c.fill("w", "root.groups", "w g", 1)
			c.fill("x", "root.a", "u g", 3)
			c.skip()
			c.move("x", queue)
			c.expect("ignored x " + why)
			if q := c.queue("root.a"); q.Applications != 1 || q.Allocations != 1 {
				t.Errorf("%d applications, %d allocations", q.Applications, q.Allocations)
			}
		})
	}
}

func TestAnUnknownApplicationCannotMove(t *testing.T) {
	c := newCluster(t, moveQueues)
	c.move("x", "root.a")
	c.expect("ignored x unknown-application")
}

func TestAMoveIsCheckedForAccess(t *testing.T) {
	c := newCluster(t, "  queues: [{name: a, submitacl: bob}, {name: b, submitacl: ann}, {name: c, submitacl: \" devs\"}]\n")
	c.app("x", "root.a", "bob devs")
	c.move("x", "root.b")
	c.move("x", "root.c")
	c.expect("app.accepted x root.a", "ignored x access-denied", "app.moved x root.a root.c")
}

func TestMove_OwnCountDoesNotBarIt(t *testing.T) {
	text := func(vcores string) string {
		return "  queues: [{name: p, resources: {max: {vcore: " + vcores + "}}, maxapplications: 1, queues: [{name: a}, {name: b}], " +
			"limits: [{users: [u], maxresources: {vcore: " + vcores + "}}]}]\n"
	}
	c := newCluster(t, text("4"))
	c.node("n", 8)
	c.fill("x", "root.p.a", "u", 4)
	c.config(text("2"))
	c.skip()
	c.move("x", "root.p.b")
	c.expect("app.moved x root.p.a root.p.b")
}

func TestMove_EndsReservationsAndClaims(t *testing.T) {
	c := newCluster(t, `
  preemption: {enabled: true}
  queues:
  - {name: low}
  - {name: high, resources: {guaranteed: {vcore: 4}}, properties: {preemption.delay: 5s}}
`)
	c.node("m", 4)
	c.node("n", 4)
	c.fill("l", "root.low", "l", 2)
	c.ask("l2", "l", 2)
	c.fill("x", "root.high", "u", 3)
	c.skip()
	c.pass(2 * time.Second)
	c.move("x", "root.low")
	c.move("x", "root.high")
	c.pass(3 * time.Second)
	c.expect("reservation x1 m", "app.moved x root.high root.low", "unreservation x1 m", "reservation x1 m",
		"app.moved x root.low root.high", "unreservation x1 m", "reservation x1 m", "preemption l2 x1 n", "unreservation x1 m")
	c.move("x", "root.low")
	c.expect("app.moved x root.high root.low", "preemption.lapsed x1 n moved", "reservation x1 m")
}

func TestTheLastApplicationThatMovesEndsADrainingQueue(t *testing.T) {
	c := newCluster(t, "  queues: [{name: a}, {name: b}]\n")
	c.app("x", "root.a", "u")
	c.config("  queues: [{name: b}]\n")
	c.skip()
	c.move("x", "root.b")
	c.expect("app.moved x root.a root.b", "queue.state root.a draining stopped empty")
}

func TestMove_EmptiedDynamicQueueEnds(t *testing.T) {
	c := newCluster(t, userRule+"  queues: [{name: default}]\n")
	c.app("x", "root.a", "u")
	c.app("y", "root.b", "u")
	c.skip()
	c.move("x", "root.b")
	c.pass(10 * time.Second)
	c.expect("app.moved x root.a root.b", "queue.state root.a active stopped empty")
}

func TestAMoveToItsOwnQueueChangesNothing(t *testing.T) {
	c := newCluster(t, moveQueues)
	c.node("m", 4)
	c.node("n", 4)
	c.fill("l", "root.parent.b", "l", 2)
	c.ask("l2", "l", 2)
	c.fill("x", "root.a", "u", 3)
	c.pass(2 * time.Second)
	c.skip()
	c.move("x", "root.a")
	c.expect("app.moved x root.a root.a")
	if n := c.m.Dump().Nodes[0]; n.Reserved != "x1" {
		t.Errorf("reserved for %q", n.Reserved)
	}
}

func TestTheStateAndItsTimerMoveAlong(t *testing.T) {
	c := newCluster(t, moveQueues)
	c.node("n", 4)
	c.fill("x", "root.a", "u", 1)
	c.pass(time.Minute)
	c.move("x", "root.old")
	c.skip()
	c.pass(4*time.Minute - time.Second)
	if state := c.m.Dump().Applications[0].State; state != core.StateStarting {
		t.Errorf("%s before its time", state)
	}
	c.pass(time.Second)
	if state := c.m.Dump().Applications[0].State; state != core.StateRunning {
		t.Errorf("%s", state)
	}
}
