package scheduler_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
)

// preempting returns a cluster in which two asks of root.prod have a claim each, and one of the victims has left.
func preempting(t testing.TB) *cluster {
	c := newCluster(t, core.Options{}, `, queues: [{name: test}, {name: prod, resources: {guaranteed: {vcore: 9}}}]`)
	c.app("test", "root.test")
	c.app("prod", "root.prod")
	for _, n := range []string{"n1", "n2", "n3"} {
		c.node(n, 2)
		c.restore("a-"+n, "test", n, 1, core.Ask{})
		c.restore("b-"+n, "test", n, 1, core.Ask{})
	}
	c.ask("p1", "prod", 2)
	c.ask("p2", "prod", 2)
	c.wait(30 * time.Second)
	c.expect("victims", c.preempted(), "a-n3@n3 b-n3@n3 a-n2@n2 b-n2@n2 ")
	c.release("a-n3")
	c.cycle()
	return c
}

func TestSnapshot_MidWaitContinues(t *testing.T) {
	c := preempting(t)
	next, err := scheduler.Restore(c.Snapshot(), core.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if again := next.Snapshot(); !bytes.Equal(again, c.Snapshot()) {
		t.Errorf("expected the same snapshot again, found\n%s\nafter\n%s", again, c.Snapshot())
	}
	for _, id := range []string{"a-n3", "b-n3", "p1"} {
		was, _ := c.ExplainAsk(id)
		is, ok := next.ExplainAsk(id)
		if !ok || was.Text != is.Text {
			t.Errorf("%s: expected %q, found %q", id, was.Text, is.Text)
		}
	}
}

func TestASnapshotWhoseClaimsContradictItIsRefused(t *testing.T) {
	snapshot := preempting(t).Snapshot()
	for _, tc := range []struct {
		what  string
		value any
		path  []any
	}{
		{"a claim on no node", "n9", []any{"Asks", "p1", "Keeps"}},
		{"two claims on a node", "n2", []any{"Asks", "p1", "Keeps"}},
		{"a claim of an allocation", "n1", []any{"Asks", "a-n1", "Keeps"}},
		{"two claims of one number", 2, []any{"Asks", "p1", "Claimed"}},
		{"a claim's number that is yet to come", yetToCome, []any{"Asks", "p1", "Claimed"}},
		{"a victim of a claim that is yet to come", yetToCome, []any{"Asks", "b-n3", "Leaving", "Claim"}},
		{"a victim that is not allocated", map[string]any{"Claim": 1}, []any{"Asks", "p1", "Leaving"}},
	} {
		if _, err := scheduler.Restore(edit(t, snapshot, tc.value, tc.path...), core.Options{}); err == nil {
			t.Errorf("%s: it is taken", tc.what)
		}
	}
}

func TestRestore_AskWithClaimAndReservation(t *testing.T) {
	snapshot := edit(t, preempting(t).Snapshot(), 1, "Counters", "Reserved")
	snapshot = edit(t, snapshot, 1, "Asks", "p1", "Reserved")
	snapshot = edit(t, snapshot, "n1", "Asks", "p1", "Reserves")
	_, err := scheduler.Restore(snapshot, core.Options{})
	want := `ask "p1": expected a claim or a reservation, found a claim on "n3" and a reservation on "n1"`
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("expected %q, found %v", want, err)
	}
}
