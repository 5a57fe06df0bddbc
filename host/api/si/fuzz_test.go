package si

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/server/livetest"
	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

// FuzzMessages has anything that is a message come to inputs that a journal can have.
func FuzzMessages(f *testing.F) {
	seed := func(m proto.Message) {
		b, err := proto.Marshal(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	set := &siv1.Resource{Resources: map[string]*siv1.Quantity{"vcore": {Value: 1000}, "memory": {Value: 1 << 30}}}
	seed(&siv1.AllocationRequest{Allocations: []*siv1.Allocation{{AllocationKey: "k", ApplicationID: "a", ResourcePerAlloc: set, NodeID: "n", TaskGroupName: "g",
		AllocationTags: map[string]string{"requiredNode": "n", Gang: "g", GangMin: "2", GangTimeout: "5m", GangFallback: "members", GangDisruption: "whole", GangRepair: "0s", GangMax: "4", GangSet: "s", GangSetMin: "1", TopologyRequired: "node", Movable: "true"}, PreemptionPolicy: &siv1.PreemptionPolicy{AllowPreemptSelf: true}}}})
	seed(&siv1.ApplicationRequest{New: []*siv1.AddApplicationRequest{{ApplicationID: "a", QueueName: "root.a", PlaceholderAsk: set, GangSchedulingStyle: "hard",
		ExecutionTimeoutMilliSeconds: 5, Ugi: &siv1.UserGroupInformation{User: "u", Groups: []string{"g"}}, Tags: map[string]string{"x": "y", Succeeded: `{"g": 2}`}}}})
	seed(&siv1.NodeRequest{Nodes: []*siv1.NodeInfo{{NodeID: "n", Action: siv1.NodeInfo_CREATE, SchedulableResource: set, Attributes: map[string]string{"zone": "a"}}}})
	own := &session{id: "rm"}
	f.Fuzz(func(t *testing.T, data []byte) {
		var a siv1.AllocationRequest
		if proto.Unmarshal(data, &a) == nil {
			for _, x := range a.GetAllocations() {
				if in, err := own.allocationInput(x); err == nil && in.ID() != "" && in.Ask().App != "" {
					livetest.ReadBack(t, &in)
				}
			}
		}
		var r siv1.ApplicationRequest
		if proto.Unmarshal(data, &r) == nil {
			for _, x := range r.GetNew() {
				if in, err := own.applicationInput(x); err == nil && in.ID() != "" {
					livetest.ReadBack(t, &in)
				}
			}
		}
		var n siv1.NodeRequest
		if proto.Unmarshal(data, &n) == nil {
			for _, x := range n.GetNodes() {
				for _, convert := range []func(*siv1.NodeInfo) (core.Input, error){own.nodeInput, own.updateInput} {
					if in, err := convert(x); err == nil && in.ID() != "" {
						livetest.ReadBack(t, &in)
					}
				}
			}
		}
	})
}
