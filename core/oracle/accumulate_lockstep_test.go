package oracle_test

import (
	"testing"

	"pgregory.net/rapid"
)

func TestAccumulate_DecidedAsByTheOracle(t *testing.T) { lockstep(t, waitingScenarios()) }

func TestAccumulate_GoesOnFromASnapshot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { goOnFromSnapshot(t, waitingScenarios().Draw(t, "scenario")) })
}

func TestAccumulate_TheBudgetOfASearchDecidesNothing(t *testing.T) {
	budgetDecidesNothing(t, waitingScenarios())
}
