package oracle_test

import (
	"testing"
	"time"

	"github.com/quern-project/quern/core"
)

const gangQueues = "  queues: [{name: a}, {name: fair, properties: {application.sort.policy: fair}}, {name: aware, properties: {application.sort.policy: stateaware}}]\n"

// gangs is a cluster with the nodes n and m of 4 vcores each, and a gang x of 4 vcores in root.a that has 2 minutes.
func gangs(t *testing.T, style ...string) *cluster {
	t.Helper()
	c := newCluster(t, gangQueues)
	c.node("m", 4)
	c.node("n", 4)
	c.gang("x", "root.a", 4, len(style) > 0)
	c.skip()
	c.states = true
	return c
}

func (c *cluster) gang(id, queue string, vcores int64, hard bool) {
	c.apply(core.Input{Event: &core.AddApp{ID: id, Queue: queue, User: "u",
		Placeholders: &core.Placeholders{Ask: cores(vcores), Hard: hard, Timeout: 2 * time.Minute}}})
}

// holder adds a placeholder of the group g, task a task of it.
func (c *cluster) holder(id, app string, vcores int64) {
	c.ask(id, app, vcores, core.Ask{TaskGroup: "g", Placeholder: true})
}
func (c *cluster) task(id, app string, vcores int64) {
	c.ask(id, app, vcores, core.Ask{TaskGroup: "g"})
}

// formed is gangs with the placeholders h1 on m and h2 on n, 2 vcores each, allocated.
func formed(t *testing.T) *cluster {
	t.Helper()
	c := gangs(t)
	c.holder("h1", "x", 2)
	c.holder("h2", "x", 2)
	c.expect("app.state x New Accepted ask-added", "allocation h1 m", "allocation h2 n", "app.state x Accepted Starting gang-formed")
	return c
}

func TestAGangRunsInALeafThatSortsByFifoOrStateaware(t *testing.T) {
	c := newCluster(t, gangQueues)
	c.gang("x", "root.fair", 4, false)
	c.gang("y", "root.aware", 4, false)
	c.gang("z", "root.a", 4, false)
	c.move("z", "root.fair")
	c.expect("app.rejected x gang-sort-policy", "app.accepted y root.aware", "app.accepted z root.a", "ignored z gang-sort-policy")
}

func TestAGangThatPassesAMaxOrALimitIsTooLarge(t *testing.T) {
	c := newCluster(t, `
  placementrules: [{name: provided, create: true}]
  queues:
  - {name: p, resources: {max: {vcore: 4}}, queues: [{name: a}]}
  - {name: l, limits: [{users: [u], maxresources: {vcore: 4}}]}
  - {name: d, parent: true, childtemplate: {resources: {max: {vcore: 4}}}}
`)
	for i, queue := range []string{"root.p.a", "root.l", "root.d.new"} {
		c.gang("x", queue, 5, false)
		c.expect("app.rejected x gang-too-large")
		c.gang(string(rune('a'+i)), queue, 4, false)
		c.skip()
	}
	c.gang("huge", "root.free", 500, false)
	c.expect("queue.state root.free stopped active created", "app.accepted huge root.free")
}

func TestPlaceholdersNeedAGangAndATaskGroup(t *testing.T) {
	c := gangs(t)
	c.app("y", "root.a", "u")
	c.holder("h", "y", 1)
	c.ask("h", "x", 1, core.Ask{Placeholder: true})
	c.expect("app.accepted y root.a", "ask.rejected h not-a-gang", "ask.rejected h no-task-group")
}

func TestAGangIsFormedOnceItsPlaceholdersAddUp(t *testing.T) {
	c := gangs(t)
	c.holder("h1", "x", 2)
	c.task("t1", "x", 2)
	c.expect("app.state x New Accepted ask-added", "allocation h1 m")
	c.holder("h2", "x", 1)
	c.expect("allocation h2 n")
	c.holder("h3", "x", 1)
	c.expect("allocation h3 n", "app.state x Accepted Starting gang-formed", "placeholder.replaced h1 t1 m")
	c.release("h1")
	c.expect("release h1 replaced", "allocation t1 m")
	c.task("t2", "x", 1)
	c.release("h2")
	c.expect("placeholder.replaced h2 t2 n", "release h2 replaced", "allocation t2 n", "app.state x Starting Running second-allocation")
}

