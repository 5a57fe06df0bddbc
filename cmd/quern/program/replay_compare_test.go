package program

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// capped is a configuration in which both leaves of the uneven journal have a max of so many cores.
func capped(vcores int) string {
	const one = "{name: %s, resources: {max: {vcore: %d}}}"
	return fmt.Sprintf("partitions: [{queues: [{name: root, queues: ["+one+", "+one+"]}]}]", "a", vcores, "b", vcores)
}

func TestManyConfigurationsAreComparedAtOnce(t *testing.T) {
	folder(t, map[string]string{"uneven": uneven, "two.yaml": capped(2), "four.yaml": capped(4), "nine.yaml": capped(9)})
	args := []string{"replay", "--compare", "two.yaml", "--compare", "four.yaml", "--compare", "nine.yaml", "uneven"}
	r := quern("", args...)
	for _, line := range []string{
		`  +as recorded +two.yaml +four.yaml +nine.yaml\n`, `  pending +1 +3 +1 +1\n`, `  wait mean +1\.67s +0s +1\.67s +1\.67s\n`, `    max +5s +0s +5s +5s\n`,
		`  root\.a +0s, 0s, 0s +– +0s, 0s, 0s +0s, 0s, 0s\n`, `  makespan +40s +35s +40s +40s\n`, `    mean +40 % +10 % +40 % +40 %\n`,
		`^Compared with the first run, two\.yaml waits 0s at p99 instead of 5s,`, `\nCompared with the first run, four\.yaml has the same figures\.\n`,
	} {
		if !regexp.MustCompile(line).MatchString(r.out) {
			t.Errorf("expected %q in\n%s", line, r.out)
		}
	}
	var o struct {
		Runs []struct {
			Config  string  `json:"config"`
			Verdict string  `json:"verdict"`
			Pending int     `json:"pending"`
			Mean    float64 `json:"pending_mean"`
		} `json:"runs"`
	}
	if err := json.Unmarshal([]byte(quern("", append(args, "--json")...).out), &o); err != nil || len(o.Runs) != 4 {
		t.Fatalf("%v: expected four runs, found %+v", err, o)
	}
	if o.Runs[0].Verdict != "" || o.Runs[3].Verdict != "Compared with the first run, nine.yaml has the same figures." {
		t.Errorf("found the verdicts %q and %q", o.Runs[0].Verdict, o.Runs[3].Verdict)
	}
	if o.Runs[1].Config != "two.yaml" || o.Runs[1].Pending != 3 || o.Runs[1].Mean != 2.48 || o.Runs[3].Config != "nine.yaml" || o.Runs[3].Mean != 0.78 {
		t.Errorf("found %+v", o.Runs)
	}
}

func TestAComparisonOfManyFitsATerminal(t *testing.T) {
	long := strings.Repeat("long", 12) + ".yaml"
	folder(t, map[string]string{"uneven": uneven, "two.yaml": capped(2), long: capped(4)})
	args := []string{"replay", "uneven"}
	for range 6 {
		args = append(args, "--compare", "two.yaml", "--compare", long)
	}
	r := quern("", args...)
	for _, want := range []string{"  A  as recorded\n", "  B  two.yaml\n", "  M  " + long + "\n"} {
		r.want(t, cli.Succeeded, want, "")
	}
	for line := range strings.Lines(r.out) {
		if utf8.RuneCountInString(strings.TrimSpace(line)) > 80 && !strings.Contains(line, "Waits until") {
			t.Errorf("a line has more than 80 characters: %s", line)
		}
	}
	if n := strings.Count(r.out, "wait p50, p99, max"); n < 2 {
		t.Errorf("expected that the table of waits goes on below, found %d parts:\n%s", n, r.out)
	}
}

func TestPoliciesAreComparedBesideConfigurations(t *testing.T) {
	modules := t.TempDir()
	module(t, modules, "smallest", smallest)
	folder(t, map[string]string{"j": sorted, "queues.yaml": "partitions: [{queues: [{name: root, queues: [{name: a}]}]}]"})
	file := modules + "/smallest.wasm"
	args := []string{"replay", "--policy-cache", "none", "--json", "--compare", "queues.yaml", "--compare-policy", file, "j"}
	r := quern("", args...)
	var o struct {
		Runs []struct {
			Config string         `json:"config"`
			Policy string         `json:"policy"`
			Time   map[string]any `json:"policy_time"`
		} `json:"runs"`
	}
	if err := json.Unmarshal([]byte(r.out), &o); err != nil || len(o.Runs) != 3 {
		t.Fatalf("%v: exit code %d, %s\n%s", err, r.code, r.err, r.out)
	}
	if last := o.Runs[2]; last.Config != "as recorded" || last.Policy != "smallest" || last.Time["smallest"] == nil || o.Runs[1].Policy != "" || o.Runs[1].Time["smallest"] != nil {
		t.Errorf("expected that the policy decided in the last run alone, found %+v", o.Runs)
	}
	quern("", "replay", "--policy-cache", "none", "--compare-policy", "none.wasm", "j").want(t, cli.BadInput, "", "none.wasm")
	quern("", "replay", "--policy-cache", "none", "--out", file, "--compare-policy", file, "j").want(t, cli.BadInput, "", "--out: ")
}

