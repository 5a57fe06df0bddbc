package oracle_test

import (
	"testing"
	"time"

	"github.com/quern-project/quern/core"
)

// limited is a cluster of 100 vcores with the leaves root.p.a, root.p.b and root.c. The limits are of root.p; more are fields of
// the partition.
func limited(t *testing.T, limits string, more ...string) *cluster {
	t.Helper()
	c := newCluster(t, limitText(limits, more...))
	c.node("n", 100)
	c.skip()
	return c
}

func limitText(limits string, more ...string) string {
	text := ""
	for _, field := range more {
		text += field
	}
	return text + "  queues:\n  - {name: p, limits: [" + limits + "], queues: [{name: a}, {name: b}]}\n  - name: c\n"
}

// fill adds an application for the user, with an ask for so many vcores.
func (c *cluster) fill(id, queue, user string, vcores int64) {
	c.app(id, queue, user)
	c.ask(id+"1", id, vcores)
}

func (c *cluster) expectAllocated(ids ...string) {
	c.t.Helper()
	var got []string
	for _, d := range c.m.Take() {
		if d.Type == core.Allocation {
			got = append(got, d.ID)
		}
	}
	if len(got) != len(ids) {
		c.t.Fatalf("expected %v, found %v", ids, got)
	}
	for i := range ids {
		if got[i] != ids[i] {
			c.t.Fatalf("expected %v, found %v", ids, got)
		}
	}
}

func TestALimitBoundsEachUserForHimselfInTheSubtree(t *testing.T) {
	c := limited(t, "{users: [u, v], maxresources: {vcore: 4}}")
	c.fill("x", "root.p.a", "u", 3)
	c.fill("y", "root.p.b", "u", 2)
	c.fill("z", "root.p.a", "v", 4)
	c.fill("o", "root.c", "u", 50)
	c.fill("w", "root.p.a", "w", 20)
	c.expectAllocated("x1", "z1", "o1", "w1")
	c.release("x1")
	c.expectAllocated("y1")
}

func TestALimitOfAllBoundsEachUserThatNoOtherNames(t *testing.T) {
	c := limited(t, `{users: [u], maxresources: {vcore: 9}}, {users: ["*"], maxresources: {vcore: 2}}`)
	c.fill("x", "root.p.a", "u", 9)
	c.fill("y", "root.p.a", "v", 3)
	c.fill("z", "root.p.a", "w", 2)
	c.fill("o", "root.p.a", "q", 2)
	c.expectAllocated("x1", "z1", "o1")
}

func TestALimitOfAGroupBoundsTheSumOfItsUsers(t *testing.T) {
	c := limited(t, "{groups: [g], maxresources: {vcore: 4}}")
	c.fill("x", "root.p.a", "u g", 3)
	c.fill("y", "root.p.b", "v g", 2)
	c.fill("z", "root.p.b", "w h", 20)
	c.expectAllocated("x1", "z1")
}

func TestTheFirstGroupConfiguredDecides(t *testing.T) {
	c := limited(t, "{groups: [g], maxresources: {vcore: 1}}, {groups: [h], maxresources: {vcore: 8}}")
	c.fill("x", "root.p.a", "u h g", 2)
	c.fill("y", "root.p.a", "u h", 2)
	c.expectAllocated("y1")
}

func TestTheNearestQueueWithAGroupDecides(t *testing.T) {
	c := limited(t, "{groups: [h], maxresources: {vcore: 8}}", "  limits: [{groups: [g], maxresources: {vcore: 1}}]\n")
	c.fill("x", "root.p.a", "u g h", 8)
	c.fill("y", "root.c", "u g h", 2)
	c.expectAllocated("x1")
}

func TestWildcardGroup_HasUsersWithoutGroups(t *testing.T) {
	c := limited(t, `{groups: [g], maxresources: {vcore: 8}}, {groups: ["*"], maxresources: {vcore: 4}}`)
	c.fill("x", "root.p.a", "u g", 8)
	c.fill("y", "root.p.a", "v h", 3)
	c.fill("z", "root.p.a", "w", 2)
	c.fill("o", "root.p.b", "w", 1)
	c.expectAllocated("x1", "y1", "o1")
}