func TestTheTagTakesAFormedGangToRunning(t *testing.T) {
	c := newCluster(t, gangQueues)
	c.node("n", 4)
	c.apply(core.Input{Event: &core.AddApp{ID: "x", Queue: "root.a", Tags: map[string]string{"application.stateaware.disable": "true"},
		Placeholders: &core.Placeholders{Ask: cores(1)}}})
	c.skip()
	c.states = true
	c.holder("h", "x", 1)
	c.expect("app.state x New Accepted ask-added", "allocation h n", "app.state x Accepted Running gang-formed")
}

func TestARealTaskFormsAGangWithoutPlaceholders(t *testing.T) {
	c := gangs(t)
	c.task("t1", "x", 1)
	c.expect("app.state x New Accepted ask-added", "allocation t1 m", "app.state x Accepted Starting first-allocation")
	c.holder("h1", "x", 1)
	c.ask("t2", "x", 1)
	c.expect("allocation h1 n", "allocation t2 m", "app.state x Starting Running second-allocation")
}

func TestRealAsksWaitUntilTheGangIsFormed(t *testing.T) {
	c := gangs(t)
	c.holder("h1", "x", 2)
	c.ask("t1", "x", 4)
	c.skip()
	c.pass(time.Minute)
	c.expect()
}

func TestTask_TakesTheOldestPlaceholderThatFits(t *testing.T) {
	c := formed(t)
	c.app("o", "root.a", "o")
	c.ask("o1", "o", 2, core.Ask{Node: "m"})
	c.skip()
	c.task("t1", "x", 4)
	c.expect("placeholder.replaced h2 t1 n")
	c.task("t2", "x", 1)
	c.expect("placeholder.replaced h1 t2 m")
}

func TestReservation_BarsTasksLargerThanPlaceholders(t *testing.T) {
	c := formed(t)
	c.app("o", "root.fair", "o")
	c.ask("o1", "o", 1)
	c.ask("o2", "o", 1)
	c.ask("big", "o", 2)
	c.skip()
	c.pass(2 * time.Second)
	c.expect("reservation big m")
	c.task("t1", "x", 3)
	c.expect("placeholder.replaced h2 t1 n")
	c.task("t2", "x", 2)
	c.expect("placeholder.replaced h1 t2 m")
}

func TestReplacement_OnAnotherNode(t *testing.T) {
	c := formed(t)
	c.app("o", "root.a", "o")
	c.ask("o1", "o", 2, core.Ask{Node: "m"})
	c.ask("o2", "o", 2, core.Ask{Node: "n"})
	c.node("z", 3)
	c.skip()
	c.task("t1", "x", 3)
	c.expect("placeholder.replaced h1 t1 z")
	c.release("h1")
	c.expect("release h1 replaced", "allocation t1 z")
}

func TestTask_TooLargeGivesAPlaceholderUp(t *testing.T) {
	c := formed(t)
	c.task("t1", "x", 5)
	c.expect("placeholder.timeout h1 m too-small")
	c.release("h1")
	c.node("z", 8)
	c.expect("release h1 timeout", "node.accepted z", "allocation t1 z")
}

func TestTask_WaitsIfNothingFits(t *testing.T) {
	c := formed(t)
	c.ask("t1", "x", 1, core.Ask{TaskGroup: "g", Constraints: map[string][]string{"zone": {"a"}}})
	c.pass(3 * time.Second)
	c.expect()
}

// Corner 21.
func TestASwapNeverCountsTwice(t *testing.T) {
	c := newCluster(t, "  queues: [{name: a, resources: {max: {vcore: 2}}, limits: [{users: [u], maxresources: {vcore: 2}}]}]\n")
	c.node("n", 4)
	c.gang("x", "root.a", 2, false)
	c.holder("h1", "x", 2)
	c.skip()
	c.task("t1", "x", 2)
	c.expect("placeholder.replaced h1 t1 n")
	c.release("h1")
	c.expect("release h1 replaced", "allocation t1 n")
}

