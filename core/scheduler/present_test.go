package scheduler_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"pgregory.net/rapid"
)

// The inputs that describe the present rebuild the same nodes, applications and allocations, with the same pending asks.
func TestThePresentBuildsTheClusterAnew(t *testing.T) {
	const queues = `partitions:
- {name: default, queues: [{name: root, queues: [{name: low}, {name: high, resources: {guaranteed: {vcore: 2}, max: {vcore: 3}}}]}]}
- {name: gpu, queues: [{name: root, queues: [{name: a}]}]}`
	s := scheduler.New(core.Options{})
	s.Advance(5)
	for _, in := range []core.Input{
		{Event: &core.SetConfig{Config: queues}},
		{Event: &core.AddNode{ID: "n1", Capacity: vcores(4), Attributes: map[string]string{"zone": "a"}}},
		{Event: &core.AddNode{ID: "n2", Capacity: vcores(4), Occupied: vcores(1), Unschedulable: true}},
		{Event: &core.AddNode{ID: "g1", Partition: "gpu", Capacity: vcores(2)}},
		{Event: &core.AddApp{ID: "l", Queue: "root.low", User: "ann", Groups: []string{"dev"}}},
		{Event: &core.AddApp{ID: "h", Queue: "root.high"}},
		{Event: &core.AddApp{ID: "g", Partition: "gpu", Queue: "root.a"}},
		{Event: &core.AddApp{ID: "gang", Queue: "root.low", Placeholders: &core.Placeholders{Ask: vcores(2)}}},
		{Event: &core.AddAsk{ID: "l1", App: "l", Resources: vcores(1), Ask: core.Ask{Priority: 3, Constraints: map[string][]string{"zone": {"a"}}}}},
		{Event: &core.AddAsk{ID: "h1", App: "h", Resources: vcores(3), Ask: core.Ask{Originator: true}}},
		{Event: &core.AddAsk{ID: "h2", App: "h", Resources: vcores(1), Ask: core.Ask{NoPreemptOthers: true}}},
		{Event: &core.AddAsk{ID: "g2", App: "g", Resources: vcores(2)}},
		{Event: &core.AddAsk{ID: "hold", App: "gang", Resources: vcores(2), Ask: core.Ask{Placeholder: true, TaskGroup: "w"}}},
	} {
		in.At = 5
		if reason := s.Apply(&in); reason != core.Accepted {
			t.Fatalf("%+v: %s", in, reason)
		}
	}
	s.Cycle(-1)
	same(t, s, rebuilt(t, s))
}

// In a rebuilt cluster, succeeded gang members still count, and a placed gang stays placed.
func TestPresent_GangsThatHaveSucceeded(t *testing.T) {
	s := scheduler.New(core.Options{})
	s.Advance(5)
	member := func(s *scheduler.Scheduler, id, app string, vcore int64) {
		t.Helper()
		in := core.Input{At: 5, Event: &core.AddAsk{ID: id, App: app, Resources: vcores(vcore), Ask: core.Ask{Gang: &core.Gang{ID: "g", Min: 2}}}}
		if reason := s.Apply(&in); reason != core.Accepted {
			t.Fatalf("%s: %s", id, reason)
		}
	}
	s.Apply(&core.Input{At: 5, Event: &core.SetConfig{Config: `partitions: [{queues: [{name: root, queues: [{name: a}]}]}]`}})
	s.Apply(&core.Input{At: 5, Event: &core.AddNode{ID: "n", Capacity: vcores(5)}})
	for _, app := range []string{"ended", "runs"} {
		s.Apply(&core.Input{At: 5, Event: &core.AddApp{ID: app, Queue: "root.a"}})
		member(s, app+"-1", app, 1)
		member(s, app+"-2", app, 1)
	}
	member(s, "runs-3", "runs", 5)
	s.Cycle(-1)
	s.Apply(&core.Input{At: 5, Event: &core.ReleaseAllocation{ID: "ended-1"}})
	s.Apply(&core.Input{At: 5, Event: &core.ReleaseAllocation{ID: "ended-2", Failed: true}})
	s.Apply(&core.Input{At: 5, Event: &core.ReleaseAllocation{ID: "runs-1", Failed: true}})
	s.Take()
	again := rebuilt(t, s)
	same(t, s, again)
	again.Take()
	again.Apply(&core.Input{At: 5, Event: &core.AddNode{ID: "n2", Capacity: vcores(6)}})
	member(again, "ended-again", "ended", 1)
	again.Cycle(-1)
	var allocated []string
	for _, d := range again.Take() {
		if d.Type == core.Allocation {
			allocated = append(allocated, d.ID)
		}
	}
	if expected := []string{"ended-again", "runs-3"}; !slices.Equal(slices.Sorted(slices.Values(allocated)), expected) {
		t.Errorf("expected the allocations %v, found %v", expected, allocated)
	}
}

