package oracle_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core/oracle"
)

func TestElastic_DecidedAsByTheOracle(t *testing.T) { lockstep(t, elasticScenarios()) }

func TestElastic_GoesOnFromASnapshot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { goOnFromSnapshot(t, elasticScenarios().Draw(t, "scenario")) })
}

func TestElastic_TheBudgetOfASearchDecidesNothing(t *testing.T) {
	budgetDecidesNothing(t, elasticScenarios())
}

func TestElastic_SlicedOracleDecidesAsWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := &lockstepRun{t: t, scenario: elasticScenarios().Draw(t, "scenario"), machines: []dumper{oracle.New(), sliced{oracle.New(), t}}}
		r.check = r.sameToTheLetter
		r.run()
	})
}
