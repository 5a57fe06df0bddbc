package oracle_test

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

func TestGoingOnFromASnapshotEqualsGoingOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { goOnFromSnapshot(t, scenarios().Draw(t, "scenario")) })
}

// goOnFromSnapshot compares a machine that continues with one that is restored from its snapshot, and with one that is a fork of it.
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
	if third := forkOf(first); third != nil {
		if own := third.Snapshot(); !bytes.Equal(own, snapshot) {
			r.fail("a snapshot of the fork differs:\n%s\n%s", own, snapshot)
		}
		r.machines = append(r.machines, third)
	}
	r.check = func(call string, returns []outcome) {
		for i := range r.machines[1:] {
			r.sameToTheLetter(call, []outcome{returns[0], returns[i+1]})
			if d := dumpDifference(first.Dump(), r.machines[i+1].Dump()); d != "" {
				r.fail("%s: %s (below) differs: %s", call, []string{"the restored machine", "the fork"}[i], d)
			}
		}
	}
	r.runSteps(cut, len(r.scenario.steps))
}

// slicedDecidesAsWhole compares a machine whose searches are cut into slices with one whose searches are not, to the letter.
func slicedDecidesAsWhole(t *testing.T, drawn *rapid.Generator[scenario]) {
	rapid.Check(t, func(t *rapid.T) {
		r := &lockstepRun{t: t, scenario: drawn.Draw(t, "scenario"), machines: []dumper{newMachine(), sliced{newMachine(), t}}}
		r.check = r.sameToTheLetter
		r.run()
	})
}
