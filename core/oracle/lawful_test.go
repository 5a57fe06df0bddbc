package oracle_test

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
)

// These drive the machine alone, on clusters on which the oracle would take long.

func TestEveryPreemptionIsLawful(t *testing.T) {
	judged := 0
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.Custom(drawCrowdedScenario).Draw(t, "crowd")
		m, v := newMachine(), &invariants{asksByID: c.said}
		r := &lockstepRun{t: t, scenario: c.scenario, machines: []dumper{m}}
		before := m.Dump()
		r.check = func(call string, returns []outcome) {
			after := m.Dump()
			faults := v.check(after, returns[0].decisions)
			if strings.HasPrefix(call, "cycle") {
				judge := newCourt(before, c.said)
				faults = append(faults, judge.check(returns[0].decisions)...)
				judged += judge.judged
				for _, id := range unallocatedClaims(after) {
					faults = append(faults, id+" could land on the node kept for it, and waits")
				}
			}
			if len(faults) > 0 {
				r.fail("%s: %s", call, strings.Join(faults, "\n"))
			}
			before = after
		}
		r.run()
	})
	t.Logf("%d preemptions", judged)
}

func TestPreemptionsReplayToTheSameBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first, second := newMachine(), newMachine()
		r := &lockstepRun{t: t, scenario: rapid.Custom(drawCrowdedScenario).Draw(t, "crowd").scenario, machines: []dumper{first, second}}
		r.check = func(call string, returns []outcome) {
			if a, b := written(t, returns[0].decisions), written(t, returns[1].decisions); !bytes.Equal(a, b) {
				r.fail("%s: the decisions of two runs differ:\n%s\n%s", call, a, b)
			}
		}
		r.run()
		if a, b := first.Snapshot(), second.Snapshot(); !bytes.Equal(a, b) {
			r.fail("the snapshots of two runs differ:\n%s\n%s", a, b)
		}
	})
}

func written(t *rapid.T, decisions []core.Decision) []byte {
	var text bytes.Buffer
	e := journal.NewEncoder(&text, journal.Relative)
	for i := range decisions {
		if err := e.Decision(&decisions[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Flush(); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

func TestSnapshot_MidWaitContinuesEqually(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := newMachine()
		r := &lockstepRun{t: t, scenario: rapid.Custom(drawCrowdedScenario).Draw(t, "crowd").scenario, machines: []dumper{first}}
		skipped := roll(t, "waits before", 8)
		r.check = func(call string, returns []outcome) {
			if len(r.machines) == 2 {
				r.sameToTheLetter(call, returns)
				if d := dumpDifference(first.Dump(), r.machines[1].Dump()); d != "" {
					r.fail("%s: the restored machine (below) differs: %s", call, d)
				}
				return
			}
			if len(keptOf(first.Dump()).asks) == 0 {
				return
			}
			if skipped--; skipped >= 0 {
				return
			}
			second, err := restoreMachine(first.Snapshot())
			if err != nil {
				r.fail("the snapshot cannot be restored: %v", err)
			}
			r.machines = append(r.machines, second)
		}
		r.run()
	})
}
