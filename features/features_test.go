package features_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/quern-project/quern/features"
)

// Where CI wants the reports.
const reports = "QUERN_FEATURE_REPORTS"

func run(t *testing.T, o features.Options) {
	t.Helper()
	var out, problems bytes.Buffer
	o.Out, o.Err = &out, &problems
	o.Random, o.Concurrency = -1, 4
	if testing.Verbose() {
		o.Format = "pretty"
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
	run(t, features.Options{Reports: os.Getenv(reports)})
}
