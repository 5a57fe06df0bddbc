package check

import (
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
)

// rules are those of the file.
func rules(t *testing.T) (alerts, recorded []rulefmt.Rule) {
	t.Helper()
	groups, errs := rulefmt.ParseFile("../quern.rules.yml", false, model.UTF8Validation, parser.NewParser(parser.Options{}), slog.New(slog.DiscardHandler))
	for _, err := range errs {
		t.Error(err)
	}
	if groups == nil {
		t.FailNow()
	}
	for _, g := range groups.Groups {
		for _, r := range g.Rules {
			if r.Alert != "" {
				alerts = append(alerts, r)
			} else {
				recorded = append(recorded, r)
			}
		}
	}
	return alerts, recorded
}

func TestRulesAskForMetricsThatThereAre(t *testing.T) {
	alerts, recorded := rules(t)
	metrics, names := documented(t), map[string]bool{}
	for _, r := range recorded {
		names[r.Record] = true
		check(t, r.Record, r.Expr, metrics, nil)
	}
	for _, r := range alerts {
		check(t, r.Alert, r.Expr, metrics, names)
	}
}

func TestEveryAlertIsDocumentedAndTested(t *testing.T) {
	alerts, _ := rules(t)
	var names []string
	for _, r := range alerts {
		names = append(names, r.Alert)
		if r.Labels["severity"] == "" || r.Annotations["summary"] == "" {
			t.Errorf("%s has no severity, or no summary", r.Alert)
		}
		if _, ok := cases[r.Alert]; !ok {
			t.Errorf("%s has no test", r.Alert)
		}
	}
	var documented []string
	for _, m := range regexp.MustCompile("(?m)^\\| `(Quern\\w+)` \\|").FindAllStringSubmatch(read(t, "../../run-live/operating.md"), -1) {
		documented = append(documented, m[1])
	}
	if !slices.Equal(names, documented) {
		t.Errorf("expected the alerts\n%v\nin this order in run-live/operating.md, found\n%v", names, documented)
	}
}

// alertCase has series, a sample every 15 seconds, with which an alert fires at the end, and others with which it does not.
type alertCase struct{ fires, rests string }

var cases = map[string]alertCase{
	"QuernDown":        {`up{job="quern"} 1 0x10`, `up{job="quern"} 0x2 1x8`},
	"QuernStoreFailed": {`quern_store_failed 0 1x5`, `quern_store_failed 0x5 1`},
	"QuernStalled":     {"quern_intake_inputs 3x20\nquern_rounds_total 7x20", "quern_intake_inputs 3x20\nquern_rounds_total 0+1x20"},
	"QuernViewLags":    {`quern_view_lag_seconds 0 15+15x10`, `quern_view_lag_seconds 0 15 30 0x10`},
	"QuernSlowDecisions": {
		latency("quern_decision_latency_seconds", ".25", 1),
		latency("quern_decision_latency_seconds", ".05", 1),
	},
	"QuernSlowDisk": {
		latency("quern_record_sync_seconds", ".1", 1),
		latency("quern_record_sync_seconds", ".01", 1),
	},
	"QuernBusy":              {`quern_requests_total{outcome="busy"} 0+3x60`, "quern_requests_total{outcome=\"busy\"} 7x60\nquern_requests_total{outcome=\"answered\"} 0+3x60"},
	"QuernPolicyQuarantined": {`quern_policy_quarantined{policy="x"} 0x10 1 0x9`, `quern_policy_quarantined{policy="x"} 1x4 0x60`},
	"QuernNoSnapshot": {
		"quern_store_batches_since_snapshot 2000x60\nquern_store_snapshot_age_seconds 3700+15x60",
		"quern_store_batches_since_snapshot 100x60\nquern_store_snapshot_age_seconds 9000x60",
	},
	"QuernAsksFitNowhere":      {`quern_asks_waiting{reason="no-node-fits"} 3x250`, "quern_asks_waiting{reason=\"no-node-fits\"} 3x200 0 3x40\nquern_asks_waiting{reason=\"headroom\"} 9x250"},
	"QuernPreemptedOften":      {`quern_most_preempted{of="ask"} 5x10`, "quern_most_preempted{of=\"ask\"} 4x70\nquern_most_preempted{of=\"application\"} 900x70"},
	"QuernPreemptionGoesRound": {`quern_preemption_cycles_total 0x30 1x29`, `quern_preemption_cycles_total 3x90`},
	"QuernConfigRefused":       {`quern_config_refused{source="file"} 0x5 1x5`, "quern_config_refused{source=\"file\"} 1x8 0x40 1x1\nquern_config_refused{source=\"api\"} 0x50"},
	"QuernSettingsRefused":     {`quern_settings_failed 0 1x21`, `quern_settings_failed 0x10 1x10 0`},
	"QuernRestarts":            {`quern_start_time_seconds 1x9 2x9 3x9 4x9`, `quern_start_time_seconds 1x9 2x30`},
	"QuernInternalCallErrors":  {`quern_grpc_calls_total{method="quern.v1.Scheduler/Submit",code="INTERNAL"} 0+1x60`, `quern_grpc_calls_total{method="quern.v1.Scheduler/Submit",code="INVALID_ARGUMENT"} 0+1x60`},
	"QuernInternalErrors":      {`quern_http_requests_total{route="GET /v1/queues",code="500"} 0+1x60`, `quern_http_requests_total{route="GET /v1/queues",code="404"} 0+1x60`},
	"QuernPlannedStartsSlip":   {`quern_planned_start_slips_total{reason="overrun"} 0+1x60`, "quern_planned_start_slips_total{reason=\"overrun\"} 40x60\nquern_planned_start_slips_total{reason=\"outranked\"} 0+1x60"},
}

