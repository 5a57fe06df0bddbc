package main

import (
	"encoding/json"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/quern-project/quern/features"
)

// ask serves a request and reads the answer.
func ask[Answer any](t testing.TB, call func([]byte) []byte, request string) Answer {
	t.Helper()
	var read Answer
	line := call([]byte(request))
	if err := json.Unmarshal(line, &read); err != nil {
		t.Fatalf("%v in %.300q", err, line)
	}
	return read
}

const mixed = `Feature: all there is
  Background:
    Given a node "n1" with 4 vcore

  Scenario: it passes
    When "a" asks in root.default for 1 vcore
    Then "a" is allocated on "n1"

  Scenario: it fails
    When "a" asks in root.default for 1 vcore
    Then "a" is allocated on "n2"
    And "a" waits

  Scenario Outline: by <size>
    When "a" asks in root.default for <size> vcore
    Then "a" waits

    Examples:
      | size |
      | 1    |
      | 5    |

  Scenario: nobody knows it
    When "a" requests in root.default for 1 vcore

  Scenario: it needs a folder
    Given module "by-size" is dropped in
    Then module "by-size" is not refused

  Scenario: it needs a file
    Given the configuration file "queues.yaml"

  Scenario: a table too many
    Given a node "n2" with 4 vcore
      | what |

  Scenario: nothing
`

func TestScenarioResults_LinesAndReasons(t *testing.T) {
	list := ask[scenariosAnswer](t, answer, `{"op":"run"}`+"\n"+mixed).Scenarios
	for i, want := range []struct {
		line, example int
		status        features.Status
		message       string // begins so
	}{
		{5, 0, features.StatusPassed, ""},
		{9, 0, features.StatusFailed, `ask "a": expected node n2, found n1`},
		{14, 20, features.StatusFailed, ""},
		{14, 21, features.StatusPassed, ""},
		{23, 0, features.StatusUndefined, "no step matches"},
		{26, 0, features.StatusSkipped, "there is no folder of policy modules here"},
		{30, 0, features.StatusSkipped, "there are no files here"},
		{33, 0, features.StatusFailed, "this step takes no table and no text"},
		{37, 0, features.StatusUndefined, "expected steps, found none"},
	} {
		found := list[i]
		if found.Line != want.line || found.Example != want.example || found.Status != want.status || !strings.HasPrefix(found.Message, want.message) {
			t.Errorf("expected %+v, found %+v", want, found)
		}
	}
	failed := list[1].Steps
	if failed[0].Line != 3 || failed[2].Status != features.StatusFailed || failed[2].Line != 11 || failed[2].Keyword != "Then" ||
		failed[3].Status != features.StatusSkipped || !strings.Contains(failed[2].Message, "Decided since the last When:") {
		t.Errorf("found %+v", failed)
	}
	if nearest := list[4].Steps[1].Nearest; nearest != "{names} ask[s] in {queue}[ as user {name}] for {resources}[ with priority {number}]" {
		t.Errorf("found %q as the nearest sentence", nearest)
	}
}

func TestOneScenarioIsRunByItsLine(t *testing.T) {
	list := ask[scenariosAnswer](t, answer, `{"op":"run","line":14}`+"\n"+mixed).Scenarios
	if len(list) != 2 || list[0].Name != "by 1" || list[1].Status != features.StatusPassed {
		t.Errorf("found %+v", list)
	}
	if list := ask[scenariosAnswer](t, answer, `{"op":"run","line":15}`+"\n"+mixed).Scenarios; len(list) != 0 {
		t.Errorf("no scenario begins in line 15, found %+v", list)
	}
}

func TestScenariosAreLookedAtWithoutARun(t *testing.T) {
	list := ask[scenariosAnswer](t, answer, `{"op":"check"}`+"\n"+mixed).Scenarios
	if len(list) != 9 || list[0].Status != "" || list[1].Steps[2].Status != "" || list[4].Steps[1].Status != features.StatusUndefined {
		t.Errorf("found %+v", list)
	}
}

