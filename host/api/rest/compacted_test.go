package rest_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/api/rest"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/server/livetest"
	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/host/store/simdisk"
)

// slowReader has found what it reads, and something happens before it reads on.
type slowReader struct {
	*httptest.ResponseRecorder
	meanwhile func()
}

func (r *slowReader) Header() http.Header {
	if do := r.meanwhile; do != nil {
		r.meanwhile = nil
		do()
	}
	return r.ResponseRecorder.Header()
}

// A record that is cut off while somebody reads it ends the answer: a page early, a stream with the reason. Nothing is left out in silence.
func TestARecordThatIsCutOffEndsAnswers(t *testing.T) {
	for query, end := range map[string]string{
		"?limit=1000":  "",
		"?follow=true": `{"type":"end","reason":"compacted"}` + "\n",
	} {
		t.Run(query, func(t *testing.T) {
			host, cut := largeRecord(t)
			w := &slowReader{httptest.NewRecorder(), cut}
			listDecisions(t, host.Server, w, query)
			text, ok := strings.CutSuffix(w.Body.String(), end)
			if !ok || w.Code != http.StatusOK {
				t.Fatalf("%d, which ends with %.300s", w.Code, w.Body.String()[max(0, w.Body.Len()-300):])
			}
			lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
			for i, line := range lines {
				if server.SeqOf([]byte(line)) != uint64(i+1) {
					t.Fatalf("line %d is %s", i+1, line)
				}
			}
			if len(lines) >= 120 {
				t.Errorf("all %d lines came", len(lines))
			}
			again := httptest.NewRecorder()
			listDecisions(t, host.Server, again, fmt.Sprint("?from=", len(lines)+1))
			if again.Code != http.StatusGone || !strings.Contains(again.Body.String(), `"first":`) {
				t.Errorf("what comes next: %d %s", again.Code, again.Body)
			}
		})
	}
}

// A page whose decisions are all left out by a filter says that those to come are not kept.
func TestDecisionsPage_SaysIfTheyAreNotStored(t *testing.T) {
	host, cut := largeRecord(t)
	w := &slowReader{httptest.NewRecorder(), cut}
	listDecisions(t, host.Server, w, "?type=node.accepted")
	if w.Code != http.StatusGone || !strings.Contains(w.Body.String(), `"first":`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// largeRecord is a host whose record has 120 decisions in some segments, none of them in memory since it was started after them, and what
// removes all but the last ones.
func largeRecord(t *testing.T) (host *livetest.Live, cut func()) {
	t.Helper()
	disk := simdisk.New(1)
	var record *store.Log
	open := func(o *server.Options) {
		var err error
		if record, o.Found, err = store.Open(disk, store.Options{SegmentSize: 1 << 20}); err != nil {
			t.Fatal(err)
		}
		o.Store = record
	}
	host = livetest.Start(t, open)
	for n := range 120 {
		in := core.Input{Event: &core.AddApp{ID: fmt.Sprint("a", n), Queue: "root.default", Tags: map[string]string{"x": strings.Repeat("x", 20_000)}}}
		given, err := host.Source().Submit(t.Context(), &server.Request{Inputs: []core.Input{in}})
		if err == nil {
			err = host.View().Await(t.Context(), given.Batch)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	host.End()
	host = livetest.Start(t, open)
	return host, func() {
		last := record.End()
		for _, p := range []store.Position{{Batch: last.Batch - 1, Decision: last.Decision - 1, At: last.At - 1}, last} {
			if err := record.WriteSnapshot(p, []byte("{}")); err != nil {
				t.Error(err)
			}
		}
		if removed, err := record.Compact(last.At); err != nil || removed < 2 {
			t.Errorf("%d segments were removed (%v)", removed, err)
		}
	}
}

// listDecisions has the host list decisions.
func listDecisions(t *testing.T, s *server.Server, w http.ResponseWriter, query string) {
	t.Helper()
	for _, route := range rest.New(s).Routes() {
		if route.Pattern == "GET /v1/decisions" {
			r := httptest.NewRequest(http.MethodGet, "/v1/decisions"+query, nil)
			route.Handler.ServeHTTP(w, r.WithContext(context.WithoutCancel(t.Context())))
		}
	}
}
