package oracle_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
)

// holders adds the application h of root.b, with placeholders of three vcores that are preempted as a unit, and so many placeholders of one.
func (c *cluster) holders(count int) {
	c.apply(core.Input{Event: &core.AddApp{ID: "h", Queue: "root.b", Placeholders: &core.Placeholders{Ask: cores(3), Unit: true}}})
	for i := range count {
		c.ask(fmt.Sprint("h", i+1), "h", 1, core.Ask{Placeholder: true, TaskGroup: "t"})
	}
	c.skip()
}

func TestUnitPlaceholders_OnlyBeyondTheirSum(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.nodes(4)
		c.holders(4)
		c.needs(1, single())
		c.expect("preemption h4 k n1")
	})
}

func TestUnitPlaceholders_OrAll(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.nodes(3)
		c.holders(3)
		c.needs(1, single())
		c.expect("preemption h1 k n1 ends", "preemption h2 k n1 ends", "preemption h3 k n1 ends")
	})
}

func TestUnitPlaceholders_ThatAreNotFormedGoOneByOne(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.nodes(2)
		c.holders(3)
		c.needs(1, single())
		c.expect("preemption h2 k n1")
	})
}

func TestUnitPlaceholders_TasksCountInTheirPlace(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.nodes(4)
		c.holders(3)
		c.ask("t1", "h", 1, core.Ask{TaskGroup: "t", Priority: 1})
		c.release("h1")
		c.ask("t2", "h", 1, core.Ask{Priority: 1}) // another one, without a placeholder
		c.expect("placeholder.replaced h1 t1 n1", "release h1 replaced", "allocation t1 n1", "allocation t2 n1")
		c.needs(2, single(ranked(1)))
		c.expect("preemption h2 k n1 ends", "preemption h3 k n1 ends", "preemption t1 k n1 ends", "preemption t2 k n1 ends")
	})
}

func TestUnitPlaceholders_BelowTheirSumTheyGoWholeAndAreNeverBroken(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.nodes(3)
		c.holders(3)
		c.apply(core.Input{Event: &core.DrainNode{ID: "n1"}})
		c.fails("h1")
		c.expect("release h1 finished")
		c.apply(core.Input{Event: &core.ResumeNode{ID: "n1"}})
		c.needs(2, single())
		c.expect("preemption h2 k n1 ends", "preemption h3 k n1 ends")
	})
}

func TestUnitPlaceholders_MemberByDefault(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.nodes(3)
		c.gang("h", "root.b", 3, false)
		for i := range 3 {
			c.ask(fmt.Sprint("h", i+1), "h", 1, core.Ask{Placeholder: true, TaskGroup: "t"})
		}
		c.skip()
		c.needs(1, single())
		c.expect("preemption h3 k n1")
	})
}

func TestUnitPlaceholders_ATaskTakesOverTheMembership(t *testing.T) {
	unitTest(t, "", func(c *cluster) {
		c.nodes(2)
		c.apply(core.Input{Event: &core.AddApp{ID: "h", Queue: "root.b", Placeholders: &core.Placeholders{Ask: cores(2)}}})
		for _, id := range []string{"h1", "h2"} {
			c.ask(id, "h", 1, core.Ask{Placeholder: true, TaskGroup: "t", Gang: &core.Gang{ID: "g", Min: 2}})
		}
		c.expect("app.accepted h root.b", "allocation h1 n1", "allocation h2 n1")
		c.ask("t1", "h", 1, core.Ask{TaskGroup: "t", Priority: 1})
		c.tick() // while the placeholder leaves, the gang is not broken
		c.release("h1")
		c.expect("placeholder.replaced h1 t1 n1", "release h1 replaced", "allocation t1 n1")
		c.fails("t1")
		c.expect("release t1 finished", "gang.broken h g 1/2 failed")
		c.pass(time.Second)
		c.expect()
	})
}
