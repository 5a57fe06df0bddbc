package features_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/features"
)

// The folder where CI wants the reports.
const reports = "QUERN_REPORTS"

func run(t *testing.T, o features.Options) {
	t.Helper()
	var out, problems bytes.Buffer
	o.Out, o.Err = &out, &problems
	o.Random, o.Concurrency = -1, 4
	if testing.Verbose() {
		o.Format, o.Random = "pretty", 0 // for people, in the order of the files
	}
	code := features.Run(t.Context(), o)
	if code != features.Passed || testing.Verbose() {
		t.Log(out.String())
	}
	if code != features.Passed {
		t.Fatalf("exit code %d %s", code, problems.String())
	}
}

func TestTheSchedulerDoesWhatTheScenariosSay(t *testing.T) {
	run(t, features.Options{Reports: features.ReportsIn(os.Getenv(reports))})
}

// restless is the scheduler, restored from its own snapshot after every cycle.
type restless struct {
	features.Driver
	untaken []core.Decision // a snapshot holds the state, not the decisions that wait to be taken
}

// newRestless lets every search end within a cycle: one that was cut short begins again after a snapshot, and would never end.
func newRestless() (features.Driver, error) {
	return &restless{Driver: newSearching(1 << 40)}, nil
}

func (r *restless) Cycle(limit int) int {
	n := r.Driver.Cycle(limit)
	r.untaken = append(r.untaken, r.Driver.Take()...)
	next, err := r.Restored()
	if err != nil {
		panic(err)
	}
	r.Driver = next
	return n
}

func (r *restless) Take() []core.Decision {
	list := append(r.untaken, r.Driver.Take()...)
	r.untaken = nil
	return list
}

func TestEveryScenarioPassesWithASnapshotAfterEachCycle(t *testing.T) {
	run(t, features.Options{NewDriver: newRestless})
}

// patient is the scheduler, stepped by one allocation at a time.
type patient struct {
	features.Driver
}

func newPatient() (features.Driver, error) {
	driver, err := features.Native()
	return patient{driver}, err
}

func (p patient) Cycle(limit int) int {
	n := 0
	for limit < 0 || n < limit {
		made := p.Driver.Cycle(1) // more than one where a gang is placed
		if made == 0 {
			break
		}
		n += made
	}
	return n
}

func TestEveryScenarioPassesOneAllocationAtATime(t *testing.T) {
	run(t, features.Options{NewDriver: newPatient})
}

// searching is the scheduler with so many steps for the searches of a cycle.
type searching struct {
	*scheduler.Scheduler
	steps int
}

func newSearching(steps int) searching {
	return searching{scheduler.New(core.Options{SearchSteps: steps}), steps}
}

func (d searching) Restored() (features.Driver, error) {
	s, err := scheduler.Restore(d.Snapshot(), core.Options{SearchSteps: d.steps})
	return searching{s, d.steps}, err
}

// newHasty has every search interrupted.
func newHasty() (features.Driver, error) { return newSearching(1), nil }

func TestScenarios_PassWithInterruptedSearches(t *testing.T) {
	run(t, features.Options{NewDriver: newHasty})
}

func TestAScenarioIsWorthItsNumber(t *testing.T) {
	scenario := regexp.MustCompile(`(?m)^ *Scenario(?: Outline)?: .*\n((?: .*\n|\n)*?)(?: *(?:Scenario|Rule|@)|\z)`)
	title := regexp.MustCompile(`(?m)^ *Scenario(?: Outline)?: (.*)$`)
	total := 0
	for _, file := range featureFiles(t) {
		text := file.text
		seen := map[string]bool{}
		for _, m := range title.FindAllStringSubmatch(text, -1) {
			total++
			if seen[m[1]] && !strings.Contains(m[1], "<") {
				t.Errorf("%s: two scenarios are called %q", file.name, m[1])
			}
			seen[m[1]] = true
		}
		for _, m := range scenario.FindAllString(text, -1) {
			if !strings.Contains(m, "  Then ") {
				t.Errorf("%s: nothing is expected in:\n%s", file.name, m)
			}
		}
	}
	if total < 1000 {
		t.Errorf("%d scenarios, expected 1000 at least", total)
	}
}

type featureFile struct{ name, text string }

// featureFiles are those that ship.
func featureFiles(t *testing.T) []featureFile {
	t.Helper()
	names, err := filepath.Glob("*.feature")
	if err != nil || len(names) == 0 {
		t.Fatalf("no feature files: %v", err)
	}
	var files []featureFile
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, featureFile{name, string(text)})
	}
	return files
}
