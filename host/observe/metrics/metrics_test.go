package metrics

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	dto "github.com/prometheus/client_model/go"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/server/livetest"
	"github.com/quern-project/quern/host/store"
)

// cluster is a scheduler whose metrics are served.
type cluster struct {
	*livetest.Live
	*Metrics
	t       *testing.T
	address string
	source  *server.Source
}

func start(t *testing.T, o Options) *cluster {
	t.Helper()
	c := &cluster{Metrics: New(o), t: t}
	var usage func() (store.Usage, error)
	c.Live = livetest.Start(t, func(options *server.Options) {
		options.Observer = c.Metrics
		usage = options.Store.(*store.Log).Usage
	})
	c.Attach(c.Live.Server, usage)
	c.source = c.Source()
	http := httptest.NewServer(new(web.Guard).Handler(c.Routes(nil)...))
	t.Cleanup(http.Close)
	c.address = http.URL
	return c
}

// say submits lines of inputs, and waits until readers see what they bring.
func (c *cluster) say(lines string) {
	c.t.Helper()
	if err := c.submit(c.t.Context(), lines, false); err != nil {
		c.t.Fatal(err)
	}
}

func (c *cluster) submit(ctx context.Context, lines string, durable bool) error {
	d := journal.NewInputDecoder(strings.NewReader(lines), "test")
	var list []core.Input
	for {
		e, err := d.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		list = append(list, e.Input)
	}
	given, err := c.source.Submit(ctx, &server.Request{Inputs: list, Durable: durable})
	if err != nil || durable {
		return err
	}
	return c.View().Await(ctx, given.Batch)
}

// scrape returns what a scrape finds: the lines of samples.
func (c *cluster) scrape(accept string) string {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), http.MethodGet, c.address+"/metrics", nil)
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Accept", accept)
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	body, err := io.ReadAll(a.Body)
	if err != nil || a.StatusCode != http.StatusOK || a.Body.Close() != nil {
		c.t.Fatalf("%s: %s (%v)", a.Status, body, err)
	}
	return string(body)
}

// want fails unless a scrape has these samples, and none of those that begin with a !.
func (c *cluster) want(samples ...string) {
	c.t.Helper()
	found := "\n" + c.scrape("text/plain")
	for _, s := range samples {
		if unwanted, not := strings.CutPrefix(s, "!"); not {
			if strings.Contains(found, "\n"+unwanted) {
				c.t.Errorf("found %s", unwanted)
			}
			continue
		}
		if !strings.Contains(found, "\n"+s+"\n") {
			name, _, _ := strings.Cut(strings.ReplaceAll(s, "{", " "), " ")
			c.t.Errorf("expected %s, found\n%s", s, samplesOf(found, name))
		}
	}
}

func samplesOf(text, name string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, name) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// busy is a cluster in which something of every kind has happened: asks that wait, a preemption, and a policy that nothing answers for.
const busy = `{"type":"policy.set","name":"reverse","sha256":"1","manifest":"{\"name\":\"reverse\",\"points\":{\"app.order\":{\"columns\":[\"submitted\"],\"keys\":1,\"depends\":\"row\",\"fallback\":\"fifo\"}}}"}
{"type":"config.set","config":"partitions: [{name: default, queues: [{name: root, queues: [{name: a, resources: {guaranteed: {vcore: 2}, max: {vcore: 4, memory: 1Gi}}}, {name: b, properties: {application.sort.policy: reverse}}]}]}]","format":"yaml"}
{"type":"node.add","id":"n1","capacity":{"vcore":8,"memory":"4Gi"}}
{"type":"node.add","id":"n2","capacity":{"vcore":1}}
{"type":"node.drain","id":"n2"}
{"type":"app.add","id":"x","queue":"root.a"}
{"type":"app.add","id":"y","queue":"root.b"}
{"type":"ask.add","id":"y1","app":"y","resources":{"vcore":6,"memory":"1Gi"}}
{"type":"ask.add","id":"x1","app":"x","resources":{"vcore":1}}
{"type":"ask.add","id":"x2","app":"x","resources":{"vcore":5}}
{"type":"ask.add","id":"x3","app":"x","resources":{"vcore":5}}
`

// taker preempts y1, which runs on its one node.
const taker = `{"type":"ask.add","id":"taker","app":"x","resources":{"vcore":3},"node":"n1","priority":9}`

func TestMetrics_OfTheScheduler(t *testing.T) {
	c := start(t, Options{Version: "v1", Queues: 10})
	c.say(busy)
	c.want(
		`quern_allocations 2`, `quern_nodes{state="drained"} 1`, `quern_nodes{state="schedulable"} 1`,
		`quern_applications{state="running"} 2`, `quern_applications{state="waiting"} 0`,
		`quern_asks_waiting{reason="headroom"} 2`, `quern_queue_asks_waiting{queue="root"} 2`, `quern_queue_asks_waiting{queue="root.b"} 0`,
		`quern_queue_used{queue="root",resource="vcore"} 7`, `quern_queue_used{queue="root.b",resource="memory"} 1.073741824e+09`,
		`quern_queue_max{queue="root",resource="vcore"} 9`, `quern_queue_max{queue="root.a",resource="vcore"} 4`,
		`quern_queue_guaranteed{queue="root.a",resource="vcore"} 2`, `quern_queue_pending{queue="root.a",resource="vcore"} 10`,
		`quern_decisions_total{type="allocation"} 2`, `quern_decisions_total{type="policy.fault"} 1`, `quern_decisions_total{type="config.accepted"} 1`,
		`quern_policy_faults_total{policy="reverse",reason="missing"} 1`, `quern_policy_quarantined{policy="reverse"} 1`,
		`quern_inputs_total 11`, `quern_requests_total{outcome="answered"} 1`, `quern_decision_latency_seconds_count 1`, `quern_round_inputs_sum 11`,
		`quern_request_stage_seconds_count{stage="deciding"} 1`, `quern_store_failed 0`, `quern_view_lag_batches 0`, `quern_stream_readers 0`,
		`quern_intake_inputs 0`, `quern_store_segments 1`, `quern_store_snapshots 0`, `!quern_store_snapshot_age_seconds`,
	)
	c.say(taker)
	c.want(`quern_preemptions_total{right="required-node"} 1`, `quern_preemptions_total{right="quota"} 0`, `quern_decisions_total{type="preemption"} 1`)
}

