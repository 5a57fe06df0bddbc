package oracle_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
)

// placeholderTest runs a test in which x of root.b has placeholders of 2 vcores, h1 on n1 and h2 on n2, and its gang is formed.
func placeholderTest(t *testing.T, details core.Ask, test func(c *cluster)) {
	t.Helper()
	details.Placeholder, details.TaskGroup = true, "t"
	unitTestOf(t, placeholderQueues, func(c *cluster) {
		c.app("p", "root.a", "u")
		c.gang("x", "root.b", 2, false)
		c.nodes(1, 1)
		c.ask("h1", "x", 1, details)
		c.ask("h2", "x", 1, details)
		c.expect("allocation h1 n1", "allocation h2 n2")
		test(c)
	})
}

const placeholderQueues = `
  queues:
  - {name: a, resources: {guaranteed: {vcore: 50}}, properties: {preemption.delay: 1s}}
  - {name: b}
`

// replaces lets real asks r1 and r2 replace the placeholders.
func (c *cluster) replaces(details core.Ask) {
	c.t.Helper()
	details.TaskGroup = "t"
	c.ask("r1", "x", 1, details)
	c.release("h1")
	c.expect("placeholder.replaced h1 r1 n1", "release h1 replaced", "allocation r1 n1")
	c.ask("r2", "x", 1, details)
	c.release("h2")
	c.expect("placeholder.replaced h2 r2 n2", "release h2 replaced", "allocation r2 n2")
}

func TestMembership_IsTakenOverFromThePlaceholder(t *testing.T) {
	placeholderTest(t, of("g", 2), func(c *cluster) {
		c.replaces(single())
		c.fails("r1")
		c.expect("release r1 finished", "gang.broken x g 1/2 failed")
		c.ask("r3", "x", 1, of("g", 2))
		c.expect("allocation r3 n1", "gang.repaired x g 2/2")
		c.needs(1, single())
		c.expect("preemption r2 k n2 g ends", "preemption r3 k n1 g ends")
	})
}

func TestMembership_OfItsOwnGangIsLeft(t *testing.T) {
	placeholderTest(t, of("g", 2), func(c *cluster) {
		c.replaces(of("own", 5))
		c.release("r1")
		c.fails("r2")
		c.expect("release r1 finished", "release r2 finished")
		c.ask("r3", "x", 1, of("g", 2))
		c.expect("allocation r3 n1") // one has succeeded, and one is needed
	})
}

func TestMembership_StaysIfThePlaceholderHasNone(t *testing.T) {
	placeholderTest(t, single(), func(c *cluster) {
		c.replaces(of("own", 2))
		c.fails("r1")
		c.expect("release r1 finished", "gang.broken x own 1/2 failed")
	})
}

func TestMembership_CountsWhileThePlaceholderLeaves(t *testing.T) {
	placeholderTest(t, of("g", 1), func(c *cluster) {
		c.ask("r1", "x", 1, core.Ask{TaskGroup: "t"})
		c.expect("placeholder.replaced h1 r1 n1")
		c.needs(1, single())
		c.expect("preemption h2 k n2 g") // surplus, since r1 is there for h1
	})
}

func TestMembership_EndsWithTheAskThatIsWithdrawn(t *testing.T) {
	placeholderTest(t, of("g", 2), func(c *cluster) {
		c.ask("r1", "x", 1, core.Ask{TaskGroup: "t"})
		c.apply(core.Input{Event: &core.RemoveAsk{ID: "r1"}})
		c.release("h1")
		c.expect("placeholder.replaced h1 r1 n1", "release h1 replaced") // short, but not broken
		c.pass(time.Second)
		c.expect()
	})
}

// placeholderUnit runs a test in which x of root.b is a gang of 3 vcores that is preempted as one. h1, h2 and h3 are on n1, n2 and n3, and y
// is another application of root.b.
func placeholderUnit(t *testing.T, test func(c *cluster)) {
	t.Helper()
	unitTestOf(t, placeholderQueues, func(c *cluster) {
		c.app("p", "root.a", "u")
		c.app("y", "root.b", "u")
		c.unitGang("x", "root.b", 3)
		c.nodes(1, 1, 1)
		c.holds("x", 3)
		test(c)
	})
}

