package program

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

const someFail = feature + "\n  Scenario: too large\n    Given a node \"n1\" with 4 vcore\n    When \"big\" asks in root.default for 5 vcore\n    Then \"big\" is allocated\n"

func TestReportsOfATestGoWhereFormatsSay(t *testing.T) {
	folder(t, map[string]string{"mine.feature": someFail})
	r := quern("", "test", "mine.feature", "--format", "junit:out/deep/report.xml", "--format", "pretty", "--format", "cucumber:c.json", "--reports", "both")
	r.want(t, cli.Failed, "Scenario: too large", "")
	for _, name := range []string{"out/deep/report.xml", "both/features.junit.xml"} {
		for _, want := range []string{`file="mine.feature" line="11"`, "mine.feature:11: Then &#34;big&#34; is allocated: ask &#34;big&#34; waits", "the largest node has 4."} {
			if text := read(t, name); !strings.Contains(text, want) {
				t.Errorf("%s: expected %q in\n%s", name, want, text)
			}
		}
	}
	for _, name := range []string{"c.json", "both/features.cucumber.json"} {
		if text := read(t, name); !json.Valid([]byte(text)) || !strings.Contains(text, "too large") {
			t.Errorf("%s: found %s", name, text)
		}
	}
	quern("", "test", "mine.feature", "--format", "junit:-").want(t, cli.Failed, "<testsuites ", "")
	quern("", "test", "mine.feature", "--format", "progress:dots.txt").want(t, cli.Failed, "1 failed", "")
	if text := read(t, "dots.txt"); !strings.Contains(text, "2 scenarios (1 passed, 1 failed)") {
		t.Errorf("found %s", text)
	}
}

func TestFormatsOfATestThatCannotBeUsedLeaveFilesAlone(t *testing.T) {
	folder(t, map[string]string{"mine.feature": someFail, "report.xml": "old", "junk.feature": "Fable"})
	if err := os.Mkdir("folder", 0o755); err != nil {
		t.Fatal(err)
	}
	for line, told := range map[string]string{
		"mine.feature --format poetry":                         `--format: expected pretty, progress, cucumber or junit, or one of them with a file such as junit:report.xml, found "poetry"`,
		"mine.feature --format junit:":                         `expected a file behind "junit:"`,
		"mine.feature --format junit --format pretty":          "would both go to the standard output",
		"mine.feature --format junit:mine.feature":             "mine.feature",
		"mine.feature --format junit:folder":                   "--format",
		"mine.feature --format junit:mine.feature/x":           "--format",
		"mine.feature --format junit:x --format cucumber:./x":  "--format",
		"junk.feature --format junit:report.xml":               "junk.feature",
		"mine.feature --format junit:report.xml --tags @never": "none of 2 has tags",
		"mine.feature --steps":                                 "--steps: expected text, json or javascript",
		"--steps=xml":                                          `--steps: expected text, json or javascript, found "xml"`,
		"--steps=json mine.feature":                            "--steps: expected no path",
	} {
		quern("", append([]string{"test"}, strings.Fields(line)...)...).want(t, cli.BadInput, "", told)
		if read(t, "report.xml") != "old" || read(t, "mine.feature") != someFail {
			t.Fatalf("%s: a file was replaced", line)
		}
	}
}

func TestFormatsOfATestAreASetting(t *testing.T) {
	folder(t, map[string]string{"mine.feature": someFail, "quern.toml": "format = \"pretty,junit:report.xml\"\n"})
	quern("", "test", "mine.feature").want(t, cli.Failed, "Scenario: too large", "")
	if text := read(t, "report.xml"); !strings.Contains(text, "<testsuites") {
		t.Errorf("found %s", text)
	}
}

func TestStepsAreListedForEditors(t *testing.T) {
	for _, args := range [][]string{{"--steps=json"}, {"--steps", "json"}} {
		r := quern("", append([]string{"test"}, args...)...)
		r.want(t, cli.Succeeded, `"{names} is/are allocated on {name}"`, "")
		if !json.Valid([]byte(r.out)) {
			t.Errorf("%v: no JSON", args)
		}
	}
	quern("", "test", "--steps", "javascript").want(t, cli.Succeeded, "Then(\"{names} wait(s)\", () => {})\n", "")
	t.Setenv("QUERN_STEPS", "true")
	quern("", "test").want(t, cli.Succeeded, "{names} wait[s]", "")
}
