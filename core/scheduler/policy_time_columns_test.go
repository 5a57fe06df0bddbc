package scheduler_test

import (
	"math"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
)

// timed is a cluster of one node whose applications of root.q are ordered by a module with some columns.
func timed(t *testing.T, properties string, point policy.Point, columns ...string) (*cluster, notes) {
	seen := notes{}
	c := newCluster(t, panel(map[string]*judge{"timed": noted(seen)}), "")
	c.setPolicy("timed", "1", manifest("timed", point, 1, policy.OnRow, columns...))
	c.configure(`, queues: [{name: q, properties: {` + properties + `}}]`)
	c.node("n", 20)
	return c, seen
}

func TestQueueColumns_AgedUsageFollowsTheClock(t *testing.T) {
	seen := notes{}
	c := newCluster(t, panel(map[string]*judge{"past": noted(seen)}), "")
	c.setPolicy("past", "1", manifest("past", policy.QueueOrder, 1, policy.OnRow, "aged:vcore", "used:vcore", "half_life=-1"))
	const queues = `queues: [{name: a, queues: [{name: x}, {name: y}]}, {name: b}]`
	c.configure(`, properties: {queue.sort.policy: past, fairness.half-life: 1h}, ` + queues)
	c.node("n", 20)
	c.app("one", "root.a.x")
	c.ask("o1", "one", 8)
	c.app("two", "root.b")
	c.ask("wide", "two", 99)
	c.cycle()
	c.expect("as it begins", seen["root.a"]+", "+seen["root.b"], "0 8000 3600, 0 0 3600")
	c.wait(time.Hour)
	c.expect("half of it after a half-life", seen["root.a"], "4000 8000 3600")
	c.expect("a parent below orders by the half-life that it inherits", seen["root.a.x"], "4000 8000 3600")
	c.release("o1")
	c.wait(time.Hour)
	c.expect("half is left after a half-life without usage", seen["root.a"]+", "+seen["root.b"], "2000 0 3600, 0 0 3600")
	c.configure(`, properties: {queue.sort.policy: past}, ` + queues)
	c.app("three", "root.a.x")
	c.ask("o2", "three", 3)
	c.ask("o3", "three", 99)
	c.cycle()
	c.expect("current usage without a half-life", seen["root.a"], "3000 3000 -1")
}

func TestQueueColumns_AgedUsageChangesAtMultiplesOnly(t *testing.T) {
	seen := notes{}
	j := noted(seen)
	c := newCluster(t, panel(map[string]*judge{"past": j}), "")
	c.setPolicy("past", "1", manifest("past", policy.QueueOrder, 1, policy.OnRow, "aged:memory"))
	c.configure(`, properties: {queue.sort.policy: past, fairness.half-life: 2048s}, queues: [{name: a}, {name: b}]`)
	c.node("n", 20)
	for _, q := range []string{"a", "b"} {
		c.app(q, "root."+q)
		c.ask(q+"1", q, 99)
	}
	c.cycle()
	j.questions()
	c.wait(time.Second)
	c.expect("within the period of two seconds", j.questions(), "")
	c.wait(time.Second)
	c.expect("at a multiple", j.questions(), "root.a,root.b")
}

func TestAppColumns_AgedUsageOfTheUser(t *testing.T) {
	c, seen := timed(t, "application.sort.policy: timed, fairness.half-life: 1h", policy.AppOrder, "aged:vcore", "half_life")
	c.appOf("a", "root.q", "ann")
	c.appOf("a2", "root.q", "ann")
	c.appOf("b", "root.q", "bob")
	c.ask("a1", "a", 8)
	for _, app := range []string{"a", "a2", "b"} {
		c.ask(app+"-wide", app, 99)
	}
	c.cycle()
	c.wait(time.Hour)
	c.expect("all applications of a user", seen.String(), "a: 4000 3600, a2: 4000 3600, b: 0 3600")
	c.removePolicy("timed")
	c.setPolicy("timed", "2", manifest("timed", policy.AppOrder, 1, policy.OnRow, "aged:vcore", "submitted"))
	c.cycle()
	c.expect("usage ages from when a policy reads it", seen["a"], "0 1")
	c.configure(`, queues: [{name: q, properties: {application.sort.policy: timed}}]`)
	c.cycle()
	c.expect("current usage without a half-life", seen["a"]+", "+seen["a2"]+", "+seen["b"], "8000 1, 8000 2, 0 3")
	c.release("a1")
	c.cycle()
	c.expect("it changes for all of the user's", seen["a"]+", "+seen["a2"], "0 1, 0 2")
}

