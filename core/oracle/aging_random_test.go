package oracle_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/oracle"
)

func TestAging_DecisionsAndStateEqualTheOracles(t *testing.T) {
	aged, users, allocations := 0, 0, 0
	defer func() { t.Logf("%d dumps of aged queues, %d of users; %d allocations", aged, users, allocations) }()
	rapid.Check(t, func(t *rapid.T) {
		judge, fast := oracle.New(), newMachine()
		r := &lockstepRun{t: t, scenario: agingScenarios().Draw(t, "scenario"), machines: []dumper{judge, fast}}
		r.check = func(call string, returns []outcome) {
			for _, d := range returns[0].decisions {
				if d.Type == core.Allocation {
					allocations++
				}
			}
			r.equalsOracle(judge, call, returns)
			for _, q := range judge.Dump().Queues {
				users += len(q.Users)
				if q.Aged != nil && len(q.Aged.Types) > 0 {
					aged++
				}
			}
		}
		r.run()
	})
}

func TestAging_GoingOnFromASnapshotEqualsGoingOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { goOnFromSnapshot(t, agingScenarios().Draw(t, "scenario")) })
}
