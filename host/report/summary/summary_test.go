package summary_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/report/summary"
)

func amounts(vcores, gib int64) resource.Set {
	return resource.NewSet(resource.Quantity{Type: resource.VCore, Value: vcores * 1000}, resource.Quantity{Type: "memory", Value: gib << 30})
}

// shared is the summary of a run with limits, gangs and quotas.
func shared() *summary.Summary {
	var waits ledger.Waits
	waits.Add(0)
	waits.Add(90 * time.Second)
	var s summary.Summary
	s.Limits = []ledger.LimitPeak{
		{Queue: "root.a", Name: "ann", At: time.Minute, Share: resource.ShareUnit, Used: amounts(4, 1), Max: amounts(4, 8), Final: amounts(1, 1)},
		{Queue: "root", Name: "dev", Group: true, Share: resource.ShareUnit / 2, Applications: 1, MaxApplications: 2},
		{Queue: "[gpu]root.b", Share: resource.ShareUnit / 4, Used: amounts(0, 2), Max: amounts(4, 8), Applications: 3},
	}
	s.Applications = ledger.ApplicationSummary{Started: 2, Waiting: 1, Withdrawn: 4, Waits: waits, Services: waits}
	s.Gangs = []ledger.GangSummary{
		{GangTotals: ledger.GangTotals{Formed: 2, TimedOut: 1, Replaced: 1200, Ended: 3}, Waits: waits, Services: waits},
		{GangTotals: ledger.GangTotals{Withdrawn: 4}, Atomic: true, Waiting: 5},
	}
	s.Quotas = []ledger.QuotaSummary{{Path: "root.a", Rounds: 2, Victims: 3, Taken: amounts(6, 3)}}
	return &s
}

// text is what a summary prints after the head.
func text(t *testing.T, s *summary.Summary) string {
	t.Helper()
	var b strings.Builder
	if err := s.Text(&b, summary.Style{}); err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(b.String(), "no time in the scheduler\n")
	return rest
}

func TestTheSummaryShowsLimitsGangsAndQuotas(t *testing.T) {
	const want = `
  limit of             in                                           most used            at the end
  user ann             root.a       ████████████████████  100 %  vcore 4 of 4                 1
  group dev            root         ██████████░░░░░░░░░░   50 %  1 of 2 applications           –
  user without a name  [gpu]root.b  █████░░░░░░░░░░░░░░░   25 %  memory 2 GiB of 8 GiB           –

  1 of 3 limits in use was reached.

  gangs            formed  timed out  withdrawn  waiting  wait p50    max  service p50    max  placeholders replaced  ended
  by placeholders       2          1          0        0        0s  1m30s           0s  1m30s                  1,200      3
  atomic                0          0          4        5         –      –            –      –                      –      –

  applications  started  withdrawn  waiting  wait p50    max  service p50    max
             7        2          4        1        0s  1m30s           0s  1m30s

  over its max  rounds  victims  released
  root.a             2        3  memory 3 GiB, vcore 6
`
	if got := text(t, shared()); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
		t.Errorf("expected\n%s\nfound\n%s", want, got)
	}
}

func TestASummaryWithoutThemHasNoEmptyPart(t *testing.T) {
	if got := text(t, &summary.Summary{}); got != "" {
		t.Errorf("expected nothing, found\n%s", got)
	}
	var b strings.Builder
	if err := new(summary.Summary).JSON(&b); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{`"limits"`, `"gangs"`, `"applications"`, `"quotas"`} {
		if strings.Contains(b.String(), key) {
			t.Errorf("%s is there: %s", key, b.String())
		}
	}
}

