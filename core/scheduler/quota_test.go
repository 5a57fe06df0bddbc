package scheduler_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
)

// quotaQueues returns root.q with some max and its leaves a and b; a has a guarantee of 2.
func quotaQueues(vcores int, more string) string {
	return fmt.Sprintf(", queues: [{name: q, resources: {max: {vcore: %d}}, properties: {quota.preemption.delay: 10s}, "+
		"queues: [{name: a, resources: {guaranteed: {vcore: 2}}}, {name: b%s}]}, {name: o}]", vcores, more)
}

const quotaSwitch = ", preemption: {quotapreemptionenabled: true}"

// overQuota returns a cluster with four allocations of 1 vcore each in root.q.a and root.q.b, after the max of root.q was lowered to 6.
func overQuota(t testing.TB) *cluster {
	c := newCluster(t, core.Options{}, quotaQueues(8, ""))
	c.node("n", 20)
	for _, leaf := range []string{"a", "b"} {
		c.app(leaf, "root.q."+leaf)
		for i := range 4 {
			c.ask(fmt.Sprint(leaf, i+1), leaf, 1)
		}
	}
	c.cycle()
	c.configureWith(quotaQueues(6, ""), quotaSwitch)
	c.cycle()
	return c
}

func (c *cluster) quotaOf(path string) string {
	e, ok := c.ExplainQueue(path)
	if !ok {
		c.t.Fatalf("there is no queue %s", path)
	}
	if e.Quota == nil {
		return ""
	}
	_, text, _ := strings.Cut(e.Text, "Queue "+path+" uses ")
	text, _, _ = strings.Cut(text, ". ")
	return fmt.Sprintf("%s %s", e.Quota.Reason, text)
}

func TestAQueueOverItsMaxIsExplained(t *testing.T) {
	c := overQuota(t)
	c.expect("before", c.quotaOf("root.q"), " 2 vcore more than its max: it releases that in 10s.")
	c.expect("a queue within its max", c.quotaOf("root.q.a"), "")
	c.configureWith(quotaQueues(6, ", resources: {max: {vcore: 1}}"), quotaSwitch)
	c.wait(10 * time.Second)
	c.expect("at the round", c.quotaOf("root.q"), "")
	c.expect("below it", c.quotaOf("root.q.b"), "waits-for-queue-above 2 vcore more than its max: it releases that when the allocations have left that queue root.q releases.")
	e, _ := c.ExplainAsk("b4")
	c.expect("a victim", e.Victim.Text, "Allocation b4 has been told to leave node n, since root.q used 8 of its max of 6 vcore (preemption by quota). b4 of root.q.b has priority 0.")
	c.configure(quotaQueues(3, ""))
	c.expect("switched off", c.quotaOf("root.q"), "switched-off 3 vcore more than its max: it releases nothing, since preemption by quota is off in the partition (preemption.quotapreemptionenabled).")
	c.configureWith(strings.ReplaceAll(quotaQueues(3, ""), "10s", "0s"), quotaSwitch)
	c.expect("no delay", c.quotaOf("root.q"), "no-delay 3 vcore more than its max: it releases nothing, since no quota.preemption.delay is in force for it.")
}

func TestAQueueThatCannotGiveMoreIsExplained(t *testing.T) {
	c := newCluster(t, core.Options{}, quotaQueues(8, ""))
	c.node("n", 20)
	c.app("b", "root.q.b")
	c.askWith("bound", "b", 3, core.Ask{Node: "n"})
	c.cycle()
	c.configureWith(quotaQueues(2, ""), quotaSwitch)
	c.wait(10 * time.Second)
	c.expect("after the round", c.quotaOf("root.q"), "no-candidates 1 vcore more than its max: no more of its allocations may go; it is looked at again when its usage or its configuration changes.")
}

