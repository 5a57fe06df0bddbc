package features

import (
	"bytes"
	"encoding/xml"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// junitReport is what the tests read of a report.
type junitReport struct {
	Suites []struct {
		Name  string  `xml:"name,attr"`
		Time  float64 `xml:"time,attr"`
		Cases []struct {
			Name string  `xml:"name,attr"`
			Time float64 `xml:"time,attr"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

// wantSums fails unless every time is at least 0 and that of a feature is the sum of its scenarios'.
func wantSums(t *testing.T, text []byte, suites, cases int) {
	t.Helper()
	var r junitReport
	if err := xml.Unmarshal(text, &r); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	n := 0
	for _, s := range r.Suites {
		sum := 0.0
		for _, c := range s.Cases {
			n++
			if sum += c.Time; c.Time < 0 {
				t.Errorf("%s takes %v s", c.Name, c.Time)
			}
		}
		if math.Abs(sum-s.Time) > 1e-8 {
			t.Errorf("%s takes %v s, and its scenarios together %v s", s.Name, s.Time, sum)
		}
	}
	if len(r.Suites) != suites || n != cases {
		t.Errorf("found %d features with %d scenarios, want %d with %d:\n%s", len(r.Suites), n, suites, cases, text)
	}
}

const playedBackwards = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="quern" tests="3" skipped="0" failures="1" errors="0" time="2">
  <testsuite name="a &#34;quoted&#34; time=&#34;7&#34;" tests="2" skipped="0" failures="1" errors="0" time="-0.5">
    <testcase name="one" status="failed" time="0.25">
      <failure message="Step x: time=&#34;9&#34;"></failure>
    </testcase>
    <testcase name="two" status="passed" time="-0.125"></testcase>
  </testsuite>
  <testsuite name="b" tests="1" skipped="0" failures="0" errors="0" time="-1">
    <testcase name="three" status="passed" time="1"></testcase>
  </testsuite>
</testsuites>`

func TestTimesOfAJUnitReportAddUp(t *testing.T) {
	got := timed([]byte(playedBackwards))
	wantSums(t, got, 2, 3)
	for _, kept := range []string{`errors="0" time="2">`, `message="Step x: time=&#34;9&#34;"`, `errors="0" time="0.25">`, `errors="0" time="1">`} {
		if !strings.Contains(string(got), kept) {
			t.Errorf("expected %s in\n%s", kept, got)
		}
	}
}

func TestAJUnitReportIsOursWhereverItGoes(t *testing.T) {
	dir := t.TempDir()
	var out, err bytes.Buffer
	o := Options{Paths: []string{"queues.feature", "cycle.feature"}, Format: "junit", Reports: dir, Out: &out, Err: &err, Random: 7, Concurrency: 4}
	if code := Run(t.Context(), o); code != Passed {
		t.Fatalf("exit code %d: %s", code, err.String())
	}
	file, readErr := os.ReadFile(filepath.Join(dir, JUnitReport))
	if readErr != nil {
		t.Fatal(readErr)
	}
	for _, text := range [][]byte{out.Bytes(), file} {
		wantSums(t, text, 2, bytes.Count(text, []byte("<testcase ")))
	}
	o.Format = "junit:" + filepath.Join(dir, "aside")
	if code := Run(t.Context(), o); code != BadInput {
		t.Errorf("a format with a file in it gives exit code %d", code)
	}
}
