package scheduler_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
)

// lastFirst orders asks or applications in reverse order of submission.
func lastFirst(b *policy.Batch, row int32, keys []float64) { keys[0] = -b.Cols[0][row] }

// reversed returns a full cluster whose only leaf orders its two applications by the policy `reverse`.
func reversed(t *testing.T, j *judge) *cluster {
	t.Helper()
	judges := map[string]*judge{}
	if j != nil {
		judges["reverse"] = j
	}
	c := newCluster(t, panel(judges), "")
	c.setPolicy("reverse", "1", manifest("reverse", policy.AppOrder, 1, policy.OnRow, "submitted"))
	c.configure(`, queues: [{name: q, properties: {application.sort.policy: reverse}}]`)
	c.node("keep", 2)
	for _, app := range []string{"one", "two"} { // these allocations stay, so that the applications never complete
		c.app(app, "root.q")
		c.say(core.Input{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: "kept-" + app, App: app, Resources: vcores(1)}, PlacedOn: "keep"}})
	}
	return c
}

// bothAsk adds an ask to both applications and makes room for one. It returns which one was placed.
func (c *cluster) bothAsk(id string) string {
	before := len(c.decisions)
	c.ask("one-"+id, "one", 1)
	c.ask("two-"+id, "two", 1)
	c.node("node-"+id, 1)
	c.cycle()
	out := ""
	for _, d := range c.decisions[before:] {
		if d.Type == core.Allocation {
			out += d.App
		}
	}
	for _, app := range []string{"one-", "two-"} {
		if e, ok := c.ExplainAsk(app + id); ok && e.Pending {
			c.say(core.Input{Event: &core.RemoveAsk{ID: app + id}})
		}
	}
	return out
}

func TestAFaultHasItsCodeAndTheFallbackAnswers(t *testing.T) {
	nan := func(_ *policy.Batch, _ int32, keys []float64) { keys[0] = math.NaN() }
	for name, tc := range map[string]struct {
		judge    *judge
		reason   core.Reason
		contains string
	}{
		"an error":    {&judge{answer: lastFirst, fault: errors.New("out of fuel")}, core.ReasonPolicyFailed, "out of fuel"},
		"NaN":         {&judge{answer: nan}, core.ReasonPolicyAnswer, "NaN"},
		"nobody":      {nil, core.ReasonPolicyMissing, ""},
		"own sort of": {&judge{answer: lastFirst, fault: fmt.Errorf("%w: bad pointer", policy.ErrAnswer)}, core.ReasonPolicyAnswer, "bad pointer"},
	} {
		t.Run(name, func(t *testing.T) {
			c := reversed(t, tc.judge)
			c.expect("first", c.bothAsk("x"), "one")
			var faults []core.Decision
			for _, d := range c.decisions {
				if d.Type == core.PolicyFault {
					faults = append(faults, d)
				}
			}
			if len(faults) != 1 {
				t.Fatalf("expected one fault, found %v", faults)
			}
			d := faults[0]
			if d.Policy != "reverse" || d.Reason != tc.reason || d.Fallback != "fifo" || !strings.Contains(d.Message, tc.contains) {
				t.Errorf("found %+v", d)
			}
		})
	}
}

func TestAFaultAtEachPointNamesTheFallbackOfThePoint(t *testing.T) {
	for _, tc := range []struct {
		point    policy.Point
		declared string
		root     string
		nodes    string
		expected string
	}{
		{policy.QueueOrder, "", `, properties: {queue.sort.policy: p}, queues: [{name: q}]`, "fair", "fair"},
		{policy.AppOrder, "", `, queues: [{name: q, properties: {application.sort.policy: p}}]`, "fair", "fifo"},
		{policy.AppOrder, "fair", `, queues: [{name: q, properties: {application.sort.policy: p}}]`, "fair", "fair"},
		{policy.AskOrder, "", `, queues: [{name: q, properties: {ask.sort.policy: p}}]`, "fair", "fifo"},
		{policy.NodeScore, "", `, queues: [{name: q}]`, "p", "fair"},
		{policy.NodeScore, "binpacking", `, queues: [{name: q}]`, "p", "binpacking"},
		{policy.NodeFilter, "", `, queues: [{name: q}]`, "fair", "pass-all"},
	} {
		t.Run(fmt.Sprint(tc.point, " ", tc.declared), func(t *testing.T) {
			c := newCluster(t, panel(map[string]*judge{"p": {fault: errors.New("no")}}), "")
			c.setPolicy("p", "1", `{"name":"p","points":{`+declared(tc.point, 1, policy.OnRow, tc.declared)+`}}`)
			c.configureWith(tc.root, ", nodesortpolicy: {type: "+tc.nodes+"}")
			c.app("app", "root.q")
			c.ask("x", "app", 1)
			c.node("n", 1)
			c.cycle()
			c.expect("fault", c.faults(), "p failed->"+tc.expected)
			if e, _ := c.ExplainAsk("x"); e.Pending {
				t.Error("scheduling stopped")
			}
		})
	}
}

