package oracle_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
)

// runningGang restores the members g1, g2 and so on of x, one a node, of a gang of at least so many, and lets it be judged.
func (c *cluster) runningGang(members, least int, set ...func(*core.Ask)) {
	for i := range members {
		c.node(fmt.Sprint("n", i+1), 1)
		c.runs(fmt.Sprint("g", i+1), "x", fmt.Sprint("n", i+1), of("g", least, set...))
	}
	c.pass(time.Second)
	c.tick()
	c.expect()
}

func (c *cluster) tick() { c.apply(core.Input{Event: &core.Tick{}}) }

func (c *cluster) leaves(id string) {
	c.apply(core.Input{Event: &core.UpdateAsk{ID: id, Leaving: true}})
}

func TestBroken_ByAFailureSaidOnceUntilRepaired(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.runningGang(3, 3)
		c.fails("g1")
		c.expect("release g1 finished", "gang.broken x g 2/3 failed")
		c.fails("g2")
		c.expect("release g2 finished")
		c.ask("r1", "x", 1, of("g", 3))
		c.expect("allocation r1 n1")
		c.ask("r2", "x", 1, of("g", 3))
		c.expect("allocation r2 n2", "gang.repaired x g 3/3")
		c.fails("r2")
		c.expect("release r2 finished", "gang.broken x g 2/3 failed")
	})
}

func TestBroken_ByARemovedNode(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.runningGang(2, 2)
		c.apply(core.Input{Event: &core.RemoveNode{ID: "n2"}})
		c.expect("release g2 node_removed", "gang.broken x g 1/2 node_removed")
	})
}

func TestBroken_TheFirstCauseOfTheInstantIsSaid(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.runningGang(3, 3)
		c.m.Apply(&core.Input{At: c.m.Now(), Event: &core.RemoveNode{ID: "n2"}})
		c.m.Apply(&core.Input{At: c.m.Now(), Event: &core.ReleaseAllocation{ID: "g1", Failed: true}})
		c.m.Cycle(-1)
		c.expect("release g2 node_removed", "release g1 finished", "gang.broken x g 1/3 node_removed")
	})
}

func TestBroken_NotByLossesOfSurplusOrSuccesses(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.runningGang(4, 3)
		c.fails("g1")
		c.release("g2")
		c.release("g3")
		c.expect("release g1 finished", "release g2 finished", "release g3 finished")
		c.fails("g4")
		c.expect("release g4 finished") // none is left: the gang is over without a word
	})
}

func TestBroken_NotByAMemberThatLeavesByItself(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.runningGang(2, 2)
		c.leaves("g1")
		c.expect()
		c.release("g1")
		c.expect("release g1 finished")
	})
}

func TestBroken_AGangInWhichAllFailedStartsTogether(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.runningGang(2, 2)
		c.apply(core.Input{Event: &core.DrainNode{ID: "n1"}})
		c.apply(core.Input{Event: &core.DrainNode{ID: "n2"}})
		c.ask("r1", "x", 1, of("g", 2))
		c.m.Apply(&core.Input{At: c.m.Now(), Event: &core.ReleaseAllocation{ID: "g1", Failed: true}})
		c.m.Apply(&core.Input{At: c.m.Now(), Event: &core.ReleaseAllocation{ID: "g2", Failed: true}})
		c.m.Cycle(-1)
		c.node("n3", 2)
		c.expect("release g1 finished", "release g2 finished", "node.accepted n3")
		c.ask("r2", "x", 1, of("g", 2))
		c.expect("allocation r1 n3", "allocation r2 n3")
	})
}

func TestBroken_SucceededMembersLowerTheMin(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.runningGang(3, 3)
		c.release("g1")
		c.fails("g2")
		c.expect("release g1 finished", "release g2 finished", "gang.broken x g 1/2 failed")
	})
}

func TestBroken_RestoredGangsAreJudgedWhenAllIsRestored(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.nodes(1, 1, 1)
		c.runs("g1", "x", "n1", of("g", 3))
		c.tick()
		c.runs("g2", "x", "n2", of("g", 3))
		c.tick()
		c.expect()
		c.pass(time.Second)
		c.tick()
		c.expect("gang.broken x g 2/3 failed")
	})
}

func TestBroken_HasNoSurplusAndEndsWhole(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.runningGang(3, 3, repaired(time.Hour))
		c.fails("g1")
		c.runs("s", "y", "n1", single(ranked(9)))
		c.needs(1, single(ranked(9)))
		c.expect("preemption g2 k n2 g ends", "preemption g3 k n3 g ends")
		c.pass(2 * time.Hour)
		c.expect() // it has ended without another word
	})
}

func TestRepair_BeforeEqualAsksOfItsApplicationAndLeaf(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.runningGang(2, 2)
		c.ask("y1", "y", 1)
		c.ask("x1", "x", 1)
		c.ask("urgent", "y", 1, core.Ask{Priority: 1})
		c.ask("r", "x", 1, of("g", 2)) // surplus so far
		c.fails("g2")
		c.expect("release g2 finished", "gang.broken x g 1/2 failed", "allocation urgent n2")
		for _, want := range []string{"allocation r n5", "allocation y1 n6", "allocation x1 n7"} {
			c.node(want[len(want)-2:], 1)
			c.expectAfterNode(want)
		}
	})
}

