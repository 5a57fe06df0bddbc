package scheduler_test

import (
	"testing"
	"time"

	"github.com/quern-project/quern/core"
)

func TestApp_IdleTwiceInAnInstantCompletesOnce(t *testing.T) {
	c := newCluster(t, core.Options{}, `, queues: [{name: q}]`)
	c.node("n", 1)
	c.app("app", "root.q")
	c.ask("x", "app", 1)
	c.cycle()
	c.wait(time.Second)
	c.release("x")
	c.ask("y", "app", 1)
	c.say(core.Input{Event: &core.RemoveAsk{ID: "y"}})
	c.decisions = nil
	c.wait(time.Minute)
	c.expect("decisions", lines(t, c.decisions), `{"seq":11,"at":"31s","type":"app.state","id":"app","from":"Completing","to":"Completed","reason":"completing-timeout"}`+"\n")
	if live := c.Dump().Queues[0].Applications; live != 0 {
		t.Errorf("%d applications are live", live)
	}
}
