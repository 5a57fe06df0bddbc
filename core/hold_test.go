package core

import (
	"fmt"
	"testing"

	"github.com/quern-project/quern/core/resource"
)

// TestNothingIsKeptOfAsksForNodesThatNeverCame has applications come and go that require nodes which do not exist.
func TestNothingIsKeptOfAsksForNodesThatNeverCame(t *testing.T) {
	s := New(Options{})
	s.Advance(0)
	amount := resource.NewSet(resource.Quantity{Type: "vcore", Value: 1})
	s.Apply(&Input{Type: NodeAdd, ID: "n", Capacity: amount})
	for i := range 50 {
		id := fmt.Sprint(i)
		s.Apply(&Input{Type: AppAdd, ID: id, Queue: "root.default"})
		s.Apply(&Input{Type: AskAdd, ID: id, App: id, Resources: amount, Ask: Ask{Node: "absent" + id}})
		s.Cycle(-1)
		if len(s.resting) != 1 {
			t.Fatalf("expected the ask to rest, found %d nodes", len(s.resting))
		}
		s.Apply(&Input{Type: AppRemove, ID: id})
		if len(s.resting) != 0 {
			t.Fatalf("expected nothing to rest, found %d nodes", len(s.resting))
		}
	}
}