func TestAFailedHostPredicateRefusesAllNodes(t *testing.T) {
	j := &judge{fault: errors.New("no answer"), answer: func(_ *policy.Batch, _ int32, keys []float64) { keys[0] = 0 }}
	c := newCluster(t, panel(map[string]*judge{"ports": j}), `, queues: [{name: q}]`)
	c.app("app", "root.q")
	c.node("n", 4)
	c.askWith("x", "app", 1, core.Ask{Predicate: "ports"})
	c.askWith("y", "app", 1, core.Ask{Predicate: "nobody-answers"})
	c.cycle()
	c.expect("faults", c.faults(), "ports failed->refuse-all nobody-answers missing->refuse-all")
	j.fault = nil
	c.wait(time.Second)
	c.expect("after the quarantine", c.placed(), "x@n")
}

func TestQuarantine_DoublesEndsAndIsForgotten(t *testing.T) {
	j := &judge{answer: lastFirst, fault: errors.New("no")}
	c := reversed(t, j)
	for i, backOff := range []time.Duration{1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300} {
		start := c.Now()
		c.expect("the fallback answers", c.bothAsk(fmt.Sprint(i)), "one")
		c.expect("fault", c.faults(), "reverse failed->fifo")
		j.questions()
		c.release(fmt.Sprintf("one-%d", i))
		c.cycle()
		c.expect("asked in quarantine", j.questions(), "")
		c.say(core.Input{Event: &core.RemoveNode{ID: fmt.Sprintf("node-%d", i)}})
		back := time.Duration(-1)
		for at, ok := c.Deadline(); ok && back < 0; at, ok = c.Deadline() {
			c.Advance(at)
			if len(j.asked) > 0 {
				t.Fatal("a policy is asked by Advance")
			}
			c.Take()
			if at == start+backOff*time.Second {
				back = at
			} else if at > start+backOff*time.Second {
				t.Fatalf("back-off %d: no deadline at %s", i, start+backOff*time.Second)
			}
		}
		if back < 0 {
			t.Fatalf("back-off %d: no deadline at %s", i, start+backOff*time.Second)
		}
	}
	j.fault = nil
	c.cycle()
	c.expect("it is back", c.bothAsk("back"), "two")
	c.expect("fault", c.faults(), "")
	c.wait(400 * time.Second)
	j.fault = errors.New("again")
	c.expect("long after", c.bothAsk("again"), "one")
	c.decisions = nil
	j.fault = nil
	c.release("one-again")
	c.say(core.Input{Event: &core.RemoveNode{ID: "node-again"}})
	c.say(core.Input{Event: &core.RemoveNode{ID: "node-back"}})
	c.wait(time.Second)
	c.expect("the back-off began anew", c.bothAsk("anew"), "two")
}

func TestPolicyRemoved_FallbackTakesOver(t *testing.T) {
	j := &judge{answer: lastFirst}
	c := reversed(t, j)
	c.expect("in force", c.bothAsk("a"), "two")
	c.decisions = nil
	c.removePolicy("reverse")
	c.expect("fault", c.faults(), "reverse removed->fifo")
	j.questions()
	c.expect("removed", c.bothAsk("b"), "one")
	c.expect("asked", j.questions(), "")
	c.decisions = nil
	c.removePolicy("reverse")
	if len(c.decisions) != 1 || c.decisions[0].Reason != core.ReasonUnknownPolicy {
		t.Errorf("removed twice: %v", c.decisions)
	}
	c.say(core.Input{Event: &core.SetConfig{Config: partition(`, queues: [{name: q, properties: {application.sort.policy: reverse}}]`, "")}})
	if d := c.decisions[len(c.decisions)-1]; d.Type != core.ConfigRejected {
		t.Errorf("a configuration that names it is taken: %v", d)
	}
	c.setPolicy("reverse", "2", manifest("reverse", policy.AppOrder, 1, policy.OnRow, "submitted"))
	c.expect("back", c.bothAsk("c"), "two")
}

