package scheduler_test

import (
	"testing"

	"github.com/quern-project/quern/core"
)

// When a drained queue ends, its ancestors forget the priority of its pending asks in the same input.
func TestQueueEnded_PriorityAbove(t *testing.T) {
	c := newCluster(t, core.Options{}, ", queues: [{name: a, queues: [{name: b, queues: [{name: x}]}, {name: y}]}, {name: z}]")
	c.app("leaves", "root.a.b.x")
	c.app("stays", "root.a.y")
	c.askWith("high", "leaves", 9, core.Ask{Priority: 2})
	c.askWith("low", "stays", 9, core.Ask{})
	c.cycle()
	c.configure(", queues: [{name: a, queues: [{name: y}]}, {name: z}]")
	c.cycle()
	c.say(core.Input{Event: &core.RemoveApp{ID: "leaves"}})
	for _, q := range c.Dump().Queues {
		if q.Priority != 0 {
			t.Errorf("%s has priority %d, although what waits in it has priority 0", q.Path, q.Priority)
		}
	}
}
