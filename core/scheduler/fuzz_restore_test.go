package scheduler_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
)

// goOn uses a scheduler for a while. It must not panic, regardless of what it was restored from.
func goOn(s *scheduler.Scheduler) {
	now := s.Now()
	s.Advance(now)
	s.Cycle(-1)
	s.Dump()
	for _, in := range []core.Input{
		{Event: &core.AddNode{ID: "new", Capacity: vcores(5)}},
		{Event: &core.AddApp{ID: "new", Queue: "root.a"}},
		{Event: &core.AddAsk{ID: "new", App: "new", Resources: vcores(1)}},
		{Event: &core.ReleaseAllocation{ID: "filler1"}},
		{Event: &core.SetConfig{Config: partition(", queues: [{name: a}, {name: c}]", "")}},
		{Event: &core.RemoveNode{ID: "n2"}},
		{Event: &core.RemoveApp{ID: "two"}},
	} {
		in.At = now
		s.Apply(&in)
		s.Cycle(8)
	}
	for range 20 {
		at, ok := s.Deadline()
		if !ok || at < s.Now() {
			break
		}
		s.Advance(at)
		s.Cycle(8)
	}
	s.ExplainAsk("wide")
	s.Snapshot()
}

// overMax returns two partitions. In the first, root.a is above its max in the middle of a quota round, and ann is at her limit. In the
// second, root.a is above its max, and its round is still due.
func overMax(t testing.TB) *scheduler.Scheduler {
	c := newCluster(t, core.Options{}, "")
	configure := func(max int) {
		text := "partitions:\n"
		for i, name := range []string{"default", "gpu"} {
			text += fmt.Sprintf(`- name: %s
  preemption: {quotapreemptionenabled: true}
  queues: [{name: root, properties: {quota.preemption.delay: %ds}, queues: [{name: a, resources: {max: {vcore: %d}}, limits: [{users: [ann], maxresources: {vcore: %d}}]}]}]
`, name, 1+3*i, max, max)
		}
		c.say(core.Input{Event: &core.SetConfig{Config: text}})
	}
	configure(9)
	for _, name := range []string{"gpu", "default"} {
		c.say(core.Input{Event: &core.AddNode{ID: name, Partition: name, Capacity: vcores(9)}})
		c.say(core.Input{Event: &core.AddApp{ID: name, Partition: name, Queue: "root.a", User: "ann"}})
		for i := range 5 {
			c.ask(fmt.Sprint(name, i), name, 1)
		}
	}
	c.cycle()
	configure(2)
	c.wait(2 * time.Second)
	return c.Scheduler
}

// FuzzRestore changes the content of a snapshot and adds a valid checksum. Restore must return either a working scheduler or an error.
func FuzzRestore(f *testing.F) {
	f.Add(content(scheduler.New(core.Options{}).Snapshot()))
	snapshot := eventful(f).Snapshot()
	f.Add(content(snapshot))
	for _, tc := range contradictions {
		f.Add(content(edit(f, snapshot, tc.value, tc.path...)))
	}
	f.Add(content(gangs(f).Snapshot()))
	f.Add(content(snapshotOfDynamicQueues(f)))
	f.Add(content(overMax(f).Snapshot()))
	f.Fuzz(func(t *testing.T, body []byte) {
		if _, err := scheduler.Restore(body, core.Options{}); err == nil && !bytes.HasPrefix(body, []byte("quern-snapshot")) {
			t.Fatal("a snapshot without its first line is taken")
		}
		s, err := scheduler.Restore(sealed(body), core.Options{})
		if err != nil {
			return
		}
		first := s.Snapshot()
		again, err := scheduler.Restore(first, core.Options{})
		if err != nil {
			t.Fatalf("what was restored once is refused: %v\n%s", err, first)
		}
		if second := again.Snapshot(); !bytes.Equal(first, second) {
			t.Fatalf("restored once\n%s\ntwice\n%s", first, second)
		}
		goOn(s)
	})
}
