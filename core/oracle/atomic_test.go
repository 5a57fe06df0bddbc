package oracle_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"pgregory.net/rapid"
)

// member adds an ask of the gang g of an application. The first least members are allocated together.
func (c *cluster) member(id, app string, vcores int64, least int, details ...core.Ask) {
	var ask core.Ask
	for _, said := range details {
		ask = said
	}
	gang := core.Gang{ID: "g", Min: least}
	if ask.Gang != nil {
		gang = *ask.Gang
		gang.ID, gang.Min = "g", least
	}
	ask.Gang = &gang
	c.ask(id, app, vcores, ask)
}

// atomic is a cluster with nodes of these vcores, n1 and so on, and the application x in root.a.
func atomic(t *testing.T, vcores ...int64) *cluster {
	t.Helper()
	c := newCluster(t, "  queues: [{name: a}, {name: b}]\n")
	for i, size := range vcores {
		c.node(fmt.Sprint("n", i+1), size)
	}
	c.app("x", "root.a", "u")
	c.skip()
	return c
}

func TestAGangIsPlacedByOneDecisionAndThenStates(t *testing.T) {
	c := atomic(t, 2, 2)
	c.states = true
	c.member("a", "x", 2, 2)
	c.expect("app.state x New Accepted ask-added")
	c.member("b", "x", 2, 2)
	c.expect("allocation a n1", "allocation b n2", "app.state x Accepted Starting first-allocation", "app.state x Starting Running second-allocation")
}

func TestAWaitingGangHoldsNothing(t *testing.T) {
	c := atomic(t, 2, 2)
	c.member("a", "x", 2, 3)
	c.member("b", "x", 2, 3)
	c.member("c", "x", 2, 3)
	c.pass(time.Minute - 1) // from then on it may accumulate
	c.app("y", "root.b", "u")
	c.ask("y1", "y", 2)
	c.ask("y2", "y", 2)
	c.expect("app.accepted y root.b", "allocation y1 n1", "allocation y2 n2")
}

func TestAMemberThatDisagreesIsRejected(t *testing.T) {
	c := atomic(t, 1)
	c.member("a", "x", 2, 2)
	c.member("b", "x", 2, 3)
	c.member("d", "x", 2, 2, core.Ask{Gang: &core.Gang{Timeout: time.Second}})
	c.expect("ask.rejected b gang-mismatch", "ask.rejected d gang-mismatch")
	c.apply(core.Input{Event: &core.RemoveAsk{ID: "a"}})
	c.member("e", "x", 1, 1) // without members the ID is new
	c.expect("allocation e n1")
}

func TestGang_EverySettingIsEqualForAllMembers(t *testing.T) {
	c := atomic(t, 1)
	with := func(id string, of core.Gang) { c.member(id, "x", 2, 2, core.Ask{Gang: &of}) }
	with("a", core.Gang{Disruption: core.DisruptWhole, Repair: core.Repair{Bounded: true}})
	with("b", core.Gang{Disruption: core.DisruptMember, Repair: core.Repair{Bounded: true}})
	with("d", core.Gang{Disruption: core.DisruptWhole})
	with("e", core.Gang{Disruption: core.DisruptWhole, Repair: core.Repair{Bounded: true, Within: time.Second}})
	with("f", core.Gang{Disruption: core.DisruptWhole, Repair: core.Repair{Bounded: true}})
	c.expect("ask.rejected b gang-mismatch", "ask.rejected d gang-mismatch", "ask.rejected e gang-mismatch")
}

func TestGang_RestoredMemberHasTheSettingsOfTheFirst(t *testing.T) {
	c := atomic(t, 4)
	restore := func(id string, least int) {
		c.apply(core.Input{Event: &core.RestoreAllocation{PlacedOn: "n1", AddAsk: core.AddAsk{
			ID: id, App: "x", Resources: cores(1), Ask: core.Ask{Gang: &core.Gang{ID: "g", Min: least}}}}})
	}
	restore("a", 2)
	restore("b", 3)
	c.member("d", "x", 1, 3)
	c.member("e", "x", 1, 2)
	c.expect("ask.rejected d gang-mismatch", "allocation e n1")
}

