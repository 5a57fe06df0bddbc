package scheduler_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/scheduler"
)

// limitedCluster has a node with 10 vcores and the leaves root.a and root.b, with limits of root.
func limitedCluster(t testing.TB, limits, more string) *cluster {
	c := newCluster(t, core.Options{}, "")
	c.configure(", limits: [" + limits + "], queues: [{name: a" + more + "}, {name: b}]")
	c.node("n", 10)
	return c
}

func (c *cluster) appOf(id, queue, user string, groups ...string) {
	c.say(core.Input{Event: &core.AddApp{ID: id, Queue: queue, User: user, Groups: groups}})
}

func TestExplain_EachLimitThatBarsAnAsk(t *testing.T) {
	c := limitedCluster(t, "{users: [bob], maxresources: {vcore: 4, memory: 5}}, {groups: [dev], maxresources: {vcore: 3500m}}",
		", limits: [{users: [bob], maxresources: {vcore: 4}}]")
	c.appOf("x", "root.a", "bob", "dev")
	c.ask("x1", "x", 3)
	c.ask("x2", "x", 3)
	c.cycle()
	e, _ := c.ExplainAsk("x2")
	c.expect("reasons", fmt.Sprint(e.Reasons), "[user-limit group-limit]")
	want := " Limits bar it: user bob lacks 2 vcore in root.a (limit 4, used 3); user bob lacks 2 vcore in root (limit 4, used 3); group dev lacks 2.5 vcore in root (limit 3.5, used 3)."
	if !strings.Contains(e.Text, want) {
		t.Errorf("expected %q in %q", want, e.Text)
	}
	first := explain.LimitShortfall{Reason: explain.WaitUserLimit, Queue: "root.a", Name: "bob", Type: "vcore", Limit: 4000, Used: 3000, Missing: 2000}
	if len(e.Limits) != 3 || e.Limits[0] != first {
		t.Errorf("expected %+v first, found %+v", first, e.Limits)
	}
	p, _ := c.ExplainPreemption("x2")
	c.expect("verdict", string(p.Verdict), "limited")
}

func TestExplain_LimitThatBarsAnApplication(t *testing.T) {
	c := limitedCluster(t, "{users: [bob], maxapplications: 1}, {groups: [dev], maxapplications: 2}", "")
	c.appOf("x", "root.a", "bob", "dev")
	c.ask("x1", "x", 1)
	c.appOf("y", "root.b", "bob", "dev")
	c.ask("y1", "y", 1)
	c.cycle()
	e, _ := c.ExplainAsk("y1")
	c.expect("reasons", fmt.Sprint(e.Reasons), "[user-max-applications]")
	if want := "A limit bars it: user bob is at maxapplications in root (limit 1, used 1)."; !strings.Contains(e.Text, want) {
		t.Errorf("expected %q in %q", want, e.Text)
	}
	x, _ := c.ExplainApp("x")
	y, _ := c.ExplainApp("y")
	c.expect("places", fmt.Sprintln(x.HasPlace, y.HasPlace, y.Group, y.Reasons, len(y.Limits)), "true false dev [user-max-applications] 1\n")
	p, _ := c.ExplainPreemption("y1")
	c.expect("verdict", string(p.Verdict), "may-not-start")
}

func TestUsageIsListedByQueueThenUsersThenGroups(t *testing.T) {
	c := limitedCluster(t, `{users: ["*"], maxresources: {vcore: 4}}, {groups: [dev], maxapplications: 7}`, ", limits: [{users: [ann], maxapplications: 2}]")
	for _, user := range []string{"bob", "ann"} {
		c.appOf(user, "root.a", user, "dev")
		c.ask(user, user, 2)
	}
	c.appOf("idle", "root.b", "ann")
	c.cycle()
	var out []string
	for _, u := range c.LimitUsage() {
		out = append(out, fmt.Sprintf("%s %t %s %v of %v, %d of %d", u.Queue, u.Group, u.Name, u.Used, u.Max, u.Applications, u.MaxApplications))
	}
	c.expect("usage", strings.Join(out, "\n"), `root false ann [{vcore 2000}] of [{vcore 4000}], 1 of 0
root false bob [{vcore 2000}] of [{vcore 4000}], 1 of 0
root true dev [{vcore 4000}] of [], 2 of 7
root.a false ann [{vcore 2000}] of [], 1 of 2`)
	for _, id := range []string{"bob", "ann", "idle"} {
		c.say(core.Input{Event: &core.RemoveApp{ID: id}})
	}
	c.expect("usage without applications", fmt.Sprint(len(c.LimitUsage())), "0")
}

