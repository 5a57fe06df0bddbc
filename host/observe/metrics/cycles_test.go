package metrics

import (
	"testing"
	"time"

	"github.com/quern-project/quern/core"
)

const twoApps = `{"type":"app.add","id":"x","queue":"root.default"}
{"type":"app.add","id":"y","queue":"root.default"}
{"type":"ask.add","id":"x1","app":"x","resources":{"vcore":1}}
{"type":"ask.add","id":"y1","app":"y","resources":{"vcore":1}}
`

// TestCycles_OfPublishedDecisions shows decisions that no scheduler makes.
func TestCycles_OfPublishedDecisions(t *testing.T) {
	c := start(t, Options{})
	c.say(twoApps)
	c.Published([]core.Decision{{Type: core.Preemption, ID: "x1", For: "y1", Right: core.RightQueue}})
	c.want(`quern_preemption_cycles_total 0`)
	c.Published([]core.Decision{{Type: core.Preemption, ID: "y1", For: "x1", Right: core.RightQueue}})
	c.want(`quern_preemption_cycles_total 1`)
	if n := c.Stats(time.Now()).Totals.Cycles; n != 1 {
		t.Errorf("statistics have %d cycles", n)
	}
}