func TestTheGroupOfAllEndsTheSearchInItsQueue(t *testing.T) {
	c := limited(t, `{groups: [z], maxresources: {vcore: 8}}, {groups: ["*"], maxresources: {vcore: 4}}`,
		"  limits: [{groups: [g], maxresources: {vcore: 9}}]\n")
	c.fill("x", "root.p.a", "u g", 4)
	c.fill("y", "root.p.a", "v", 1)
	c.fill("z", "root.c", "w g", 9)
	c.expectAllocated("x1", "z1")
}

func TestALimitOfEveryQueueOnTheWayHolds(t *testing.T) {
	c := limited(t, "{users: [u], maxresources: {vcore: 4}}", "  limits: [{users: [u], maxresources: {vcore: 6}}]\n")
	c.fill("x", "root.p.a", "u", 4)
	c.fill("y", "root.p.a", "u", 1)
	c.fill("z", "root.c", "u", 3)
	c.fill("w", "root.c", "u", 2)
	c.expectAllocated("x1", "w1")
}

func TestAMissingTypeIsNoBoundAndZeroForbids(t *testing.T) {
	c := limited(t, "{users: [u], maxresources: {vcore: 0, memory: 1}}, {users: [v], maxresources: {memory: 1}}")
	c.fill("x", "root.p.a", "u", 1)
	c.fill("y", "root.p.a", "v", 50)
	c.expectAllocated("y1")
}

func TestMaxApplicationsOfALimitBoundsPlaces(t *testing.T) {
	c := limited(t, "{users: [u], maxapplications: 1}, {groups: [g], maxapplications: 2}")
	c.fill("x", "root.p.a", "u", 1)
	c.fill("y", "root.p.b", "u", 1)
	c.fill("z", "root.p.b", "v g", 1)
	c.fill("w", "root.p.b", "w g", 1)
	c.fill("o", "root.p.b", "q g", 1)
	c.expectAllocated("x1", "z1", "w1")
	c.release("x1") // Completing frees the place
	c.expectAllocated("y1")
}

func TestLimit_LoweredPreemptsNone(t *testing.T) {
	c := limited(t, "{users: [u], maxresources: {vcore: 8}}")
	c.fill("x", "root.p.a", "u", 8)
	c.config(limitText("{users: [u], maxresources: {vcore: 2}}"))
	c.pass(time.Hour)
	c.ask("x2", "x", 1)
	c.expectAllocated("x1")
}

func TestGroupsAndUsageAreWorkedOutAnewAtAReload(t *testing.T) {
	c := limited(t, "{groups: [g], maxresources: {vcore: 8}}")
	c.fill("x", "root.p.a", "u g h", 6)
	c.fill("y", "root.p.a", "v h", 2)
	c.config(limitText("{groups: [h], maxresources: {vcore: 9}}"))
	c.fill("z", "root.p.a", "w h", 2)
	c.fill("o", "root.p.a", "w h", 1)
	c.expectAllocated("x1", "y1", "o1")
}

const preempting = `
  preemption: {enabled: true}
  queues:
  - {name: low}
  - {name: high, resources: {guaranteed: {vcore: 4}}, properties: {preemption.delay: 1s}, limits: [{users: [u], maxresources: {vcore: 3}}]}
`

func TestAnAskPreemptsOnlyWhileItsLimitsHold(t *testing.T) {
	c := newCluster(t, preempting)
	c.node("n", 4)
	c.fill("l", "root.low", "l", 4)
	c.fill("x", "root.high", "u", 4)
	c.pass(time.Minute)
	c.expect("node.accepted n", "app.accepted l root.low", "allocation l1 n", "app.accepted x root.high")
	c.fill("y", "root.high", "v", 4)
	c.pass(time.Second)
	c.expect("app.accepted y root.high", "preemption l1 y1 n")
}

func TestClaim_LapsesWithTheLimits(t *testing.T) {
	c := newCluster(t, preempting)
	c.node("n", 4)
	c.fill("l", "root.low", "l", 4)
	c.fill("x", "root.high", "u", 3)
	c.pass(time.Second)
	c.fill("y", "root.high", "u", 1)
	c.skip()
	c.restore("y2", "y", "n", 1)
	c.expect("preemption.lapsed x1 n no-longer-fits")
}

