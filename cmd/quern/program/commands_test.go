package program

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

func TestValidate_PrintsEveryErrorOfEveryFile(t *testing.T) {
	folder(t, map[string]string{"good.yaml": queues, "bad.yaml": badQueues, "both.yaml": strings.Replace(badQueues, "1.0001}", "1.0001, memory: many}", 1)})
	quern("", "validate", "good.yaml").want(t, cli.Succeeded, "good.yaml: valid\n", "")
	quern("", "validate", "bad.yaml").want(t, cli.BadInput, "", "bad.yaml:8:")
	r := quern("", "validate", "good.yaml", "bad.yaml", "both.yaml", "none.yaml")
	r.want(t, cli.BadInput, "good.yaml: valid", "none.yaml")
	if n := strings.Count(r.err, "both.yaml:8:"); n != 2 {
		t.Errorf("%d errors of both.yaml, want 2:\n%s", n, r.err)
	}
	for _, line := range strings.Split(strings.TrimSpace(r.err), "\n")[:3] {
		if !strings.Contains(line, ": root.default: ") || !strings.Contains(line, "expected ") || !strings.Contains(line, ", found ") {
			t.Errorf("expected file:line:column: queue: key: expected …, found … and got %q", line)
		}
	}
	quern("", "validate", "--json", "good.yaml", "bad.yaml").want(t, cli.BadInput, `"line": 8`, "")
}

func TestWhatCannotBeReadIsNotValidInJSONEither(t *testing.T) {
	dir := folder(t, map[string]string{"good.yaml": queues, "empty.yaml": "", "empty.json": "", "empty.wasm": "", "locked.yaml": queues, "noise": "\x1f\x8bnot gzip at all"})
	if err := os.Chmod("locked.yaml", 0); err != nil {
		t.Fatal(err)
	}
	unusable := []string{"missing.yaml", "missing.json", "missing.wasm", "missing.toml", dir, "empty.yaml", "empty.json", "empty.wasm", "noise"}
	if os.Getuid() != 0 {
		unusable = append(unusable, "locked.yaml")
	}
	for _, name := range unusable {
		r := quern("", "validate", "--json", "good.yaml", name)
		var o struct {
			Valid bool
			Files []struct {
				File   string
				Valid  bool
				Errors []struct{ Text string }
			}
		}
		if err := json.Unmarshal([]byte(r.out), &o); err != nil || r.code != cli.BadInput || r.err != "" {
			t.Fatalf("%s: %v: %+v", name, err, r)
		}
		if o.Valid || len(o.Files) != 2 || !o.Files[0].Valid || o.Files[1].Valid || o.Files[1].File != name || len(o.Files[1].Errors) == 0 || !strings.HasPrefix(o.Files[1].Errors[0].Text, name) {
			t.Errorf("%s: found\n%s", name, r.out)
		}
		plain := quern("", "validate", name)
		plain.want(t, cli.BadInput, "", name)
		if plain.out != "" {
			t.Errorf("%s: found on standard output\n%s", name, plain.out)
		}
	}
}

func TestWhatIsNotThereIsBadInputForEveryCommand(t *testing.T) {
	folder(t, map[string]string{"small.journal": small})
	for _, line := range []string{
		"replay none", "explain none --ask x", "explain none --json --ask x", "test none", "test none.feature:3", "policy inspect none.wasm", "policy inspect --json none.toml",
		"policy test none.wasm", "policy test --json none.wasm", "policy bench none.wasm", "policy bench --json none.toml", "policy pin none.wasm", "policy pin none.toml", "policy rollback none x",
		"policy try none.wasm small.journal", "policy try --json none.toml small.journal", "playground none", "playground --config none", "playground --dir none", "replay --policies none small.journal",
	} {
		r := quern("", strings.Fields(line)...)
		r.want(t, cli.BadInput, "", "none")
		if r.out != "" || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: expected one message, found\n%s%s", line, r.out, r.err)
		}
	}
}

func TestAFileInThePlaceOfAFolderIsBadInput(t *testing.T) {
	folder(t, map[string]string{"small.journal": small, "queues.yaml": queues, "our.feature": feature, "file": ""})
	for _, line := range []string{
		"replay --policies file small.journal", "replay --policies . --policy-cache file small.journal", "explain --policies file --ask x small.journal", "validate --policies file queues.yaml",
		"policy try --policies file x.wasm small.journal", "policy rollback file x", "policy new --lang c --dir file x", "demo --dir file", "demo --dir file/below",
		"test --reports file our.feature", "test --reports file/below our.feature", "replay --out file/x small.journal",
	} {
		r := quern("", strings.Fields(line)...)
		r.want(t, cli.BadInput, "", "file")
		if r.out != "" || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: expected one message, found\n%s%s", line, r.out, r.err)
		}
	}
}

func TestAPrintedConfigurationPrintsAsItself(t *testing.T) {
	folder(t, map[string]string{"good.yaml": queues})
	first := quern("", "validate", "--print", "good.yaml")
	first.want(t, cli.Succeeded, "guaranteed", "")
	if second := quern(first.out, "validate", "--print", "-"); second != first {
		t.Errorf("printed again it is\n%s%s\nwant\n%s", second.out, second.err, first.out)
	}
	quern("a = [", "validate", "--format", "toml", "-").want(t, cli.BadInput, "", "stdin:1:")
	quern("", "validate", "--format", "json", "-").want(t, cli.BadInput, "", "--format: expected yaml or toml")
}