func TestMetrics_MostPreempted(t *testing.T) {
	c := start(t, Options{})
	c.say(busy)
	c.say(taker)
	c.want(`quern_most_preempted{of="ask"} 1`, `quern_most_preempted{of="application"} 1`)
}

func TestPreemptions_CountedByRightWithoutVictim(t *testing.T) {
	c := start(t, Options{})
	c.View().Read(func(s *scheduler.Scheduler) {
		c.Published([]core.Decision{{Type: core.Preemption, ID: "gone", For: "k", Right: core.RightQueue}})
	})
	c.want(`quern_preemptions_total{right="queue"} 1`, `quern_preemptions_total{right="guarantee"} 0`)
}

func TestMetricsFollowPromlint(t *testing.T) {
	c := start(t, Options{Version: "v1", Queues: 10})
	c.say(busy)
	c.Route("GET /v1/queues")(web.Seen{Status: 404})
	problems, err := testutil.GatherAndLint(c.registry)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

func TestQueuesFarFromRootShareASeries(t *testing.T) {
	c := start(t, Options{Queues: 2})
	c.say(busy)
	c.want(`quern_queue_used{queue="root.a",resource="vcore"} 1`, `quern_queue_used{queue="other",resource="vcore"} 6`,
		`quern_queue_asks_waiting{queue="other"} 0`, `!quern_queue_used{queue="root.b"`)
	c = start(t, Options{Queues: 0})
	c.say(busy)
	c.want(`quern_queue_used{queue="other",resource="vcore"} 7`, `quern_queue_asks_waiting{queue="other"} 2`, `!quern_queue_max`)
}

func TestNamesOfPoliciesAreBounded(t *testing.T) {
	var n names
	for i := range mostNames {
		name := strings.Repeat("x", i+1)
		if n.label(name) != name {
			t.Fatalf("name %d has no series of its own", i)
		}
	}
	if n.label("one more") != other || n.label("x") != "x" {
		t.Error("names are not bounded")
	}
}

func TestFailedStore_IsCounted(t *testing.T) {
	c := start(t, Options{})
	c.FailStore(true)
	if err := c.submit(t.Context(), `{"type":"node.add","id":"n1","capacity":{"vcore":1}}`, false); err == nil {
		t.Fatal("the store took an input")
	}
	c.want(`quern_store_failed 1`, `quern_requests_total{outcome="store_failed"} 1`, `quern_inputs_total 0`)
	if s := c.Stats(time.Now()); !strings.Contains(s.Store.Failed, "no space is left") {
		t.Errorf("found %+v", s.Store)
	}
}

func TestLaggingView_IsMeasured(t *testing.T) {
	c := start(t, Options{})
	now := time.Now()
	release, held := make(chan struct{}), make(chan struct{})
	go c.View().Read(func(*scheduler.Scheduler) { close(held); <-release })
	<-held
	if err := c.submit(t.Context(), `{"type":"node.add","id":"n1","capacity":{"vcore":1}}`, true); err != nil {
		t.Fatal(err)
	}
	c.keep(now)
	if lag := c.gauge(now.Add(5*time.Second), viewSeconds); lag != 5 {
		t.Errorf("found a lag of %v s while the view is held", lag)
	}
	if lag := c.gauge(now, viewBatches); lag < 1 {
		t.Errorf("found a lag of %v batches while the view is held", lag)
	}
	close(release)
	if err := c.View().Await(t.Context(), c.Condition().End.Batch); err != nil {
		t.Fatal(err)
	}
	if lag := c.gauge(now.Add(6*time.Second), viewSeconds); lag != 0 {
		t.Errorf("found a lag of %v s after the view has gone on", lag)
	}
}

// gauge reads one of how things stand at a time, without the view.
func (c *cluster) gauge(now time.Time, d *prometheus.Desc) float64 {
	c.t.Helper()
	found := make(chan prometheus.Metric, 100)
	(&collector{c.Metrics}).condition(now, found)
	close(found)
	for m := range found {
		if m.Desc() == d {
			var written dto.Metric
			if err := m.Write(&written); err != nil {
				c.t.Fatal(err)
			}
			return written.GetGauge().GetValue()
		}
	}
	c.t.Fatalf("found no %v", d)
	return 0
}

func TestLatenciesNameTheirTrace(t *testing.T) {
	c := start(t, Options{Trace: func(context.Context) string { return "4bf92f3577b34da6a3ce929d0e0e4736" }})
	c.say(`{"type":"node.add","id":"n1","capacity":{"vcore":1}}`)
	if text := c.scrape("application/openmetrics-text; version=1.0.0"); !strings.Contains(text, `# {trace_id="4bf92f3577b34da6a3ce929d0e0e4736"}`) {
		t.Errorf("found no exemplar in\n%s", samplesOf(text, "quern_decision_latency_seconds"))
	}
}
