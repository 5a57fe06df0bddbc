package server_test

import (
	"math"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/server/livetest"
)

// endless configures delays that lead beyond the clock.
const endless = `partitions:
- preemption: {quotapreemptionenabled: true}
  queues:
  - name: root
    properties: {reservation.delay: 2562047h, preemption.delay: 2562047h, quota.preemption.delay: 2562047h, preemption.patience: 2562047h}
    queues: [{name: default}]
`

func TestDelays_BeyondTheClockAreRecovered(t *testing.T) {
	cores := func(n int64) resource.Set {
		return resource.NewSet(resource.Quantity{Type: resource.VCore, Value: 1000 * n})
	}
	m := livetest.NewMachine()
	m.Clock.Set(56 * 365 * 24 * time.Hour)
	begin(t, m, server.NameLimits{})
	accept(t, m, core.Input{Event: &core.SetConfig{Config: endless}})
	accept(t, m, core.Input{Event: &core.AddApp{ID: "a", Queue: "root.default"}})
	member := askFor("g", cores(1))
	member.Ask().Gang = &core.Gang{ID: "g", Min: 2, Timeout: math.MaxInt64}
	accept(t, m, nodeWith("n", cores(4)), askFor("f", cores(3)), askFor("w", cores(4)), member)
	m.Clock.Set(m.Clock.Now() + time.Hour)
	m.Present()
	if err := m.Stop(); err != nil {
		t.Fatal(err)
	}

	begin(t, m, server.NameLimits{})
	accept(t, m, core.Input{Event: &core.SetConfig{Config: "partitions: [{queues: [{name: default}]}]"}})
	m.Clock.Set(m.Clock.Now() + time.Hour)
	accept(t, m, askFor("late", cores(1)))
	m.View().Read(func(s *scheduler.Scheduler) {
		if e, ok := s.ExplainAsk("late"); !ok || e.Pending {
			t.Errorf("an ask that fits is not placed: %s", e.Text)
		}
		if e, ok := s.ExplainAsk("g"); !ok || !e.Pending {
			t.Error("a gang without end has ended")
		}
	})
	if err := m.Stop(); err != nil {
		t.Fatal(err)
	}
}
