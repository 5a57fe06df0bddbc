package oracle_test

import (
	"flag"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/oracle"
)

// shots is the number of single searches that are compared without -rapid.checks. They are small.
const shots = "1000"

// On clusters that are small enough to enumerate, the chosen set of victims is the best one. The long run, of some minutes, is
// `go test ./core/oracle -run SmallClusters -rapid.checks=100000`.
func TestTheChoiceOfVictimsOnSmallClustersIsTheBest(t *testing.T) { compareShots(t, drawShot) }

// Sets that are equal but for their ages are compared by the aged usage of their leaves.
func TestVictims_BestByAgedUsage(t *testing.T) { compareShots(t, drawAgedShot) }

func TestVictims_BestSetAfterEachChange(t *testing.T) {
	compareShots(t, drawAftermath)
}

func compareShots(t *testing.T, draw func(*rapid.T) shot) {
	defer shotsUnlessGiven(t)()
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		judge, fast := oracle.New(), newMachine()
		r := &lockstepRun{t: t, scenario: rapid.Custom(draw).Draw(t, "shot").scenario, machines: []dumper{judge, fast}}
		r.check = func(call string, returns []outcome) {
			if d := difference(returns[0].decisions, returns[1].decisions); d != "" {
				r.fail("%s: %s", call, d)
			}
			if r.idle != nil && r.idle[1] && len(returns[1].decisions) > 0 {
				r.fail("%s: the machine did not want to wake and decides %s", call, show(returns[1].decisions[0]))
			}
			found += choicesIn(returns[0].decisions)
		}
		r.run()
		if d := dumpDifference(judge.Dump(), fast.Dump()); d != "" {
			r.fail("%s", d)
		}
	})
	t.Logf("victims were found %d times", found)
}

// shotsUnlessGiven sets the number of searches, unless the command line does. The result sets it back.
func shotsUnlessGiven(t *testing.T) func() {
	if checksGiven {
		return func() {}
	}
	before := flag.Lookup("rapid.checks").Value.String()
	if err := flag.Set("rapid.checks", shots); err != nil {
		t.Fatal(err)
	}
	return func() { _ = flag.Set("rapid.checks", before) }
}

// choicesIn counts the asks that preempt.
func choicesIn(decisions []core.Decision) int {
	asks := map[string]bool{}
	for _, d := range decisions {
		if d.Type == core.Preemption {
			asks[d.For] = true
		}
	}
	return len(asks)
}
