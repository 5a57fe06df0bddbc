package ledger

import (
	"slices"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/resource"
)

// told is a watcher that records each preemption, with the ask or queue that preempts.
type told struct {
	NopWatcher
	lines []string
}

func (t *told) Preempted(p Preemption) {
	line := p.Victim.ID + " for "
	if p.Quota != nil {
		line += p.Quota.Path
	} else {
		line += p.For.ID
	}
	line += ": " + string(p.Kind)
	if p.Observed {
		line += ", observed"
	}
	t.lines = append(t.lines, line)
}

// busy returns a ledger with an allocation in root.b and three asks that may preempt it.
func busy(w Watcher) *Ledger {
	l := New(w)
	one := resource.NewSet(resource.Quantity{Type: resource.VCore, Value: 1000})
	l.Applied(&core.Input{Event: &core.AddNode{ID: "n", Capacity: one}}, core.Accepted, nil)
	for id, queue := range map[string]string{"a": "root.a", "b": "root.b"} {
		l.Applied(&core.Input{Event: &core.AddApp{ID: id, Queue: queue}}, core.Accepted, []core.Decision{{Type: core.AppAccepted, ID: id, Queue: queue}})
	}
	l.Applied(&core.Input{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: "v", App: "b", Resources: one}, PlacedOn: "n"}}, core.Accepted, nil)
	for id, app := range map[string]string{"owed": "a", "urgent": "b"} {
		l.Applied(&core.Input{Event: &core.AddAsk{ID: id, App: app, Resources: one}}, core.Accepted, nil)
	}
	bound := core.Input{Event: &core.AddAsk{ID: "bound", App: "b", Resources: one}}
	bound.Ask().Node = "n"
	l.Applied(&bound, core.Accepted, nil)
	return l
}

func TestTheRightOfAPreemptionFollowsFromTheAsk(t *testing.T) {
	for by, want := range map[string]string{
		"owed": "v for owed: guarantee", "urgent": "v for urgent: queue", "bound": "v for bound: required-node",
	} {
		var w told
		busy(&w).Decided([]core.Decision{{Type: core.Preemption, ID: "v", For: by, Node: "n", Queue: "root.b"}})
		if !slices.Equal(w.lines, []string{want}) {
			t.Errorf("got %q, want %q", w.lines, want)
		}
	}
}

func TestVictimsThatAreObservedOrUnknown(t *testing.T) {
	var w told
	busy(&w).Decided([]core.Decision{
		{Type: core.Observed, ID: "v", For: "urgent", Node: "n", Queue: "root.b"},
		{Type: core.Preemption, ID: "v", For: "owed", Node: "n", Queue: "root.b"},
		{Type: core.Preemption, ID: "stranger", For: "owed", Node: "n", Queue: "root.b"},
	})
	want := []string{"v for urgent: queue, observed", "v for owed: guarantee"}
	if !slices.Equal(w.lines, want) {
		t.Errorf("got %q, want %q", w.lines, want)
	}
}

func TestAQueueOverItsMaxGivesBack(t *testing.T) {
	var w told
	l := busy(&w)
	l.Decided([]core.Decision{{Type: core.Preemption, ID: "v", Quota: "root.b", Node: "n", Queue: "root.b"}})
	if want := []string{"v for root.b: quota"}; !slices.Equal(w.lines, want) {
		t.Errorf("got %q, want %q", w.lines, want)
	}
	if l.Totals.Kinds[explain.ByQuota] != 1 || l.queue("root.b").Victims != 1 {
		t.Errorf("%v, %d victims", l.Totals.Kinds, l.queue("root.b").Victims)
	}
}

func TestAMovedApplicationIsBookedInItsNewQueue(t *testing.T) {
	l := busy(&told{})
	l.Decided([]core.Decision{{Type: core.AppMoved, ID: "b", From: "root.b", To: "root.c"}})
	b, c := l.queue("root.b"), l.queue("root.c")
	if b.Running != 0 || b.Pending != 0 || b.Used.At(0) != 0 {
		t.Errorf("root.b: %d running, %d pending, %d used", b.Running, b.Pending, b.Used.At(0))
	}
	if c.Running != 1 || c.Pending != 2 || c.Used.At(0) != 1000 || c.Parent.Running != 1 || c.Parent.Pending != 3 {
		t.Errorf("root.c: %d running, %d pending, %d used; root: %d running, %d pending", c.Running, c.Pending, c.Used.At(0), c.Parent.Running, c.Parent.Pending)
	}
	l.Applied(&core.Input{Event: &core.RemoveApp{ID: "b"}}, core.Accepted, []core.Decision{{Type: core.Release, ID: "v", Submission: 1, Reason: core.ReasonAppRemoved}})
	if c.Running != 0 || c.Pending != 0 || l.Pending != 1 {
		t.Errorf("root.c: %d running, %d pending; %d pending in all", c.Running, c.Pending, l.Pending)
	}
}
