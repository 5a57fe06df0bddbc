package oracle_test

import (
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
)

// fewSteps is the number of random steps without QUERN_GANG_STEPS. `make gang-steps` runs a million.
const fewSteps = 6000

// TestUnits_NothingRunsShortOverManySteps runs gangs of all kinds through random steps, with a snapshot of which the machine is made anew in
// between. After each call, no gang may run below its minimum without being broken, or for longer than it may be broken.
func TestUnits_NothingRunsShortOverManySteps(t *testing.T) {
	most, first := fromEnvironment(t, "QUERN_GANG_STEPS", fewSteps), fromEnvironment(t, "QUERN_SEED", 1)
	counts := map[string]int{}
	defer func() {
		for _, what := range slices.Sorted(maps.Keys(counts)) {
			t.Logf("%9d %s", counts[what], what)
		}
	}()
	for seed := first; counts["steps"] < most && !t.Failed(); seed++ {
		runBrokenUp(t, steppedScenarios().Example(seed), seed, counts)
	}
}

func fromEnvironment(t *testing.T, name string, otherwise int) int {
	text, ok := os.LookupEnv(name)
	if !ok {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: expected a number, found %q", name, text)
	}
	return n
}

// steppedScenarios draws scenarios with units, also beside placeholders, and with elastic gangs.
func steppedScenarios() *rapid.Generator[scenario] {
	return rapid.Custom(func(t *rapid.T) scenario {
		if chance(t, "elastic", 3) {
			return placeholdersOneByOne(elasticScenarios().Draw(t, "scenario"))
		}
		return placeholdersOneByOne(drawUnits(t, chance(t, "placeholders", 2)))
	})
}

// runBrokenUp runs a scenario on a machine that is replaced by one from its snapshot after every few steps.
func runBrokenUp(t *testing.T, s scenario, seed int, counts map[string]int) {
	f, first := newGangFollower(newMachine()), true
	r := &lockstepRun{t: t, scenario: s, machines: []dumper{f}, asksByID: f.said}
	r.check = func(call string, returns []outcome) {
		countKinds(returns[0].decisions, counts)
		if faults := f.checkCall(call, returns[0].decisions); len(faults) > 0 {
			r.fail("seed %d: %s: %s", seed, call, strings.Join(faults, "\n"))
		}
	}
	random := rand.New(rand.NewPCG(uint64(seed), 8))
	for from := 0; from < len(s.steps) || first; first = false {
		to := min(len(s.steps), from+1+random.IntN(20))
		r.runSteps(from, to)
		counts["steps"] += to - from
		from = to
		restored, err := restoreMachine(f.dumper.(snapshotter).Snapshot())
		if err != nil {
			r.fail("seed %d: the snapshot cannot be restored: %v", seed, err)
		}
		f.dumper, r.idle = restored, nil
		counts["snapshots"]++
	}
}

// countKinds counts decisions that the steps must come to.
func countKinds(decisions []core.Decision, counts map[string]int) {
	for _, d := range decisions {
		switch d.Type {
		case core.Preemption:
			kind := "victims by right " + string(d.Right)
			if d.Quota != "" {
				kind = "victims by quota"
			}
			counts[kind]++
			if d.GangEnded {
				counts["victims whose gang ends"]++
			}
		case core.GangBroken, core.GangRepaired, core.GangEnded, core.GangFallback, core.AppMoved, core.ConfigAccepted, core.Replaced:
			counts[strings.ReplaceAll(string(d.Type), ".", " ")]++
		case core.Release:
			counts["releases "+string(d.Reason)]++
		}
	}
}
