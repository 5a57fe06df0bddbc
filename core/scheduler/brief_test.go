package scheduler_test

import (
	"strings"
	"testing"

	"github.com/quern-project/quern/core/explain"
)

func TestBrief_DecidingCauseFirst(t *testing.T) {
	e := explain.AskExplanation{ID: "ns/p", App: "a", Queue: "root.a", Place: 3, Nodes: []explain.NodeCount{
		{Reason: explain.NodeConstraint, Detail: "zone", Nodes: 9}, {Reason: explain.NodeTooSmall, Detail: "gpu", Nodes: 2}, {Reason: explain.NodeFull, Detail: "vcore", Nodes: 1}},
		Mismatches: []explain.Mismatch{{Attribute: "zone", Wanted: []string{"a"}, Nodes: 9, Present: []explain.ValuePresent{{Value: "b", Nodes: 9}}}},
		Preemption: "It may not preempt."}
	want := `1 node with too little vcore free. 2 nodes with too little gpu even when empty. 9 nodes without an allowed value of zone.
 Attribute zone must be a; other nodes have b (9). It may not preempt. Ask ns/p of application a waits in root.a, number 3 in the order. It needs nothing.`
	if got := e.Brief(0); got != strings.ReplaceAll(want, "\n", "") {
		t.Errorf("expected\n%s\nfound\n%s", want, got)
	}
	if e.Nodes[0].Reason != explain.NodeConstraint {
		t.Error("the explanation itself was changed")
	}
	e.Never = []explain.Bound{{Type: "vcore", Needs: 9000, Most: 4000}}
	e.Shortfalls = []explain.HeadroomShortfall{{Queue: "root.a", Type: "vcore", Missing: 1000, Used: 3000, Max: 4000}}
	if got := e.Brief(0); !strings.HasPrefix(got, "It can never run with the current queues and nodes: it needs 9 vcore, the largest node that it may run on has 4. Queue root.a lacks 1 vcore") {
		t.Error(got)
	}
}
