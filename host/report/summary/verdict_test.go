package summary

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core/ledger"
)

// The playground reads the same cases. Those of several runs are its own: a replay runs a workload once under each configuration.
func TestVerdictsAreThoseOfThePlayground(t *testing.T) {
	text, err := os.ReadFile("testdata/verdicts.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		A, B, Text string
		Figures    []struct {
			Key  string
			A, B []int64
		}
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	held := 0
	for _, c := range cases {
		var figures []verdictFigure
		for _, f := range c.Figures {
			if len(f.A) == 1 && f.Key != "fairness" {
				figures = append(figures, verdictFigure{f.Key, f.A[0], f.B[0]})
			}
		}
		if len(figures) != len(c.Figures) {
			continue
		}
		held++
		if got := verdictText(c.A, c.B, figures); got != c.Text {
			t.Errorf("expected %s\nfound    %s", c.Text, got)
		}
	}
	if held < 5 {
		t.Errorf("expected at least five cases of one run each, found %d", held)
	}
}

func TestAVerdictIsOfRunsThatCameToTheirEnd(t *testing.T) {
	run := func(allocated int) Named {
		return Named{Summary: &Summary{Summary: ledger.Summary{Totals: ledger.Totals{Allocated: allocated}}, Usage: &ledger.Figures{Makespan: time.Minute}, Virtual: time.Minute}}
	}
	if got := Verdict(run(100), run(90), "two\x1b.yaml"); !strings.HasPrefix(got, `Compared with the first run, two\x1b.yaml allocates 10% fewer asks.`) {
		t.Errorf("found %s", got)
	}
	stopped := run(90)
	stopped.Interrupted = true
	for _, other := range []Named{{}, stopped} {
		if got := Verdict(run(100), other, "b"); got != "" {
			t.Errorf("expected nothing, found %s", got)
		}
	}
}
