package oracle_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/oracle"
)

// walltimeScenarios are scenarios of all kinds whose asks, restored allocations, updates and queues say something about walltimes.
func walltimeScenarios() *rapid.Generator[scenario] {
	return rapid.Custom(func(t *rapid.T) scenario {
		var s scenario
		switch roll(t, "kind", 6) {
		case 0, 1:
			s = withPromises(t, drawScenario(t))
		case 2, 3:
			s = withPromises(t, drawUnits(t, chance(t, "placeholders", 2)))
		case 4:
			s = withPromises(t, gangScenarios().Draw(t, "gangs"))
		default:
			s = withPromises(t, mixedScenarios().Draw(t, "mixed"))
		}
		return s
	})
}

// withPromises adds walltimes to the inputs of a scenario.
func withPromises(t *rapid.T, s scenario) scenario {
	for i := range s.steps {
		if in := s.steps[i].input; in != nil {
			own := in.Clone()
			addPromise(t, own.Event)
			s.steps[i].input = &own
		}
	}
	return s
}

func addPromise(t *rapid.T, e core.Event) {
	switch e := e.(type) {
	case *core.AddAsk:
		addWalltime(t, &e.Ask)
	case *core.RestoreAllocation:
		if addWalltime(t, &e.Ask); chance(t, "since", 3) {
			e.Since = new(pick(t, "begun", -time.Second, time.Second, 0, time.Hour, 490_000*time.Hour, math.MinInt64))
		}
	case *core.UpdateAsk:
		if chance(t, "new walltime", 2) {
			e.Walltime = drawWalltime(t)
			if chance(t, "nothing else", 2) {
				e.Priority, e.Resources = nil, nil
			}
		}
	case *core.SetConfig:
		e.Config = withProperties(t, e.Config, drawWalltimeProperties)
	default:
	}
}

func addWalltime(t *rapid.T, k *core.Ask) {
	if rapid.Bool().Draw(t, "promises") {
		k.Walltime = drawWalltime(t)
	}
	k.Overrun = pick(t, "overrun", core.OverrunInQueue, core.OverrunInQueue, core.OverrunInQueue, core.OverrunEnd, core.OverrunAllow)
}

func drawWalltime(t *rapid.T) time.Duration {
	return pick(t, "walltime", 2*time.Second, time.Second, 3*time.Second, 500*time.Millisecond, 10*time.Second, time.Minute, 1, math.MaxInt64)
}

// withProperties adds properties to some of the maps of properties in a configuration. draw draws those of one queue.
func withProperties(t *rapid.T, text string, draw func(*rapid.T) []string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, l := range lines {
		at := strings.TrimSpace(l)
		if flow := strings.Index(l, "properties: {"); flow >= 0 {
			lines[i] = l[:flow] + "properties: {" + strings.Join(draw(t), "") + l[flow+len("properties: {"):]
		} else if at == "properties:" && i+1 < len(lines) && !strings.Contains(lines[i+1], "- ") {
			indent := lines[i+1][:len(lines[i+1])-len(strings.TrimLeft(lines[i+1], " "))]
			for _, p := range draw(t) {
				lines[i] += indent + strings.TrimSuffix(p, ", ") + "\n"
			}
		}
	}
	return strings.Join(lines, "")
}

func drawWalltimeProperties(t *rapid.T) (list []string) {
	for _, p := range [][]string{{"default", "2s", "5s", "1m"}, {"max", "4s", "30s", "2562047h"}, {"overrun", "allow", "end", "end"}} {
		if chance(t, p[0], 3) {
			list = append(list, "walltime."+p[0]+": "+pick(t, "value", p[1:]...)+", ")
		}
	}
	return list
}

func TestWalltimes_EqualTheOracles(t *testing.T) {
	reached := map[string]int{}
	defer func() { t.Logf("%v", reached) }()
	rapid.Check(t, func(t *rapid.T) {
		judge := oracle.New()
		r := &lockstepRun{t: t, scenario: walltimeScenarios().Draw(t, "scenario"), machines: []dumper{judge, newMachine()}}
		r.check = func(call string, returns []outcome) {
			for _, d := range returns[0].decisions {
				switch {
				case d.Type == core.Exceeded, d.Reason == core.ReasonTimeout, d.Reason == core.ReasonWalltimeTooLong:
					reached[string(d.Type)+" "+string(d.Reason)]++
				case d.Type == core.ConfigAccepted, d.Type == core.ConfigRejected:
					reached[string(d.Type)]++
				}
			}
			r.equalsOracle(judge, call, returns)
		}
		r.run()
	})
}

func TestWalltimes_GoOnFromASnapshot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { goOnFromSnapshot(t, walltimeScenarios().Draw(t, "scenario")) })
}

func TestWalltimes_InvariantsHold(t *testing.T) {
	invariantsHold(t, rapid.Custom(func(t *rapid.T) scenario { return withPromises(t, drawScenario(t)) }))
}

func TestWalltimes_SlicedDecidesAsWhole(t *testing.T) {
	slicedDecidesAsWhole(t, walltimeScenarios())
}