func TestReplacement_RoomAndHeadroomAreReserved(t *testing.T) {
	c := newCluster(t, "  queues: [{name: a, resources: {max: {vcore: 5}}}, {name: b}]\n")
	c.node("n", 4)
	c.node("o", 2)
	c.gang("x", "root.a", 2, false)
	c.holder("h1", "x", 2)
	c.holder("h2", "x", 1)
	c.skip()
	c.task("t1", "x", 3)
	c.expect("placeholder.replaced h1 t1 n")
	c.app("y", "root.b", "y")
	c.ask("y1", "y", 2) // n has 4 less 3, o has 2 less 1
	c.app("z", "root.a", "z")
	c.ask("z1", "z", 2) // 5 less 3 and 1
	c.expect("app.accepted y root.b", "app.accepted z root.a")
	c.ask("y2", "y", 1)
	c.expect("allocation y2 n")
	c.release("h1")
	c.expect("release h1 replaced", "allocation t1 n")
}

func TestTheTimeoutOfAFormedGangEndsItsPlaceholders(t *testing.T) {
	c := formed(t)
	c.holder("h3", "x", 9)
	c.pass(2*time.Minute - time.Second)
	c.expect()
	c.pass(time.Second)
	c.expect("placeholder.timeout h3 timeout", "placeholder.timeout h1 m timeout", "placeholder.timeout h2 n timeout")
	c.release("h1")
	c.task("t1", "x", 1)
	c.expect("release h1 timeout", "allocation t1 m")
}

func TestTheTimeoutOfASoftGangLetsItsTasksGoOn(t *testing.T) {
	c := gangs(t)
	c.holder("h1", "x", 2)
	c.task("t1", "x", 1)
	c.skip()
	c.pass(2 * time.Minute)
	c.expect("placeholder.timeout h1 m timeout", "app.state x Accepted Resuming gang-timeout")
	c.holder("h2", "x", 2)
	c.expect("ask.rejected h2 gang-over")
	c.release("h1")
	c.expect("release h1 timeout", "app.state x Resuming Accepted gang-over", "allocation t1 m", "app.state x Accepted Starting first-allocation")
}

func TestASoftGangWithNothingPendingIsCompleting(t *testing.T) {
	c := gangs(t)
	c.holder("h1", "x", 2)
	c.skip()
	c.pass(2 * time.Minute)
	c.release("h1")
	c.expect("placeholder.timeout h1 m timeout", "app.state x Accepted Resuming gang-timeout", "release h1 timeout",
		"app.state x Resuming Completing idle")
}

func TestTheTimeoutOfAHardGangFailsTheApplication(t *testing.T) {
	c := gangs(t, "Hard")
	c.holder("h1", "x", 2)
	c.task("t1", "x", 1)
	c.skip()
	c.pass(2 * time.Minute)
	c.expect("placeholder.timeout h1 m timeout", "app.state x Accepted Failing gang-timeout")
	c.task("t2", "x", 1)
	c.gang("x", "root.a", 1, false)
	c.release("h1")
	c.gang("x", "root.a", 1, false)
	c.expect("ask.rejected t2 app-failing", "app.rejected x duplicate", "release h1 timeout", "app.state x Failing Failed failed",
		"app.accepted x root.a")
}

func TestGang_CompletingWithoutTasks(t *testing.T) {
	c := formed(t)
	c.task("t1", "x", 2)
	c.release("h1")
	c.skip()
	c.release("t1")
	c.expect("release t1 finished", "app.state x Starting Completing idle")
	c.pass(29 * time.Second)
	c.expect()
	c.pass(time.Second)
	c.expect("placeholder.timeout h2 n app-completing")
	c.release("h2")
	c.expect("release h2 timeout", "app.state x Completing Completed completing-timeout")
}

func TestARealAskBringsACompletingGangBack(t *testing.T) {
	c := formed(t)
	c.task("t1", "x", 2)
	c.release("h1")
	c.release("t1")
	c.pass(10 * time.Second)
	c.skip()
	c.task("t2", "x", 2)
	c.expect("app.state x Completing Running ask-added", "placeholder.replaced h2 t2 n")
}

func TestAGangThatWasNotFormedComesBackAsAccepted(t *testing.T) {
	c := gangs(t)
	c.holder("h1", "x", 2)
	c.release("h1")
	c.skip()
	c.holder("h2", "x", 4)
	c.expect("app.state x Completing Accepted ask-added", "allocation h2 m", "app.state x Accepted Starting gang-formed")
}

func TestAPlaceholderHoldsAPlaceAndCountsAsStarting(t *testing.T) {
	c := newCluster(t, "  queues: [{name: a, maxapplications: 1}, {name: aware, properties: {application.sort.policy: stateaware}}]\n")
	c.node("n", 8)
	for _, queue := range []string{"root.a", "root.aware"} {
		c.app("first"+queue, queue, "u")
		c.gang("x"+queue, queue, 4, false)
		c.holder("h"+queue, "x"+queue, 1)
		c.skip()
		c.ask("o"+queue, "first"+queue, 1)
		c.expect()
		c.release("h" + queue)
		c.expect("release h"+queue+" finished", "allocation o"+queue+" n")
	}
}

