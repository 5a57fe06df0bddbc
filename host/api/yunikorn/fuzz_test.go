package yunikorn

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/server/livetest"
)

// FuzzRequests sends any path and body: what is answered is what was asked for, or an error that says why not.
func FuzzRequests(f *testing.F) {
	for _, r := range routes {
		f.Add(r.path, "")
	}
	f.Add("/ws/v1/partition/%5B%5D/queue/%2e%2e/applications/active?status=,", "")
	f.Add("/ws/v1/events/batch?count=%31&start=;", "")
	f.Add("/ws/", "no route")
	f.Add("/ws/v1/validate-conf", "partitions: [{queues: [{name: a}]}]")
	machine, memory := livetest.NewMachine(), NewMemory()
	machine.Clock.Set(start)
	if err := machine.Start(func(o *server.Options) { o.Watcher = memory }); err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		if err := machine.Stop(); err != nil {
			f.Error(err)
		}
	})
	mux := http.NewServeMux()
	for _, r := range New(machine.Server, memory, Options{Now: machine.Clock.Now}).Routes() {
		mux.Handle(r.Pattern, r.Handler)
	}
	f.Fuzz(func(t *testing.T, target, body string) {
		at, err := url.ParseRequestURI(target)
		if err != nil || !strings.HasPrefix(at.Path, "/ws/") || strings.HasSuffix(at.Path, "/stream") {
			t.Skip()
		}
		method := http.MethodGet
		if body != "" {
			method = http.MethodPost
		}
		r := httptest.NewRequest(method, "/", strings.NewReader(body))
		r.URL, r.RequestURI = at, target
		if _, pattern := mux.Handler(r); pattern == "" {
			t.Skip() // the site answers for routes that do not exist
		}
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		switch {
		case w.Code >= http.StatusInternalServerError:
			t.Fatalf("%s: %d %s", target, w.Code, w.Body)
		case w.Code >= http.StatusBadRequest && !json.Valid(w.Body.Bytes()):
			t.Fatalf("%s: %d without an object: %s", target, w.Code, w.Body)
		}
	})
}