func TestUserLimit_ClaimsCountAsUsed(t *testing.T) {
	c := newCluster(t, preempting)
	c.node("n", 4)
	c.fill("l", "root.low", "l", 4)
	c.fill("x", "root.high", "u", 3)
	c.pass(time.Second)
	c.skip()
	c.node("m", 4)
	c.fill("y", "root.high", "u", 1)
	c.fill("z", "root.high", "v", 1)
	c.expect("node.accepted m", "app.accepted y root.high", "app.accepted z root.high", "allocation z1 m")
}

func TestAnAskReservesOnlyWithinItsLimits(t *testing.T) {
	c := newCluster(t, "  limits: [{users: [u], maxresources: {vcore: 3}}]\n  queues: [{name: a}, {name: b}]\n")
	c.node("n", 4)
	c.node("m", 4)
	c.fill("l", "root.a", "l", 1)
	c.fill("k", "root.a", "l", 1)
	c.fill("x", "root.a", "u", 4)
	c.fill("y", "root.b", "v", 4)
	c.skip()
	c.pass(2 * time.Second)
	c.expect("reservation y1 m")
}

// Corner 14.
func TestTheEmptyUserIsOneThatOnlyAllNames(t *testing.T) {
	c := limited(t, `{users: [u], maxresources: {vcore: 9}}, {users: ["*"], maxresources: {vcore: 2}}`)
	c.fill("x", "root.p.a", "", 2)
	c.fill("y", "root.p.b", "", 1)
	c.expectAllocated("x1")
}

// Corner 15.
func TestLimit_NamedUserWithoutResources(t *testing.T) {
	c := limited(t, `{users: [u], maxapplications: 5}, {users: ["*"], maxresources: {vcore: 2}}`)
	c.fill("x", "root.p.a", "u", 9)
	c.expectAllocated("x1")
}

// Corner 16.
func TestLimits_AppsOfAUserUnderDifferentGroups(t *testing.T) {
	c := newCluster(t, `
  queues:
  - {name: a, limits: [{groups: [g], maxresources: {vcore: 2}}]}
  - {name: b, limits: [{groups: [h], maxresources: {vcore: 2}}]}
`)
	c.node("n", 100)
	c.fill("x", "root.a", "u g h", 2)
	c.fill("y", "root.b", "u g h", 2)
	c.expectAllocated("x1", "y1")
	groups := ""
	for _, a := range c.m.Dump().Applications {
		groups += a.Group
	}
	if groups != "gh" {
		t.Errorf("groups %s", groups)
	}
}

// Corner 17.
func TestComingBackFromCompletingMayExceedTheBound(t *testing.T) {
	c := limited(t, "{users: [u], maxapplications: 1}")
	c.fill("x", "root.p.a", "u", 1)
	c.release("x1")
	c.fill("y", "root.p.a", "u", 1)
	c.ask("x2", "x", 1)
	c.expectAllocated("x1", "y1", "x2")
}

// Corner 18: each of the bounds holds by itself.
func TestOfSeveralBoundsEachHolds(t *testing.T) {
	c := limited(t, "{users: [u], maxresources: {vcore: 4}}, {groups: [g], maxresources: {vcore: 3}}")
	c.fill("x", "root.p.a", "u", 4)
	c.fill("y", "root.p.a", "v g", 3)
	c.fill("z", "root.p.a", "u g", 1)
	c.release("x1")
	c.expectAllocated("x1", "y1")
	c.release("y1")
	c.expectAllocated("z1")
}

// Corner 19.
func TestAnAskThatAloneExceedsALimitStaysPending(t *testing.T) {
	c := limited(t, "{users: [u], maxresources: {vcore: 4}}")
	c.fill("x", "root.p.a", "u", 5)
	c.pass(time.Hour)
	c.expect("app.accepted x root.p.a")
	c.config(limitText("{users: [u], maxresources: {vcore: 5}}"))
	c.expect("config.accepted", "allocation x1 n")
}

// Corner 20.
func TestRequiredNodeAsksObeyLimits(t *testing.T) {
	c := limited(t, "{users: [u], maxresources: {vcore: 4}}")
	c.app("x", "root.p.a", "u")
	c.ask("x1", "x", 4, core.Ask{Node: "n"})
	c.ask("x2", "x", 1, core.Ask{Node: "n"})
	c.fill("l", "root.c", "l", 96)
	c.expect("app.accepted x root.p.a", "allocation x1 n", "app.accepted l root.c", "allocation l1 n")
	c.ask("x3", "x", 5, core.Ask{Node: "n", Priority: 9})
	c.pass(time.Minute)
	c.expect()
}
