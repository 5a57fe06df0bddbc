package quernapi

import (
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/quern-project/quern/host/server/livetest"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// FuzzInputs has anything that is a request come to inputs that a journal can have, or to an error.
func FuzzInputs(f *testing.F) {
	set := &quernv1.Resources{Amounts: map[string]int64{"vcore": 1000, "memory": 1 << 30}}
	no := false
	ask := &quernv1.AskAdd{Id: "k", App: "a", Resources: set, Priority: -3, Node: "n", Constraints: map[string]*quernv1.Values{"zone": {Values: []string{"a"}}},
		PreemptOthers: &no, Preemptable: &no, TaskGroup: "g", Placeholder: true, Gang: &quernv1.AtomicGang{Id: "g", Min: 2, Timeout: durationpb.New(5), FallbackMembers: true, Disruption: "whole", Repair: durationpb.New(0)}}
	priority := int32(4)
	seed, err := proto.Marshal(&quernv1.SubmitRequest{IdempotencyKey: "k", Inputs: []*quernv1.Input{
		{Input: &quernv1.Input_NodeAdd{NodeAdd: &quernv1.NodeAdd{Id: "n", Capacity: set, Occupied: set, Attributes: map[string]string{"zone": "a"}, Drained: true}}},
		{Input: &quernv1.Input_NodeUpdate{NodeUpdate: &quernv1.NodeUpdate{Id: "n", Attributes: &quernv1.Attributes{}}}},
		{Input: &quernv1.Input_AppAdd{AppAdd: &quernv1.AppAdd{Id: "a", Queue: "root.a", User: "u", Groups: []string{"g"}, Tags: map[string]string{"x": "y"},
			Placeholders: &quernv1.Placeholders{Ask: set, Hard: true, Timeout: durationpb.New(7)}}}},
		{Input: &quernv1.Input_AskAdd{AskAdd: ask}},
		{Input: &quernv1.Input_AskUpdate{AskUpdate: &quernv1.AskUpdate{Id: "k", Priority: &priority, Resources: set, Preemptable: &no, Predicate: "rm/p", Leaving: true}}},
		{Input: &quernv1.Input_AllocationRestore{AllocationRestore: &quernv1.AllocationRestore{Ask: ask, PlacedOn: "n"}}},
		{Input: &quernv1.Input_AllocationRelease{AllocationRelease: &quernv1.AllocationRelease{Id: "k", Failed: true}}},
		{Input: &quernv1.Input_AppAdd{AppAdd: &quernv1.AppAdd{Id: "b", Queue: "root.a", Succeeded: map[string]int32{"g": 2}}}},
		{Input: &quernv1.Input_AppMove{AppMove: &quernv1.AppMove{Id: "a", Queue: "root.b"}}},
		{Input: &quernv1.Input_WindowAdd{WindowAdd: &quernv1.WindowAdd{Id: "w", From: timestamppb.New(time.Unix(5, 0)), Until: timestamppb.New(time.Unix(9, 0)), Every: durationpb.New(time.Hour),
			Constraints: map[string]*quernv1.Values{"zone": {Values: []string{"a"}}}, Count: 2, Queues: []string{"root.a"}, Users: []string{"u"}, Groups: []string{"g"}}}},
		{Input: &quernv1.Input_WindowRemove{WindowRemove: &quernv1.WindowRemove{Id: "w"}}},
		{Input: &quernv1.Input_Tick{Tick: &quernv1.Tick{}}},
	}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Add([]byte{10, 2, 8, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		var r quernv1.SubmitRequest
		if proto.Unmarshal(data, &r) != nil {
			return
		}
		inputs, err := inputsOf(r.GetInputs())
		if err != nil {
			return
		}
		for i := range inputs {
			livetest.ReadBack(t, &inputs[i])
		}
	})
}