func TestThePresentOfRandomClustersIsTakenAsItIs(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := scheduler.New(core.Options{})
		s.Advance(1)
		s.Apply(&core.Input{At: 1, Event: &core.SetConfig{Config: `partitions: [{queues: [{name: root, queues: [{name: a, resources: {max: {vcore: 5}}}, {name: b}]}]}]`}})
		ids := []string{"1", "2", "3", "4"}
		part := rapid.SampledFrom(ids)
		for range rapid.IntRange(1, 40).Draw(rt, "inputs") {
			id, in := part.Draw(rt, "id"), core.Input{At: 1}
			switch rapid.IntRange(0, 4).Draw(rt, "type") {
			case 0:
				in.Event = &core.AddNode{ID: id, Capacity: vcores(rapid.Int64Range(1, 6).Draw(rt, "capacity"))}
			case 1:
				in.Event = &core.AddApp{ID: id, Queue: rapid.SampledFrom([]string{"root.a", "root.b"}).Draw(rt, "queue")}
			case 2, 3:
				in.Event = &core.AddAsk{ID: id + part.Draw(rt, "ask"), App: id, Resources: vcores(rapid.Int64Range(1, 4).Draw(rt, "amount")),
					Ask: core.Ask{Priority: rapid.Int32Range(0, 2).Draw(rt, "priority")}}
			case 4:
				in.Event = &core.ReleaseAllocation{ID: id + part.Draw(rt, "ask")}
			}
			s.Apply(&in)
			s.Cycle(-1)
		}
		same(rt, s, rebuilt(rt, s))
	})
}

// rebuilt applies the inputs that describe the present to a new scheduler. None of them may be refused.
func rebuilt(t rapid.TB, s *scheduler.Scheduler) *scheduler.Scheduler {
	t.Helper()
	again := scheduler.New(core.Options{})
	again.Advance(s.Now())
	list := s.Present()
	for i := range list {
		if reason := again.Apply(&list[i]); reason != core.Accepted {
			t.Errorf("%+v: %s", list[i], reason)
		}
	}
	again.Cycle(-1)
	return again
}

// same compares the contents of clusters, without their history.
func same(t rapid.TB, a, b *scheduler.Scheduler) {
	t.Helper()
	type ask struct {
		ID, Node string
		Priority int32
	}
	content := func(s *scheduler.Scheduler) (nodes []core.NodeDump, asks map[string][]ask) {
		d, asks := s.Dump(), map[string][]ask{}
		for _, n := range d.Nodes {
			n.Reserved = ""
			nodes = append(nodes, n)
		}
		for _, a := range d.Applications {
			if len(a.Asks) == 0 {
				continue
			}
			for _, k := range a.Asks {
				asks[a.ID+" in "+a.Queue] = append(asks[a.ID+" in "+a.Queue], ask{k.ID, k.Node, k.Priority})
			}
		}
		return nodes, asks
	}
	aNodes, aAsks := content(a)
	bNodes, bAsks := content(b)
	if !reflect.DeepEqual(aNodes, bNodes) {
		t.Errorf("nodes: expected\n%+v\nfound\n%+v", aNodes, bNodes)
	}
	if !reflect.DeepEqual(aAsks, bAsks) {
		t.Errorf("asks: expected\n%+v\nfound\n%+v", aAsks, bAsks)
	}
}