// unitGang adds an application with placeholders that is preempted as one.
func (c *cluster) unitGang(id, queue string, vcores int64) {
	c.apply(core.Input{Event: &core.AddApp{ID: id, Queue: queue, User: "u", Placeholders: &core.Placeholders{Ask: cores(vcores), Timeout: time.Hour, Unit: true}}})
}

// holds allocates the placeholders h1, h2 and so on.
func (c *cluster) holds(app string, count int) {
	for i := range count {
		c.holder(fmt.Sprint("h", i+1), app, 1)
	}
	c.skip()
}

func TestPlaceholderUnit_GoesWhole(t *testing.T) {
	placeholderUnit(t, func(c *cluster) {
		c.needs(1, single())
		c.expect("preemption h1 k n1 ends", "preemption h2 k n2 ends", "preemption h3 k n3 ends")
	})
}

func TestPlaceholderUnit_WhatIsBeyondItsSumIsSurplus(t *testing.T) {
	placeholderUnit(t, func(c *cluster) {
		c.node("n4", 2)
		c.runsWith("r", "x", "n4", 2, single())
		c.needs(2, single())
		c.expect("preemption r k n4")
	})
}

func TestPlaceholderUnit_SumsAreOfEveryType(t *testing.T) {
	placeholderUnit(t, func(c *cluster) {
		c.node("n4", 1)
		c.apply(core.Input{Event: &core.RestoreAllocation{PlacedOn: "n4", AddAsk: core.AddAsk{ID: "r", App: "x", Resources: set(500, -1, -1)}}})
		c.runs("s", "y", "n4", single(ranked(9)))
		c.needs(1, single()) // no placeholder can go for r, which is too small
		c.expect("preemption h1 k n1 ends", "preemption h2 k n2 ends", "preemption h3 k n3 ends", "preemption r k n4 ends")
	})
}

func TestPlaceholderUnit_BelowItsSumItGoesWholeOrStays(t *testing.T) {
	placeholderUnit(t, func(c *cluster) {
		c.release("h1")
		c.runs("s", "y", "n1", single(ranked(9)))
		c.needs(1, single())
		c.expect("preemption h2 k n2 ends", "preemption h3 k n3 ends")
		c.release("h2")
		c.release("h3")
		c.expect("release h2 preempted", "allocation k n2", "release h3 preempted") // and is never broken
	})
}

func TestPlaceholderUnit_StaysForAMemberThatMayBeNoVictim(t *testing.T) {
	placeholderUnit(t, func(c *cluster) {
		c.node("n4", 1)
		c.ask("r", "x", 1, core.Ask{TaskGroup: "g", Node: "n1"})
		c.release("h1")
		c.runs("s", "y", "n4", single(ranked(9)))
		c.needs(1, single(ranked(1)))
		c.expect()
	})
}

func TestPlaceholderUnit_NotFormedEachForItself(t *testing.T) {
	unitTestOf(t, placeholderQueues, func(c *cluster) {
		c.app("p", "root.a", "u")
		c.unitGang("x", "root.b", 3)
		c.nodes(1, 1)
		c.holds("x", 2)
		c.needs(1, single())
		c.expect("preemption h2 k n2")
	})
}

func TestPlaceholderUnit_ATaskThatReplacesCounts(t *testing.T) {
	placeholderUnit(t, func(c *cluster) {
		c.node("n4", 1)
		c.runs("r1", "x", "n4", single())
		c.task("t", "x", 1)
		c.expect("placeholder.replaced h1 t n1")
		c.needs(1, single())
		c.expect("preemption h3 k n3")
	})
}

