package yunikorn

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/api/web"
)

// platform is a cluster whose node n1 is cordoned, and has a pod of another scheduler.
type platform struct{}

func (platform) Cordoned(node string) bool { return node == "n1" }

func (platform) Occupants(node string) []Occupant {
	if node != "n1" {
		return nil
	}
	return []Occupant{{ID: "kube-system/dns", Created: time.Unix(1_800_000_000, 0), Resources: resource.NewSet(resource.Quantity{Type: "vcore", Value: 100}), Priority: 7, Preemptable: true,
		Tags: map[string]string{"foreign": "default"}}}
}

func (platform) Tags(id string) (tags map[string]string, created time.Time) {
	if id != "k1" {
		return nil, time.Time{}
	}
	return map[string]string{"kubernetes.io/meta/podName": "web"}, time.Unix(1_700_000_000, 0)
}

func TestNode_AsTheClusterHasIt(t *testing.T) {
	l := begin(t)
	l.submit(`
{"type":"node.add","id":"n1","capacity":{"vcore":4},"occupied":{"vcore":"100m"}}
{"type":"node.add","id":"n2","capacity":{"vcore":4},"attributes":{"kubernetes.io/hostname":"host-2","node.kubernetes.io/instance-type":"m5"}}
{"type":"app.add","id":"a","queue":"root.default"}
{"type":"ask.add","id":"k1","app":"a","resources":{"vcore":4}}
{"type":"ask.add","id":"k2","app":"a","resources":{"vcore":9}}`)
	l.after(time.Second)
	l.server.Close()
	l.server = httptest.NewServer(new(web.Guard).Handler(New(l.machine.Server, l.memory, Options{Now: l.machine.Clock.Now, Cluster: platform{}}).Routes()...))
	n := get[node](l, "/ws/v1/partition/default/node/n1")
	same(t, "a cordoned node", false, n.Schedulable)
	same(t, "its pods of others", `[{"allocationKey":"kube-system/dns","allocationTags":{"foreign":"default"},"allocationTime":1800000000000000000,"resource":{"vcore":100},"priority":"7","nodeId":"n1","preemptable":true}]`, asJSON(n.ForeignAllocations))
	all := get[[]node](l, "/ws/v1/partition/default/nodes")
	same(t, "the list", line(false, 1, true, 0), line(all[0].Schedulable, len(all[0].ForeignAllocations), all[1].Schedulable, len(all[1].ForeignAllocations)))
	same(t, "a host by its label", "host-2", all[1].HostName)
	app := get[application](l, "/ws/v1/partition/default/application/a")
	same(t, "an allocation", line(`{"kubernetes.io/meta/podName":"web"}`, 1_700_000_000*int64(time.Second)), line(asJSON(app.Allocations[0].AllocationTags), app.Allocations[0].RequestTime))
	same(t, "an ask that the cluster does not know", `{}`, asJSON(app.Requests[0].AllocationTags))
	l.submit(`{"type":"allocation.release","id":"k1"}`)
	l.after(time.Second)
	same(t, "usage by the label of the instance type", `{"m5":{"vcore":4000}}`, asJSON(get[application](l, "/ws/v1/partition/default/application/a").ResourceHistory.ResourceUsage))
}
