package program

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// everyCommand has a command line for each command that writes to standard output.
func everyCommand(t *testing.T) []string {
	t.Helper()
	folder(t, map[string]string{"small.journal": small, "queues.yaml": queues, "our.feature": feature})
	quern("", "demo", "--dir", "day").want(t, cli.Succeeded, "allocated", "")
	const module = "day/policies/binpack-tetris.wasm"
	return []string{
		"", "--help", "--version", "version", "help replay", "completion bash", "completion", "__complete replay --", "replay --help",
		"replay small.journal", "replay --json small.journal", "replay --out - small.journal", "replay --report - small.journal", "replay --record - small.journal",
		"replay --compare queues.yaml small.journal", "replay --json --compare queues.yaml small.journal",
		"explain --queue root.default small.journal", "explain --json --queue root.default small.journal",
		"validate queues.yaml", "validate --print queues.yaml", "validate --json queues.yaml",
		"test our.feature", "test -v our.feature", "test --format junit our.feature", "test --format cucumber our.feature", "test --reports reports our.feature", "test --steps",
		"demo --dir again", "policy", "policy inspect " + module, "policy inspect --json " + module, "policy pin " + module, "policy new --lang c mine",
		"policy test " + module + " our.feature", "policy try " + module + " small.journal", "policy try --report - " + module + " small.journal", "playground --no-open --listen 127.0.0.1:0",
	}
}

func TestFullStandardOutput_ErrorOnce(t *testing.T) {
	for _, line := range everyCommand(t) {
		t.Run(line, func(t *testing.T) {
			full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			if err != nil {
				t.Skip("there is no /dev/full here")
			}
			defer func() { _ = full.Close() }()
			var diagnostics bytes.Buffer
			code := run(t.Context(), strings.Fields(line), cli.Streams{In: strings.NewReader(""), Out: full, Err: &diagnostics})
			if code != cli.Failed || !strings.Contains("\n"+diagnostics.String(), "\nstandard output: no space left on device\n") || strings.Count(diagnostics.String(), "no space left") != 1 {
				t.Errorf("exit code %d, want 1 and one message, found\n%s", code, diagnostics.String())
			}
		})
	}
}

func TestClosedPipe_IsNoError(t *testing.T) {
	for _, line := range everyCommand(t) {
		t.Run(line, func(t *testing.T) {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = w.Close() }()
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
			var diagnostics bytes.Buffer
			code := run(t.Context(), strings.Fields(line), cli.Streams{In: strings.NewReader(""), Out: w, Err: &diagnostics})
			if said := diagnostics.String(); code != cli.Failed || strings.Contains(said, "pipe") || strings.Contains(said, "standard output") {
				t.Errorf("exit code %d, want 1 without a message, found\n%s", code, said)
			}
		})
	}
}

func TestFullOutput_ErrorOnceWithItsName(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full here")
	}
	folder(t, map[string]string{"small.journal": small + strings.Repeat(`{"at":"3s","type":"node.remove","id":"none"}`+"\n", 2000), "old": "old"})
	for _, flag := range []string{"--out", "--report", "--record"} {
		other := map[string]string{"--out": "--record", "--report": "--out", "--record": "--report"}[flag]
		r := quern("", "replay", flag, "/dev/full", other, "old", "small.journal")
		if want := flag + ": /dev/full: no space left on device\n"; r.code != cli.Failed || r.err != want || read(t, "old") != "old" {
			t.Errorf("exit code %d and %q, want 1 and %q; the other output has %.20q", r.code, r.err, want, read(t, "old"))
		}
	}
}
