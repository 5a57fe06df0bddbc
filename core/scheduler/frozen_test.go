package scheduler_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
)

// A version with a leaving victim is not affected by later changes of its scheduler or its forks.
func TestFrozen_StaysUnchanged(t *testing.T) {
	amount := func(n int64) resource.Set {
		return resource.NewSet(resource.Quantity{Type: resource.VCore, Value: n * 1000})
	}
	s := scheduler.New(core.Options{})
	s.Advance(0)
	const queues = `partitions: [{queues: [{name: root, queues: [{name: low}, {name: high, resources: {guaranteed: {vcore: 2}}, properties: {preemption.delay: 1s}}]}]}]`
	for _, in := range []core.Input{
		{Event: &core.SetConfig{Config: queues}},
		{Event: &core.AddNode{ID: "n", Capacity: amount(2)}},
		{Event: &core.AddApp{ID: "l", Queue: "root.low"}},
		{Event: &core.AddApp{ID: "h", Queue: "root.high"}},
		{Event: &core.AddAsk{ID: "victim", App: "l", Resources: amount(2)}},
	} {
		s.Apply(&in)
	}
	s.Cycle(-1)
	s.Apply(&core.Input{Event: &core.AddAsk{ID: "taker", App: "h", Resources: amount(1)}})
	s.Cycle(-1)
	s.Advance(time.Second)
	s.Cycle(-1)
	before := s.Snapshot()
	if !bytes.Contains(before, []byte(`"For":"taker"`)) {
		t.Fatalf("nobody was preempted:\n%s", before)
	}
	s.Take()
	kept, err := s.Freeze()
	if err != nil {
		t.Fatal(err)
	}
	leave := func(s *scheduler.Scheduler) []byte {
		s.Advance(2 * time.Second)
		s.Apply(&core.Input{At: 2 * time.Second, Event: &core.ReleaseAllocation{ID: "victim"}})
		s.Apply(&core.Input{At: 2 * time.Second, Event: &core.RemoveApp{ID: "l"}})
		s.Cycle(-1)
		return s.Snapshot()
	}
	after := leave(s)
	for range 2 {
		again := kept.Fork(core.Options{})
		if found := again.Snapshot(); !bytes.Equal(found, before) {
			t.Fatalf("expected\n%s\nfound\n%s", before, found)
		}
		if found := leave(again); !bytes.Equal(found, after) {
			t.Fatalf("expected\n%s\nfound\n%s", after, found)
		}
	}
}
