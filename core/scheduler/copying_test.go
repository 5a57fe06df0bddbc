package scheduler_test

import (
	"bytes"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
)

// A checkpoint that is taken in steps while the scheduler is used equals the state at the last step.
func TestACopyInStepsIsTheStateAtItsEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := &life{t: t}
		s := beginning()
		for range rapid.IntRange(0, 30).Draw(t, "before") {
			l.step(s)
		}
		size := rapid.IntRange(1, 5).Draw(t, "size")
		c := s.BuildCheckpoint(size)
		if rapid.IntRange(0, 4).Draw(t, "another") == 0 {
			s.BuildCheckpoint(size)
		}
		for !c.Step() {
			if rapid.IntRange(0, 2).Draw(t, "goes on") == 0 {
				l.step(s)
			}
		}
		expected := s.Snapshot()
		l.step(s)
		if found := scheduler.FromCheckpoint(c.Checkpoint(), unsteadyOptions()).Snapshot(); !bytes.Equal(expected, found) {
			t.Fatalf("expected\n%s\nfound\n%s", expected, found)
		}
	})
}

// Many changes between steps are copied in several rounds.
func TestALargeCopyTakesManySteps(t *testing.T) {
	s := populated(t, 10, 1200, 8000)
	c := s.BuildCheckpoint(1000)
	steps := 1
	for n := 0; !c.Step(); steps++ {
		for range 300 {
			s.Apply(&core.Input{At: s.Now(), Event: &core.ReleaseAllocation{ID: fmt.Sprintf("k%06d", n)}})
			s.Apply(&core.Input{At: s.Now(), Event: &core.AddAsk{ID: fmt.Sprintf("l%06d", n), App: fmt.Sprintf("a%06d", n%400),
				Resources: resource.NewSet(resource.Quantity{Type: "vcore", Value: 1})}})
			n++
		}
		s.Cycle(-1)
	}
	if steps < 12 {
		t.Errorf("found %d steps, expected one for each 1,000 asks, and more for what has changed", steps)
	}
	if expected, found := s.Snapshot(), scheduler.FromCheckpoint(c.Checkpoint(), core.Options{}).Snapshot(); !bytes.Equal(expected, found) {
		t.Error("the copy is not the state")
	}
}

// If an ask is observed after it was copied, which changes nothing else, the checkpoint includes that.
func TestACopyHasWhatWasObservedMeanwhile(t *testing.T) {
	s := scheduler.New(core.Options{})
	s.Advance(0)
	vcore := func(n int64) resource.Set { return resource.NewSet(resource.Quantity{Type: "vcore", Value: n}) }
	for _, in := range []core.Input{
		{Event: &core.SetConfig{Config: `partitions:
- name: default
  preemption: {enabled: true, observe: true}
  queues: [{name: root, queues: [{name: low}, {name: high, resources: {guaranteed: {vcore: 2}}, properties: {preemption.delay: 10s}}]}]`}},
		{Event: &core.AddNode{ID: "n", Capacity: vcore(2000)}}, {Event: &core.AddNode{ID: "other"}},
		{Event: &core.AddApp{ID: "a", Queue: "root.low"}}, {Event: &core.AddApp{ID: "b", Queue: "root.high"}},
		{Event: &core.AddAsk{ID: "a1", App: "a", Resources: vcore(2000)}},
	} {
		s.Apply(&in)
	}
	s.Cycle(-1)
	s.Apply(&core.Input{Event: &core.AddAsk{ID: "b1", App: "b", Resources: vcore(1000)}})
	s.Cycle(-1)
	c := s.BuildCheckpoint(1)
	for range 2 {
		if c.Step() {
			t.Fatal("more was copied than both asks")
		}
	}
	observed := false
	for !observed {
		at, ok := s.Deadline()
		if !ok {
			t.Fatal("nothing was observed")
		}
		s.Advance(at)
		s.Cycle(-1)
		for _, d := range s.Take() {
			observed = observed || d.Type == core.Observed
		}
	}
	for !c.Step() {
		continue
	}
	if expected, found := s.Snapshot(), scheduler.FromCheckpoint(c.Checkpoint(), core.Options{}).Snapshot(); !bytes.Equal(expected, found) {
		t.Errorf("expected\n%s\nfound\n%s", expected, found)
	}
}