func TestAppColumns_LongestWalltimePending(t *testing.T) {
	c, seen := timed(t, "application.sort.policy: timed", policy.AppOrder, "walltime=-1", "submitted_at")
	c.wait(7 * time.Second)
	c.app("app", "root.q")
	ask := func(id string, cores int64, walltime time.Duration) {
		c.askWith(id, "app", cores, core.Ask{Walltime: walltime})
	}
	ask("short", 99, 2*time.Minute)
	ask("long", 99, time.Hour)
	c.cycle()
	c.expect("the longest", seen["app"], "3600 7")
	c.say(core.Input{Event: &core.UpdateAsk{ID: "long", Walltime: time.Minute}})
	c.cycle()
	c.expect("shortened", seen["app"], "120 7")
	c.say(core.Input{Event: &core.RemoveAsk{ID: "short"}})
	c.cycle()
	c.expect("withdrawn", seen["app"], "60 7")
	ask("open", 99, 0)
	c.cycle()
	c.expect("one without", seen["app"], "-1 7")
	c.say(core.Input{Event: &core.UpdateAsk{ID: "open", Walltime: 90 * time.Second}})
	c.cycle()
	c.expect("bounded later", seen["app"], "90 7")
	for range 40 {
		c.say(core.Input{Event: &core.UpdateAsk{ID: "open", Walltime: time.Hour}})
		c.say(core.Input{Event: &core.UpdateAsk{ID: "open", Walltime: 2 * time.Hour}})
	}
	ask("fits", 1, 3*time.Hour)
	c.cycle()
	ask("another", 99, time.Second)
	c.cycle()
	c.expect("allocated ones do not count", seen["app"], "7200 7")
}

func TestAskColumns_WalltimeAndSubmission(t *testing.T) {
	c, seen := timed(t, "ask.sort.policy: timed, walltime.default: 1h", policy.AskOrder, "walltime", "submitted_at")
	c.app("app", "root.q")
	c.ask("a", "app", 99)
	c.wait(3 * time.Second)
	c.askWith("b", "app", 99, core.Ask{Walltime: time.Minute})
	c.cycle()
	c.expect("the queue's default, and its own", seen.String(), "a: 3600 0, b: 60 3")
	c.say(core.Input{Event: &core.UpdateAsk{ID: "a", Walltime: time.Second}})
	c.cycle()
	c.expect("changed", seen["a"], "1 0")
}

func TestVictimColumns_Walltime(t *testing.T) {
	seen := notes{}
	c := ranked(t, noted(seen), 1, "walltime=-1")
	c.configure(`, queues: [{name: test}, {name: prod, resources: {guaranteed: {vcore: 4}}}]`)
	c.node("n", 8)
	c.app("x", "root.test")
	for _, id := range []string{"x1", "x2", "x3", "x4"} {
		c.restore(id, "x", "n", 2, core.Ask{Walltime: time.Hour})
	}
	c.ask("p1", "prod", 2)
	c.wait(30 * time.Second)
	c.expect("as promised", seen["x1"], "3600")
	c.say(core.Input{Event: &core.UpdateAsk{ID: "x1", Walltime: 2 * time.Hour}})
	c.ask("p2", "prod", 2)
	c.wait(30 * time.Second)
	c.expect("lengthened", seen["x1"]+", "+seen["x2"], "7200, 3600")
}

func TestSeconds_KeepFractions(t *testing.T) {
	if v := policy.Seconds(int64(1500*time.Millisecond), 9); v != 1.5 {
		t.Errorf("expected 1.5, found %v", v)
	}
	if v := policy.Seconds(0, math.MaxFloat64); v != math.MaxFloat64 {
		t.Errorf("expected the default, found %v", v)
	}
}
