package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/host/api/rest"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/observe/logging"
	"github.com/quern-project/quern/host/observe/metrics"
	policies "github.com/quern-project/quern/host/policy/live"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/server/livetest"
	"github.com/quern-project/quern/host/store"
)

// operated is a scheduler that is served with all routes that are described, and its log.
func operated(t *testing.T, changes ...func(*server.Options)) (l *live, log *bytes.Buffer, logs *logging.Logs) {
	log = &bytes.Buffer{}
	levels, err := logging.ParseLevels("info")
	if err != nil {
		t.Fatal(err)
	}
	if logs, err = logging.New(log, log, logging.Text, levels); err != nil {
		t.Fatal(err)
	}
	m := metrics.New(metrics.Options{Version: "v1", Queues: 10})
	var usage func() (store.Usage, error)
	observe := func(o *server.Options) { o.Observer, usage = m, o.Store.(*store.Log).Usage }
	host := livetest.Start(t, append(changes, observe)...)
	m.Attach(host.Server, usage)
	modules, err := policies.Open(t.Context(), policies.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := modules.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	routes := slices.Concat(rest.New(host.Server).Routes(), rest.NewPolicies(host.Server, modules, func() bool { return false }).Routes(),
		rest.NewOperation(m, logs, "v1", still{}, nil).Routes())
	described, err := web.Describe(routes)
	if err != nil {
		t.Fatal(err)
	}
	http := httptest.NewServer(new(web.Guard).Handler(routes...))
	t.Cleanup(http.Close)
	return &live{t, host, http.URL, routes, described}, log, logs
}

// still is a time lapse that shows noon.
type still struct{ server.Clock }

func (still) Now() time.Duration { return 12 * time.Hour }

func (still) Speed() float64 { return 60 }

func TestStatsTellHowTheHostDoes(t *testing.T) {
	l := start(t)
	l.submit(node, app, ask, big)
	r := l.do("GET", "/v1/stats", "")
	s := struct {
		metrics.Stats
		Queues json.RawMessage `json:"queues"` // its amounts are written, and not read
	}{}
	if err := json.Unmarshal([]byte(r.body), &s); err != nil || r.status != http.StatusOK {
		t.Fatalf("%+v: %v", r, err)
	}
	c := s.Cluster
	if s.Totals.Inputs != 4 || s.Totals.Allocations != 1 || c.Nodes != 1 || c.Allocations != 1 || c.Asks != 1 || c.Applications != 1 || len(c.Reasons) != 1 {
		t.Errorf("found %s", r.body)
	}
	if s.Uptime <= 0 || s.Seq == 0 || s.Batch == 0 || s.Memory.Heap == 0 || s.Memory.Goroutines == 0 || s.Store.Bytes == 0 {
		t.Errorf("found %s", r.body)
	}
	if !strings.Contains(r.body, `{"queue":"root.default","leaf":true,"used":{"vcore":"1000m"},"guaranteed":{},"max":{},"pending":{"vcore":"9000m"},"asks_waiting":1,"allocations":1,"running":1}`) {
		t.Errorf("found %s", r.body)
	}
}

func TestTheVersionIsThatOfTheProgram(t *testing.T) {
	l := start(t)
	if r := l.do("GET", "/v1/version", ""); r.status != http.StatusOK || !strings.HasPrefix(r.body, `{"version":"v1",`) || !strings.Contains(r.body, `"go":"go1`) || !strings.Contains(r.body, `"demo":true,"demo_speed":60,"demo_time":"1970-01-01T12:00:00Z"`) {
		t.Errorf("%+v", r)
	}
}

func TestLevelsOfTheLogChangeWhileTheHostRuns(t *testing.T) {
	l, log, logs := operated(t)
	logs.For(logging.HTTP).Debug("left out")
	if r := l.do("PUT", "/v1/log", `{"levels":{"http":"debug"}}`); r.status != http.StatusOK || !strings.Contains(r.body, `"http":"debug"`) || !strings.Contains(r.body, `"loop":"info"`) {
		t.Errorf("%+v", r)
	}
	logs.For(logging.HTTP).Debug("told")
	logs.For(logging.Loop).Debug("left out")
	if found := log.String(); strings.Contains(found, "left out") || !strings.Contains(found, "msg=told subsystem=http") {
		t.Errorf("found %s", found)
	}
	before := l.do("GET", "/v1/log", "")
	for body, expected := range map[string]string{
		``:                                      "EOF",
		`[]`:                                    "cannot unmarshal",
		`{"level":"debug"}`:                     "unknown field",
		`{"levels":{}}{}`:                       "found text after it",
		`{"levels":{"disk":"debug"}}`:           "disk",
		`{"levels":{"loop":"loud"}}`:            "levels: loop: expected debug",
		`{"levels":{"http":"warn","x":"info"}}`: "expected one of loop",
	} {
		if r := l.do("PUT", "/v1/log", body); r.status != http.StatusBadRequest || !strings.Contains(r.body, "bad_input") || !strings.Contains(r.body, expected) {
			t.Errorf("%s: expected %q, found %+v", body, expected, r)
		}
	}
	if r := l.do("PUT", "/v1/log", `{"levels":{"`+strings.Repeat("x", 5000)+`":"info"}}`); r.status != http.StatusRequestEntityTooLarge {
		t.Errorf("a large body: %+v", r)
	}
	if after := l.do("GET", "/v1/log", ""); after.body != before.body {
		t.Errorf("a request that was refused changed levels: %s", after.body)
	}
}

func TestProfilesAreServedToAdmins(t *testing.T) {
	http := httptest.NewServer(new(web.Guard).Handler(rest.Profiles()...))
	defer http.Close()
	l := &live{T: t, address: http.URL, described: &web.OpenAPI{}}
	for path, expected := range map[string]string{"/debug/pprof/": "goroutine", "/debug/pprof/goroutine?debug=1": "goroutine profile", "/debug/pprof/heap?debug=1": "heap profile", "/debug/pprof/cmdline": "test"} {
		if r := l.do("GET", path, ""); r.status != 200 || !strings.Contains(r.body, expected) {
			t.Errorf("%s: %d, %.100s", path, r.status, r.body)
		}
	}
	for _, r := range append(rest.Profiles(), start(t).routes...) {
		changes := strings.HasPrefix(r.Pattern, "PUT ") || strings.HasPrefix(r.Pattern, "DELETE ") || strings.HasSuffix(r.Pattern, "/rollback")
		if needs := r.Needs == auth.Admin; needs != (changes || strings.Contains(r.Pattern, "/debug/") || strings.HasSuffix(r.Pattern, "/v1/log")) {
			t.Errorf("%s needs the role %v", r.Pattern, r.Needs)
		}
	}
}