func TestAnotherMaxIsTriedWithoutAnyChange(t *testing.T) {
	c := overQuota(t)
	before := c.Snapshot()
	for _, tc := range []struct {
		path, limit string
		stored      int64
		want        string
	}{
		{"root.q", "vcore", 8000, "Queue root.q uses no more than that."},
		{"root.q", "gpu", 0, "Queue root.q uses no more than that."},
		{"root.q", "vcore", 5000, "Queue root.q uses 3 vcore more than that and would release b3, b4 and a4, once it has been over its max for 10s."},
		{"root.q", "vcore", 0, "Queue root.q uses 8 vcore more than that and would release b1, b2, b3, b4, a3 and a4, once it has been over its max for 10s. 2 vcore would stay over the max."},
		{"ROOT.q.a", "vcore", 3000, "Queue root.q.a uses 1 vcore more than that and would release a4, once it has been over its max for 10s."},
		{"root", "vcore", 7000, "Queue root uses 1 vcore more than that; it releases nothing, since only queues below root do. Otherwise it would release b4."},
	} {
		e, ok := c.ExplainMax(tc.path, resource.NewSet(resource.Quantity{Type: tc.limit, Value: tc.stored}))
		if !ok || e.Text != tc.want {
			t.Errorf("%s %s %d: %q, want %q", tc.path, tc.limit, tc.stored, e.Text, tc.want)
		}
	}
	if _, ok := c.ExplainMax("root.none", nil); ok {
		t.Error("a queue that is not there is explained")
	}
	if !bytes.Equal(before, c.Snapshot()) {
		t.Error("something has changed")
	}
}

func TestASnapshotThatContradictsTheMaximaIsRefused(t *testing.T) {
	c := overQuota(t)
	waiting := c.Snapshot()
	c.wait(10 * time.Second)
	leaving := c.Snapshot()
	for what, data := range map[string][]byte{
		"over the max since later":          edit(t, waiting, int64(time.Hour), "Over", "root.q", "Since"),
		"a queue that is not there":         edit(t, waiting, "root.z", "Over", "root.q", "Queue"),
		"a queue within its max":            edit(t, waiting, "root.o", "Over", "root.q", "Queue"),
		"nothing of the queue over its max": edit(t, waiting, nil, "Over"),
		"a victim for an ask and a queue":   edit(t, edit(t, leaving, 1, "Counters", "Claimed"), 1, "Asks", "b4", "Leaving", "Claim"),
	} {
		if _, err := scheduler.Restore(data, core.Options{}); err == nil {
			t.Errorf("%s: it is taken", what)
		} else if !strings.HasPrefix(err.Error(), "snapshot: ") {
			t.Error(err)
		}
	}
	if _, err := scheduler.Restore(edit(t, waiting, int64(time.Second), "Now"), core.Options{}); err != nil {
		t.Error(err)
	}
}

// An ask that has waited in another leaf may preempt as soon as the delay of its new leaf is over, and not only after asks that were
// added to that leaf later.
func TestAMovedAskPreemptsAfterTheDelayOfItsNewLeaf(t *testing.T) {
	c := newCluster(t, core.Options{}, ", properties: {reservation.delay: 0s}, queues: [{name: slow, resources: {guaranteed: {vcore: 2}}, properties: {preemption.delay: 1h}}, "+
		"{name: fast, resources: {guaranteed: {vcore: 2}}, properties: {preemption.delay: 10s}}, {name: lent}]")
	c.node("n", 2)
	c.app("l", "root.lent")
	c.ask("v1", "l", 1)
	c.ask("v2", "l", 1)
	c.app("x", "root.slow")
	c.app("y", "root.fast")
	c.cycle()
	c.wait(time.Second)
	c.ask("old", "x", 1)
	c.wait(3 * time.Second)
	c.ask("young", "y", 2)
	c.wait(time.Second)
	c.decisions = nil
	c.say(core.Input{Event: &core.MoveApp{ID: "x", Queue: "root.fast"}})
	c.cycle()
	c.expect("the deadline", fmt.Sprint(c.Deadline()), "11s true")
	c.wait(6 * time.Second)
	c.expect("what is decided", lines(t, c.decisions), `{"seq":13,"at":"5s","type":"app.moved","id":"x","from":"root.slow","to":"root.fast"}
{"seq":14,"at":"11s","type":"preemption","id":"v2","for":"old","node":"n","queue":"root.lent","right":"guarantee"}
`)
}
