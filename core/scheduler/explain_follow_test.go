package scheduler_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/scheduler"
	"pgregory.net/rapid"
)

// contended are configurations of the same queues in which asks preempt by different laws.
var contended = []string{
	"[{name: a, resources: {guaranteed: {vcore: 6}}}, {name: b}, {name: p, parent: true, queues: [{name: c}, {name: d}]}]",
	"[{name: p, parent: true, resources: {guaranteed: {vcore: 8}}, queues: [{name: d, resources: {guaranteed: {vcore: 2}}}, {name: c}]}, {name: b, properties: {preemption.policy: disabled}}, {name: a}]",
	"[{name: a, properties: {preemption.policy: fence}, resources: {guaranteed: {vcore: 20}}}, {name: b, resources: {guaranteed: {vcore: 4}}}, {name: p, parent: true, queues: [{name: c, resources: {guaranteed: {vcore: 9}}}, {name: d, resources: {max: {vcore: 3}}}]}]",
}

// crowding returns the next input of a small overloaded cluster.
func (l *life) crowding() core.Input {
	app := func() string { return l.pick("app", "app1", "app2", "app3", "app4") }
	queue := func() string { return l.pick("queue", "root.a", "root.b", "root.p.c", "root.p.d") }
	ask := func() string { return fmt.Sprintf("x%d", l.roll("ask", l.asks+1)) }
	switch l.roll("what", 16) {
	case 0:
		return core.Input{Event: &core.AddApp{ID: app(), Queue: queue()}}
	case 1, 2:
		return core.Input{Event: &core.MoveApp{ID: app(), Queue: queue()}}
	case 3:
		return core.Input{Event: &core.SetConfig{Config: "{partitions: [{name: default, preemption: {enabled: true}, queues: [{name: root, queues: " + l.pick("config", contended...) + "}]}]}"}}
	case 4:
		id := l.pick("node", "n1", "n2", "n3", "n4")
		return core.Input{Event: rapid.SampledFrom([]core.Event{&core.DrainNode{ID: id}, &core.ResumeNode{ID: id}, &core.RemoveNode{ID: id}}).Draw(l.t, "node change")}
	case 5:
		return core.Input{Event: &core.AddNode{ID: l.pick("node", "n1", "n2", "n3", "n4"), Capacity: vcores(6)}}
	case 6:
		return core.Input{Event: &core.RemoveApp{ID: app()}}
	case 7, 8, 9, 10:
		return core.Input{Event: &core.ReleaseAllocation{ID: ask()}}
	}
	l.asks++
	in := core.Input{Event: &core.AddAsk{ID: fmt.Sprintf("x%d", l.asks), App: app(), Resources: vcores(int64(1 + l.roll("cores", 6))), Ask: core.Ask{Priority: int32(l.roll("priority", 3))}}}
	switch l.roll("wish", 6) {
	case 0:
		in.Ask().Node = l.pick("node", "n1", "n2", "n3", "n4")
	case 1:
		in.Event = &core.RestoreAllocation{AddAsk: *in.Ask(), PlacedOn: l.pick("node", "n1", "n2", "n3", "n4")}
	}
	return in
}

// TestExplanationsFollowWhatHappens compares the indexes behind explanations with those of a scheduler that was just restored from the
// same state.
func TestExplanationsFollowWhatHappens(t *testing.T) {
	barred := map[core.Reason]int{}
	rapid.Check(t, func(t *rapid.T) {
		l := &life{t: t}
		s := scheduler.New(core.Options{})
		each := func(do func(s *scheduler.Scheduler)) { do(s); s.Take() }
		s.Advance(0)
		s.Apply(&core.Input{Event: &core.SetConfig{Config: "{partitions: [{name: default, preemption: {enabled: true}, queues: [{name: root, queues: " + contended[0] + "}]}]}"}})
		for n := range 4 {
			s.Apply(&core.Input{Event: &core.AddNode{ID: fmt.Sprintf("n%d", n+1), Capacity: vcores(6)}})
			s.Apply(&core.Input{Event: &core.AddApp{ID: fmt.Sprintf("app%d", n+1), Queue: []string{"root.a", "root.b", "root.p.c", "root.p.d"}[n]}})
		}
		for range rapid.IntRange(10, 60).Draw(t, "steps") {
			if l.roll("passes", 8) == 0 {
				l.pass(time.Duration(1+l.roll("seconds", 40))*time.Second, each, s)
			}
			in := l.crowding()
			in.At = s.Now()
			s.Apply(&in)
			s.Cycle(-1)
			if l.roll("look", 3) > 0 {
				continue
			}
			fresh, err := scheduler.Restore(s.Snapshot(), core.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for n := range l.asks + 1 {
				id := fmt.Sprintf("x%d", n)
				expected, waits := fresh.ExplainPreemption(id)
				if found, ok := s.ExplainPreemption(id); ok != waits || !reflect.DeepEqual(expected, found) {
					t.Fatalf("%s: expected\n%+v\nfound\n%+v", id, expected, found)
				}
				for _, b := range expected.Excluded {
					barred[b.Reason]++
				}
			}
		}
	})
	if testing.Short() { // too few runs for all reasons
		return
	}
	for _, reason := range []core.Reason{
		explain.ExcludedLeaving, explain.ExcludedSameApp, explain.ExcludedNode, explain.ExcludedSameQueue, explain.ExcludedDisabled, explain.ExcludedFence, explain.ExcludedEntitlement,
		explain.ExcludedPriority,
	} {
		if barred[reason] == 0 {
			t.Errorf("nothing was barred by %s: %v", reason, barred)
		}
	}
}
