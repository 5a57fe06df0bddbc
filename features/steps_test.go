package features_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/features"
)

// setting is a small cluster in which one ask is placed, one waits, and one makes the first leave.
const setting = `Feature: wrong
  Scenario: wrong
    Given the scheduler is stepped by hand
    And a node "n1" with 4 vcore
    And "a" asks in root.default for 1 vcore
    When "b" asks in root.default for 100 vcore with priority 1
    And the asks:
      | ask | queue        | resources | node |
      | ds  | root.default | 4 vcore   | n1   |
    And ask "ghost" is removed
    And the cycle runs
    Then "a" is allocated
    And "b" waits
    But `

// wrong holds, for each sentence that expects something, what does not hold in that cluster.
var wrong = map[string]string{
	`{names} {is|are} allocated[ on {name}]`:            `"a" is allocated on "n2"`,
	`{name} gets the devices {text}`:                    `"a" gets the devices gpu/0`,
	`{names} wait[s]`:                                   `"a" waits`,
	`{names} {is|are} allocated in this order`:          `"a", "b" are allocated in this order`,
	`nothing is allocated`:                              `nothing is allocated`,
	`{name} preempts {names}[ on {name}]`:               `"b" preempts "a"`,
	`no allocation is preempted`:                        `no allocation is preempted`,
	`{number} allocation[s] {is|are} preempted`:         `2 allocations are preempted`,
	`{name} is rejected because of {word}`:              `"b" is rejected because of duplicate`,
	`the {word} of {name} is ignored because of {word}`: `the ask.remove of "ghost" is ignored because of not-pending`,
	`{name} is replaced by {name}[ on {name}]`:          `"a" is replaced by "b"`,
	`the quota of {queue} preempts {names}`:             `the quota of root.default preempts "a"`,
	`the decisions are:`:                                "the decisions are:\n      | type |\n      | allocation |",
	`the {word} decisions are:`:                         "the allocation decisions are:\n      | id |\n      | b |",
	`the decisions include:`:                            "the decisions include:\n      | type | id |\n      | allocation | a |\n      | ignored | ghost |",
	`there is no {word} decision`:                       `there is no ignored decision`,
	`nothing is decided`:                                `nothing is decided`,
	`the configuration is accepted`:                     `the configuration is accepted`,
	`the configuration is accepted with the warnings:`:  "the configuration is accepted with the warnings:\n      | queue |\n      | root |",
	`the configuration is refused with:`:                "the configuration is refused with:\n      | queue |\n      | root |",

	`the {queues|nodes|applications|asks} show:`:                                                                 "the queues show:\n      | queue | used |\n      | root | 2 vcore |",
	`application {name} is {New|Accepted|Starting|Running|Resuming|Completing|Completed|Failing|Failed|Expired}`: `application "a" is Running`,
	`{queue|node|application|ask} {name} is gone`:                                                                `ask "a" is gone`,

	`{ask|application} {name} is explained by:`:                    `ask "b" is explained by:` + "\n      | place | 2 |",
	`queue {name} is explained by:`:                                `queue "root" is explained by:` + "\n      | used | 2 vcore |",
	`ask {name} would preempt:`:                                    `ask "b" would preempt:` + "\n      | victim |\n      | a |",
	`ask {name} fits after these moves:`:                           `ask "c" fits after these moves:` + "\n      | allocation | from | to |\n      | a | n1 | n2 |",
	`no moves make room for ask {name}`:                            `no moves make room for ask "ghost"`,
	`the preemption of ask {name} is explained by:`:                `the preemption of ask "b" is explained by:` + "\n      | verdict | preempts |",
	`victim {name} is explained by:`:                               `victim "a" is explained by:` + "\n      | for | b |",
	`a max of {resources} for queue {name} would be explained by:`: `a max of 100 vcore for queue "root" would be explained by:` + "\n      | excess | 1 vcore |",
	`applications would be placed like this:`:                      "applications would be placed like this:\n      | queue | placed in |\n      | root.default | root.other |",
	`users may do this:`:                                           "users may do this:\n      | queue | user | submit |\n      | root.default | bob | none |",
	`limits are used like this:`:                                   "limits are used like this:\n      | queue | user |\n      | root | bob |",
	`there is no explanation of {ask|application|queue} {name}`:    `there is no explanation of ask "b"`,
}

func TestEverySentenceThatExpectsSomethingCanFail(t *testing.T) {
	for _, step := range features.Vocabulary() {
		if !strings.HasPrefix(step.Topic, "Then") {
			continue
		}
		sentence, ok := wrong[step.Form]
		if !ok {
			t.Errorf("no wrong example of: %s", step.Form)
			continue
		}
		code, out := play(t, setting+sentence+"\n", features.Options{})
		if code != features.Failed || strings.Contains(out, "undefined") || !strings.Contains(out, "9 passed, 1 failed") {
			t.Errorf("%s: exit code %d\n%s", sentence, code, out)
		}
	}
}