func TestCompare_RefusedConfigurationLeavesOldFiles(t *testing.T) {
	folder(t, map[string]string{"uneven": uneven, "two.yaml": capped(2), "bad.yaml": badQueues, "out": "old"})
	quern("", "replay", "--out", "out", "--compare", "two.yaml", "--compare", "bad.yaml", "uneven").want(t, cli.BadInput, "", "bad.yaml:8:")
	if read(t, "out") != "old" {
		t.Error("the decisions of a refused comparison took the place of old ones")
	}
}

func TestConditionsHoldForEachRun(t *testing.T) {
	folder(t, map[string]string{"uneven": uneven, "two.yaml": capped(2)})
	r := quern("", "replay", "--fail-if", "pending >= 1", "--fail-if", "pending > 3", "--compare", "two.yaml", "uneven")
	r.want(t, cli.Failed, "as recorded", "--fail-if: as recorded: pending is 1, at or above the limit of 1\n--fail-if: two.yaml: pending is 3, at or above the limit of 1\n")
}

func TestTheReportShowsComparedRunsSideBySide(t *testing.T) {
	folder(t, map[string]string{"uneven": uneven, "two.yaml": capped(2)})
	quern("", "replay", "--report", "report.html", "--compare", "two.yaml", "uneven").want(t, cli.Succeeded, "two.yaml", "")
	page := read(t, "report.html")
	_, text, _ := strings.Cut(page, `<script type="application/json" id="data">`)
	text, _, _ = strings.Cut(text, "</script>")
	var data struct {
		Compared struct {
			Names    []string `json:"names"`
			Verdicts []string `json:"verdicts"`
			Rows     []struct {
				Name   string   `json:"name"`
				Values []string `json:"values"`
			} `json:"rows"`
			Pending [][]float64 `json:"pending"`
			Points  int         `json:"points"`
			Types   []struct {
				Name string      `json:"name"`
				Used [][]float64 `json:"used"`
			} `json:"types"`
		} `json:"compared"`
	}
	if err := json.Unmarshal([]byte(text), &data); err != nil {
		t.Fatal(err)
	}
	c := data.Compared
	if fmt.Sprint(c.Names, c.Rows[2]) != "[as recorded two.yaml] {pending [1 3]}" || c.Points != 100 || len(c.Pending) != 2 || len(c.Types) != 1 {
		t.Fatalf("found %+v", c)
	}
	if len(c.Verdicts) != 1 || !strings.HasPrefix(c.Verdicts[0], "Compared with the first run, two.yaml waits 0s at p99 instead of 5s,") {
		t.Errorf("the verdicts are %q", c.Verdicts)
	}
	if c.Types[0].Used[0][24] != 8000 || c.Types[0].Used[1][40] != 2000 || c.Pending[1][99] != 3 {
		t.Errorf("the curves are %v and %v", c.Types[0].Used, c.Pending)
	}
}

func TestRunsInParallelHaveTheFiguresOfRunsAlone(t *testing.T) {
	files, args := map[string]string{"uneven": uneven}, []string{"replay", "--json", "uneven"}
	for i := range 8 {
		name := fmt.Sprintf("%d.yaml", i)
		files[name] = capped(i + 1)
		args = append(args, "--compare", name)
	}
	folder(t, files)
	type run struct {
		Config string          `json:"config"`
		Jobs   json.RawMessage `json:"jobs"`
		Mean   float64         `json:"pending_mean"`
	}
	var all struct {
		Runs []run `json:"runs"`
	}
	if err := json.Unmarshal([]byte(quern("", args...).out), &all); err != nil || len(all.Runs) != 9 {
		t.Fatalf("%v: %d runs", err, len(all.Runs))
	}
	for i, found := range all.Runs[1:] {
		name := fmt.Sprintf("%d.yaml", i)
		var one struct{ Runs []run }
		if err := json.Unmarshal([]byte(quern("", "replay", "--json", "uneven", "--compare", name).out), &one); err != nil || len(one.Runs) != 2 {
			t.Fatalf("%v: %d runs", err, len(one.Runs))
		}
		alone := one.Runs[1]
		if found.Config != name || found.Mean != alone.Mean || strings.Join(strings.Fields(string(found.Jobs)), "") != strings.Join(strings.Fields(string(alone.Jobs)), "") {
			t.Errorf("%s: expected %+v, found %+v", name, alone, found)
		}
	}
}
