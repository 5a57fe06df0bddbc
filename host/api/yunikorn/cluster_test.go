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

func TestNode_AsTheClusterHasIt(t *testing.T) {
	l := begin(t)
	l.submit(`
{"type":"node.add","id":"n1","capacity":{"vcore":4},"occupied":{"vcore":"100m"}}
{"type":"node.add","id":"n2","capacity":{"vcore":4}}`)
	l.server.Close()
	l.server = httptest.NewServer(new(web.Guard).Handler(New(l.machine.Server, l.memory, Options{Now: l.machine.Clock.Now, Cluster: platform{}}).Routes()...))
	n := get[node](l, "/ws/v1/partition/default/node/n1")
	same(t, "a cordoned node", false, n.Schedulable)
	same(t, "its pods of others", `[{"allocationKey":"kube-system/dns","allocationTags":{"foreign":"default"},"allocationTime":1800000000000000000,"resource":{"vcore":100},"priority":"7","nodeId":"n1","preemptable":true}]`, asJSON(n.ForeignAllocations))
	all := get[[]node](l, "/ws/v1/partition/default/nodes")
	same(t, "the list", line(false, 1, true, 0), line(all[0].Schedulable, len(all[0].ForeignAllocations), all[1].Schedulable, len(all[1].ForeignAllocations)))
}