func TestAMemberThatDoesNotFitIsPassedOver(t *testing.T) {
	c := atomic(t, 2, 2)
	c.member("a", "x", 3, 2)
	c.member("b", "x", 2, 2)
	c.member("d", "x", 2, 2)
	c.expect("allocation b n1", "allocation d n2")
}

func TestGangMembers_HardestPlacedFirst(t *testing.T) {
	c := atomic(t, 4, 3)
	c.member("small", "x", 3, 2) // alone it goes to n1, and leaves no room for large
	c.member("large", "x", 4, 2)
	c.expect("allocation small n2", "allocation large n1")
}

func TestEveryAssignmentIsTried(t *testing.T) {
	c := atomic(t, 7, 6)
	// In ask order no node is left for 4. By best fit 4 goes to n2, and then n1 takes only two of 3.
	for i, size := range []int64{3, 3, 3, 4} {
		c.member(fmt.Sprint("a", i), "x", size, 4)
	}
	c.expect("allocation a0 n1", "allocation a1 n2", "allocation a2 n2", "allocation a3 n1")
}

func TestHeadroomAndLimitsCountTheMembersBefore(t *testing.T) {
	for _, fields := range []string{"resources: {max: {vcore: 3}}", "limits: [{users: [u], maxresources: {vcore: 3}}]"} {
		c := newCluster(t, "  queues: [{name: a, "+fields+"}]\n")
		c.node("n", 9)
		c.app("x", "root.a", "u")
		c.skip()
		c.member("a", "x", 2, 2)
		c.member("b", "x", 2, 2)
		c.expect()
		c.member("d", "x", 1, 2)
		c.expect("allocation a n", "allocation d n") // then b is ordinary, and lacks headroom
	}
}

func TestOnceAGangIsPlacedLaterMembersAreOrdinary(t *testing.T) {
	c := atomic(t, 2, 2, 2)
	c.member("a", "x", 2, 2)
	c.member("b", "x", 2, 2)
	c.member("d", "x", 2, 2)
	c.expect("allocation a n1", "allocation b n2", "allocation d n3")
}

func TestARestoredMemberMakesItsGangPlaced(t *testing.T) {
	c := atomic(t, 2, 2)
	c.apply(core.Input{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: "a", App: "x", Resources: cores(2), Ask: core.Ask{Gang: &core.Gang{ID: "g", Min: 3}}}, PlacedOn: "n1"}})
	c.member("b", "x", 2, 3)
	c.expect("allocation b n2")
}

func TestAManualCycleNeverSplitsAGang(t *testing.T) {
	c := atomic(t, 4)
	for _, id := range []string{"a", "b", "d"} {
		in := core.Input{Event: &core.AddAsk{ID: id, App: "x", Resources: cores(1), Ask: core.Ask{Gang: &core.Gang{ID: "g", Min: 3}}}}
		c.m.Apply(&in)
	}
	if made := c.m.Cycle(1); made != 3 {
		t.Errorf("%d allocations", made)
	}
}

func TestAGangThatIsNotPlacedInTimeEnds(t *testing.T) {
	c := atomic(t, 1)
	c.states = true
	timeout := core.Ask{Gang: &core.Gang{Timeout: 10 * time.Second}}
	c.member("a", "x", 1, 2, timeout)
	c.pass(5 * time.Second)
	timeout.Priority = 1
	c.member("b", "x", 1, 2, timeout)
	c.skip()
	c.pass(5 * time.Second)
	c.expect("ask.rejected b gang-timeout", "ask.rejected a gang-timeout", "app.state x Accepted Completing idle")
}

func TestAGangRespectsReservationsAndMakesNone(t *testing.T) {
	c := atomic(t, 4, 4)
	c.app("o", "root.b", "o")
	c.ask("o1", "o", 1)
	c.ask("o2", "o", 1)
	c.ask("big", "o", 4)
	c.pass(2 * time.Second)
	c.expect("app.accepted o root.b", "allocation o1 n1", "allocation o2 n2", "reservation big n1")
	c.member("a", "x", 3, 2)
	c.member("b", "x", 3, 2)
	c.pass(10 * time.Second)
	c.expect()
}

