package oracle_test

import (
	"flag"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/oracle"
	"pgregory.net/rapid"
)

// shots is how many single searches are compared where -rapid.checks does not say otherwise; they are small.
const shots = "2000"

// On clusters small enough to enumerate, the choice of victims is the best there is. The long run, of some minutes, is
// `go test ./core/oracle -run SmallClusters -rapid.checks=100000`.
func TestTheChoiceOfVictimsOnSmallClustersIsTheBest(t *testing.T) {
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue {
		defer checks.Value.Set(checks.DefValue)
		if err := checks.Value.Set(shots); err != nil {
			t.Fatal(err)
		}
	}
	preempting := 0
	rapid.Check(t, func(t *rapid.T) {
		judge, fast := oracle.New(), newMachine()
		r := &trial{t: t, scenario: rapid.Custom(drawShot).Draw(t, "shot"), machines: []dumper{judge, fast}}
		preempts := false
		r.check = func(call string, returns []outcome) {
			if d := difference(returns[0].decisions, returns[1].decisions); d != "" {
				r.fail("%s: %s", call, d)
			}
			for _, d := range returns[0].decisions {
				preempts = preempts || d.Type == core.Preemption
			}
		}
		r.run()
		if d := dumpDifference(judge.Dump(), fast.Dump()); d != "" {
			r.fail("%s", d)
		}
		if preempts {
			preempting++
		}
	})
	t.Logf("there were victims in %d searches", preempting)
}