func TestAVictimSearchPrefersPlaceholders(t *testing.T) {
	c := newCluster(t, `
  preemption: {enabled: true}
  queues:
  - {name: low}
  - {name: high, resources: {guaranteed: {vcore: 2}}, properties: {preemption.delay: 1s}}
`)
	c.node("n", 4)
	c.fill("l", "root.low", "l", 2)
	c.gang("x", "root.low", 9, false)
	c.ask("h", "x", 2, core.Ask{TaskGroup: "g", Placeholder: true, Priority: 5})
	c.app("y", "root.high", "y")
	c.ask("y1", "y", 2, core.Ask{Priority: 5})
	c.skip()
	c.pass(time.Second)
	c.expect("preemption h y1 n")
	c.release("h")
	c.expect("release h preempted", "allocation y1 n")
}

func TestAPlaceholdersOwnPriorityCountsForLaw6(t *testing.T) {
	c := newCluster(t, `
  preemption: {enabled: true}
  queues:
  - {name: low}
  - {name: high, resources: {guaranteed: {vcore: 2}}, properties: {preemption.delay: 1s}}
`)
	c.node("n", 2)
	c.gang("x", "root.low", 9, false)
	c.ask("h", "x", 2, core.Ask{TaskGroup: "g", Placeholder: true, Priority: 5})
	c.app("y", "root.high", "y")
	c.ask("y1", "y", 2, core.Ask{Priority: 4})
	c.skip()
	c.pass(time.Second)
	c.expect()
}

func TestPlaceholdersAndTheirTimeMoveAlong(t *testing.T) {
	c := formed(t)
	c.task("t1", "x", 2)
	c.pass(time.Minute)
	c.move("x", "root.aware")
	c.expect("placeholder.replaced h1 t1 m", "app.moved x root.a root.aware")
	c.release("h1")
	c.expect("release h1 replaced", "allocation t1 m")
	c.pass(time.Minute)
	c.expect("placeholder.timeout h2 n timeout")
}

func TestMove_GangNeedsAPlaceInItsTarget(t *testing.T) {
	c := newCluster(t, "  queues: [{name: a}, {name: b, maxapplications: 1}, {name: l, limits: [{users: [u], maxapplications: 1}]}]\n")
	c.node("n", 8)
	c.fill("b", "root.b", "v", 1)
	c.fill("l", "root.l", "u", 1)
	c.gang("x", "root.a", 4, false)
	c.holder("h1", "x", 1)
	c.skip()
	c.move("x", "root.b")
	c.move("x", "root.l")
	c.expect("ignored x max-applications", "ignored x user-max-applications")
	c.release("h1")
	c.move("x", "root.b")
	c.expect("release h1 finished", "app.moved x root.a root.b")
}

// Corner 22.
func TestATaskGroupWithoutAGangHasNoEffect(t *testing.T) {
	c := newCluster(t, gangQueues)
	c.node("n", 4)
	c.app("y", "root.a", "u")
	c.task("t1", "y", 1)
	c.expect("node.accepted n", "app.accepted y root.a", "allocation t1 n")
}

// Corner 23.
func TestPlaceholders_MoreThanDeclared(t *testing.T) {
	c := formed(t)
	c.holder("h3", "x", 2)
	c.task("t1", "x", 2)
	c.task("t2", "x", 2)
	c.task("t3", "x", 2)
	c.expect("allocation h3 m", "placeholder.replaced h1 t1 m", "placeholder.replaced h2 t2 n", "placeholder.replaced h3 t3 m")
}

// Corner 24.
func TestGang_EndedPlaceholderBeforeForming(t *testing.T) {
	c := gangs(t)
	c.holder("h1", "x", 2)
	c.holder("h2", "x", 1)
	c.release("h1")
	c.skip()
	c.holder("h3", "x", 2)
	c.expect("allocation h3 m")
	c.holder("h4", "x", 1)
	c.expect("allocation h4 n", "app.state x Accepted Starting gang-formed")
	c.release("h3")
	c.task("t1", "x", 1)
	c.expect("release h3 finished", "placeholder.replaced h2 t1 n")
}

