package features_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/features"
)

// ourCluster is a cluster in which "more" waits behind "night" and "web" is placed later on.
const ourCluster = `Feature: our cluster
  Background:
    Given the queues:
      | queue         | guaranteed | max     |
      | root.services | 4 vcore    |         |
      | root.batch    |            | 6 vcore |
    And a node "n1" with 8 vcore, 32Gi memory
    And "night" asks in root.batch for 4 vcore
    And "more" asks in root.batch for 4 vcore
    And 10s pass

  Scenario: s
    When "web" asks in root.services for 2 vcore
    Then `

// A failed expectation tells why the things that it names are as they are, and the decisions about them alone.
func TestAFailedExpectationExplainsWhatItNames(t *testing.T) {
	for then, want := range map[string]struct{ told, untold []string }{
		`"more" is allocated`: {[]string{
			"own.feature:14: Then \"more\" is allocated\n  scenario \"s\", line 12\n  ask \"more\" waits\n  Ask more of application more waits in root.batch",
			"Queue root.batch lacks 2 vcore", "Decided since the last When: nothing about more; other decisions: 4",
			"Decided before that:\n", "type app.accepted, id more, queue root.batch",
		}, []string{"id night", "id web"}},
		`"night" waits`: {[]string{"ask \"night\" is allocated on n1", "Decided before that:\n", "type allocation, id night", "not about night: "}, []string{"id more", "id web"}},
		`"web" waits`:   {[]string{"ask \"web\" is allocated on n1", "Decided since the last When:\n", "10s, type allocation, id web"}, []string{"id night", "before that"}},
		`the queues show:
      | queue      | asks |
      | root.batch | 5    |`: {[]string{"asks: expected 5, found 1", "Queue root.batch has 1 ask pending and 1 allocated", "type allocation, id night"}, []string{"id web"}},
		`the nodes show:
      | node | used    |
      | n1   | 1 vcore |`: {[]string{"Node n1 has 32 GiB memory and 8 vcore, of which 6 vcore are used; allocations: night, web."}, []string{"id more"}},
		`application "more" is Running`: {[]string{"Application more in root.batch is Accepted with 1 ask pending"}, []string{"id web"}},
		`"more" preempts "night"`:       {[]string{"Ask more of application more in root.batch may not preempt"}, []string{"id web"}},
		`nothing is decided`:            {[]string{"Decided since the last When:\n", "type allocation, id web"}, []string{"id night", "before that", "not about"}},
	} {
		code, out := play(t, ourCluster+then+"\n", features.Options{})
		for _, text := range want.told {
			if !strings.Contains(out, text) {
				t.Errorf("%s: expected %q in\n%s", then, text, out)
			}
		}
		for _, text := range want.untold {
			if strings.Contains(out, text) {
				t.Errorf("%s: expected no %q in\n%s", then, text, out)
			}
		}
		if code != features.Failed {
			t.Errorf("%s: exit code %d", then, code)
		}
	}
}

func TestFailedStep_OutputIsBounded(t *testing.T) {
	var text strings.Builder
	text.WriteString("Feature: f\n  Scenario: s\n    Given a node \"n1\" with 100 vcore\n    When the asks:\n      | ask | queue | resources | count |\n      | a | root.default | 1 vcore | 60 |\n")
	names := make([]string, 60)
	for i := range names {
		names[i] = fmt.Sprintf("%q", fmt.Sprint("a-", i+1))
	}
	fmt.Fprintf(&text, "    Then %s wait\n", strings.Join(names[:59], ", ")+" and "+names[59])
	code, out := play(t, text.String(), features.Options{})
	told, _, _ := strings.Cut(out, "\n1 scenario ")
	if lines := strings.Count(told, "\n"); code != features.Failed || lines > 30 || !strings.Contains(out, " before these") || !strings.Contains(out, "a-60, app a, queue root.default, node n1") {
		t.Errorf("exit code %d, %d lines\n%s", code, lines, out)
	}
}

func TestUndefinedStep_PlaceAndNearestSteps(t *testing.T) {
	text := "Feature: f\n  Scenario: s\n    Given a node \"n1\" with 1 vcore\n    When \"a\" aks in root.default for 1 vcore\n    Then \"a\" gets allocated\n\n  Scenario: empty\n"
	for _, format := range []string{features.FormatProgress, features.FormatPretty} {
		code, out := play(t, text, features.Options{Format: format})
		for _, want := range []string{
			"own.feature:4: When \"a\" aks in root.default for 1 vcore\n  scenario \"s\", line 2\n  no step matches; the nearest steps are:\n    {names} ask[s] in {queue}",
			"own.feature:5: Then \"a\" gets allocated\n", "    {names} {is|are} allocated[ on {name}]\n",
			"own.feature:7: empty\n  expected steps, found none\n", "2 scenarios (2 undefined)\n3 steps (1 passed, 2 undefined)\n",
		} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: expected %q in\n%s", format, want, out)
			}
		}
		if code != features.Failed || strings.Contains(out, "func ") || strings.Contains(out, "godog") {
			t.Errorf("%s: exit code %d, and\n%s", format, code, out)
		}
	}
}

func TestOutline_ExamplePrintedWithItsLine(t *testing.T) {
	text := "Feature: f\n  Scenario Outline: by <n>\n    Given a node \"n1\" with 4 vcore\n    When \"a\" asks in root.default for <n> vcore\n    Then \"a\" is allocated\n    Examples:\n      | n |\n      | 2 |\n      | 9 |\n"
	_, out := play(t, text, features.Options{})
	if !strings.Contains(out, "own.feature:5: Then \"a\" is allocated\n  scenario \"by 9\", line 2, example in line 9\n") || !strings.Contains(out, "2 scenarios (1 passed, 1 failed)") {
		t.Errorf("found\n%s", out)
	}
}

func TestReportsInFilesHaveNoColours(t *testing.T) {
	file := filepath.Join(t.TempDir(), "deep", "pretty.txt")
	o := features.Options{Colors: true, Reports: []features.Report{{Format: features.FormatPretty, Path: file}}}
	_, out := play(t, ourCluster+"\"web\" waits\n", o)
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(out, "\x1b[") || strings.Contains(string(text), "\x1b[") || !strings.Contains(string(text), "Scenario: s") {
		t.Errorf("%v\n%q\n%q", err, out, text)
	}
}
