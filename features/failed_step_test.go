package features

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"
)

// misused has a scenario for each way in which a step can fail before or after what its sentence does. Behind each stand steps
// that would fail, too.
const misused = `Feature: misused
  Scenario: a stray table
    Given a node "n1" with 4 vcore
    When "a" asks in root.default for 4 vcore
      | stray | table |
    Then "a" is allocated
  Scenario: a stray text
    Given a node "n1" with 4 vcore
      """
      x
      """
    When "a" asks in root.default for 4 vcore
    Then "a" waits
  Scenario: an expectation, and more stray tables
    Given a node "n1" with 4 vcore
    When "a" asks in root.default for 4 vcore
    Then "a" waits
    And "a" waits
      | x |
    And "a" asks in root.default for 4 vcore
      | x |
  Scenario: a node twice
    Given a node "n1" with 4 vcore
    And a node "n1" with 8 vcore
    When "a" asks in root.default for 8 vcore
    Then "a" is allocated
  Scenario: a Given at the end
    When a node "n1" with 4 vcore
    Given a node "n1" with 8 vcore
`

// failures are the lines of the steps that fail in misused, and why.
var failures = []struct {
	line int
	why  string
}{
	{4, "this step takes no table and no text"}, {8, "this step takes no table and no text"}, {17, `ask "a" is allocated on n1`},
	{24, "expected the Given to be accepted, found: 0s, type node.rejected, id n1, reason duplicate"},
	{29, "expected the Given to be accepted, found: 0s, type node.rejected, id n1, reason duplicate"},
}

func TestFailedStep_LaterStepsAreSkipped(t *testing.T) {
	list, err := Play(t.Context(), misused, 0, Native)
	if err != nil || len(list) != len(failures) {
		t.Fatalf("found %d scenarios, %v", len(list), err)
	}
	for i, p := range list {
		want, seen := failures[i], false
		for _, s := range p.Steps {
			switch {
			case s.Line == want.line:
				seen = true
				if s.Status != StatusFailed || !strings.HasPrefix(s.Message, want.why) {
					t.Errorf("line %d: expected it to fail with %q, found %s: %s", s.Line, want.why, s.Status, s.Message)
				}
			case seen && (s.Status != StatusSkipped || s.Message != ""):
				t.Errorf("line %d: expected it to be skipped, found %s: %s", s.Line, s.Status, s.Message)
			case !seen && s.Status != StatusPassed:
				t.Errorf("line %d: expected it to pass, found %s: %s", s.Line, s.Status, s.Message)
			}
		}
		if p.Status != StatusFailed || !strings.HasPrefix(p.Message, want.why) {
			t.Errorf("%s: expected %q, found %s: %s", p.Name, want.why, p.Status, p.Message)
		}
	}
}

func TestFailedStep_EveryFormatNamesItOnce(t *testing.T) {
	file := t.TempDir() + "/misused.feature"
	writeFile(t, file, misused)
	for _, format := range Formats() {
		var out, problems bytes.Buffer
		if code := Run(t.Context(), Options{Paths: []string{file}, Format: format, Out: &out, Err: &problems}); code != Failed {
			t.Fatalf("%s: exit code %d: %s", format, code, problems.String())
		}
		if text := out.String(); strings.Contains(text, "hook failed") {
			t.Errorf("%s: the words of the library are shown:\n%s", format, text)
		}
		switch format {
		case FormatCucumber:
			wantCucumber(t, out.Bytes())
		case FormatJUnit:
			var r junitRun
			if err := xml.Unmarshal(out.Bytes(), &r); err != nil {
				t.Fatal(err)
			}
			for i, c := range r.Suites[0].Cases {
				if n := strings.Count(c.Failure.Text, file); n != 1 || c.Line != failures[i].line {
					t.Errorf("junit: expected one failed step in line %d, found %d: %+v", failures[i].line, n, c)
				}
			}
		default:
			if !strings.Contains(out.String(), "\n5 scenarios (5 failed)\n17 steps (5 passed, 5 failed, 7 skipped)\n") {
				t.Errorf("%s: found\n%s", format, out.String())
			}
		}
	}
}

// wantCucumber fails unless a report has the failures, each with its reason, and skips what follows.
func wantCucumber(t *testing.T, text []byte) {
	t.Helper()
	var report []struct {
		Elements []struct {
			Steps []struct {
				Line   int
				Result struct {
					Status string
					Error  string `json:"error_message"`
				}
			}
		}
	}
	if err := json.Unmarshal(text, &report); err != nil {
		t.Fatal(err)
	}
	for i, e := range report[0].Elements {
		for _, s := range e.Steps {
			want := map[bool]string{s.Line < failures[i].line: "passed", s.Line == failures[i].line: "failed", s.Line > failures[i].line: "skipped"}[true]
			if s.Result.Status != want || want == "failed" && !strings.HasPrefix(s.Result.Error, failures[i].why) || want != "failed" && s.Result.Error != "" {
				t.Errorf("cucumber: line %d: expected %s, found %+v", s.Line, want, s.Result)
			}
		}
	}
}
