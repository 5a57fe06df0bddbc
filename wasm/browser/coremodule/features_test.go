package main

import (
	"bytes"
	"testing"

	"github.com/quern-project/quern/features"
)

// play runs the scenarios that ship on a module.
func play(t *testing.T, call caller, tags string) {
	t.Helper()
	var out, problems bytes.Buffer
	r := &remotes{call: call}
	code := features.Run(t.Context(), features.Options{Out: &out, Err: &problems, Concurrency: 1, NewDriver: r.Driver, Tags: tags})
	if code != features.Passed {
		t.Fatalf("exit code %d %s\n%s", code, problems.String(), out.String())
	}
	t.Log(lastLines(out.String(), 4))
}

// lastLines are the ones that count scenarios and steps.
func lastLines(text string, n int) string {
	lines := bytes.Split(bytes.TrimSpace([]byte(text)), []byte("\n"))
	return string(bytes.Join(lines[max(0, len(lines)-n):], []byte("\n")))
}

func TestTheModuleDoesWhatTheScenariosSay(t *testing.T) {
	play(t, start(t).Call, "not "+unasked)
}