func TestPolicyRemoved_UnusedSaysNothing(t *testing.T) {
	c := newCluster(t, panel(map[string]*judge{"p": {answer: lastFirst}}), `, queues: [{name: q}]`)
	c.setPolicy("p", "1", manifest("p", policy.AppOrder, 1, policy.OnRow, "submitted"))
	c.decisions = nil
	c.removePolicy("p")
	if len(c.decisions) > 0 {
		t.Errorf("found %v", c.decisions)
	}
}

func TestAPolicyReplacedByAnotherHashAnswersFromThenOn(t *testing.T) {
	first, second := &judge{answer: lastFirst}, &judge{answer: byColumn}
	c := newCluster(t, core.Options{Evaluator: func(m core.Announcement) policy.Evaluator {
		return map[string]*judge{"1": first, "2": second}[m.SHA256]
	}}, "")
	c.setPolicy("p", "1", manifest("p", policy.AppOrder, 1, policy.OnRow, "submitted"))
	c.configure(`, queues: [{name: q, properties: {application.sort.policy: p}}]`)
	c.app("one", "root.q")
	c.app("two", "root.q")
	c.expect("first", c.bothAsk("a"), "two")
	first.questions()
	c.setPolicy("p", "2", manifest("p", policy.AppOrder, 2, policy.OnRow, "allocations", "submitted"))
	c.expect("second, with other keys", c.bothAsk("b"), "one")
	c.expect("the first is asked", first.questions(), "")
	c.expect("all are asked about once", strings.Fields(second.questions())[0], "one,two")
}

func TestPolicyChanged_WithoutItsPointFallsBack(t *testing.T) {
	c := reversed(t, &judge{answer: lastFirst})
	c.expect("in force", c.bothAsk("a"), "two")
	c.setPolicy("reverse", "2", manifest("reverse", policy.AskOrder, 1, policy.OnRow, "submitted"))
	c.expect("another point only", c.bothAsk("b"), "one")
}

func TestAPolicyMayHaveTheNameOfABuiltIn(t *testing.T) {
	for _, name := range []string{"fair", "binpacking", "fifo", "stateaware"} {
		for _, point := range policy.Points() {
			j := &judge{answer: func(_ *policy.Batch, _ int32, keys []float64) { keys[0] = 0 }}
			c := newCluster(t, panel(map[string]*judge{name: j}), `, queues: [{name: q}]`)
			c.app("app", "root.q")
			c.node("n", 9)
			c.setPolicy(name, "1", manifest(name, point, 1, policy.OnRow))
			c.ask("x", "app", 1)
			c.cycle()
			c.expect(name+" at "+string(point), c.placed(), "x@n")
		}
	}
}

func TestAPolicyMayHaveTheNameOfAPredicate(t *testing.T) {
	j := &judge{answer: func(_ *policy.Batch, _ int32, keys []float64) { keys[0] = 0 }}
	c := newCluster(t, panel(map[string]*judge{"ports": j}), `, queues: [{name: q}]`)
	c.app("app", "root.q")
	c.node("n", 9)
	c.askWith("x", "app", 1, core.Ask{Predicate: "ports"})
	c.cycle()
	c.expect("before", c.placed(), "x@n")
	c.setPolicy("ports", "1", manifest("ports", policy.AppOrder, 1, policy.OnRow, "submitted"))
	c.ask("y", "app", 1)
	c.askWith("z", "app", 1, core.Ask{Predicate: "ports"})
	c.cycle()
	if placed := c.placed(); !strings.Contains(placed, "y@n") {
		t.Errorf("an ask without the predicate waits: %q", placed)
	}
}

func TestAPredicateOfARemovedPolicysNameRefuses(t *testing.T) {
	c := newCluster(t, core.Options{}, `, queues: [{name: q}]`)
	c.app("app", "root.q")
	c.node("n", 9)
	c.setPolicy("ports", "1", manifest("ports", policy.NodeFilter, 1, policy.OnAsk))
	c.removePolicy("ports")
	c.askWith("x", "app", 1, core.Ask{Predicate: "ports"})
	c.cycle()
	c.expect("nobody answers for the predicate", c.placed(), "")
}

func TestABadManifestIsIgnoredAndWhatIsInForceStays(t *testing.T) {
	c := reversed(t, &judge{answer: lastFirst})
	for _, text := range []string{"", "{}", "[]", "{", `{"name":"other","points":{"app.order":{"keys":1,"depends":"row"}}}`, `{"name":"reverse","points":{}} {}`} {
		c.decisions = nil
		c.setPolicy("reverse", "2", text)
		if len(c.decisions) != 1 || c.decisions[0].Reason != core.ReasonBadManifest || c.decisions[0].ID != "reverse" {
			t.Errorf("%q: found %v", text, c.decisions)
		}
	}
	c.expect("in force", c.bothAsk("a"), "two")
}
