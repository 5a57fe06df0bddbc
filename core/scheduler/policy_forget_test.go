package scheduler_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/scheduler"
)

func TestARemovedPredicateIsAskedAnewAboutEverything(t *testing.T) {
	j := &judge{answer: func(_ *policy.Batch, _ int32, keys []float64) { keys[0] = 2 }}
	c := newCluster(t, panel(map[string]*judge{"ports": j}), `, queues: [{name: q}]`)
	c.app("app", "root.q")
	c.node("n1", 4)
	c.node("n2", 4)
	c.askWith("x", "app", 1, core.Ask{Predicate: "ports"})
	c.cycle()
	c.expect("asked", j.questions(), "n1,n2")
	if found := c.Predicates(); !slices.Equal(found, []string{"ports"}) {
		t.Errorf("found the predicates %q", found)
	}
	c.removePolicy("ports")
	if found := c.Predicates(); len(found) > 0 {
		t.Errorf("found the predicates %q", found)
	}
	c.cycle()
	c.expect("asked anew", j.questions(), "n1,n2")
	j.fault = errors.New("no answer")
	c.removePolicy("ports")
	c.cycle()
	c.expect("faults", c.faults(), "ports failed->refuse-all")
	j.fault, j.answer = nil, func(_ *policy.Batch, _ int32, keys []float64) { keys[0] = 0 }
	c.removePolicy("ports")
	c.cycle()
	c.expect("a quarantine ends", c.placed(), "x@n1")
	c.decisions = nil
	c.removePolicy("another")
	if len(c.decisions) != 1 || c.decisions[0].Reason != core.ReasonUnknownPolicy {
		t.Errorf("found %+v", c.decisions)
	}
}

func TestAPolicyOfThePredicatesNameIsRemovedFirst(t *testing.T) {
	c := newCluster(t, core.Options{}, `, queues: [{name: q}]`)
	c.app("app", "root.q")
	c.node("n", 4)
	c.setPolicy("ports", "1", manifest("ports", policy.AppOrder, 1, policy.OnRow, "submitted"))
	c.askWith("x", "app", 1, core.Ask{Predicate: "ports"})
	c.cycle()
	for _, want := range []string{"0 1", "0 0"} {
		c.removePolicy("ports")
		if found := string(rune('0'+len(c.PolicyUses()))) + " " + string(rune('0'+len(c.Predicates()))); found != want {
			t.Errorf("expected %s, found %s", want, found)
		}
	}
}

// A snapshot does not contain the answers of predicates. If the predicates are removed by the first input after it, the restored
// scheduler asks the same questions as the original one.
func TestASnapshotIsGoneOnFromWherePredicatesAreRemoved(t *testing.T) {
	const before = `{"at":"0s","type":"app.add","id":"a","queue":"root.default"}
{"at":"0s","type":"node.add","id":"n1","capacity":{"vcore":3}}
{"at":"0s","type":"node.add","id":"n2","capacity":{"vcore":3}}
{"at":"1s","type":"ask.add","id":"a1","app":"a","resources":{"vcore":1},"predicate":"ports"}
{"at":"1s","type":"ask.add","id":"a2","app":"a","resources":{"vcore":2},"predicate":"ports"}
{"at":"1s","type":"ask.add","id":"a3","app":"a","resources":{"vcore":2},"predicate":"ports"}
`
	const after = `{"at":"4s","type":"ask.add","id":"a4","app":"a","resources":{"vcore":1},"predicate":"ports"}
{"at":"5s","type":"allocation.release","id":"a1"}
{"at":"9s","type":"allocation.release","id":"a2"}
{"at":"400s","type":"tick"}
`
	for name, c := range map[string]struct {
		remove string
		fail   map[int]error
		same   bool
	}{
		"removed":          {`{"at":"3s","type":"policy.remove","name":"ports"}` + "\n", nil, true},
		"with a fault":     {`{"at":"3s","type":"policy.remove","name":"ports"}` + "\n", map[int]error{2: errors.New("lost"), 4: errors.New("lost")}, true},
		"without removing": {"", nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := record(t, panel(moods(c.fail, swinging)))
			r.play(before, nil)
			snapshot := r.Snapshot()
			r.text.Reset()
			r.decisions = nil
			r.play(c.remove+after, nil)
			if !strings.Contains(r.text.String(), `"type":"policy.answers"`) {
				t.Fatal("nothing was recorded")
			}
			restored, err := scheduler.Restore(snapshot, core.Options{})
			if err != nil {
				t.Fatal(err)
			}
			expected, again := lines(t, r.decisions), lines(t, replay(t, restored, r.text.String()))
			if (again == expected) != c.same || c.same && strings.Contains(again, string(core.ReasonPolicyDiverged)) {
				t.Errorf("the journal\n%s\ngave\n%s\nand a replay from the snapshot\n%s", r.text.String(), expected, again)
			}
		})
	}
}
