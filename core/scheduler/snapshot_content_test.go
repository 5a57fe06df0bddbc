package scheduler_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math"
	"os"
	"reflect"
	"regexp"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/scheduler"
)

// sealed adds the lines with version and checksum to the content of a snapshot.
func sealed(body []byte) []byte {
	all := fmt.Appendf(nil, "quern-snapshot 3\n%s\n", body)
	return fmt.Appendf(all, "%x\n", sha256.Sum256(all))
}

// sealedBefore is sealed in the form of version 2, with the checksum in the first line.
func sealedBefore(body []byte) []byte {
	return fmt.Appendf(nil, "quern-snapshot 2 %x\n%s", sha256.Sum256(body), body)
}

// content returns the second line of a snapshot.
func content(snapshot []byte) []byte { return bytes.Split(snapshot, []byte("\n"))[1] }

// eventful returns a scheduler with at least one of everything that a snapshot contains.
func eventful(t testing.TB) *scheduler.Scheduler {
	t.Helper()
	c := newCluster(t, unsteadyOptions(), "")
	c.say(core.Input{Event: &core.SetPolicy{PolicyModule: *reverseModule("1")}})
	c.configure(`, queues: [{name: a, resources: {max: {vcore: 20}}}, {name: b, properties: {application.sort.policy: reverse}}, {name: p, parent: true, queues: [{name: c, resources: {guaranteed: {gpu: 1}}}]}]`)
	c.nodeWith("n1", 4, map[string]string{"zone": "x"})
	c.node("n2", 6)
	c.node("n3", 3)
	c.app("one", "root.a")
	c.app("two", "root.b")
	c.app("six", "root.p.c")
	c.askWith("filler1", "one", 2, core.Ask{Node: "n1"})
	c.askWith("filler2", "one", 3, core.Ask{Node: "n2", Originator: true})
	c.askWith("pinned", "two", 1, core.Ask{Constraints: map[string][]string{"zone": {"x", "y"}}, Predicate: "parity"})
	c.ask("gone", "six", 1)
	c.cycle()
	c.ask("wide", "one", 4)
	c.wait(3 * time.Second)
	c.askWith("wide-c", "six", 5, core.Ask{Priority: -3})
	c.wait(3 * time.Second)
	c.release("gone")
	c.wait(27 * time.Second)
	c.ask("more-c", "six", 6)
	c.app("ten", "root.a")
	c.ask("short", "ten", 1)
	c.cycle()
	c.release("short")
	c.configure(`, queues: [{name: a}, {name: b, properties: {application.sort.policy: reverse}}]`)
	c.app("eight", "root.b")
	c.app("nine", "root.b")
	for i := range 4 {
		c.ask(fmt.Sprint("small", i), "two", 1)
	}
	c.cycle()
	c.say(core.Input{Event: &core.RemoveApp{ID: "nine"}})
	c.say(core.Input{Event: &core.RecordAnswers{Answers: core.Answers{Policy: "later", Point: string(policy.NodeFilter), Call: 1, Digest: "1", Keys: []float64{0, -0.5}}}})
	return c.Scheduler
}

func TestASnapshotRestoresToItself(t *testing.T) {
	before := eventful(t)
	snapshot := before.Snapshot()
	for _, part := range []string{`"Draining":`, `"BannedUntil":[1-9]`, `"Until":[1-9]`, `"Reserves":`, `"PlacedOn":`, `"Ended":\[`, `"State":"Completing"`, `"State":"Starting"`, `"Recorded":\[`} {
		if !regexp.MustCompile(part).Match(snapshot) {
			t.Errorf("the snapshot lacks %s, and so shows nothing about it", part)
		}
	}
	s, err := scheduler.Restore(snapshot, unsteadyOptions())
	if err != nil {
		t.Fatal(err)
	}
	if again := s.Snapshot(); !bytes.Equal(again, snapshot) {
		t.Errorf("expected\n%s\nfound\n%s", snapshot, again)
	}
	if len(s.Take()) > 0 {
		t.Error("a restored scheduler has decisions to give")
	}
	if expected, found := before.Dump(), s.Dump(); !reflect.DeepEqual(expected, found) {
		t.Errorf("expected\n%+v\nfound\n%+v", expected, found)
	}
}

func TestASnapshotRemembersRecordedAnswersToTheBit(t *testing.T) {
	c := newCluster(t, core.Options{}, ", queues: [{name: q}]")
	answers := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), 0.1, math.MaxFloat64, math.SmallestNonzeroFloat64}
	c.say(core.Input{Event: &core.RecordAnswers{Answers: core.Answers{Policy: "later", Point: string(policy.NodeFilter), Call: 1, Digest: "1", Keys: answers}}})
	snapshot := c.Snapshot()
	s, err := scheduler.Restore(snapshot, core.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if again := s.Snapshot(); !bytes.Equal(again, snapshot) {
		t.Errorf("expected\n%s\nfound\n%s", snapshot, again)
	}
}

// TestKeptSnapshotsAreStillRead restores a file for each version of the format that earlier builds wrote, and writes it again.
func TestKeptSnapshotsAreStillRead(t *testing.T) {
	const latest = "testdata/snapshot-3.golden"
	if *update {
		if err := os.WriteFile(latest, eventful(t).Snapshot(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for file, again := range map[string]string{
		"testdata/snapshot-1.golden":       "testdata/snapshot-1-as-3.golden",
		"testdata/snapshot-2-whole.golden": latest, // written with zero values
		"testdata/snapshot-2.golden":       latest,
		latest:                             latest,
	} {
		kept, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := scheduler.Restore(kept, unsteadyOptions())
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.WriteFile(again, s.Snapshot(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		expected, err := os.ReadFile(again)
		if err != nil {
			t.Fatal(err)
		}
		if found := s.Snapshot(); !bytes.Equal(found, expected) {
			t.Errorf("%s: expected\n%s\nfound\n%s", file, expected, found)
		}
	}
}
