package tracing

import (
	"encoding/hex"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/server/livetest"
)

// collected is a collector of traces.
type collected struct {
	mu    sync.Mutex
	paths []string
	spans []*otlp.Span
	about []string // attributes of the resource
}

func (c *collected) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var sent collector.ExportTraceServiceRequest
	if err != nil || proto.Unmarshal(body, &sent) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.paths = append(c.paths, r.URL.Path)
	for _, of := range sent.ResourceSpans {
		for _, a := range of.Resource.Attributes {
			c.about = append(c.about, a.Key+"="+a.Value.GetStringValue())
		}
		for _, in := range of.ScopeSpans {
			c.spans = append(c.spans, in.Spans...)
		}
	}
}

// serve has a handler traced that submits a node.
func serve(t *testing.T, o Options) (address string, tracing *Tracing) {
	t.Helper()
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	tracing, err := New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	live := livetest.Start(t, func(options *server.Options) { options.Observer = tracing.Observer(server.Unobserved{}) })
	source := live.Source()
	submit := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in := core.Input{Event: &core.AddNode{ID: r.PathValue("name"), Capacity: resource.NewSet(resource.Quantity{Type: "vcore", Value: 1})}}
		if _, err := source.Submit(r.Context(), &server.Request{Inputs: []core.Input{in}}); err != nil {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		if id := TraceOf(r.Context()); id != "" {
			w.Header().Set("Trace", id)
		}
	})
	const route = "POST /nodes/{name}"
	http := httptest.NewServer(new(web.Guard).Handler(web.Route{Pattern: route, Handler: tracing.Handler(route, submit)}))
	t.Cleanup(http.Close)
	return http.URL, tracing
}

func post(t *testing.T, address, parent string) http.Header {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+"/nodes/n1", nil)
	if err != nil {
		t.Fatal(err)
	}
	if parent != "" {
		r.Header.Set("traceparent", parent)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil || a.Body.Close() != nil || a.StatusCode != http.StatusOK {
		t.Fatalf("%v %v", a, err)
	}
	return a.Header
}

func TestARequestIsTracedInStagesBelowItsSendersSpan(t *testing.T) {
	to := &collected{}
	sink := httptest.NewServer(to)
	defer sink.Close()
	address, tracing := serve(t, Options{Endpoint: sink.URL, Sample: 0, Version: "v1"})
	const id = "4bf92f3577b34da6a3ce929d0e0e4736"
	if found := post(t, address, "00-"+id+"-00f067aa0ba902b7-01").Get("Trace"); found != id {
		t.Errorf("the handler sees the trace %q", found)
	}
	post(t, address, "") // its sender has not asked for a trace, and none is sampled
	if err := tracing.Close(); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range to.spans {
		names = append(names, s.Name)
		if s.EndTimeUnixNano < s.StartTimeUnixNano || hex.EncodeToString(s.TraceId) != id {
			t.Errorf("found %v", s)
		}
	}
	slices.Sort(names)
	if found := strings.Join(names, ", "); found != "POST /nodes/{name}, answer, decide, make durable, publish, submit, wait for a round" {
		t.Errorf("found the spans %s", found)
	}
	if !slices.Contains(to.about, "service.name=quern") || !slices.Contains(to.about, "service.version=v1") || to.paths[0] != "/v1/traces" {
		t.Errorf("found %v, sent to %v", to.about, to.paths)
	}
}

func TestTheShareOfTracesIsThatOfTheOptions(t *testing.T) {
	to := &collected{}
	sink := httptest.NewServer(to)
	defer sink.Close()
	address, tracing := serve(t, Options{Endpoint: sink.URL, Sample: 1})
	post(t, address, "")
	post(t, address, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00") // its sender has decided against it
	if err := tracing.Close(); err != nil {
		t.Fatal(err)
	}
	if len(to.spans) != 7 {
		t.Errorf("found %d spans", len(to.spans))
	}
}

func TestTracesAreWantedWhereACollectorIsNamed(t *testing.T) {
	for name, c := range map[string]struct {
		endpoint string
		env      map[string]string
		want     bool
	}{
		"nothing":                  {"", nil, false},
		"an option":                {"http://127.0.0.1:4318", nil, true},
		"a variable":               {"", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}, true},
		"a variable of traces":     {"", map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:4318"}, true},
		"switched off":             {"http://127.0.0.1:4318", map[string]string{"OTEL_SDK_DISABLED": "true"}, false},
		"no exporter":              {"http://127.0.0.1:4318", map[string]string{"OTEL_TRACES_EXPORTER": "none"}, false},
		"an exporter that we have": {"http://127.0.0.1:4318", map[string]string{"OTEL_TRACES_EXPORTER": "otlp"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			for _, k := range []string{"OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_SDK_DISABLED", "OTEL_TRACES_EXPORTER"} {
				t.Setenv(k, c.env[k])
			}
			if o := (Options{Endpoint: c.endpoint}); o.wanted() != c.want {
				t.Errorf("expected %v", c.want)
			}
		})
	}
}

func TestWhereTracesAreSentChangesWhileRequestsAreTraced(t *testing.T) {
	to := [2]*collected{{}, {}}
	var sinks [2]*httptest.Server
	for i := range to {
		sinks[i] = httptest.NewServer(to[i])
		defer sinks[i].Close()
	}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"} {
		t.Setenv(name, "")
	}
	address, tracing := serve(t, Options{})
	change := func(o Options) {
		t.Helper()
		o.Log = slog.New(slog.DiscardHandler)
		put, err := tracing.Prepare(t.Context(), o)
		if err == nil {
			err = put()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	spans := func(one, two int) {
		t.Helper()
		if len(to[0].spans) != one || len(to[1].spans) != two {
			t.Errorf("found %d and %d spans, expected %d and %d", len(to[0].spans), len(to[1].spans), one, two)
		}
	}
	if found := post(t, address, "").Get("Trace"); found != "" {
		t.Errorf("found the trace %q before a collector is named", found)
	}
	change(Options{Endpoint: sinks[0].URL, Sample: 1})
	post(t, address, "")
	if _, err := tracing.Prepare(t.Context(), Options{Endpoint: sinks[1].URL, Sample: 1, Log: slog.New(slog.DiscardHandler)}); err != nil {
		t.Fatal(err)
	}
	post(t, address, "") // what was only prepared holds for nothing
	change(Options{Endpoint: sinks[1].URL, Sample: 1})
	spans(14, 0)
	post(t, address, "")
	change(Options{Endpoint: sinks[1].URL})
	spans(14, 7)
	post(t, address, "") // none is sampled
	change(Options{})
	post(t, address, "")
	spans(14, 7)
}

func TestACollectorThatIsNotThereFailsNothing(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	var log strings.Builder
	address, tracing := serve(t, Options{Endpoint: gone.URL, Sample: 1, Log: slog.New(slog.NewTextHandler(&log, nil))})
	post(t, address, "")
	if err := tracing.Close(); err != nil {
		t.Error(err)
	}
	if !strings.Contains(log.String(), "traces are not sent") {
		t.Errorf("nothing tells that the traces are lost: %s", log.String())
	}
}
