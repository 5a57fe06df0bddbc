package oracle_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/linediff"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/oracle"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// The oracle itself is checked by hand: each journal shows a rule, and its golden file has the decisions, which a reader can check. The machine
// must make the same decisions.
func TestRulesHoldAsWritten(t *testing.T) {
	journals, err := filepath.Glob("testdata/rules/*.jsonl")
	if err != nil || len(journals) == 0 {
		t.Fatal("no journals", err)
	}
	for _, path := range journals {
		golden := strings.TrimSuffix(path, ".jsonl") + ".golden"
		t.Run(strings.TrimSuffix(filepath.Base(path), ".jsonl"), func(t *testing.T) {
			if *update {
				if err := os.WriteFile(golden, replayed(t, oracle.New(), path), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			for name, m := range map[string]core.Machine{"oracle": oracle.New(), "machine": newMachine()} {
				if got := replayed(t, m, path); !bytes.Equal(got, want) {
					t.Errorf("- the golden file, + the %s:\n%s", name, linediff.Diff(string(want), string(got)))
				}
			}
		})
	}
}

// grace is how long the victims of the journals take to leave.
const grace = 10 * time.Second

// replayed returns the decisions of a journal without texts, as lines.
func replayed(t *testing.T, m core.Machine, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var lines bytes.Buffer
	encoder := journal.NewEncoder(&lines, journal.Relative)
	keep := func(decisions []core.Decision) {
		for _, d := range judged(decisions) {
			if err := encoder.Decision(&d); err != nil {
				t.Fatal(err)
			}
		}
	}
	source := journal.NewDecoder(bytes.NewReader(text), path, os.ReadFile)
	if _, err := journal.Replay(m, source, journal.Options{Grace: grace, Decisions: keep}); err != nil {
		t.Fatal(err)
	}
	if err := encoder.Flush(); err != nil {
		t.Fatal(err)
	}
	return lines.Bytes()
}
