package program

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

func TestSummary_TimesOfPolicies(t *testing.T) {
	modules := t.TempDir()
	module(t, modules, "smallest", smallest)
	folder(t, map[string]string{"j": sorted})
	replay := []string{"replay", "--policy-cache", "none", "--policies", modules, "j"}
	r := quern("", replay...)
	line := regexp.MustCompile(`\n  policy smallest was asked about \d+ items in \d+ calls, which took [^,\n]+, \d+ % of the time in the scheduler\n`)
	if r.code != cli.Succeeded || !line.MatchString(r.out) {
		t.Errorf("exit code %d\n%s%s", r.code, r.out, r.err)
	}
	var o struct {
		Time map[string]struct {
			Calls, Items int
			Seconds      float64
		} `json:"policy_time"`
	}
	if err := json.Unmarshal([]byte(quern("", append(replay, "--json")...).out), &o); err != nil {
		t.Fatal(err)
	}
	if spent := o.Time["smallest"]; len(o.Time) != 1 || spent.Calls < 1 || spent.Items < spent.Calls || spent.Seconds <= 0 {
		t.Errorf("found %+v", o.Time)
	}
	if r := quern("", append(replay, "--no-policies")...); line.MatchString(r.out) {
		t.Errorf("nobody was asked, found\n%s", r.out)
	}
}
