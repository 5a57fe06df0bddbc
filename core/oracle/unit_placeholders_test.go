package oracle_test

import (
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