// play writes a feature file and runs it.
func play(t *testing.T, text string, o features.Options) (code int, out string) {
	t.Helper()
	return playFrom(t, text, "", o)
}

// playFrom is play for the scenario at a line, written as a suffix of the path; empty: all.
func playFrom(t *testing.T, text, line string, o features.Options) (code int, out string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "own.feature")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	o.Paths, o.Out, o.Err = []string{file + line}, &b, &b
	code = features.Run(t.Context(), o)
	return code, b.String()
}

func TestAConfigurationFileLiesBesideItsFeature(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	write("queues.yaml", "partitions:\n- name: default\n  queues:\n  - name: prod\n")
	write("queues.toml", "[[partitions]]\nname = \"default\"\n[[partitions.queues]]\nname = \"test\"\n")
	feature := write("own.feature", `Feature: f
  Scenario Outline: s
    Given the configuration file "<file>"
    When an application "a" in <queue>
    Then application "a" is New
    Examples:
      | file        | queue     |
      | queues.yaml | root.prod |
      | queues.toml | root.test |
`)
	var b bytes.Buffer
	if code := features.Run(t.Context(), features.Options{Paths: []string{feature}, Out: &b, Err: &b}); code != features.Passed {
		t.Errorf("exit code %d\n%s", code, b.String())
	}
}

