package metrics

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"google.golang.org/grpc/codes"
	checks "google.golang.org/grpc/health/grpc_health_v1"

	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/store"
)

var update = flag.Bool("update", false, "write the table of metrics into the document")

// page has the table of metrics between two lines.
const page = "../../../docs/reference/metrics.md"

const (
	tableBegin = "<!-- table: metrics -->\n"
	tableEnd   = "<!-- end -->\n"
)

// everything is a cluster in which every metric has a value.
func everything(t *testing.T) *cluster {
	c := start(t, Options{Version: "v1", Queues: 10})
	c.say(busy)
	c.say(aging)
	c.say(taker)
	c.Route("GET /v1/queues")(web.Seen{Status: 404})
	c.calls.WithLabelValues("reverse")
	client, end := c.called()
	checked(t, client, codes.OK, "")
	if watch, err := checks.NewHealthClient(client).Watch(t.Context(), &checks.HealthCheckRequest{}); err != nil || watch.RecvMsg(&checks.HealthCheckResponse{}) != nil {
		t.Errorf("found no health: %v", err)
	}
	end()
	c.SetSettings(Settings{})
	c.live.RefuseConfig(errors.New("wrong"))
	usage := c.usage
	c.usage = func() (store.Usage, error) {
		u, err := usage()
		u.Snapshot.Batch, u.Snapshots = 1, 1 // as after ten minutes
		return u, err
	}
	return c
}

func TestTheDocumentListsEveryMetric(t *testing.T) {
	c := everything(t)
	families, err := c.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	families = slices.DeleteFunc(families, func(f *dto.MetricFamily) bool { return !strings.HasPrefix(f.GetName(), "quern_") })
	slices.SortFunc(families, func(a, b *dto.MetricFamily) int { return cmp.Compare(a.GetName(), b.GetName()) })
	var table strings.Builder
	table.WriteString("| metric | type | labels | tells |\n|---|---|---|---|\n")
	known := map[string]bool{}
	for _, f := range families {
		known[f.GetName()] = true
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n", f.GetName(), strings.ToLower(f.GetType().String()), labelsOf(f), f.GetHelp())
	}
	for name := range described(c.registry) {
		if !known[name] {
			t.Errorf("%s has no value in this test, so that it is missing in the document", name)
		}
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), tableBegin)
	found, after, _ := strings.Cut(rest, tableEnd)
	if found == table.String() {
		return
	}
	if !*update {
		t.Fatalf("%s: expected the table that this test writes with -update:\n%s", page, table.String())
	}
	if err := os.WriteFile(page, []byte(before+tableBegin+table.String()+tableEnd+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// labelsOf lists the labels of a family.
func labelsOf(f *dto.MetricFamily) string {
	var names []string
	for _, l := range f.GetMetric()[0].GetLabel() {
		names = append(names, "`"+l.GetName()+"`")
	}
	return strings.Join(names, ", ")
}

var nameOfDesc = regexp.MustCompile(`fqName: "(quern_\w+)"`)

// described lists the metrics that a registry describes, with values or without.
func described(r *prometheus.Registry) map[string]bool {
	descriptions, names := make(chan *prometheus.Desc), map[string]bool{}
	go func() { r.Describe(descriptions); close(descriptions) }()
	for d := range descriptions {
		if m := nameOfDesc.FindStringSubmatch(d.String()); m != nil {
			names[m[1]] = true
		}
	}
	return names
}
