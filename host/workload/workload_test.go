package workload

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/scheduler"
)

// run applies a workload to a scheduler and places what it can; it counts the decisions by type.
func run(t *testing.T, w Workload) (*scheduler.Scheduler, map[core.DecisionType]int) {
	t.Helper()
	s := scheduler.New(core.Options{})
	s.Advance(0)
	counts := map[core.DecisionType]int{}
	for _, in := range w.All() {
		s.Apply(&in)
		count(t, s, counts)
	}
	s.Cycle(-1)
	count(t, s, counts)
	return s, counts
}

func count(t *testing.T, s *scheduler.Scheduler, counts map[core.DecisionType]int) {
	t.Helper()
	for _, d := range s.Take() {
		counts[d.Type]++
		switch d.Type {
		case core.AskRejected, core.AppRejected, core.NodeRejected, core.Ignored, core.ConfigRejected:
			t.Fatalf("%+v", d)
		}
	}
}

func TestConfigurationsAreValid(t *testing.T) {
	reload, quota := NewReload(40, 100, 1), NewQuota(9, 100, 10, 1)
	for name, text := range map[string]string{
		"morning": DemoConfig, "noon": DemoConfigNoon, "fill": Fill(10, 100, 7, 1).Config, "one": FillBinpack(10, 100, 1, 1).Config,
		"stuck": NewStuck(10, 2, 1).Config, "reload": reload.Config, "next": reload.Next, "quota": quota.Config, "lowered": quota.Next,
		"churn": NewChurn(2, 3, 1).Config,
	} {
		c, err := config.Decode([]byte(text), config.Options{File: name, Format: config.YAML})
		if err != nil {
			t.Error(err)
		} else if len(c.Warnings) > 0 {
			t.Errorf("%s: %v", name, c.Warnings)
		}
	}
}

func TestEveryAskOfAFillFits(t *testing.T) {
	for _, make := range []func(nodes, asks, queues int, seed uint64) Workload{Fill, FillBinpack} {
		for _, queues := range []int{1, 7, 100} {
			if _, counts := run(t, make(13, 1000, queues, 3)); counts[core.Allocation] != 1000 {
				t.Errorf("%d queues: %v", queues, counts)
			}
		}
	}
}

func TestWorkloadsAreTheSameForASeed(t *testing.T) {
	if !reflect.DeepEqual(Fill(10, 1000, 7, 3), Fill(10, 1000, 7, 3)) || reflect.DeepEqual(Fill(10, 1000, 7, 3), Fill(10, 1000, 7, 4)) {
		t.Error("the seed does not decide")
	}
}

func TestAMixedFillEndsNearlyFullWithATail(t *testing.T) {
	s, counts := run(t, FillMixed(80, 4000, 10, 1))
	var used, capacity int64
	for _, n := range s.Dump().Nodes {
		u, _ := n.Used.Value("vcore")
		c, _ := n.Capacity.Value("vcore")
		used, capacity = used+u, capacity+c
	}
	if use := used * 100 / capacity; use < 90 || use > 99 || counts[core.Allocation] > 4000*(tail-1)/tail {
		t.Errorf("%d %% used by %d allocations", use, counts[core.Allocation])
	}
}

func TestAStepOfAChurnIsOneAllocation(t *testing.T) {
	c := NewChurn(10, 4, 1)
	s, _ := run(t, c.Workload)
	for i := range c.Steps {
		s.Apply(&c.Steps[i].Release)
		s.Apply(&c.Steps[i].Ask)
		if made := s.Cycle(-1); made != 1 {
			t.Fatalf("step %d made %d allocations", i, made)
		}
		s.Take()
	}
}

func TestAReleaseOfAStuckClusterMakesRoomForOne(t *testing.T) {
	for _, shapes := range []int{1, 16, 1000} {
		stuck := NewStuck(1000, shapes, 1)
		s, counts := run(t, stuck.Workload)
		if counts[core.Allocation] > 0 {
			t.Fatal("it was not stuck")
		}
		if at, ok := s.Deadline(); ok && at < time.Minute {
			t.Errorf("something is to happen at %v, so reservations are on", at)
		}
		for i := range 100 {
			s.Apply(&stuck.Releases[i])
			if made := s.Cycle(-1); made != 1 {
				t.Fatalf("%d shapes: release %d made room for %d", shapes, i, made)
			}
		}
	}
}

func TestAReloadIsAcceptedWhileEverythingRuns(t *testing.T) {
	r := NewReload(100, 1000, 1)
	s, _ := run(t, r.Workload)
	next := ConfigSet(r.Next)
	s.Apply(&next)
	if made := s.Take(); len(made) != 1 || made[0].Type != core.ConfigAccepted {
		t.Errorf("%+v", made)
	}
}

func TestVariedFill_ShapesPrioritiesAndFit(t *testing.T) {
	w := FillVaried(Variety{Nodes: 13, Asks: 1000, Queues: 3, Apps: 40, Shapes: 70, Priorities: 5}, 2)
	shapes, priorities, apps := map[string]bool{}, map[int32]bool{}, map[string]bool{}
	for _, in := range w.Inputs {
		if in.Type() == core.AskAdd {
			shapes[fmt.Sprint(in.Ask().Resources)], priorities[in.Ask().Priority], apps[in.Ask().App] = true, true, true
		}
	}
	if len(shapes) != 70 || len(priorities) != 5 || len(apps) != 40 {
		t.Errorf("%d shapes, %d priorities, %d applications", len(shapes), len(priorities), len(apps))
	}
	if _, counts := run(t, w); counts[core.Allocation] != 1000 {
		t.Errorf("%v", counts)
	}
}

func TestNodeChangesAreAllAccepted(t *testing.T) {
	c := NewNodeChanges(50, 20, 1)
	w := c.Workload
	w.Inputs = append(append(append(w.Inputs, c.Adds...), c.Updates...), c.Removes...)
	if s, counts := run(t, w); counts[core.NodeAccepted] != 50 || len(s.Dump().Nodes) != 30 {
		t.Errorf("%d nodes are left, %v", len(s.Dump().Nodes), counts)
	}
}
