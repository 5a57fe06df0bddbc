package oracle_test

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

func TestGoingOnFromASnapshotEqualsGoingOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { goOnFromSnapshot(t, scenarios().Draw(t, "scenario")) })
}

// goOnFromSnapshot compares a machine that continues with one that is restored from its snapshot.
func goOnFromSnapshot(t *rapid.T, s scenario) {
	first := newMachine()
	r := &lockstepRun{t: t, scenario: s, machines: []dumper{first}}
	cut := rapid.IntRange(0, len(r.scenario.steps)).Draw(t, "cut")
	r.runSteps(0, cut)
	snapshot := first.Snapshot()
	second, err := restoreMachine(snapshot)
	if err != nil {
		r.fail("the snapshot cannot be restored: %v", err)
	}
	if again := second.Snapshot(); !bytes.Equal(again, snapshot) {
		r.fail("a snapshot of the restored machine differs:\n%s\n%s", again, snapshot)
	}
	r.machines = append(r.machines, second)
	r.check = func(call string, returns []outcome) {
		r.sameToTheLetter(call, returns)
		if d := dumpDifference(first.Dump(), second.Dump()); d != "" {
			r.fail("%s: the restored machine (below) differs: %s", call, d)
		}
	}
	r.runSteps(cut, len(r.scenario.steps))
}
