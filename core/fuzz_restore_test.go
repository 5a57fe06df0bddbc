package core_test

import (
	"bytes"
	"testing"

	"github.com/quern-project/quern/core"
)

// goOn lets a scheduler live for a while: whatever it was restored from, it must not panic.
func goOn(s *core.Scheduler) {
	now := s.Now()
	s.Advance(now)
	s.Cycle(-1)
	s.Dump()
	for _, in := range []core.Input{
		{Type: core.NodeAdd, ID: "new", Capacity: vcores(5)},
		{Type: core.AppAdd, ID: "new", Queue: "root.a"},
		{Type: core.AskAdd, ID: "new", App: "new", Resources: vcores(1)},
		{Type: core.AllocationRelease, ID: "filler1"},
		{Type: core.ConfigSet, Config: partition(", queues: [{name: a}, {name: c}]", "")},
		{Type: core.NodeRemove, ID: "n2"},
		{Type: core.AppRemove, ID: "two"},
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

// FuzzRestore takes the content of a snapshot and seals it with its checksum. Whatever it says, Restore must answer
// with a scheduler that goes on, or with an error.
func FuzzRestore(f *testing.F) {
	f.Add(content(core.New(core.Options{}).Snapshot()))
	snapshot := eventful(f).Snapshot()
	f.Add(content(snapshot))
	for _, tc := range contradictions {
		f.Add(content(edit(f, snapshot, tc.value, tc.path...)))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if _, err := core.Restore(body, core.Options{}); err == nil && !bytes.HasPrefix(body, []byte("quern-snapshot")) {
			t.Fatal("a snapshot without its first line is taken")
		}
		s, err := core.Restore(sealed(body), core.Options{})
		if err != nil {
			return
		}
		first := s.Snapshot()
		again, err := core.Restore(first, core.Options{})
		if err != nil {
			t.Fatalf("what was restored once is refused: %v\n%s", err, first)
		}
		if second := again.Snapshot(); !bytes.Equal(first, second) {
			t.Fatalf("restored once\n%s\ntwice\n%s", first, second)
		}
		goOn(s)
	})
}