// gangVictims is a cluster in which root.a is guaranteed 4 vcores, and root.b uses two nodes of 2 with allocations of 1.
func gangVictims(t *testing.T) *cluster {
	t.Helper()
	c := newCluster(t, `
  preemption: {enabled: true}
  queues:
  - {name: a, resources: {guaranteed: {vcore: 4}}, properties: {preemption.delay: 10s}}
  - {name: b}
`)
	c.node("n1", 2)
	c.node("n2", 2)
	c.app("y", "root.b", "u")
	for i := range 4 {
		c.ask(fmt.Sprint("y", i+1), "y", 1)
	}
	c.app("x", "root.a", "u")
	c.skip()
	return c
}

func TestAGangPreemptsAsAWholeAndLandsInOneDecision(t *testing.T) {
	c := gangVictims(t)
	c.member("a", "x", 1, 3)
	c.member("b", "x", 1, 3)
	c.pass(5 * time.Second)
	c.member("d", "x", 1, 3)
	c.pass(9 * time.Second)
	c.expect()
	c.pass(time.Second)
	c.expect("preemption y2 b n2", "preemption y3 a n1", "preemption y4 b n2")
	c.release("y2")
	c.release("y3")
	c.expect("release y2 preempted", "release y3 preempted")
	c.release("y4")
	c.expect("release y4 preempted", "allocation a n1", "allocation b n2", "allocation d n2")
}

func TestAGangUsesFreeRoomBeforeVictims(t *testing.T) {
	c := gangVictims(t)
	c.node("n3", 1)
	c.skip()
	c.member("a", "x", 1, 2)
	c.member("b", "x", 1, 2)
	c.pass(10 * time.Second)
	c.expect("preemption y4 a n2")
	c.release("y4")
	c.expect("release y4 preempted", "allocation a n2", "allocation b n3")
}

func TestAGangDoesNotPreemptIfOneMemberMayNot(t *testing.T) {
	c := gangVictims(t)
	c.member("a", "x", 1, 2)
	c.member("b", "x", 1, 2, core.Ask{NoPreemptOthers: true})
	c.pass(time.Minute)
	c.expect()
}

func TestLaw4CountsAllMembersButTheLastAsUsed(t *testing.T) {
	for least, expected := range map[int]bool{3: true, 5: false} {
		c := gangVictims(t)
		c.node("n3", 2)
		c.fill("o", "root.b", "o", 1)
		c.fill("p", "root.b", "o", 1)
		c.apply(core.Input{Event: &core.AddNode{ID: "small", Capacity: cores(1)}})
		c.fill("q", "root.b", "o", 1)
		for i := range least {
			c.member(fmt.Sprint("a", i), "x", 1, least)
		}
		c.skip()
		c.pass(time.Minute)
		if found := len(c.m.Take()) > 0; found != expected {
			t.Errorf("%d members: preempts: %v", least, found)
		}
	}
}

func TestLaw6TakesTheLowestPriorityOfTheMembers(t *testing.T) {
	c := gangVictims(t)
	c.member("a", "x", 1, 2, core.Ask{Priority: 5})
	c.member("b", "x", 1, 2, core.Ask{Priority: -1})
	c.pass(time.Minute)
	c.expect()
}

func TestGangClaims_LapseTogether(t *testing.T) {
	c := gangVictims(t)
	c.member("a", "x", 2, 2)
	c.member("b", "x", 2, 2)
	c.pass(10 * time.Second)
	c.expect("preemption y1 a n1", "preemption y2 b n2", "preemption y3 a n1", "preemption y4 b n2")
	c.apply(core.Input{Event: &core.DrainNode{ID: "n2"}})
	c.expect("preemption.lapsed a n1 no-longer-fits", "preemption.lapsed b n2 no-longer-fits")
}

// Corner 30.
func TestMembersAboveTheMinimumNeverHoldItBack(t *testing.T) {
	c := atomic(t, 2, 2)
	c.member("a", "x", 9, 2)
	c.member("b", "x", 2, 2)
	c.member("d", "x", 2, 2)
	c.expect("allocation b n1", "allocation d n2")
}

