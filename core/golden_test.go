package core_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
)

var update = flag.Bool("update", false, "rewrite the golden scripts")

// caused marks a line of a golden script that holds a decision; without these lines it is a journal, and with them too,
// since they are comments.
const caused = "#> "

// TestGoldenScriptsCauseTheirDecisions runs testdata/*.txt. Below each input stand the decisions made until the next.
func TestGoldenScriptsCauseTheirDecisions(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no golden scripts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			expected, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found := annotated(t, inputsOf(string(expected)))
			if *update {
				if err := os.WriteFile(file, []byte(found), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if found != string(expected) {
				t.Errorf("expected\n%s\nfound\n%s", expected, found)
			}
		})
	}
}

// inputsOf is a script without the decisions in it.
func inputsOf(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, caused) {
			out.WriteString(line)
		}
	}
	return out.String()
}

// annotated writes below each input what it caused, and what time caused before the next one.
func annotated(t *testing.T, text string) string {
	t.Helper()
	below := map[int][]core.Decision{}
	line := 0
	_, err := journal.Replay(core.New(core.Options{}), journal.NewDecoder(strings.NewReader(text), "script", nil), journal.Options{
		Inputs:    func(e *journal.Entry) { line = e.Line },
		Decisions: func(d []core.Decision) { below[line] = append(below[line], d...) },
	})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	n := 0
	for source := range strings.Lines(text) {
		n++
		out.WriteString(source)
		for decision := range strings.Lines(lines(t, below[n])) {
			out.WriteString(caused + decision)
		}
	}
	return out.String()
}
