package scheduler_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
)

func TestGangs_HowTheyStand(t *testing.T) {
	s := scheduler.New(core.Options{})
	one := resource.NewSet(resource.Quantity{Type: resource.VCore, Value: 1000})
	apply := func(at time.Duration, events ...core.Event) {
		s.Advance(at)
		for _, e := range events {
			in := core.Input{At: at, Event: e}
			if refused := s.Apply(&in); refused != core.Accepted {
				t.Fatalf("%T is refused: %s", e, refused)
			}
		}
		s.Cycle(-1)
		s.Take()
	}
	member := func(id, app, gang string) core.Event {
		return &core.AddAsk{ID: id, App: app, Resources: one, Ask: core.Ask{Gang: &core.Gang{ID: gang, Min: 2}}}
	}
	expect := func(want string) {
		t.Helper()
		if found := fmt.Sprint(s.Gangs()); found != want {
			t.Errorf("expected %s, found %s", want, found)
		}
	}
	expect("[]")
	apply(0, &core.AddNode{ID: "n", Capacity: resource.NewSet(resource.Quantity{Type: resource.VCore, Value: 3000})},
		&core.AddApp{ID: "x", Queue: "root.default"}, &core.AddApp{ID: "y", Queue: "root.default"}, &core.AddAsk{ID: "alone", App: "y", Resources: one})
	apply(1, member("b", "x", "g"), member("a", "x", "g"), member("c", "x", "g"), member("d", "y", "h"))
	expect("[{x g 2 2 false false [a b c]} {y h 2 0 false false [d]}]")
	apply(2, &core.ReleaseAllocation{ID: "a", Failed: true}, &core.ReleaseAllocation{ID: "b"}, &core.RemoveAsk{ID: "d"})
	expect("[{x g 1 1 false false [c]}]")
	apply(3, &core.ReleaseAllocation{ID: "c", Failed: true})
	expect("[]")
}
