package features

import (
	"bytes"
	"encoding/xml"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestFormatsAreReadAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]struct {
		out   string
		files []Report
	}{
		"":                                  {"", nil},
		"pretty":                            {"pretty", nil},
		"junit:report.xml pretty":           {"pretty", []Report{{"junit", "report.xml"}}},
		"pretty,junit:a.xml,cucumber:b":     {"pretty", []Report{{"junit", "a.xml"}, {"cucumber", "b"}}},
		"junit:a,b.xml":                     {"", []Report{{"junit", "a,b.xml"}}},
		"junit:-":                           {"junit", nil},
		"progress:C:/out.txt progress":      {"progress", []Report{{"progress", "C:/out.txt"}}},
		"pretty pretty":                     {"pretty", nil},
		"junit:one.xml junit:two.xml":       {"", []Report{{"junit", "one.xml"}, {"junit", "two.xml"}}},
		"cucumber:r.json,pretty.txt pretty": {"pretty", []Report{{"cucumber", "r.json,pretty.txt"}}},
	} {
		out, files, err := ParseFormats(strings.Fields(text))
		if err != nil || out != want.out || !slices.Equal(files, want.files) {
			t.Errorf("%q: found %q %v %v", text, out, files, err)
		}
	}
	for text, want := range map[string]string{
		"poetry":          `found "poetry"`,
		"pretty,poetry":   `found "pretty,poetry"`,
		"junit:":          `expected a file behind "junit:"`,
		"pretty junit":    "pretty and junit would both go to the standard output",
		"pretty,cucumber": "such as cucumber:FILE",
		":a.xml":          `found ":a.xml"`,
		",":               `found ","`,
	} {
		if _, _, err := ParseFormats(strings.Fields(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: expected %q, found %v", text, want, err)
		}
	}
}

func TestAReportThatWasCutShortIsFoundOut(t *testing.T) {
	dir := t.TempDir()
	var reports []Report
	for _, format := range Formats() {
		reports = append(reports, Report{format, filepath.Join(dir, format)})
	}
	var out bytes.Buffer
	if code := Run(t.Context(), Options{Paths: []string{"cycle.feature"}, Reports: reports, Out: &out, Err: &out}); code != Passed {
		t.Fatalf("exit code %d: %s", code, out.String())
	}
	for _, r := range reports {
		text, err := os.ReadFile(r.Path)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Whole(text); err != nil {
			t.Errorf("%s: %v", r.Format, err)
		}
		if err := r.Whole(text[:len(text)/2]); err == nil {
			t.Errorf("%s: half of it passes for the whole", r.Format)
		}
	}
}

func TestAJUnitReportNamesFileLineAndStepOfWhatFailed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "own.feature")
	writeFile(t, file, "Feature: f \"quoted\"\n  Scenario: passes\n    Given a node \"n1\" with 1 vcore\n\n  Scenario: fails\n    Given a node \"n1\" with 1 vcore\n"+
		"    When \"a\" asks in root.default for 2 vcore\n    Then \"a\" is allocated\n    And \"a\" waits\n\n  Scenario: undefined\n    Given a moon\n\n  Scenario: empty\n\n"+
		"  Scenario: fails\n    Given node \"n1\" is gone\n")
	var out, problems bytes.Buffer
	if code := Run(t.Context(), Options{Paths: []string{file}, Format: "junit", Out: &out, Err: &problems}); code != Failed {
		t.Errorf("exit code %d: %s", code, problems.String())
	}
	var r junitRun
	if err := xml.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	wantSums(t, out.Bytes(), 1, 5)
	s := r.Suites[0]
	if s.File != file || s.Name != `f "quoted"` || r.Tests != 5 || s.Failures != 2 || r.Errors != 2 {
		t.Errorf("found %+v", s)
	}
	for i, want := range []struct {
		name   string
		status Status
		line   int
		says   string
	}{
		{"passes", StatusPassed, 2, ""},
		{"fails #1", StatusFailed, 8, file + ":8: Then \"a\" is allocated: ask \"a\" waits"},
		{"undefined", StatusUndefined, 12, file + ":12: Given a moon: no step matches"},
		{"empty", StatusUndefined, 14, "expected steps, found none"},
		{"fails #2", StatusFailed, 17, `there never was a node "n1"`},
	} {
		c := s.Cases[i]
		problem := c.Failure
		if problem == nil {
			problem = c.Error
		}
		if c.Name != want.name || c.Status != want.status || c.Line != want.line || c.File != file || (problem == nil) != (want.says == "") ||
			problem != nil && (!strings.Contains(problem.Message, want.says) || problem.Type != want.status) {
			t.Errorf("expected %+v, found %+v %+v", want, c, problem)
		}
	}
	if text := s.Cases[1].Failure.Text; !strings.Contains(text, "1 node with too little vcore even when empty") {
		t.Errorf("expected the explanation, found %s", text)
	}
}

// UnmarshalText reads a time.
func (s *seconds) UnmarshalText([]byte) error { return nil }