// latency has all of what is measured be in one bucket, for a quarter of an hour.
func latency(name, bucket string, rate int) string {
	var b strings.Builder
	for _, le := range []string{".001", ".01", ".05", ".1", ".25", "+Inf"} {
		step := "+0"
		if le == bucket || le == "+Inf" || less(bucket, le) {
			step = "+1"
		}
		b.WriteString(name + `_bucket{le="` + le + `"} 0` + step + "x70\n")
	}
	return strings.TrimSpace(b.String())
}

func less(a, b string) bool { return strings.TrimPrefix(a, ".")+"00" < strings.TrimPrefix(b, ".")+"00" }

const step = 15 * time.Second

func TestAlertsFireWhenTheyShould(t *testing.T) {
	alerts, recorded := rules(t)
	for _, r := range alerts {
		expr := r.Expr
		for _, known := range recorded {
			expr = strings.ReplaceAll(expr, known.Record, "("+known.Expr+")")
		}
		c := cases[r.Alert]
		if !fires(t, expr, time.Duration(r.For), c.fires) {
			t.Errorf("%s does not fire with\n%s", r.Alert, c.fires)
		}
		if fires(t, expr, time.Duration(r.For), c.rests) {
			t.Errorf("%s fires with\n%s", r.Alert, c.rests)
		}
	}
}

// fires reports whether an expression has held for a time at the end of the longest series.
func fires(t *testing.T, expr string, hold time.Duration, series string) bool {
	t.Helper()
	s, samples := load(t, series)
	engine := promql.NewEngine(promql.EngineOpts{MaxSamples: 100_000, Timeout: time.Minute, Parser: parser.NewParser(parser.Options{})})
	at, end := time.Unix(0, 0), time.Unix(0, 0).Add(step*time.Duration(samples-1))
	since := time.Time{}
	for ; !at.After(end); at = at.Add(step) {
		q, err := engine.NewInstantQuery(t.Context(), s, promql.NewPrometheusQueryOpts(false, 0), expr, at)
		if err != nil {
			t.Fatal(err)
		}
		found, err := q.Exec(t.Context()).Vector()
		q.Close()
		switch {
		case err != nil:
			t.Fatal(err)
		case len(found) == 0:
			since = time.Time{}
		case since.IsZero():
			since = at
		}
	}
	return !since.IsZero() && end.Sub(since) >= hold
}
