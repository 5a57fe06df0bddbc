package schedule

import (
	"fmt"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/resource"
)

// TestAsksForMissingNodes_LeaveNothingBehind adds and removes applications whose asks require nodes that do not exist.
func TestAsksForMissingNodes_LeaveNothingBehind(t *testing.T) {
	s := newWalk(state.New(core.Options{}).Partition(0))
	s.state.Advance(0)
	amount := resource.NewSet(resource.Quantity{Type: "vcore", Value: 1})
	s.state.Apply(&core.Input{Event: &core.AddNode{ID: "n", Capacity: amount}})
	for i := range 50 {
		id := fmt.Sprint(i)
		s.state.Apply(&core.Input{Event: &core.AddApp{ID: id, Queue: "root.default"}})
		s.state.Apply(&core.Input{Event: &core.AddAsk{ID: id, App: id, Resources: amount, Ask: core.Ask{Node: "absent" + id}}})
		for s.Step() != Nothing {
			t.Fatal("expected no allocation")
		}
		if len(s.suspended) != 1 {
			t.Fatalf("expected the ask to rest, found %d nodes", len(s.suspended))
		}
		s.state.Apply(&core.Input{Event: &core.RemoveApp{ID: id}})
		s.Follow()
		if len(s.suspended) != 0 {
			t.Fatalf("expected nothing to rest, found %d nodes", len(s.suspended))
		}
	}
}