func TestTheSummaryForProgramsHasLimitsGangsAndQuotas(t *testing.T) {
	var b strings.Builder
	if err := shared().JSON(&b); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Limits []map[string]any          `json:"limits"`
		Gangs  map[string]map[string]any `json:"gangs"`
		Jobs   map[string]any            `json:"applications"`
		Quota  map[string]map[string]any `json:"quotas"`
	}
	if err := json.Unmarshal([]byte(b.String()), &got); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		got  any
		want string
	}{
		{got.Limits[0], "map[applications:0 at_seconds:60 max:map[memory:8.589934592e+09 vcore:4000m vcore_milli:4000] queue:root.a share:1 used:map[memory:1.073741824e+09 vcore:4000m vcore_milli:4000] used_at_end:map[memory:1.073741824e+09 vcore:1000m vcore_milli:1000] user:ann]"},
		{got.Limits[1], "map[applications:1 at_seconds:0 group:dev max:map[] max_applications:2 queue:root share:0.5 used:map[]]"},
		{got.Limits[2]["user"], ""},
		{got.Gangs["placeholders"], "map[formed:2 interrupted:0 placeholders_ended:3 placeholders_replaced:1200 service_seconds:map[max:90 mean:45 p50:0 p90:90 p99:90] slowdown:map[max:0 mean:0 p50:0 p90:0 p95:0 p99:0] timed_out:1 turnaround_seconds:map[max:0 mean:0 p50:0 p90:0 p95:0 p99:0] wait_seconds:map[max:90 mean:45 p50:0 p90:90 p99:90] waiting:0 withdrawn:0]"},
		{got.Gangs["atomic"], "map[formed:0 interrupted:0 service_seconds:map[max:0 mean:0 p50:0 p90:0 p99:0] slowdown:map[max:0 mean:0 p50:0 p90:0 p95:0 p99:0] timed_out:0 turnaround_seconds:map[max:0 mean:0 p50:0 p90:0 p95:0 p99:0] wait_seconds:map[max:0 mean:0 p50:0 p90:0 p99:0] waiting:5 withdrawn:4]"},
		{got.Jobs, "map[interrupted:0 service_seconds:map[max:90 mean:45 p50:0 p90:90 p99:90] slowdown:map[max:0 mean:0 p50:0 p90:0 p95:0 p99:0] started:2 turnaround_seconds:map[max:0 mean:0 p50:0 p90:0 p95:0 p99:0] wait_seconds:map[max:90 mean:45 p50:0 p90:90 p99:90] waiting:1 withdrawn:4]"},
		{got.Quota["root.a"], "map[rounds:2 taken:map[memory:3.221225472e+09 vcore:6000m vcore_milli:6000] victims:3]"},
	} {
		if found := fmt.Sprint(c.got); found != c.want {
			t.Errorf("expected %s, found %s", c.want, found)
		}
	}
}

func TestTheTerminalShowsTheLimitsUsedMostAlone(t *testing.T) {
	var s summary.Summary
	for i := range 20 {
		s.Limits = append(s.Limits, ledger.LimitPeak{Queue: "root", Name: fmt.Sprint("user", i), Share: resource.ShareUnit, Applications: 1, MaxApplications: 1})
	}
	got := text(t, &s)
	if strings.Contains(got, "user8 ") || !strings.Contains(got, "user7 ") || !strings.Contains(got, "20 of 20 limits in use were reached. --json and --report list all of them.") {
		t.Errorf("found\n%s", got)
	}
}

func TestTwoRunsAreComparedByTheirGangs(t *testing.T) {
	var b strings.Builder
	if err := summary.Compare(&b, []summary.Named{{Config: "one", Summary: shared()}, {Config: "two", Summary: new(summary.Summary)}}, summary.Style{}); err != nil {
		t.Fatal(err)
	}
	found := strings.Join(strings.Fields(b.String()), " ")
	for _, want := range []string{"gangs formed 2 0 -2", "gangs timed out 1 0 -1", "gang wait mean 45s – max 1m30s – gang service mean 45s – application wait mean 45s – max 1m30s – application service mean 45s –"} {
		if !strings.Contains(found, want) {
			t.Errorf("expected %q in\n%s", want, b.String())
		}
	}
}
