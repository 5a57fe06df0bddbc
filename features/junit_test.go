package features

import (
	"bytes"
	"encoding/xml"
	"math"
	"os"
	"path/filepath"
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

func TestAJUnitReportIsOursWhereverItGoes(t *testing.T) {
	dir := t.TempDir()
	var out, err bytes.Buffer
	o := Options{Paths: []string{"queues.feature", "cycle.feature"}, Format: "junit", Reports: ReportsIn(dir), Out: &out, Err: &err, Random: 7, Concurrency: 4}
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