func TestWhatCannotBeServedIsRefused(t *testing.T) {
	for _, c := range []struct{ request, code, message string }{
		{"", badRequest, "head: "},
		{`{"op":"moon"}`, unknownOp, `op: expected steps, shipped, text, check or run, found "moon"`},
		{`{"op":"text","name":"moon.feature"}`, badRequest, `name: expected a feature that ships, found "moon.feature"`},
		{`{"op":"text","name":"../go.mod"}`, badRequest, `name: expected a feature that ships, found "../go.mod"`},
		{`{"op":"run","line":"x"}`, badRequest, "head: "},
		{`{"op":"run"}` + "\nFeature: x\n  Scenario: y\n    Given x\n    Gibberish\n", badFeature, "4:5: expected the end, a line of a table, \"\"\", a step (Given, When, Then, And, But), a tag, Examples:, Scenario:, Rule:, found Gibberish"},
		{`{"op":"run"}` + "\n# language: moon\nFeature: x\n", badFeature, "1:1: Language not supported: moon"},
		{`{"op":"run"}` + "\nFeature: x\n  Scenario: y\n    Given the nodes:\n      | a | b |\n      | a |\n", badFeature, "5:7: "},
		{`{"op":"run"}` + "\nFeature: " + strings.Repeat("x", 100_000), badFeature, "1:65536: expected at most 65535 bytes in a line, found 100009"},
		{strings.Repeat("x", most+1), tooLarge, "request: expected at most"},
	} {
		found := ask[refusalAnswer](t, answer, c.request).Error
		if found == nil || found.Code != c.code || !strings.HasPrefix(found.Message, c.message) {
			t.Errorf("%.80s: expected %s, %s…, found %+v", c.request, c.code, c.message, found)
		}
	}
}

func TestShippedFeatures_NamedWithTheirTexts(t *testing.T) {
	names := ask[shippedAnswer](t, answer, `{"op":"shipped"}`).Names
	if !slices.Contains(names, "priority.feature") || !slices.IsSorted(names) {
		t.Fatalf("found %q", names)
	}
	for _, name := range names {
		want, err := fs.ReadFile(features.Shipped, name)
		if err != nil {
			t.Fatal(err)
		}
		if found := ask[textAnswer](t, answer, `{"op":"text","name":"`+name+`"}`).Text; found != string(want) || found == "" {
			t.Errorf("%s: expected %.60q, found %.60q", name, want, found)
		}
	}
}

func TestEverySentenceIsListedWithWhatItTakes(t *testing.T) {
	takes := map[string]string{}
	for _, s := range ask[stepsAnswer](t, answer, `{"op":"steps"}`).Steps {
		takes[s.Form] = s.Takes + " " + strings.Join(s.Keywords, " ")
		if strings.HasSuffix(s.Form, ":") != (s.Takes != "") || s.Doc == "" || s.Topic == "" || s.Pattern == "" {
			t.Errorf("found %+v", s)
		}
	}
	for form, want := range map[string]string{
		"the queues[ of partition {name}]:": "table Given When", "the configuration:": "text Given When", "{names} wait[s]": " Then", "the decisions are:": "table Then",
	} {
		if takes[form] != want {
			t.Errorf("%s: expected %s, found %s", form, want, takes[form])
		}
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add(`{"op":"run"}` + "\n" + mixed)
	f.Add(`{"op":"run","line":14}` + "\n" + mixed)
	f.Add(`{"op":"check"}` + "\nFeature: x\n  Rule: y\n    Example: z\n      * nothing\n        \"\"\"\n        x\n")
	f.Add(`{"op":"steps"}`)
	f.Add(`{"op":"text","name":"priority.feature"}`)
	f.Fuzz(func(t *testing.T, request string) {
		if strings.Contains(request, "count") || len(request) > 1<<16 {
			t.Skip("a scenario may ask for as much work as it likes")
		}
		read := ask[struct {
			Error *refusal
		}](t, answer, request)
		if read.Error != nil && (read.Error.Code == "" || read.Error.Message == "" || read.Error.Code == internal) {
			t.Errorf("found %+v", read.Error)
		}
	})
}