// Corner 25.
func TestTheTimerStartsAnewOnlyAfterItEnded(t *testing.T) {
	c := gangs(t)
	c.holder("h1", "x", 1)
	c.skip()
	c.pass(time.Minute)
	c.holder("h2", "x", 1)
	c.release("h1")
	c.skip()
	c.pass(time.Minute)
	c.expect("placeholder.timeout h2 n timeout", "app.state x Accepted Resuming gang-timeout")

	c = gangs(t)
	c.holder("h1", "x", 1)
	c.pass(time.Minute)
	c.release("h1")
	c.holder("h2", "x", 1)
	c.skip()
	c.pass(time.Minute)
	c.expect()
	c.pass(time.Minute)
	c.expect("placeholder.timeout h2 m timeout", "app.state x Accepted Resuming gang-timeout")
}

// Corner 26.
func TestRequiredNodeTask_PlaceholderThereElseOldest(t *testing.T) {
	c := formed(t)
	c.ask("t1", "x", 2, core.Ask{TaskGroup: "g", Node: "n"})
	c.expect("placeholder.replaced h2 t1 n")
	c = formed(t)
	c.node("z", 2)
	c.ask("t1", "x", 2, core.Ask{TaskGroup: "g", Node: "z"})
	c.expect("node.accepted z", "placeholder.replaced h1 t1 z")
}

// Corner 27.
func TestRestoredPlaceholdersCountInForming(t *testing.T) {
	c := gangs(t)
	c.holder("h1", "x", 2)
	c.skip()
	c.apply(core.Input{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: "h2", App: "x", Resources: cores(2),
		Ask: core.Ask{TaskGroup: "g", Placeholder: true}}, PlacedOn: "n"}})
	c.expect("app.state x Accepted Starting gang-formed")
}

// Corner 28.
func TestDrainingNode_KeepsItsPlaceholders(t *testing.T) {
	c := formed(t)
	c.apply(core.Input{Event: &core.DrainNode{ID: "m"}})
	c.pass(time.Minute)
	c.expect()
	c.task("t1", "x", 2)
	c.expect("placeholder.replaced h2 t1 n")
}

// Corner 29.
func TestAHardGangWithNothingToWaitForFailsAtOnce(t *testing.T) {
	c := gangs(t, "Hard")
	c.holder("h1", "x", 2)
	c.holder("h2", "x", 9)
	c.release("h1")
	c.skip()
	c.pass(2 * time.Minute)
	c.expect("placeholder.timeout h2 timeout", "app.state x Accepted Failing gang-timeout", "app.state x Failing Failed failed")
}

func TestReplacedPlaceholder_LeavesWithoutItsTask(t *testing.T) {
	c := formed(t)
	c.task("t1", "x", 2)
	c.apply(core.Input{Event: &core.RemoveAsk{ID: "t1"}})
	c.release("h1")
	c.expect("placeholder.replaced h1 t1 m", "release h1 replaced")
}

func TestReplacement_RoomReservedBesideSmallerOnes(t *testing.T) {
	c := newCluster(t, gangQueues)
	c.node("m", 1)
	c.node("n", 4)
	c.gang("x", "root.a", 1, false)
	c.gang("y", "root.a", 2, false)
	c.ask("h1", "x", 1, core.Ask{TaskGroup: "g", Placeholder: true, Node: "m"})
	c.ask("h2", "y", 2, core.Ask{TaskGroup: "g", Placeholder: true, Node: "n"})
	c.skip()
	c.task("t1", "x", 2)
	c.task("t2", "y", 1)
	c.expect("placeholder.replaced h1 t1 n", "placeholder.replaced h2 t2 n")
	c.app("z", "root.a", "u")
	c.ask("z1", "z", 1) // what h2 will leave is not free yet
	c.expect("app.accepted z root.a")
	c.release("h1")
	c.expect("release h1 replaced", "allocation t1 n", "allocation z1 m")
	c.release("h2")
	c.expect("release h2 replaced", "allocation t2 n")
}

func TestAnExpiredApplicationHasNoPlaceholderTimeout(t *testing.T) {
	c := formed(t)
	c.remove("x")
	c.expect("release h1 app_removed", "release h2 app_removed", "app.state x Starting Completed app-removed")
	c.pass(100 * time.Hour)
	c.expect("app.state x Completed Expired expired")
}