// Corner 31.
func TestAGangOfOneIsAnAskThatReservesNothing(t *testing.T) {
	c := atomic(t, 4, 4)
	c.app("o", "root.b", "o")
	c.ask("o1", "o", 1)
	c.ask("o2", "o", 1)
	c.member("a", "x", 4, 1)
	c.pass(10 * time.Second)
	c.expect("app.accepted o root.b", "allocation o1 n1", "allocation o2 n2")
	c.release("o1")
	c.expect("release o1 finished", "allocation a n1")
}

// Corner 32.
func TestGang_IncompleteBelowItsMinimum(t *testing.T) {
	c := atomic(t, 1)
	c.member("a", "x", 1, 2)
	c.member("b", "x", 1, 2)
	c.apply(core.Input{Event: &core.RemoveAsk{ID: "b"}})
	c.node("n2", 4)
	c.expect("node.accepted n2")
	c.member("d", "x", 1, 2)
	c.expect("allocation a n1", "allocation d n2")
}

// Corner 33.
func TestGangMember_UpdateKeepsItsPlace(t *testing.T) {
	c := atomic(t, 1)
	c.member("a", "x", 2, 2)
	c.member("b", "x", 2, 2)
	c.member("d", "x", 2, 2)
	c.apply(core.Input{Event: &core.UpdateAsk{ID: "a", Resources: cores(1)}})
	c.node("n2", 2)
	c.expect("node.accepted n2", "allocation a n1", "allocation b n2")
}

// Corner 34.
func TestAtomicGang_MemberWithTaskGroup(t *testing.T) {
	c := gangs(t)
	c.states = false
	c.holder("h1", "x", 2)
	c.member("t1", "x", 2, 2, core.Ask{TaskGroup: "g"})
	c.member("t2", "x", 2, 2, core.Ask{TaskGroup: "g"})
	c.expect("allocation h1 m")
	c.holder("h2", "x", 2)
	c.expect("allocation h2 n", "placeholder.replaced h1 t1 m", "placeholder.replaced h2 t2 n")
}

// Corner 35.
func TestPlaceholdersOfAWaitingGangStartNoTimer(t *testing.T) {
	c := gangs(t)
	c.ask("h1", "x", 2, core.Ask{TaskGroup: "g", Placeholder: true, Gang: &core.Gang{ID: "p", Min: 2}})
	c.pass(time.Hour)
	c.expect("app.state x New Accepted ask-added")
	c.ask("h2", "x", 2, core.Ask{TaskGroup: "g", Placeholder: true, Gang: &core.Gang{ID: "p", Min: 2}})
	c.expect("allocation h1 m", "allocation h2 n", "app.state x Accepted Starting gang-formed")
}

// A gang without more than its minimum, whose members all fit alone, is allocated whenever an assignment exists.
func TestAGangIsPlacedWheneverItsMembersFit(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		sizes := rapid.SliceOfN(rapid.Int64Range(1, 8), 1, 4).Draw(r, "nodes")
		asks := rapid.SliceOfN(rapid.Int64Range(1, 5), 1, 5).Draw(r, "members")
		c := atomic(t, sizes...)
		for i, size := range asks {
			c.member(fmt.Sprint("a", i), "x", size, len(asks))
		}
		placed := 0
		for _, d := range c.m.Take() {
			if d.Type == core.Allocation {
				placed++
			}
		}
		expected := 0
		if packs(sizes, asks) {
			expected = len(asks)
		}
		if placed != expected {
			r.Fatalf("nodes %v, members %v: %d placed, expected %d", sizes, asks, placed, expected)
		}
	})
}

// packs reports whether the asks can be put on nodes of these sizes.
func packs(sizes, asks []int64) bool {
	if len(asks) == 0 {
		return true
	}
	for i := range sizes {
		if sizes[i] >= asks[0] {
			sizes[i] -= asks[0]
			found := packs(sizes, asks[1:])
			sizes[i] += asks[0]
			if found {
				return true
			}
		}
	}
	return false
}

