package check

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// metric is a metric as the document lists it, which a test of quern holds against what is served.
type metric struct {
	kind   string
	labels []string
}

var row = regexp.MustCompile("(?m)^\\| `(quern_\\w+)` \\| (\\w+) \\| (.*?) \\|")

// documented are the metrics of the document.
func documented(t *testing.T) map[string]metric {
	t.Helper()
	text := read(t, "../../reference/metrics.md")
	all := map[string]metric{}
	for _, m := range row.FindAllStringSubmatch(text, -1) {
		var names []string
		for _, name := range strings.Split(strings.ReplaceAll(m[3], "`", ""), ", ") {
			if name != "" {
				names = append(names, name)
			}
		}
		all[m[1]] = metric{m[2], names}
	}
	if len(all) < 30 {
		t.Fatalf("found %d metrics in the document", len(all))
	}
	return all
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// ofOthers are metrics that quern does not name.
var ofOthers = map[string]bool{"up": true, "process_resident_memory_bytes": true, "process_cpu_seconds_total": true}

// targetLabels are those that Prometheus adds.
var targetLabels = []string{"job", "instance"}

// check parses an expression, and complains about metrics and labels that there are not.
func check(t *testing.T, where, text string, metrics map[string]metric, recorded map[string]bool) {
	t.Helper()
	e, err := parser.NewParser(parser.Options{}).ParseExpr(text)
	if err != nil {
		t.Errorf("%s: %v", where, err)
		return
	}
	allowed := slices.Clone(targetLabels)
	parser.Inspect(e, func(n parser.Node, _ []parser.Node) error {
		if v, ok := n.(*parser.VectorSelector); ok && !recorded[v.Name] && !ofOthers[v.Name] {
			known, ok := labelsOf(v.Name, metrics)
			if !ok {
				t.Errorf("%s: there is no metric %s", where, v.Name)
			}
			allowed = append(allowed, known...)
			for _, m := range v.LabelMatchers {
				if m.Name != labels.MetricName && !slices.Contains(append(known, targetLabels...), m.Name) {
					t.Errorf("%s: %s has no label %s", where, v.Name, m.Name)
				}
			}
		}
		return nil
	})
	parser.Inspect(e, func(n parser.Node, _ []parser.Node) error {
		if a, ok := n.(*parser.AggregateExpr); ok {
			for _, name := range a.Grouping {
				if !slices.Contains(allowed, name) {
					t.Errorf("%s: nothing in it has the label %s", where, name)
				}
			}
		}
		return nil
	})
}

// labelsOf are the labels of a series of a metric.
func labelsOf(series string, metrics map[string]metric) ([]string, bool) {
	if m, ok := metrics[series]; ok && m.kind != "histogram" {
		return m.labels, true
	}
	for _, suffix := range []string{"_bucket", "_sum", "_count"} {
		if name, ok := strings.CutSuffix(series, suffix); ok && metrics[name].kind == "histogram" {
			return append(slices.Clone(metrics[name].labels), "le"), true
		}
	}
	return nil, false
}
