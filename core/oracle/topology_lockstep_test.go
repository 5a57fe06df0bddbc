package oracle_test

import (
	"testing"

	"pgregory.net/rapid"
)

func TestTopology_DecidedAsByTheOracle(t *testing.T) { lockstep(t, placedScenarios()) }

func TestTopology_GoesOnFromASnapshot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { goOnFromSnapshot(t, placedScenarios().Draw(t, "scenario")) })
}

func TestTopology_TheBudgetOfASearchDecidesNothing(t *testing.T) {
	budgetDecidesNothing(t, placedScenarios())
}

func TestTopology_WhatTheSchedulerLandsIsInItsDomain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { landsInItsDomain(t, newMachine(), map[string]int{}) })
}

func TestTopology_WaitingGangsAreDecidedAsByTheOracle(t *testing.T) { lockstep(t, quietRacks()) }

func TestTopology_WaitingGangsGoOnFromASnapshot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { goOnFromSnapshot(t, quietRacks().Draw(t, "scenario")) })
}

func TestTopology_TheBudgetOfASearchForWaitingGangsDecidesNothing(t *testing.T) {
	budgetDecidesNothing(t, quietRacks())
}

func TestSlices_DecidedAsByTheOracle(t *testing.T) { lockstep(t, slicedScenarios()) }

func TestSlices_GoOnFromASnapshot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { goOnFromSnapshot(t, slicedScenarios().Draw(t, "scenario")) })
}

func TestSlices_TheBudgetOfASearchDecidesNothing(t *testing.T) {
	budgetDecidesNothing(t, slicedScenarios())
}

func TestSets_DecidedAsByTheOracle(t *testing.T) { lockstep(t, setScenarios()) }

func TestSets_GoOnFromASnapshot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { goOnFromSnapshot(t, setScenarios().Draw(t, "scenario")) })
}