func TestUnrunnableFeature_FailsWithItsReason(t *testing.T) {
	const head = "Feature: f\n  Scenario: s\n    "
	for name, c := range map[string]struct {
		text string
		code int
		told string
	}{
		"an unknown sentence":         {head + "Given a moon\n", features.Failed, "undefined"},
		"a scenario without a step":   {"Feature: f\n  Scenario: s\n", features.Failed, ""},
		"a file that is no feature":   {"Fable: f\n", features.BadInput, "own.feature"},
		"a file without a scenario":   {"Feature: f\n", features.BadInput, "no scenario"},
		"a table where none belongs":  {head + "Given a node \"n\" with 1 vcore\n      | a |\n", features.Failed, "no table"},
		"a table that is missing":     {head + "Given the nodes:\n", features.Failed, "expected 1 arguments"},
		"an unknown column":           {head + "Given the nodes:\n      | node | colour |\n      | n | red |\n", features.Failed, "colour"},
		"a line without its name":     {head + "Given the nodes:\n      | node | capacity |\n      | | 1 vcore |\n", features.Failed, "column \"node\""},
		"a column that stands twice":  {head + "Given the nodes:\n      | node | node |\n      | n | n |\n", features.Failed, "twice"},
		"a column that is misspelled": {head + "Given the queues:\n      | queue | prority.offset |\n      | root.a | 5 |\n", features.Failed, `is "priority.offset" meant?`},
		"a property that nothing reads": {head + "Given the queues:\n      | queue | weight |\n      | root.a | 5 |\n", features.Failed,
			`found "weight"; one that nothing here reads is written "property NAME"`},
		"a property column twice":                                              {head + "Given the queues:\n      | queue | priority.offset | property priority.offset |\n      | root.a | 5 | 6 |\n", features.Failed, "twice"},
		"a column without a name":                                              {head + "Given the queues:\n      | queue | |\n      | root.a | 5 |\n", features.Failed, `found ""`},
		"a plural for a resource type":                                         {head + "Given a node \"n\" with 1 vcores\n", features.Failed, "expected vcore, found vcores"},
		"a resource type in capitals":                                          {head + "When \"a\" asks in root.default for 1Gi Memory\n", features.Failed, "expected memory, found Memory"},
		"a resource type twice":                                                {head + "Given a node \"n\" with 1 vcore, 2 vcore\n", features.Failed, "found vcore twice"},
		"an ask for what no node has":                                          {head + "Given a node \"n\" with 1 gpu\n    When \"a\" asks in root.default for 1 gpus\n    Then \"a\" waits\n", features.Failed, `ask a names "gpus", and no node has it, only gpu; is "gpu" meant?`},
		"a max for what no node has":                                           {head + "Given the queues:\n      | queue | max |\n      | root.a | 1 gpus |\n    And a node \"n\" with 1 gpu\n    Then nothing is decided\n", features.Failed, `queue root.a names "gpus"`},
		"a type that a node has after all":                                     {head + "Given a node \"n\" with 1 gpu\n    And no node has \"gpu\"\n", features.Failed, "node n has 1 gpu"},
		"an attribute twice":                                                   {head + "Given node \"n\" is updated with attributes zone=a, zone=b\n", features.Failed, "found zone twice"},
		"an ask without resources":                                             {head + "When the asks:\n      | ask | queue |\n      | a | root.default |\n", features.Failed, `column "resources" of line 1`},
		"an application with an empty cell for its queue":                      {head + "When the applications:\n      | application | queue | user |\n      | a | | bob |\n", features.Failed, `an empty queue is written ""`},
		"a limit of a queue that does not exist":                               {head + "Given the limits:\n      | queue | users | maxapplications |\n      | root.a | bob | 1 |\n", features.Failed, `expected a queue of the table of queues, found "root.a"`},
		"a rule that may be created perhaps":                                   {head + "Given the placement rules:\n      | rule | create |\n      | user | perhaps |\n", features.Failed, `create: expected yes or no, found "perhaps"`},
		"a gang of a style that does not exist":                                {head + "When the applications:\n      | application | queue | placeholders | gang style |\n      | a | root.default | 1 vcore | soft |\n", features.Failed, `expected Soft or Hard, found "soft"`},
		"a gang style without placeholders":                                    {head + "When the applications:\n      | application | queue | gang style |\n      | a | root.default | Hard |\n", features.Failed, "placeholders: expected their sum"},
		"a placeholder timeout that is no time":                                {head + "When the applications:\n      | application | queue | placeholders | placeholder timeout |\n      | a | root.default | 1 vcore | soon |\n", features.Failed, "placeholder timeout: "},
		"a minimum of a gang that has no name":                                 {head + "When the asks:\n      | ask | queue | resources | gang min |\n      | a | root.default | 1 vcore | 2 |\n", features.Failed, "gang: expected a name"},
		"a gang without a minimum":                                             {head + "When the asks:\n      | ask | queue | resources | gang |\n      | a | root.default | 1 vcore | g |\n", features.Failed, `gang min: expected a number from 1, found ""`},
		"a table without lines":                                                {head + "Given the nodes:\n      | node | capacity |\n", features.Failed, "found none"},
		"a line of empty cells":                                                {head + "Then the decisions are:\n      | type | id |\n      | | |\n", features.Failed, "found empty cells"},
		"a line of an explanation twice":                                       {head + "When \"a\" asks in root.default for 1 vcore\n    Then ask \"a\" is explained by:\n      | place | 1 |\n      | place | 1 |\n", features.Failed, `found "place" twice`},
		"a line that says nothing":                                             {head + "When \"a\" asks in root.default for 1 vcore\n    Then ask \"a\" is explained by:\n      | lacks | |\n", features.Failed, `found nothing`},
		"a limit that bars something of no amount":                             {head + "When \"a\" asks in root.default for 1 vcore\n    Then ask \"a\" is explained by:\n      | limits | root user bob |\n", features.Failed, "expected something like `root.a user bob 1 vcore`"},
		"a limit of a team":                                                    {head + "When \"a\" asks in root.default for 1 vcore\n    Then ask \"a\" is explained by:\n      | limits | root team bob 1 vcore |\n", features.Failed, "expected something like `root.a user bob 1 vcore`"},
		"a limit that bars two amounts at once":                                {head + "When \"a\" asks in root.default for 1 vcore\n    Then ask \"a\" is explained by:\n      | limits | root user bob nothing |\n", features.Failed, "expected one amount"},
		"usage of neither a user nor a group":                                  {head + "Then limits are used like this:\n      | queue | used |\n      | root | 1 vcore |\n", features.Failed, "either a user or a group in line 1"},
		"usage of a user and a group":                                          {head + "Then limits are used like this:\n      | queue | user | group |\n      | root | a | b |\n", features.Failed, "either a user or a group in line 1"},
		"applications that would be placed, none":                              {head + "Then applications would be placed like this:\n      | user | placed in |\n", features.Failed, "found none"},
		"an application that would be placed with an empty cell for its queue": {head + "Then applications would be placed like this:\n      | queue | user | placed in |\n      | | bob | none |\n", features.Failed, `line 1: table: expected something in column "queue"`},
		"access to a queue that does not exist":                                {head + "Then users may do this:\n      | queue | user | submit |\n      | root.absent | bob | none |\n", features.Failed, `line 1: there is no queue "root.absent"`},
		"another max of a queue that does not exist":                           {head + "Then a max of 1 vcore for queue \"root.absent\" would be explained by:\n      | excess | nothing |\n", features.Failed, "there is no explanation"},
		"a given ask that is rejected":                                         {head + "Given \"a\" asks in root.absent for 1 vcore\n    Then nothing is decided\n", features.Failed, "expected the Given to be accepted"},
		"something gone that never was":                                        {head + "Then node \"n\" is gone\n", features.Failed, `there never was a node "n"`},
		"a file that is missing":                                               {head + "Given the configuration file \"absent.yaml\"\n", features.Failed, "absent.yaml"},
		"devices that are none":                                                {head + "Given node \"n\" is updated with devices gpu: {count\n", features.Failed, "expected devices such as"},
		"devices without a count":                                              {head + "Given node \"n\" is updated with devices gpu: {}\n", features.Failed, "devices.gpu.count"},
		"devices of an ask that is allocated nowhere":                          {head + "When \"a\" asks in root.default for 100 vcore\n    Then \"a\" gets the devices gpu/0\n", features.Failed, "waits"},
		"a wrong quantity":                                                     {head + "Given a node \"n\" with 1 2 vcore\n", features.Failed, "expected a list such as"},
		"a given configuration that is refused": {head + "Given the queues:\n      | queue | priority.policy |\n      | root.a | wall |\n",
			features.Failed, "the configuration is refused"},
		"a type of decision that does not exist": {head + "Then there is no allocated decision\n", features.Failed, "allocated"},
		"a time that is none":                    {head + "Given 1x pass\n", features.Failed, "undefined"},
	} {
		code, out := play(t, c.text, features.Options{})
		if code != c.code || !strings.Contains(out, c.told) {
			t.Errorf("%s: exit code %d, expected %d and %q\n%s", name, code, c.code, c.told, out)
		}
	}
}

