package oracle_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/oracle"
)

// Each property runs thirty scenarios, others in each run. `make clusters` runs ten thousand. For one property, with counts, run
// `go test ./core/oracle -run EqualTheOracles -rapid.checks=100000 -timeout 0 -v`; -rapid.seed repeats a run. A failure is shrunk and
// printed as a journal that `quern replay` runs.

func scenarios() *rapid.Generator[scenario] { return rapid.Custom(drawScenario) }

func TestDecisionsAndStateEqualTheOraclesAfterEveryCall(t *testing.T) { lockstep(t, scenarios()) }

// lockstep runs scenarios through the oracle and the machine.
func lockstep(t *testing.T, drawn *rapid.Generator[scenario]) {
	clusters, reached := 0, map[core.DecisionType]int{}
	defer func() {
		t.Logf("%d clusters: %d allocations, %d preemptions, %d reservations, %d kept nodes that lapsed",
			clusters, reached[core.Allocation], reached[core.Preemption], reached[core.Reservation], reached[core.Lapsed])
	}()
	rapid.Check(t, func(t *rapid.T) {
		clusters++
		inStep(t, drawn, reached)
	})
}

// inStep runs a scenario through the oracle and the machine, compares them after each call, and counts the decisions.
func inStep(t *rapid.T, drawn *rapid.Generator[scenario], reached map[core.DecisionType]int) {
	judge, fast := oracle.New(), newMachine()
	r := &lockstepRun{t: t, scenario: drawn.Draw(t, "scenario"), machines: []dumper{judge, fast}}
	r.check = func(call string, returns []outcome) {
		for _, d := range returns[0].decisions {
			reached[d.Type]++
		}
		r.equalsOracle(judge, call, returns)
	}
	r.run()
}

// equalsOracle compares the results of the first machine, which is the oracle, and the second.
func (r *lockstepRun) equalsOracle(judge *oracle.Oracle, call string, returns []outcome) {
	fast := r.machines[1]
	if d := difference(returns[0].decisions, returns[1].decisions); d != "" {
		r.fail("%s: %s", call, d)
	}
	if returns[0].made != returns[1].made {
		r.fail("%s: the oracle made %d allocations, the machine %d", call, returns[0].made, returns[1].made)
	}
	if d := dumpDifference(judge.Dump(), fast.Dump()); d != "" {
		r.fail("%s: %s", call, d)
	}
	judgeAt, wanted := judge.Due()
	if at, ok := fast.Deadline(); wanted && (!ok || at > judgeAt) {
		r.fail("%s: the machine's next deadline is %s (%t) and sleeps over %s", call, at, ok, judgeAt)
	}
	if r.idle != nil && r.idle[1] && len(returns[1].decisions) > 0 {
		r.fail("%s: the machine did not want to wake and decides %s", call, show(returns[1].decisions[0]))
	}
}

func TestInvariantsHoldAfterEveryCall(t *testing.T) { invariantsHold(t, scenarios()) }

func invariantsHold(t *testing.T, drawn *rapid.Generator[scenario]) {
	rapid.Check(t, func(t *rapid.T) {
		m, said := newMachine(), map[string]core.Ask{}
		v := &invariants{asksByID: said}
		r := &lockstepRun{t: t, scenario: drawn.Draw(t, "scenario"), machines: []dumper{m}, asksByID: said}
		r.check = func(call string, returns []outcome) {
			if broken := v.check(m.Dump(), returns[0].decisions); len(broken) > 0 {
				r.fail("%s: %s", call, strings.Join(broken, "\n"))
			}
			if broken := v.kept(returns[0].decisions); strings.HasPrefix(call, "cycle") && len(broken) > 0 {
				r.fail("%s: %s", call, strings.Join(broken, "\n"))
			}
			if at, ok := m.Deadline(); ok && at <= m.Now() {
				r.fail("%s: the deadline %s is not to come", call, at)
			}
		}
		r.run()
	})
}

func TestScenario_SameDecisionsTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := &lockstepRun{t: t, scenario: scenarios().Draw(t, "scenario"), machines: []dumper{newMachine(), newMachine()}}
		r.check = r.sameToTheLetter
		r.run()
	})
}

// sameToTheLetter compares everything, including texts.
func (r *lockstepRun) sameToTheLetter(call string, returns []outcome) {
	first, second := returns[0].decisions, returns[1].decisions
	if d := listDifference("decision", first, second); d != "" {
		r.fail("%s: the second run decides otherwise: %s", call, d)
	}
}