func TestObservingGang_ReportsOnceAndPreemptsNone(t *testing.T) {
	c := newCluster(t, `
  preemption: {enabled: true, observe: true}
  queues:
  - {name: a, resources: {guaranteed: {vcore: 2}}, properties: {preemption.delay: 10s}}
  - {name: b}
`)
	c.node("n", 2)
	c.fill("y", "root.b", "u", 1)
	c.fill("z", "root.b", "u", 1)
	c.app("x", "root.a", "u")
	c.member("a", "x", 1, 2)
	c.member("b", "x", 1, 2)
	c.skip()
	c.pass(time.Hour)
	c.expect("preemption.observed y1 a n", "preemption.observed z1 a n")
}

func TestGang_WaitsForVictimsOfOthers(t *testing.T) {
	c := gangVictims(t)
	c.ask("x1", "x", 1)
	c.pass(10 * time.Second)
	c.expect("preemption y4 x1 n2")
	c.apply(core.Input{Event: &core.RemoveAsk{ID: "x1"}})
	c.member("a", "x", 1, 1)
	c.pass(10 * time.Second)
	c.expect("preemption.lapsed x1 n2 withdrawn")
	c.release("y4")
	c.expect("release y4 preempted", "allocation a n2")
}

func TestGangVictims_PastTheBoundMemberByMember(t *testing.T) {
	c := newCluster(t, `
  preemption: {enabled: true}
  queues:
  - {name: a, resources: {guaranteed: {vcore: 20}}, properties: {preemption.delay: 10s}}
  - {name: b}
`)
	c.app("y", "root.b", "u")
	for i := range 12 {
		c.node(fmt.Sprint("n", i), 2)
		c.ask(fmt.Sprint("y", i), "y", 1)
		c.ask(fmt.Sprint("z", i), "y", 1)
	}
	c.app("x", "root.a", "u")
	for i := range 4 {
		c.member(fmt.Sprint("a", i), "x", 2, 4)
	}
	c.skip()
	c.pass(10 * time.Second)
	victims := 0
	for _, d := range c.m.Take() {
		if d.Type != core.Preemption || !d.Approximate {
			t.Errorf("found %s", brief(&d))
		}
		victims++
	}
	if victims != 8 {
		t.Errorf("%d victims", victims)
	}
}

func TestAGangOfAnApplicationThatWasRemovedEndsWithIt(t *testing.T) {
	c := atomic(t, 1)
	c.states = true
	c.member("a", "x", 1, 2, core.Ask{Gang: &core.Gang{Timeout: 10 * time.Second}})
	c.apply(core.Input{Event: &core.RemoveApp{ID: "x"}})
	c.skip()
	c.pass(73 * time.Hour)
	c.expect("app.state x Completed Expired expired")
}

// The claims of a gang that have ended do not bar claims that are checked later.
func TestAGangThatLapsesLeavesItsRoomToClaimsMadeLater(t *testing.T) {
	c := newCluster(t, `
  preemption: {enabled: true}
  queues:
  - {name: a, resources: {guaranteed: {vcore: 6}, max: {vcore: 6}}, properties: {preemption.delay: 10s}}
  - {name: b}
`)
	for i := range 3 {
		c.node(fmt.Sprint("n", i+1), 2)
		c.fill(fmt.Sprint("y", i+1), "root.b", "u", 2)
	}
	c.app("x", "root.a", "u")
	c.member("a", "x", 2, 2)
	c.member("b", "x", 2, 2)
	c.skip()
	c.pass(10 * time.Second)
	c.expect("preemption y21 a n2", "preemption y31 b n3")
	c.ask("z", "x", 2)
	c.pass(10 * time.Second)
	c.expect("preemption y11 z n1")
	c.config(`
  preemption: {enabled: true}
  queues:
  - {name: a, resources: {guaranteed: {vcore: 2}, max: {vcore: 3}}, properties: {preemption.delay: 10s}}
  - {name: b}
`)
	c.expect("config.accepted", "preemption.lapsed a n2 no-longer-fits", "preemption.lapsed b n3 no-longer-fits")
}
