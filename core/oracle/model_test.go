package oracle_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/core/internal/linediff"
	"github.com/quern-project/quern/core/oracle"
)

// These journals have gangs and quotas. Their texts name the sorting policy, so they are separate from the journals that modules replay.
func TestTheQueueModelHoldsAsWritten(t *testing.T) {
	journals, err := filepath.Glob("testdata/model/*.jsonl")
	if err != nil || len(journals) == 0 {
		t.Fatal("no journals", err)
	}
	for _, path := range journals {
		golden := strings.TrimSuffix(path, ".jsonl") + ".golden"
		got := replayed(t, oracle.New(), path)
		if *update {
			if err := os.WriteFile(golden, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		for name, got := range map[string][]byte{"oracle": got, "machine": replayed(t, newMachine(), path)} {
			if !bytes.Equal(got, want) {
				t.Errorf("%s: - the golden file, + the %s:\n%s", path, name, linediff.Diff(string(want), string(got)))
			}
		}
	}
}
