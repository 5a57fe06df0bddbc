package oracle_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/oracle"
)

// The journal that a failing property prints must reproduce the failure. Victims leave when the journal says so.
func TestTheJournalOfAScenarioReplaysToItsDecisions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := &lockstepRun{t: t, scenario: scenarios().Draw(t, "scenario"), machines: []dumper{oracle.New()}}
		r.scenario.manual = false
		var want, got []core.Decision
		r.check = func(_ string, returns []outcome) { want = append(want, returns[0].decisions...) }
		r.run()
		source := journal.NewDecoder(strings.NewReader(r.journal.text()), "scenario", nil)
		keep := func(decisions []core.Decision) { got = append(got, decisions...) }
		if _, err := journal.Replay(oracle.New(), source, journal.Options{Grace: math.MaxInt64, Decisions: keep}); err != nil {
			r.fail("the journal cannot be replayed: %v", err)
		}
		if d := difference(want, got); d != "" {
			r.fail("the replay differs: %s", d)
		}
	})
}
