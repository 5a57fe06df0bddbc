package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/host/workload"
)

// tiny is a scale at which everything runs in a moment.
const tiny scale = 400

func TestPlan_EveryCaseYieldsItsFigures(t *testing.T) {
	results, err := measure(plan(tiny, "", ""), 1, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		for _, row := range r.rows {
			if got := len(row.samples[0]); got != len(r.columns) {
				t.Errorf("%s: %d figures for %d columns", row.name, got, len(r.columns))
			}
		}
	}
	text, err := page(results, 1, time.Second, "counted\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, heading := range []string{"### fill", "### churn", "### stuck", "### reload", "### preempt", "### preempt-refused", "### preempt-waiting", "### preempt-bulk", "### quota", "### placeholders", "### openb", "## Growth", "## Instructions and cache misses", "## Where this falls short"} {
		if !strings.Contains(text, heading+"\n") {
			t.Errorf("the page has no %q", heading)
		}
	}
}

func TestBenchPage_RewrittenKeepsItsCounts(t *testing.T) {
	results, err := measure(plan(tiny, "", "")[:1], 1, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	text, err := page(results, 1, time.Second, "counted\n")
	if err != nil || countedIn(text) != "counted\n" {
		t.Errorf("%q, %v", countedIn(text), err)
	}
}

func TestEveryGrowthOfThePlanHasAtLeastThreeSizes(t *testing.T) {
	for _, g := range plan(full, "", "") {
		r := result{group: g}
		for _, c := range g.cases {
			r.rows = append(r.rows, row{benchCase: c, samples: []sample{make(sample, len(g.columns))}})
		}
		for _, growth := range g.growths {
			if steps := r.steps(growth); len(steps) < 3 {
				t.Errorf("%s by %s: %v", growth.what, growth.along, steps)
			}
		}
	}
}

func TestShortfall_MedianOnTheWrongSide(t *testing.T) {
	r := result{
		group: group{columns: []column{{rate, perSecond, true}, {heap, megabyte, false}, {garbage, "", false}}},
		rows: []row{{
			benchCase: benchCase{name: "fill", size: []int{1000, 2}, wanted: map[string]float64{rate: 5000, heap: 10, garbage: 0}},
			samples:   []sample{{9000, 9, 0}, {4000, 10, 3}, {100, 11, 3}},
		}, {
			benchCase: benchCase{name: "start", wanted: map[string]float64{heap: 10}}, // without a size
			samples:   []sample{{0, 12, 0}},
		}},
	}
	got := strings.Join(shortfalls([]result{r}), "\n")
	want := "fill, 1,000 / 2: allocations 4,000/s, wanted at least 5,000/s\n" +
		"fill, 1,000 / 2: memory allocations a step 3, wanted 0\n" +
		"start: heap in use 12 MB, wanted under 10 MB"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestFiguresShowThreeDigits(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.1234: "0.123", 9.876: "9.88", 50: "50", 99.96: "100", 1234567: "1,234,567", 100: "100", 1000: "1,000"} {
		if got := figure(v); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
	if got := spreadText(spread{5, 4, 6}); got != "**5** (4 – 6)" {
		t.Errorf("got %q", got)
	}
}

func TestAPercentileIsADurationThatWasMeasured(t *testing.T) {
	took := []time.Duration{4000, 1000, 3000, 2000}
	for percent, want := range map[int]float64{50: 2, 75: 3, 99: 4, 100: 4} {
		if got := percentile(took, percent); got != want {
			t.Errorf("%d %%: %v, want %v", percent, got, want)
		}
	}
}

func TestTheGeneratedTraceIsTheSameForASeed(t *testing.T) {
	nodes, pods := workload.Openb(20, 30, 7)
	again, podsAgain := workload.Openb(20, 30, 7)
	if !bytes.Equal(nodes, again) || !bytes.Equal(pods, podsAgain) {
		t.Error("two runs differ")
	}
	if n, p := bytes.Count(nodes, []byte("\n")), bytes.Count(pods, []byte("\n")); n != 21 || p != 31 {
		t.Errorf("%d and %d lines", n, p)
	}
}
