package scheduler_test

import (
	"bytes"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core/scheduler"
)

// line is a scheduler that was forked, or is a fork, with a twin that shares no memory with another one.
type line struct{ forked, twin *scheduler.Scheduler }

func (l *line) fork(t *rapid.T) *line {
	l.forked.Answered()
	frozen, err := l.forked.Freeze()
	if err != nil {
		t.Fatal(err)
	}
	if expected, found := l.forked.Snapshot(), frozen.Snapshot(); !bytes.Equal(expected, found) {
		t.Fatalf("expected\n%s\nfound\n%s", expected, found)
	}
	snapshot := l.twin.Snapshot()
	twin, err := scheduler.Restore(snapshot, unsteadyOptions())
	if err != nil {
		t.Fatal(err)
	}
	fork := frozen.Fork(unsteadyOptions())
	if found := fork.Snapshot(); !bytes.Equal(withoutCalls(found), withoutCalls(snapshot)) {
		t.Fatalf("expected\n%s\nfound\n%s", snapshot, found)
	}
	return &line{fork, twin}
}

// compare compares the whole state of a scheduler with that of its twin.
func (l *line) compare(t *rapid.T) {
	if expected, found := asksBySizes(l.twin.Dump()), asksBySizes(l.forked.Dump()); !reflect.DeepEqual(expected, found) {
		t.Fatalf("expected\n%+v\nfound\n%+v", expected, found)
	}
	a, inA := l.twin.Deadline()
	b, inB := l.forked.Deadline()
	if a != b || inA != inB {
		t.Fatalf("the deadlines are %v %v and %v %v", a, inA, b, inB)
	}
}

func TestFork_DecidesAsASeparateScheduler(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := &life{t: t, timed: true}
		all := []*line{{beginning(), beginning()}}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			at := all[rapid.IntRange(0, len(all)-1).Draw(t, "line")]
			if len(all) < 5 && l.roll("forks", 8) == 0 {
				all = append(all, at.fork(t))
			}
			both := l.step(at.twin, at.forked)
			if expected, found := lines(t, both[0]), lines(t, both[1]); expected != found {
				t.Fatalf("expected\n%s\nfound\n%s", expected, found)
			}
			at.compare(t)
		}
		for _, at := range all {
			at.compare(t)
			if a, b := withoutCalls(at.twin.Snapshot()), withoutCalls(at.forked.Snapshot()); !bytes.Equal(a, b) {
				t.Fatalf("expected\n%s\nfound\n%s", a, b)
			}
		}
	})
}