// expectAfterNode compares the decisions that follow an accepted node.
func (c *cluster) expectAfterNode(want ...string) {
	c.t.Helper()
	var got []string
	for _, d := range c.m.Take() {
		if d.Type == core.Allocation {
			got = append(got, brief(&d))
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		c.t.Fatalf("expected %v, found %v", want, got)
	}
}

func TestRepair_AsManyAsAreMissing(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.runningGang(2, 2)
		c.apply(core.Input{Event: &core.DrainNode{ID: "n2"}})
		c.ask("y1", "y", 1)
		c.ask("r1", "x", 1, of("g", 2))
		c.ask("r2", "x", 1, of("g", 2))
		c.fails("g2")
		c.skip()
		for _, want := range []string{"allocation r1 n5", "allocation y1 n6", "allocation r2 n7"} {
			c.node(want[len(want)-2:], 1)
			c.expectAfterNode(want)
		}
	})
}

func TestRepair_BeforeHigherPrioritiesWhereTheyDoNotSort(t *testing.T) {
	unitTest(t, ", properties: {application.sort.priority: disabled}", func(c *cluster) {
		c.runningGang(2, 2)
		c.apply(core.Input{Event: &core.DrainNode{ID: "n2"}})
		c.ask("y1", "y", 1, core.Ask{Priority: 9})
		c.ask("r", "x", 1, of("g", 2))
		c.fails("g2")
		c.skip()
		c.node("n5", 1)
		c.expectAfterNode("allocation r n5")
	})
}

func TestRepair_PreemptsAsASingleAsk(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.nodes(1, 1)
		c.runs("g1", "p", "n1", of("g", 2))
		c.runs("g2", "p", "n2", of("g", 2))
		c.pass(time.Second)
		c.fails("g2")
		c.runs("s", "x", "n2", single())
		c.ask("r", "p", 1, of("g", 2))
		c.skip()
		c.pass(time.Second)
		c.expect("preemption s r n2")
		c.release("s")
		c.expect("release s preempted", "allocation r n2", "gang.repaired p g 2/2")
	})
}

func TestRepair_TimeEndsTheGang(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.runningGang(3, 3, repaired(10*time.Second))
		c.fails("g1")
		c.expect("release g1 finished", "gang.broken x g 2/3 failed")
		c.pass(9 * time.Second)
		c.expect()
		c.pass(time.Second)
		c.expect("gang.ended x g 2/3")
		c.release("g2")
		c.expect("release g2 gang_broken")
		c.ask("r1", "x", 1, of("g", 3, repaired(10*time.Second))) // waits as a new gang, while g3 leaves
		c.ask("r2", "x", 1, of("g", 3, repaired(10*time.Second)))
		c.expect()
		c.release("g3")
		c.expect("release g3 gang_broken")
		c.ask("r3", "x", 1, of("g", 3, repaired(10*time.Second)))
		c.expect("allocation r1 n1", "allocation r2 n2", "allocation r3 n3")
	})
}

func TestRepair_InTimeKeepsTheGang(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.runningGang(2, 2, repaired(10*time.Second))
		c.fails("g1")
		c.pass(9 * time.Second)
		c.ask("r", "x", 1, of("g", 2, repaired(10*time.Second)))
		c.expect("release g1 finished", "gang.broken x g 1/2 failed", "allocation r n1", "gang.repaired x g 2/2")
		c.pass(time.Hour)
		c.expect()
	})
}

func TestRepair_NoTimeEndsTheGangAtOnce(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.runningGang(2, 2, repaired(0))
		c.ask("s", "y", 1)
		c.fails("g1")
		c.expect("release g1 finished", "gang.broken x g 1/2 failed", "gang.ended x g 1/2", "allocation s n1")
	})
}

func TestEnded_PendingMembersOfAVictimWaitTogether(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.runningGang(2, 2)
		c.ask("r1", "x", 1, of("g", 2))
		c.needs(1, single())
		c.expect("preemption g1 k n1 g ends", "preemption g2 k n2 g ends")
		c.node("n3", 3)
		c.expect("node.accepted n3") // r1 waits for another member, and k for its node
	})
}

func TestEnded_LaterMembersWaitWhileTheLastOnesLeave(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.runningGang(2, 2)
		c.needs(1, single())
		c.release("g1")
		c.skip()
		c.node("n3", 2)
		c.ask("r1", "x", 1, of("g", 2))
		c.expect("node.accepted n3")
		c.ask("r2", "x", 1, of("g", 2))
		c.expect("allocation r1 n3", "allocation r2 n3")
		c.release("g2")
		c.fails("r1")
		c.expect("release g2 preempted", "release r1 finished", "gang.broken x g 1/2 failed")
	})
}

func TestFallback_MembersAreOrdinaryAlsoAsVictims(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		fallBack := func(k *core.Ask) { k.Gang.Timeout, k.Gang.Fallback = time.Second, true }
		c.nodes(1)
		c.ask("g1", "x", 1, of("g", 2, fallBack))
		c.ask("g2", "x", 1, of("g", 2, fallBack))
		c.pass(time.Second)
		c.node("n2", 1)
		c.expect("gang.fallback timeout", "allocation g1 n1", "node.accepted n2", "allocation g2 n2")
		c.needs(1, single())
		c.expect("preemption g2 k n2 g")
		c.release("g2")
		c.expect("release g2 preempted", "allocation k n2")
	})
}