func TestPathsTagsAndFormatsAreChecked(t *testing.T) {
	for name, o := range map[string]features.Options{
		"no such file":   {Paths: []string{"absent.feature"}},
		"no such tag":    {Tags: "@absent"},
		"no such format": {Format: "poetry"},
	} {
		var b bytes.Buffer
		o.Out, o.Err = &b, &b
		if code := features.Run(t.Context(), o); code != features.BadInput || b.Len() == 0 {
			t.Errorf("%s: exit code %d, told %q", name, code, b.String())
		}
	}
}

func TestAnInterruptedRunHasNotPassed(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	var b bytes.Buffer
	if code := features.Run(ctx, features.Options{Out: &b, Err: &b}); code != features.Failed || !strings.Contains(b.String(), "interrupted") {
		t.Errorf("exit code %d", code)
	}
}

func TestAPrettyReportShowsStepsAndNothingOfThisPackage(t *testing.T) {
	text := "Feature: f\n  Scenario: s\n    Given a node \"n\" with 1 vcore\n    Then the nodes show:\n      | node |\n      | n |\n"
	for _, colors := range []bool{false, true} {
		code, out := play(t, text, features.Options{Format: "pretty", Colors: colors})
		if code != features.Passed || !strings.Contains(out, `a node "n" with 1 vcore`) || strings.Contains(out, "features.go") {
			t.Errorf("exit code %d\n%s", code, out)
		}
	}
}

func TestReportsAreWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "reports")
	code, out := play(t, "Feature: f\n  Scenario: s\n    Given a node \"n\" with 1 vcore\n    Then the nodes show:\n      | node |\n      | n |\n",
		features.Options{Reports: features.ReportsIn(dir)})
	if code != features.Passed {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	for file, part := range map[string]string{"features.cucumber.json": `"status": "passed"`, "features.junit.xml": `<testcase name="s" status="passed"`} {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil || !strings.Contains(string(text), part) {
			t.Errorf("%s: %v\n%s", file, err, text)
		}
	}
}

func TestEverySentenceIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/plan/scenarios.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range features.Vocabulary() {
		line := "| `" + strings.ReplaceAll(step.Form, "|", `\|`) + "` | " + step.Doc + " |"
		if !strings.Contains(string(page), line) {
			t.Errorf("docs/plan/scenarios.md lacks the line\n%s", line)
		}
	}
}

func TestTheVocabularyIsListed(t *testing.T) {
	var b bytes.Buffer
	if err := features.PrintSteps(&b); err != nil {
		t.Fatal(err)
	}
	for _, step := range features.Vocabulary() {
		if !strings.Contains(b.String(), step.Form) || !strings.Contains(b.String(), step.Doc) {
			t.Errorf("not listed: %s", step.Form)
		}
	}
}

// A page that shows a whole example keeps to what works.
func TestTheExamplesOfTheDocumentationPass(t *testing.T) {
	page, err := os.ReadFile("../docs/plan/scenarios.md")
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(page), "```gherkin\n")
	if len(parts) < 2 {
		t.Fatal("docs/plan/scenarios.md has no example")
	}
	for _, part := range parts[1:] {
		text, _, _ := strings.Cut(part, "```")
		if code, out := play(t, text, features.Options{}); code != features.Passed {
			t.Errorf("exit code %d of\n%s\n%s", code, text, out)
		}
	}
}
