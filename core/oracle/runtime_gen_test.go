package oracle_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/oracle"
)

// runtimeScenarios are scenarios of all kinds with least run times and budgets of victims.
func runtimeScenarios() *rapid.Generator[scenario] {
	return rapid.Custom(func(t *rapid.T) scenario {
		var s scenario
		switch roll(t, "kind", 9) {
		case 0, 1:
			s = drawWorldOf(t, preemption).drawScenario(t)
		case 2:
			s = drawScenario(t)
		case 3:
			s = drawUnits(t, chance(t, "placeholders", 2))
		case 4:
			s = mixedScenarios().Draw(t, "mixed")
		case 5:
			s = drawShot(t).scenario
		case 6:
			s = drawAftermath(t).scenario
		case 7:
			s = quotaScenarios().Draw(t, "quota")
		default:
			s = drawGangShot(t).scenario
		}
		return withRuntimes(t, s)
	})
}

// withRuntimes adds least run times and budgets to the inputs of a scenario, and waits at its end.
func withRuntimes(t *rapid.T, s scenario) scenario {
	for i := range s.steps {
		if in := s.steps[i].input; in != nil {
			own := in.Clone()
			addRuntime(t, own.Event)
			s.steps[i].input = &own
		}
	}
	for range 1 + roll(t, "waits", 3) {
		s.steps = append(s.steps, step{kind: stepWait, wait: pick(t, "wait", time.Second, 2*time.Second, 5*time.Second, 30*time.Second)})
	}
	return s
}

func addRuntime(t *rapid.T, e core.Event) {
	switch e := e.(type) {
	case *core.AddAsk:
		e.Ask.MinRuntime = drawRuntime(t)
	case *core.RestoreAllocation:
		e.Ask.MinRuntime = drawRuntime(t)
		if chance(t, "since", 4) {
			e.Since = new(pick(t, "begun", -time.Second, time.Second, 0, time.Hour, math.MinInt64))
		}
	case *core.SetConfig:
		e.Config = withProperties(t, e.Config, drawRuntimeProperties)
	default:
	}
}

func drawRuntime(t *rapid.T) time.Duration {
	return pick(t, "min runtime", 0, 0, 0, time.Second, 3*time.Second, 500*time.Millisecond, 10*time.Second, math.MaxInt64)
}

func drawRuntimeProperties(t *rapid.T) (list []string) {
	for _, p := range [][]string{
		{"min-runtime", "2s", "1s", "5s", "10s", "0s", "2562047h"}, {"min-runtime.max", "4s", "1s", "30s"}, {"min-runtime.required", `"true"`, `"false"`},
		{"budget", "1/2s", "2/5s", "3/1s", "1/10s", "5/30s", "1000/1ns"},
	} {
		if chance(t, p[0], 3) {
			list = append(list, "preemption."+p[0]+": "+pick(t, "value", p[1:]...)+", ")
		}
	}
	return list
}

func TestRuntimes_EqualTheOracles(t *testing.T) {
	reached := map[string]int{}
	defer func() { t.Logf("%v", reached) }()
	rapid.Check(t, func(t *rapid.T) {
		judge := oracle.New()
		r := &lockstepRun{t: t, scenario: runtimeScenarios().Draw(t, "scenario"), machines: []dumper{judge, newMachine()}}
		r.check = func(call string, returns []outcome) {
			for _, d := range returns[0].decisions {
				switch d.Type {
				case core.Preemption, core.Observed:
					reached[string(d.Type)+" "+string(d.Right)]++
				case core.ConfigAccepted, core.ConfigRejected:
					reached[string(d.Type)]++
				}
			}
			r.equalsOracle(judge, call, returns)
		}
		r.run()
	})
}

func TestRuntimes_GoOnFromASnapshot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { goOnFromSnapshot(t, runtimeScenarios().Draw(t, "scenario")) })
}

func TestRuntimes_SlicedDecidesAsWhole(t *testing.T) {
	slicedDecidesAsWhole(t, runtimeScenarios())
}
