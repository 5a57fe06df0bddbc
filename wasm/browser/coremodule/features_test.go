package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/quern-project/quern/features"
)

// play runs the scenarios that ship on a module, or those of some files.
func play(t *testing.T, call caller, files []string) {
	t.Helper()
	var out, problems bytes.Buffer
	r := &remotes{call: call}
	code := features.Run(t.Context(), features.Options{Out: &out, Err: &problems, Concurrency: 1, NewDriver: r.Driver, Paths: files, Tags: "not " + unasked})
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

// turn lists the features that CI plays under wazero on a commit. QUERN_TURN=2/3 is every third, from the second on; without it, and if
// there is no Chromium to play all of them, turn returns nil.
func turn(t *testing.T) []string {
	t.Helper()
	text := os.Getenv("QUERN_TURN")
	if text == "" || chromium() == "" {
		return nil
	}
	var first, turns int
	if n, err := fmt.Sscanf(text, "%d/%d", &first, &turns); n != 2 || first < 1 || first > turns {
		t.Fatalf("QUERN_TURN: expected a turn such as 2/3, found %q, %v", text, err)
	}
	files, err := filepath.Glob("../../../features/*.feature")
	if err != nil || len(files) < turns {
		t.Fatalf("found %d features, %v", len(files), err)
	}
	var chosen []string
	for i := first - 1; i < len(files); i += turns {
		chosen = append(chosen, files[i])
	}
	return chosen
}

func TestTheModuleDoesWhatTheScenariosSay(t *testing.T) {
	play(t, start(t).Call, turn(t))
}