const feature = `Feature: mine
  Scenario: an ask is placed
    Given a node "n1" with 4 vcore
    And an application "app" in root.default
    When "app" asks "a" for 1 vcore
    Then "a" is allocated
`

func TestScenariosPassOrFailOrCannotBeRead(t *testing.T) {
	folder(t, map[string]string{
		"pass.feature": feature, "fail.feature": strings.Replace(feature, "4 vcore", "500m vcore", 1), "junk.feature": "no feature\n",
	})
	quern("", "test", "pass.feature").want(t, cli.Succeeded, "1 passed", "")
	quern("", "test", "--verbose", "--concurrency", "1", "pass.feature:2").want(t, cli.Succeeded, "Scenario: an ask is placed", "")
	quern("", "test", "fail.feature").want(t, cli.Failed, "1 failed", "")
	quern("", "test", "junk.feature").want(t, cli.BadInput, "", "junk.feature")
	quern("", "test", "none.feature").want(t, cli.BadInput, "", "none.feature")
	quern("", "test", "--tags", "@nowhere", "pass.feature").want(t, cli.BadInput, "", "none of 1 has tags that satisfy \"@nowhere\"")
	quern("", "test", "--tags", "@a &&", "pass.feature").want(t, cli.BadInput, "", "tags: column 4: expected tags joined by")
	quern("", "test", "--concurrency", "0", "pass.feature").want(t, cli.BadInput, "", "--concurrency")
	quern("", "test", "--steps").want(t, cli.Succeeded, "asks", "")
	quern("", "test", "--reports", "reports", "pass.feature").want(t, cli.Succeeded, "1 passed", "")
	for _, name := range []string{"reports/features.cucumber.json", "reports/features.junit.xml"} {
		if !strings.Contains(read(t, name), "an ask is placed") {
			t.Errorf("%s does not name the scenario", name)
		}
	}
}

func TestTheDemoLeavesEverythingInAFolder(t *testing.T) {
	folder(t, nil)
	quern("", "demo", "--dir", "day").want(t, cli.Succeeded, "The report is day/report.html", "")
	quern("", "demo", "--dir", "other", "--seed", "2").want(t, cli.Succeeded, "allocated", "")
	if read(t, "day/demo.journal") == read(t, "other/demo.journal") {
		t.Error("another seed is the same day")
	}
	quern("", "replay", "--out", "again", "day/demo.journal").want(t, cli.Succeeded, "allocated", "")
	if read(t, "again") != read(t, "day/decisions.jsonl") {
		t.Error("the demo's journal does not lead to the demo's decisions again")
	}
}

func TestHelpVersionAndCompletion(t *testing.T) {
	folder(t, nil)
	quern("", "version").want(t, cli.Succeeded, "quern ", "")
	quern("", "--version").want(t, cli.Succeeded, "quern ", "")
	quern("", "version", "--licences").want(t, cli.Succeeded, "Redistribution and use in source and binary forms", "") // Go's own: a test lists no modules
	quern("").want(t, cli.Succeeded, "Usage:", "")
	for _, command := range []string{"replay", "explain", "validate", "demo", "test", "version", "completion"} {
		quern("", command, "--help").want(t, cli.Succeeded, "Usage:", "")
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		quern("", "completion", shell).want(t, cli.Succeeded, "quern", "")
	}
	quern("", "completion", "tcsh").want(t, cli.BadInput, "", `unknown command "tcsh"; there are: bash, fish, powershell, zsh`)
	quern("", "completion", "bash", "now").want(t, cli.BadInput, "", "now")
	quern("", "help", "nothing").want(t, cli.BadInput, "", `unknown command "nothing"`)
	quern("", "__complete", "replay", "--speed", "").want(t, cli.Succeeded, "recorded\nfill\n", "")
}

func TestSettings_FlagsThenEnvironmentThenFile(t *testing.T) {
	folder(t, map[string]string{"small.journal": small, "quern.toml": "json = true\nuntil = \"13s\"\n"})
	virtual := func(args ...string) float64 {
		t.Helper()
		return quern("", append([]string{"replay", "small.journal"}, args...)...).count(t, "virtual_seconds")
	}
	if got := virtual(); got != 13 {
		t.Errorf("with the file alone the run takes %v s, want 13", got)
	}
	t.Setenv("QUERN_UNTIL", "20s")
	if got := virtual(); got != 20 {
		t.Errorf("the environment is to win over the file, found %v s", got)
	}
	if got := virtual("--until", "30s"); got != 30 {
		t.Errorf("a flag is to win over the environment, found %v s", got)
	}
	t.Setenv("QUERN_JSON", "perhaps")
	quern("", "replay", "small.journal").want(t, cli.BadInput, "", "QUERN_JSON: expected a value for --json")
}

func TestAWrongSettingIsBadInput(t *testing.T) {
	for text, expected := range map[string]string{
		"colour = \"red\"\n": "quern.toml:1: colour: expected the name of a flag",
		"json = [\n":         "quern.toml",
		"json = \"often\"\n": "quern.toml:1: json: expected",
	} {
		folder(t, map[string]string{"small.journal": small})
		if err := os.WriteFile("quern.toml", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		quern("", "replay", "small.journal").want(t, cli.BadInput, "", expected)
	}
}
