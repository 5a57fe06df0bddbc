package scheduler_test

import (
	"slices"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
)

func TestClaim_EndingPlaceholderIsNoVictim(t *testing.T) {
	s := scheduler.New(core.Options{})
	vcore := func(milli int64) resource.Set {
		return resource.NewSet(resource.Quantity{Type: resource.VCore, Value: milli})
	}
	at := func(to time.Duration, inputs ...core.Input) {
		for due, ok := s.Deadline(); ok && due < to; due, ok = s.Deadline() {
			s.Advance(due)
			s.Cycle(-1)
		}
		s.Advance(to)
		for i := range inputs {
			inputs[i].At = to
			if why := s.Apply(&inputs[i]); why != core.Accepted {
				t.Fatalf("%+v was refused: %s", inputs[i], why)
			}
		}
		s.Cycle(-1)
	}
	at(0, core.Input{Event: &core.SetConfig{Config: `partitions:
- name: default
  queues:
  - {name: prod, resources: {guaranteed: {vcore: 8}}, properties: {preemption.delay: 10s}}
  - {name: batch}
`}},
		core.Input{Event: &core.AddNode{ID: "n", Capacity: vcore(8000)}},
		core.Input{Event: &core.AddApp{ID: "gang", Queue: "root.batch", Placeholders: &core.Placeholders{Ask: vcore(9000), Timeout: 20 * time.Second}}},
		core.Input{Event: &core.AddAsk{ID: "holds", App: "gang", Resources: vcore(100), Ask: core.Ask{Placeholder: true, TaskGroup: "g"}}},
		core.Input{Event: &core.AddAsk{ID: "waits", App: "gang", Resources: vcore(8900), Ask: core.Ask{Placeholder: true, TaskGroup: "g"}}},
		core.Input{Event: &core.AddApp{ID: "batch", Queue: "root.batch"}},
		core.Input{Event: &core.AddAsk{ID: "victim", App: "batch", Resources: vcore(4000)}},
	)
	at(time.Second, core.Input{Event: &core.AddApp{ID: "online", Queue: "root.prod"}},
		core.Input{Event: &core.AddAsk{ID: "asks", App: "online", Resources: vcore(5000)}})
	at(time.Minute)
	d := s.Read(core.OfNodes | core.OfApplications)
	leaving := slices.ContainsFunc(d.Applications[0].Asks, func(k core.AskDump) bool { return k.ID == "holds" && k.Leaves })
	if d.Nodes[0].ClaimedBy != "asks" || !leaving {
		t.Fatalf("the node is kept for %q, and the placeholder leaves: %v", d.Nodes[0].ClaimedBy, leaving)
	}
	e, ok := s.ExplainPreemption("asks")
	if !ok || len(e.Victims) != 1 || e.Victims[0].ID != "victim" {
		t.Errorf("found %+v", e.Victims)
	}
	if _, ok := s.ExplainAsk("asks"); !ok {
		t.Error("there is no ask")
	}
}
