package scheduler_test

import (
	"fmt"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
)

func TestAnAtomicGangStaysWholeWhereAPolicyOrdersAsks(t *testing.T) {
	j := &judge{answer: byColumn}
	c := newCluster(t, panel(map[string]*judge{"first": j}), "")
	c.setPolicy("first", "1", manifest("first", policy.AskOrder, 1, policy.OnRow, "submitted"))
	c.configure(`, queues: [{name: q, properties: {ask.sort.policy: first}}]`)
	c.app("app", "root.q")
	c.node("n", 3)
	for i := range 2 {
		c.askWith(fmt.Sprintf("g%d", i), "app", 2, core.Ask{Gang: &core.Gang{ID: "g", Min: 2}})
	}
	c.cycle()
	c.expect("too little room", c.placed(), "")
	c.node("m", 2)
	c.cycle()
	c.expect("room for both", c.placed(), "g0@m g1@n")
}
