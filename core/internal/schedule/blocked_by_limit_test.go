package schedule

import (
	"fmt"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/resumable"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/resource"
)

func limitedWalk(t *testing.T, limits string) *Walk {
	t.Helper()
	shared := state.New(core.Options{})
	s := newWalk(shared.Partition(0))
	shared.Advance(0)
	s.do(t, core.Input{Event: &core.SetConfig{Config: "partitions: [{name: default, queues: [{name: root, limits: [" + limits + "], queues: [{name: a}]}]}]"}})
	s.do(t, core.Input{Event: &core.AddNode{ID: "n", Capacity: amountOf(1000)}})
	return s
}

func amountOf(v int64) resource.Set {
	return resource.NewSet(resource.Quantity{Type: "vcore", Value: v})
}

// do applies an input and runs the cycle to its end.
func (s *Walk) do(t *testing.T, in core.Input) {
	t.Helper()
	if refused := s.state.Apply(&in); refused != core.Accepted {
		t.Fatalf("%s %s: %s", in.Type(), in.ID(), refused)
	}
	s.progress.Begin(resumable.Unlimited())
	for s.Step() != Nothing {
	}
	s.Follow()
	s.state.TrimLog()
}

func TestLimitQueue_AskRetriedWhenItsUsageFalls(t *testing.T) {
	s := limitedWalk(t, "{users: [u], maxresources: {vcore: 2m}}")
	s.do(t, core.Input{Event: &core.AddApp{ID: "u", Queue: "root.a", User: "u"}})
	s.do(t, core.Input{Event: &core.AddApp{ID: "v", Queue: "root.a", User: "v"}})
	for i := range 5 {
		s.do(t, core.Input{Event: &core.AddAsk{ID: fmt.Sprint("u", i), App: "u", Resources: amountOf(1)}})
	}
	slept := s.blocked.count
	if slept == 0 {
		t.Fatal("nothing sleeps")
	}
	for i := range 50 {
		s.do(t, core.Input{Event: &core.AddAsk{ID: fmt.Sprint("v", i), App: "v", Resources: amountOf(1)}})
		s.do(t, core.Input{Event: &core.ReleaseAllocation{ID: fmt.Sprint("v", i)}})
	}
	if s.blocked.count != slept {
		t.Fatalf("the asks were looked at %d times while others came and went", s.blocked.count-slept)
	}
	s.do(t, core.Input{Event: &core.ReleaseAllocation{ID: "u0"}})
	if s.blocked.count != slept+1 || s.state.Asks().Find("u2").Pending() {
		t.Fatalf("a release let the next ask in and sent the others to sleep again: found %d looks", s.blocked.count-slept)
	}
}

func TestBlockedAsks_LeaveNothingBehind(t *testing.T) {
	s := limitedWalk(t, "{users: [u], maxresources: {vcore: 1m}, maxapplications: 1}")
	s.do(t, core.Input{Event: &core.AddApp{ID: "first", Queue: "root.a", User: "u"}})
	s.do(t, core.Input{Event: &core.AddAsk{ID: "first", App: "first", Resources: amountOf(1)}})
	for i := range 500 {
		id := fmt.Sprint(i)
		s.do(t, core.Input{Event: &core.AddApp{ID: id, Queue: "root.a", User: "u"}}) // exceeds maxapplications
		s.do(t, core.Input{Event: &core.AddAsk{ID: id, App: id, Resources: amountOf(1)}})
		s.do(t, core.Input{Event: &core.AddAsk{ID: "more" + id, App: "first", Resources: amountOf(int64(i + 1))}}) // exceeds maxresources
		s.do(t, core.Input{Event: &core.RemoveApp{ID: id}})
		s.do(t, core.Input{Event: &core.RemoveAsk{ID: "more" + id}})
	}
	kept := 0
	for _, l := range s.blocked.byLimit {
		kept += len(l.list)
	}
	if kept > 2*minEntries {
		t.Fatalf("%d are kept of 1000 that slept and have gone", kept)
	}
}
