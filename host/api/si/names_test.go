package si_test

import (
	"fmt"
	"testing"

	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

// many is one of each of some resource types.
func many(prefix string, n int) *siv1.Resource {
	r := &siv1.Resource{Resources: map[string]*siv1.Quantity{}}
	for i := range n {
		r.Resources[fmt.Sprint(prefix, i)] = &siv1.Quantity{Value: 1}
	}
	return r
}

// wide is a task that asks for some resources.
func wide(key string, r *siv1.Resource) *siv1.Allocation {
	a := task(key, "a1", 0)
	a.ResourcePerAlloc = r
	return a
}

func TestTooManyTypes_RejectOnlyWhatNamesThem(t *testing.T) {
	l := start(t)
	m := l.register("rm")
	m.node("n1", siv1.NodeInfo_CREATE, 4000)
	m.apps(m.app("a1"))
	m.wants("accepted n1", "accepted a1")
	m.ask(task("k1", "a1", 1000), wide("k2", many("x", 100)), task("k3", "a1", 9000))
	m.wants("rejected k2 of a1: too-many-names: the resource type \"x", "new k1 on n1", "a1 is Accepted", "a1 is Starting")

	m.ask(wide("k3", many("x", 101))) // what waits is asked for anew
	m.wants("rejected k3 of a1: too-many-names: the resource type \"x")
	m.ask(task("k3", "a1", 2000))
	m.wants("new k3 on n1", "a1 is Running")

	gang := m.app("a2")
	gang.PlaceholderAsk = many("x", 101)
	m.apps(gang, m.app("a3"))
	m.wants("rejected a2: too-many-names: the resource type \"x", "accepted a3")

	m.send(m.nodes.Send(&siv1.NodeRequest{RmID: m.id, Nodes: []*siv1.NodeInfo{
		{NodeID: "n2", Action: siv1.NodeInfo_CREATE, SchedulableResource: many("x", 201)}, {NodeID: "n3", Action: siv1.NodeInfo_CREATE, SchedulableResource: resources(1)},
		{NodeID: "n1", Action: siv1.NodeInfo_UPDATE, SchedulableResource: many("x", 201)}}}))
	m.wants("rejected n2: too-many-names: the resource type \"x", "rejected n1: too-many-names: the resource type \"x", "accepted n3")
}
