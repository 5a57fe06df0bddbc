package oracle_test

import (
	"testing"

	"pgregory.net/rapid"
)

func TestAtomicGangsAreDecidedAsByTheOracle(t *testing.T) { lockstep(t, atomicScenarios()) }

func TestAtomicGangsGoOnFromASnapshot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { goOnFromSnapshot(t, atomicScenarios().Draw(t, "scenario")) })
}

func TestBothKindsOfGangsAreDecidedAsByTheOracle(t *testing.T) { lockstep(t, mixedScenarios()) }

func TestBothKindsOfGangsGoOnFromASnapshot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { goOnFromSnapshot(t, mixedScenarios().Draw(t, "scenario")) })
}

func TestSearchBudget_ChangesNoDecisionOfGangs(t *testing.T) {
	budgetDecidesNothing(t, mixedScenarios())
}

func TestTheBudgetOfASearchForAGangDecidesNothing(t *testing.T) {
	budgetDecidesNothing(t, atomicScenarios())
}
