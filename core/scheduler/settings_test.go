package scheduler_test

import (
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/scheduler"
)

func TestTheSettingsInForceCanBeRead(t *testing.T) {
	s := scheduler.New(core.Options{})
	s.Advance(0)
	apply := func(in core.Input) {
		if why := s.Apply(&in); why != core.Accepted {
			t.Fatalf("%+v was refused: %s", in, why)
		}
	}
	apply(core.Input{Event: &core.SetConfig{Config: `partitions:
- name: default
  placementrules: [{name: provided, create: true}]
  queues: [{name: team, parent: true, properties: {preemption.delay: 7s}, childtemplate: {maxapplications: 3}}]
- name: GPU
  nodesortpolicy: {type: binpacking}
  queues: [{name: big}]
`}})
	apply(core.Input{Event: &core.AddApp{ID: "a", Queue: "root.team.ann"}})
	if p := s.Configuration().Partitions; len(p) != 2 || p[1].Name != "GPU" || p[1].NodeSort.Policy != config.BinPacking || len(p[0].Rules) != 1 {
		t.Errorf("found %+v", p)
	}
	if q := s.QueueSettings("root.team.ann"); q == nil || q.MaxApplications != 3 || q.PreemptionDelay != instant.Delay(7*time.Second) {
		t.Errorf("a dynamic queue has %+v", q)
	}
	if q := s.QueueSettings("[gpu]root.big"); q == nil || !q.Leaf {
		t.Errorf("a queue of the second partition has %+v", q)
	}
	for _, unknown := range []string{"root.big", "[none]root", ""} {
		if s.QueueSettings(unknown) != nil {
			t.Errorf("%q has settings", unknown)
		}
	}
}

func TestExplainQueue_SettingsOfRoot(t *testing.T) {
	s := scheduler.New(core.Options{})
	s.Advance(0)
	s.Apply(&core.Input{Event: &core.SetConfig{Config: "partitions: [{name: default, queues: [{name: root, properties: {preemption.patience: 3m}, queues: [{name: a}]}]}]"}})
	setting := func(path, name string) (value, from string) {
		e, _ := s.ExplainQueue(path)
		for _, in := range e.Settings {
			if in.Name == name {
				value, from = in.Value, in.From
			}
		}
		return value, from
	}
	if value, from := setting("root", "preemption.patience"); value != "3m0s" || from != "root" {
		t.Errorf("found a patience of %q from %q", value, from)
	}
	if value, from := setting("root", "reservation.delay"); value != "2s" || from != "" {
		t.Errorf("found a delay of %q from %q", value, from)
	}
	if value, _ := setting("root.a", "preemption.patience"); value != "" {
		t.Errorf("a leaf has a patience of %q", value)
	}
}
