package journal

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/linediff"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestJournalsReplayToTheirDecisions replays testdata/replay/*.jsonl on the fake machine. A comment `# until X`, `# grace X` or `#
// config X` sets an option. The .golden file has the decisions and, at its end, an error.
func TestJournalsReplayToTheirDecisions(t *testing.T) {
	files, err := filepath.Glob("testdata/replay/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("no golden journals", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			compareGolden(t, strings.TrimSuffix(file, ".jsonl")+".golden", replayText(t, text))
		})
	}
}

func compareGolden(t *testing.T, file string, found []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, found, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	expected, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(expected, found) {
		t.Errorf("- expected, + found:\n%s", linediff.Diff(string(expected), string(found)))
	}
}

func replayText(t *testing.T, text []byte) []byte {
	t.Helper()
	options := optionsOf(t, text)
	d := NewDecoder(bytes.NewReader(text), "in.jsonl", nil)
	var out bytes.Buffer
	var e *Encoder
	options.Decisions = func(decisions []core.Decision) {
		if e == nil {
			e = NewEncoder(&out, d.Form())
		}
		for i := range decisions {
			if err := e.Decision(&decisions[i]); err != nil {
				t.Error(err)
			}
		}
	}
	result, err := Replay(newFake(), d, options)
	if e != nil {
		if err := e.Flush(); err != nil {
			t.Error(err)
		}
	}
	fmt.Fprintf(&out, "# from %v to %v: %d inputs, %d allocations, %d ended\n", result.Start, result.End, result.Inputs,
		result.Allocations, result.Ended)
	if err != nil {
		fmt.Fprintf(&out, "# %v\n", err)
	}
	return out.Bytes()
}

func optionsOf(t *testing.T, text []byte) Options {
	t.Helper()
	var o Options
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) != 3 || fields[0] != "#" {
			continue
		}
		d, err := time.ParseDuration(fields[2])
		switch {
		case fields[1] == "config":
			o.Config = &core.SetConfig{Config: fields[2]}
		case fields[1] == "until" && fields[2] == "idle":
			o.Idle = true
		case fields[1] == "until" && err == nil:
			o.Until, o.HasUntil = d, true
		case fields[1] == "grace" && err == nil:
			o.Grace = d
		}
	}
	return o
}

func TestPlayer_RefusedConfigurationEndsTheRunFirst(t *testing.T) {
	f := newFake()
	d := NewDecoder(strings.NewReader(`{"at":"3s","type":"node.add","id":"n","capacity":{"vcore":1}}`), "in", nil)
	_, err := Replay(f, d, Options{Config: &core.SetConfig{Config: "bad"},
		Inputs: func(*Entry, core.Reason) { t.Error("an input was applied") }, Decisions: func([]core.Decision) { t.Error("a decision") }})
	var refused *ConfigError
	if !errors.As(err, &refused) || refused.Error() != "a problem\nanother" {
		t.Errorf("found %v", err)
	}
	if len(f.nodes) != 0 {
		t.Error("a node was added")
	}
}
