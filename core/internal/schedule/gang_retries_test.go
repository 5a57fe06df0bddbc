package schedule

import (
	"fmt"
	"testing"

	"github.com/quern-project/quern/core"
)

// gangWalkOf makes a walk with one node and a gang of members of the given sizes, of which two must be allocated together.
func gangWalkOf(t *testing.T, node int64, sizes ...int64) *Walk {
	t.Helper()
	s := limitedWalk(t, "")
	s.do(t, core.Input{Event: &core.UpdateNode{ID: "n", Capacity: amountOf(node)}})
	s.do(t, core.Input{Event: &core.AddApp{ID: "gang", Queue: "root.a", User: "u"}})
	s.do(t, core.Input{Event: &core.AddApp{ID: "other", Queue: "root.a", User: "v"}})
	for i, size := range sizes {
		s.do(t, core.Input{Event: &core.AddAsk{ID: fmt.Sprint("g", i), App: "gang", Resources: amountOf(size), Ask: core.Ask{Gang: &core.Gang{ID: "g", Min: 2}}}})
	}
	return s
}

func TestGang_NotRetriedWhenRoomShrinks(t *testing.T) {
	s := gangWalkOf(t, 9, 6, 5, 5)
	if len(s.gangs.reopening) != 0 {
		t.Error("it is tried again whenever anything changes")
	}
	s.do(t, core.Input{Event: &core.UpdateNode{ID: "n", Capacity: amountOf(11)}})
	if s.state.Asks().Find("g0").Pending() || s.state.Asks().Find("g1").Pending() {
		t.Error("it is not tried when a node has grown")
	}
}

func TestAGangThatFitsOnceRoomHasShrunkIsTriedThen(t *testing.T) {
	s := gangWalkOf(t, 6, 6, 3, 2)
	if len(s.gangs.reopening) != 1 {
		t.Fatal("it is not tried when anything changes")
	}
	s.do(t, core.Input{Event: &core.AddAsk{ID: "one", App: "other", Resources: amountOf(1)}})
	if s.state.Asks().Find("g1").Pending() || s.state.Asks().Find("g2").Pending() {
		t.Error("it was not tried")
	}
	if s.do(t, core.Input{Event: &core.AddAsk{ID: "late", App: "other", Resources: amountOf(1)}}); len(s.gangs.reopening) != 0 {
		t.Error("it is still listed")
	}
}

// A blocked gang is listed at each limit of its application until a member fits one of them.
func TestAGangIsTriedWhenALimitHasRoomForAMember(t *testing.T) {
	s := limitedWalk(t, "{users: [u], maxresources: {vcore: 5m}}")
	s.do(t, core.Input{Event: &core.AddApp{ID: "gang", Queue: "root.a", User: "u"}})
	s.do(t, core.Input{Event: &core.AddApp{ID: "single", Queue: "root.a", User: "u"}})
	for i := range 5 {
		s.do(t, core.Input{Event: &core.AddAsk{ID: fmt.Sprint("s", i), App: "single", Resources: amountOf(1)}})
	}
	for i := range 2 {
		s.do(t, core.Input{Event: &core.AddAsk{ID: fmt.Sprint("g", i), App: "gang", Resources: amountOf(2), Ask: core.Ask{Gang: &core.Gang{ID: "g", Min: 2}}}})
	}
	slept := s.blocked.count
	for i := range 3 {
		s.do(t, core.Input{Event: &core.ReleaseAllocation{ID: fmt.Sprint("s", i)}})
		if looks := int(s.blocked.count - slept); looks != i {
			t.Fatalf("after %d releases it was looked at %d times", i+1, looks)
		}
	}
	s.do(t, core.Input{Event: &core.ReleaseAllocation{ID: "s3"}})
	if s.state.Asks().Find("g0").Pending() || s.state.Asks().Find("g1").Pending() {
		t.Error("it was not tried with the room for two members")
	}
}
