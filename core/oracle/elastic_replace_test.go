package oracle_test

import (
	"testing"

	"github.com/quern-project/quern/core"
)

func TestElastic_SurplusTaskReplacesAfterOthers(t *testing.T) {
	unitTestOf(t, placeholderQueues, func(c *cluster) {
		c.nodes(9)
		c.gang("x", "root.b", 1, false)
		c.gang("y", "root.b", 1, false)
		c.holder("h1", "x", 1)
		c.holder("h2", "y", 1)
		elastic := func(k *core.Ask) { k.Gang.Max = 3 }
		c.ask("w", "x", 1, of("e", 1, elastic))
		c.skip()
		for _, in := range []*core.AddAsk{
			{ID: "v", App: "x", Resources: cores(1), Ask: of("e", 1, elastic, func(k *core.Ask) { k.TaskGroup = "g" })},
			{ID: "t", App: "y", Resources: cores(1), Ask: core.Ask{TaskGroup: "g"}},
		} {
			c.m.Apply(&core.Input{At: c.m.Now(), Event: in})
		}
		c.m.Cycle(-1)
		c.expect("placeholder.replaced h2 t n1", "placeholder.replaced h1 v n1")
	})
}
