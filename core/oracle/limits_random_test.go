package oracle_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/oracle"
	"github.com/quern-project/quern/core/scheduler"
)

func TestUnderLimitsDecisionsAndStateEqualTheOracles(t *testing.T) {
	clusters, refused, reached := 0, 0, map[core.DecisionType]int{}
	defer func() {
		t.Logf("%d clusters: %d allocations, %d preemptions, %d reservations, %d kept nodes that lapsed; %d configurations, %d refused",
			clusters, reached[core.Allocation], reached[core.Preemption], reached[core.Reservation], reached[core.Lapsed], reached[core.ConfigAccepted], refused)
	}()
	rapid.Check(t, func(t *rapid.T) {
		clusters++
		judge, fast := oracle.New(), newMachine()
		r := &lockstepRun{t: t, scenario: limitedScenarios().Draw(t, "scenario"), machines: []dumper{judge, fast}}
		r.check = func(call string, returns []outcome) {
			for _, d := range returns[0].decisions {
				reached[d.Type]++
			}
			r.equalsOracle(judge, call, returns)
			if d := listDifference("usage", mapped(judge.LimitUsage(), alikeUsage), mapped(fast.(*scheduler.Scheduler).LimitUsage(), alikeUsage)); d != "" {
				r.fail("%s: %s", call, d)
			}
		}
		r.run()
		refused += reached[core.ConfigRejected]
		reached[core.ConfigRejected] = 0
	})
}

func alikeUsage(u core.LimitUsage) core.LimitUsage {
	u.Used = withoutZeros(u.Used)
	return u
}

func TestUnderLimitsGoingOnFromASnapshotEqualsGoingOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { goOnFromSnapshot(t, limitedScenarios().Draw(t, "scenario")) })
}