func TestAppLimits_FromLeafToRoot(t *testing.T) {
	c := limitedCluster(t, `{users: ["*"], maxresources: {vcore: 4, gpu: 1}}, {groups: [dev], maxapplications: 7}`, ", limits: [{users: [ann], maxapplications: 2}]")
	for i, id := range []string{"x", "y"} {
		c.appOf(id, "root.a", "ann", "dev")
		c.ask(id, id, int64(i+1))
	}
	c.appOf("free", "root.b", "bob")
	c.cycle()
	list := func(id string) string {
		var out []string
		for _, u := range c.AppLimits(id) {
			out = append(out, fmt.Sprintf("%s %t %s %v of %v, %d of %d", u.Queue, u.Group, u.Name, u.Used, u.Max, u.Applications, u.MaxApplications))
		}
		return strings.Join(out, "\n")
	}
	c.expect("limits", list("y"), `root.a false ann [] of [], 2 of 2
root false ann [{gpu 0} {vcore 3000}] of [{gpu 1} {vcore 4000}], 2 of 0
root true dev [] of [], 2 of 7`)
	c.expect("limits of another user", list("free"), "root false bob [{gpu 0} {vcore 0}] of [{gpu 1} {vcore 4000}], 0 of 0")
	c.expect("limits of no application", list("none"), "")
	c.expect("some queue has limits", fmt.Sprint(c.Limited()), "true")
	c.configure(", queues: [{name: a}, {name: b}]")
	c.expect("some queue has limits after the reload", fmt.Sprint(c.Limited()), "false")
	c.expect("limits after the reload", list("y"), "")
}

// TestMemoryFollowsTheUsersThatAreAlive adds and ends applications of 100,000 users below a queue that limits 10,000 of them by name.
func TestMemoryFollowsTheUsersThatAreAlive(t *testing.T) {
	var names strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&names, "{users: [user%d], maxresources: {vcore: 1}}, ", i)
	}
	c := newCluster(t, core.Options{}, "")
	c.configure(", limits: [" + names.String() + `{users: ["*"], maxresources: {vcore: 2}}], queues: [{name: a}]`)
	c.node("n", 10)
	round := func() {
		for i := range 100_000 {
			id := fmt.Sprint("user", i)
			c.Apply(&core.Input{At: c.Now(), Event: &core.AddApp{ID: id, Queue: "root.a", User: id}})
			c.Apply(&core.Input{At: c.Now(), Event: &core.RemoveApp{ID: id}})
			if i%1000 == 0 {
				c.Take()
			}
		}
		c.Take()
		c.wait(73 * time.Hour) // ended applications are remembered for three days
		c.Take()
		c.decisions = nil
	}
	live := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	round()
	before := live()
	round()
	if grown := int64(live()) - int64(before); grown > 4<<20 {
		t.Errorf("100,000 users that came and went left %d bytes", grown)
	}
	if n := len(c.LimitUsage()); n != 0 {
		t.Errorf("%d users are known of whom none is alive", n)
	}
}

func TestSnapshot_BadLimitOfADrainingQueueRefused(t *testing.T) {
	c := newCluster(t, core.Options{}, "")
	c.configure(", queues: [{name: a, limits: [{users: [bob], maxresources: {vcore: 4}}]}, {name: b}]")
	c.node("n", 10)
	c.appOf("x", "root.a", "bob")
	c.ask("x1", "x", 3)
	c.ask("x2", "x", 3)
	c.cycle()
	c.configure(", queues: [{name: b}]")
	snapshot := c.Snapshot()
	s, err := scheduler.Restore(snapshot, core.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if e, _ := s.ExplainAsk("x2"); len(e.Limits) != 1 {
		t.Errorf("expected the limit that the queue had, found %+v", e.Limits)
	}
	limit := []any{"Draining", "a", "Conf", "Limits", 0, "MaxResources", 0}
	for key, value := range map[string]any{"Value": -4, "Type": 7} {
		if _, err := scheduler.Restore(edit(t, snapshot, value, append(limit, key)...), core.Options{}); err == nil {
			t.Errorf("a limit with the %s %v is taken", key, value)
		}
	}
}
