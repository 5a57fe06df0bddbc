package oracle_test

import (
	"bytes"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/oracle"
)

// An application that has ended belongs to the partition that it ended in, not to a later one of the same name.
func TestEndedApp_StaysInItsPartition(t *testing.T) {
	for _, tc := range []struct {
		name    string
		reloads [][]string
		shown   string // the partition of the application in a dump at the end
	}{
		{"renamed", [][]string{{"main"}, {"main", "gpu"}, {"gpu"}}, "main"},
		{"replaced", [][]string{{"gpu", "batch"}, {"default"}}, ""},
		{"the successor is renamed", [][]string{{"gpu", "batch"}, {"default"}, {"main"}}, "default"},
		{"the successor got the name later", [][]string{{"gpu", "batch"}, {"gpu"}, {"default"}, {"main"}}, "default"},
		{"the successor returns", [][]string{{"gpu", "batch"}, {"default"}, {"main"}, {"default"}}, ""},
		{"the third of its name is renamed", [][]string{{"gpu", "batch"}, {"default"}, {"a", "b"}, {"default"}, {"main"}}, "default"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			judge, fast := oracle.New(), newMachine()
			machines := []dumper{judge, fast}
			apply := func(e core.Event) {
				for _, m := range machines {
					if reason := m.Apply(&core.Input{Event: e}); reason != core.Accepted {
						t.Fatalf("%T is refused: %s", e, reason)
					}
				}
			}
			for _, m := range machines {
				m.Advance(0)
			}
			apply(&core.AddApp{ID: "a", Queue: "root.default"})
			apply(&core.RemoveApp{ID: "a"})
			for _, names := range tc.reloads {
				text := "partitions:\n"
				for _, name := range names {
					text += "- name: " + name + "\n  queues: [{name: root, queues: [{name: default}]}]\n"
				}
				apply(&core.SetConfig{Config: text})
				restored, err := restoreMachine(fast.Snapshot())
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(restored.Snapshot(), fast.Snapshot()) {
					t.Fatal("the snapshot of the restored scheduler differs")
				}
				machines = append(machines, restored)
			}
			for i, m := range machines {
				if found := m.Dump().Applications; len(found) != 1 || found[0].Partition != tc.shown {
					t.Errorf("machine %d: expected the application in partition %q, found %+v", i, tc.shown, found)
				}
			}
		})
	}
}