func TestPlaceholderUnit_QueueLetsItsGangsGoOneByOne(t *testing.T) {
	unitTestOf(t, strings.Replace(placeholderQueues, "name: b", "name: b, properties: {preemption.gangs: member}", 1), func(c *cluster) {
		c.app("p", "root.a", "u")
		c.unitGang("x", "root.b", 2)
		c.nodes(1, 1)
		c.holds("x", 2)
		c.needs(1, single())
		c.expect("preemption h2 k n2")
	})
}

func TestPlaceholderUnit_AnAtomicGangInsideEndsWithIt(t *testing.T) {
	unitTestOf(t, placeholderQueues, func(c *cluster) {
		c.app("p", "root.a", "u")
		c.unitGang("x", "root.b", 3)
		c.nodes(1, 1, 1)
		c.holds("x", 1)
		c.runs("g1", "x", "n2", of("g", 2))
		c.runs("g2", "x", "n3", of("g", 2))
		c.skip()
		c.needs(1, single()) // without both of g, the rest would be below the sum
		c.expect("preemption h1 k n1 ends", "preemption g1 k n2 g ends", "preemption g2 k n3 g ends")
	})
}

func TestPlaceholderUnit_AnAtomicGangMayBeItsSurplus(t *testing.T) {
	unitTestOf(t, placeholderQueues, func(c *cluster) {
		c.app("p", "root.a", "u")
		c.unitGang("x", "root.b", 1)
		c.nodes(1, 1, 1)
		c.ask("h1", "x", 1, core.Ask{TaskGroup: "g", Placeholder: true, Priority: 9})
		c.runs("g1", "x", "n2", of("g", 2))
		c.runs("g2", "x", "n3", of("g", 2))
		c.skip()
		c.needs(1, single(ranked(3)))
		c.expect("preemption g1 k n2 g ends", "preemption g2 k n3 g ends")
	})
}

func TestPlaceholderUnit_ByQuota(t *testing.T) {
	quotaUnitTest(t, 2, "", func(c *cluster) {
		c.unitGang("z", "root.q.a", 3)
		for i := range 4 {
			c.holder(fmt.Sprint("h", i+1), "z", 1)
		}
		c.runs("s", "y", "n", single())
	}, func(c *cluster) {
		c.expect("preemption h1 n root.q ends", "preemption h2 n root.q ends", "preemption h3 n root.q ends", "preemption h4 n root.q ends")
	})
}

func TestUnit_AGangPreemptsAnApplicationOnItsNodesAndOthers(t *testing.T) {
	unitTestOf(t, placeholderQueues, func(c *cluster) {
		c.app("p", "root.a", "u")
		c.app("y", "root.b", "u")
		c.unitGang("x", "root.b", 2)
		c.nodes(1, 1, 1)
		c.runs("s", "y", "n1", single(ranked(-1)))
		c.runs("x1", "x", "n2", single())
		c.runs("x2", "x", "n3", single(ranked(9)))
		c.ask("k1", "p", 1, of("h", 2, ranked(9)))
		c.ask("k2", "p", 1, of("h", 2, ranked(9)))
		c.apply(core.Input{Event: &core.DrainNode{ID: "n3"}})
		c.pass(time.Second)
		c.expect("preemption s k1 n1", "preemption x1 k2 n2 ends", "preemption x2 k2 n3 ends")
	})
}

func TestSurplus_ItsRightEndsNoApplication(t *testing.T) {
	unitTestOf(t, placeholderQueues, func(c *cluster) {
		c.app("p", "root.a", "u")
		c.app("y", "root.b", "u")
		c.unitGang("x", "root.b", 1)
		c.nodes(1, 2)
		elastic := func(k *core.Ask) { k.Gang.Max = 4 }
		c.runs("s", "y", "n1", single(ranked(1)))
		c.runs("g1", "x", "n2", of("g", 1, elastic))
		c.runs("g2", "x", "n2", of("g", 1, elastic, optedOut))
		c.pass(time.Second)
		c.release("g1") // it has succeeded, so the gang needs no other, but the application declared a vcore
		c.skip()
		c.runs("t", "y", "n2", single(ranked(9)))
		c.needs(1, single(ranked(3)))
		c.expect("preemption s k n1")
	})
}
